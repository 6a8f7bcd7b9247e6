"""Where the rows of a table come from: Parquet files, folders and URLs, and whatever gives a stream of Arrow."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple, TypeGuard, TypeVar, cast

from referee.basics.exceptions import EngineError, FormatError, MissingFileError, OptionError, one_line, shortened
from referee.basics.extras import arrow, fs, fsspec, need, parquet, spark_sql
from referee.basics.options.engines import EngineSettings
from referee.basics.spill import new_folder, remove_folder
from referee.formats.shared import parquet_rows
from referee.formats.shared.lakes import LAKES, check_folder
from referee.formats.shared.shapes import Foreign
from referee.formats.shared.source import PARQUET, check_size
from referee.tabular.arrow import Field, fields_of

Made = TypeVar("Made")

BATCH = 1 << 18
"""Rows that are read at a time."""

STREAMED = 0.2
"""Of the memory for everything, what rows of one stream may take."""

PATIENCE = 30
"""Seconds for which Google's storage is asked again."""


class RowSource:
    """The rows of one side, which can be read again and again.

    Parameters
    ----------
    name : str
        What messages call it.

    Attributes
    ----------
    ordered : dict
        Whether columns are ascending, for those that were looked at.
    shared : bool
        Whether several responses are scored against it: then `prepared` keeps what was made of it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.ordered: dict[str, bool] = {}
        self.shared = False
        self._prepared: dict[object, Foreign] = {}

    def prepared(self, how: object, make: Callable[[], Made]) -> Made:
        """What is made of the rows, made once if the source is shared."""
        if not self.shared:
            return make()
        if how not in self._prepared:
            self._prepared[how] = make()
        made: Made = self._prepared[how]
        return made

    @cached_property
    def schema(self) -> arrow.Schema:
        """The Arrow schema."""
        raise NotImplementedError

    @property
    def fields(self) -> list[Field]:
        """The columns."""
        return fields_of(self.schema)

    @property
    def rows(self) -> int | None:
        """The number of rows, if it is known before they are read."""
        raise NotImplementedError

    def batches(self, columns: Sequence[str]) -> Iterator[arrow.RecordBatch]:
        """The rows with these columns, as record batches of Arrow, in the order of the source."""
        raise NotImplementedError

    def may_be_ordered(self, column: str) -> bool:  # noqa: ARG002  # others look at it
        """Whether the values of a column may be ascending, as far as can be told without reading them."""
        return True

    def check_unchanged(self) -> None:
        """Raise EngineError if the source has changed since it was opened."""


class Frame(RowSource):
    """Rows in memory."""

    def __init__(self, table: arrow.Table, name: str) -> None:
        super().__init__(name)
        self.table = table

    @cached_property
    def schema(self) -> arrow.Schema:
        """The Arrow schema."""
        return self.table.schema

    @property
    def rows(self) -> int | None:
        """The number of rows."""
        return int(self.table.num_rows)

    def batches(self, columns: Sequence[str]) -> Iterator[arrow.RecordBatch]:
        """The rows, without a copy."""
        return iter(self.table.select(list(columns)).to_batches(max_chunksize=BATCH))


class SparkFrame(RowSource):
    """Rows of a cluster, which stay there."""

    def __init__(self, frame: spark_sql.DataFrame, name: str) -> None:
        super().__init__(name)
        self.frame = frame

    @cached_property
    def schema(self) -> arrow.Schema:
        """The Arrow schema."""
        return self.frame.limit(0).toArrow().schema

    @property
    def rows(self) -> int | None:
        """Not known."""
        return None

    def batches(self, columns: Sequence[str]) -> Iterator[arrow.RecordBatch]:
        """OptionError: a billion rows are not brought here by mistake."""
        problem = f"{self.name} is a frame of Spark with the columns {', '.join(columns)}, whose rows stay in its session"
        raise OptionError(f"{problem}; expected the engine spark and label tables, or frame.toArrow()")


class File(NamedTuple):
    """A file: its path, its size, and when it was changed; on a file system of Arrow, or None for local paths."""

    path: str
    size: int | None
    changed: object
    system: fs.FileSystem | None = None

    def now(self) -> File:
        """The file as it is now."""
        return _stated(self.path, self.system)


class ParquetFiles(RowSource):
    """Parquet files with the same columns, one after the other."""

    def __init__(self, files: Sequence[File], name: str) -> None:
        super().__init__(name)
        self.files = files

    @property
    def urls(self) -> list[str]:
        """The files as other programs name them."""
        return [file.path if file.system is None else f"{file.system.type_name}://{file.path}" for file in self.files]

    @cached_property
    def _footers(self) -> list[parquet.FileMetaData]:
        return [self._open(file).metadata for file in self.files]

    @cached_property
    def schema(self) -> arrow.Schema:
        """The schema of the first file."""
        return self._open(self.files[0]).schema_arrow

    @property
    def rows(self) -> int:
        """The number of rows, as the footers of the files have it."""
        return sum(footer.num_rows for footer in self._footers)

    def batches(self, columns: Sequence[str]) -> Iterator[arrow.RecordBatch]:
        """The rows; one batch is in memory at a time."""
        for file in self.files:
            parquet, kinds = self._open(file), {field.name: field.kind for field in self.fields}
            for field in fields_of(parquet.schema_arrow):
                if field.name in columns and field.kind != kinds[field.name]:
                    problem = f"column {field.name} is {field.type}, in {self.files[0].path} {kinds[field.name]}"
                    raise FormatError(file.path, None, f"{problem}; expected the same type in all files")
            if missing := set(columns) - set(parquet.schema_arrow.names):
                raise FormatError(file.path, None, f"has no column {min(missing)}; expected it, as in {self.files[0].path}")
            batches = parquet_rows.batches(parquet, file.path, BATCH, columns, use_threads=False)
            while (batch := _checked(file.path, lambda: next(batches, None))) is not None:  # noqa: B023  # called at once
                yield batch.select(list(columns))

    def may_be_ordered(self, column: str) -> bool:
        """Whether the statistics of the row groups allow that a column is ascending."""
        bounds = []
        for footer in self._footers:
            place = next((n for n, name in enumerate(footer.schema.names) if name == column), None)
            for group in range(footer.num_row_groups):
                statistics = None if place is None else footer.row_group(group).column(place).statistics
                if statistics is None or not statistics.has_min_max:
                    return False
                bounds += [statistics.min, statistics.max]
        return all(a <= b for a, b in pairwise(bounds))

    def check_unchanged(self) -> None:
        """Raise EngineError if a file has another size or another time of modification."""
        for file in self.files:
            if file.now() != file:
                raise EngineError(f"{file.path} was changed while it was read; nothing is reported: score again")

    def _open(self, file: File) -> parquet.ParquetFile:
        opened = file.path if file.system is None else file.system.open_input_file(file.path)
        return _checked(file.path, lambda: parquet.ParquetFile(opened, page_checksum_verification=True, pre_buffer=False))


def spool(schema: arrow.Schema, batches: Iterable[arrow.RecordBatch], name: str, settings: EngineSettings) -> RowSource:
    """Return rows that can be streamed once, so that they can be read again: in memory, or in a file if they are many."""
    size = 0
    rows: list[arrow.RecordBatch] = []
    stream = iter(batches)
    for batch in stream:
        rows.append(batch)
        size += batch.nbytes
        if size > STREAMED * settings.bytes:
            return _spooled(schema, chain(rows, stream), name, settings.folder)
    return Frame(arrow.Table.from_batches(rows, schema), name)


def _spooled(schema: arrow.Schema, batches: Iterable[arrow.RecordBatch], name: str, folder: str) -> ParquetFiles:
    """A file with the columns that may have ids or probabilities, which is removed with the source."""
    place = new_folder(folder)
    try:
        path = os.path.join(place, "rows.parquet")
        names = [field.name for field in fields_of(schema) if field.kind or field.type in ("float", "double", "bool")]
        empty = schema.empty_table().select(names)
        with parquet.ParquetWriter(path, empty.schema, write_page_checksum=True) as writer:
            for batch in batches:
                writer.write_batch(batch.select(names))
        source = ParquetFiles([_stated(path)], name)
    except BaseException as error:
        remove_folder(place)
        if isinstance(error, OSError):
            raise EngineError(f"{name} cannot be written to the spill folder {folder}: {_reason(error)}; use --spill") from None
        raise
    weakref.finalize(source, remove_folder, place)
    return source


def is_data_set(value: object) -> TypeGuard[Foreign]:
    """Whether it is a data set of Hugging Face, in memory, of one split."""
    return all(hasattr(value, name) for name in ("with_format", "column_names", "__getitem__", "__len__"))


def may_be_columns(value: object) -> bool:
    """Whether a value may be a table of columns, as those of other libraries are."""
    giving = ("__arrow_c_stream__", "to_table", "collect_schema", "with_format", "to_pyarrow_dataset")
    return any(hasattr(value, name) for name in giving)


def source_of(value: object, name: str, settings: EngineSettings | None = None) -> RowSource | None:
    """Return the rows of a list of paths and URLs, or of a value of another library; None if it has no columns.

    A stream that does not fit into its share of the memory is written to the spill folder, as it can be read only once.

    Raises
    ------
    FormatError
        If a file cannot be read.
    MissingExtraError
        If a library is not installed.
    """
    if isinstance(value, RowSource):
        return value
    need("Parquet" if isinstance(value, list) else "a data frame, or another table that pyarrow reads,", "pyarrow")
    if isinstance(value, list):
        files = list(chain.from_iterable(map(_files_of, value)))
        if not files:
            raise FormatError(value[0], None, "has no Parquet file; expected names that end in .parquet")
        return ParquetFiles(files, value[0] if len(value) == 1 else f"{value[0]} and {len(value) - 1} more")
    if isinstance(value, Mapping):  # several splits of one
        return None
    if hasattr(value, "sparkSession") and hasattr(value, "mapInArrow"):  # before its stream, which would bring all rows here
        return SparkFrame(cast("spark_sql.DataFrame", value), name)
    if is_data_set(value):
        value = value.with_format("arrow")[:]
    if hasattr(value, "to_pyarrow_dataset"):  # a Delta table
        value = value.to_pyarrow_dataset()
    if isinstance(value, arrow.Table):
        return Frame(value, name)
    stream = _stream(value)
    if stream is not None:
        return spool(*stream, name, settings or EngineSettings())
    if not hasattr(value, "__arrow_c_stream__"):
        return None
    try:
        reader = arrow.RecordBatchReader.from_stream(value)
    except arrow.ArrowInvalid:  # an array or a column
        return None
    except (arrow.ArrowException, ValueError, OverflowError) as error:  # of pandas: one name twice, text and numbers
        problem = shortened(one_line("; ".join(map(str, error.args))), 150)
        expected = "different names" if "uplicate column" in problem else "columns of one type: cast each, or leave it out"
        raise FormatError(name, None, f"is no table of Arrow: {problem}; expected {expected}") from None
    return (
        Frame(reader.read_all(), name)
        if hasattr(value, "__len__")
        else spool(reader.schema, reader, name, settings or EngineSettings())
    )


def _stream(value: Foreign) -> tuple[arrow.Schema, Iterable[arrow.RecordBatch]] | None:
    """The schema and the batches of an object that makes its rows on demand, such as a stream; None for other objects."""
    if hasattr(value, "collect_batches") and hasattr(value, "collect_schema"):  # a lazy frame of Polars
        frames = value.collect_batches()
        schema = value.collect_schema().to_frame().to_arrow().schema
        return schema, (batch for frame in frames for batch in frame.to_arrow().to_batches())
    if hasattr(value, "collect") and hasattr(value, "collect_schema"):  # of an older one
        table = value.collect().to_arrow()
        return table.schema, table.to_batches()
    if hasattr(value, "scanner"):  # a data set of Arrow
        value = value.scanner()
    for name in ("to_reader", "to_arrow_reader"):  # a scanner of Arrow, a relation of DuckDB
        if hasattr(value, name):
            reader = getattr(value, name)()
            return reader.schema, reader
    return None


def _files_of(path: str) -> Iterable[File]:
    """The Parquet files of a path: itself, or those below it."""
    if "://" in path:
        return _remote_files(path)
    if not os.path.isdir(path):
        if not os.path.exists(path):
            raise MissingFileError(path, None, "cannot be opened: no such file or directory")
        return [_stated(path)]
    check_folder(path)
    below = [os.path.join(where, name) for where, _, names in os.walk(path) for name in names]
    return map(_stated, _parts(path, {os.path.relpath(file, path): file for file in below}))


def _parts(folder: str, files: Mapping[str, str]) -> list[str]:
    """Return the files of a table among those of a folder, given by their paths in it; FormatError if one may be left out."""
    named = sorted(path for path in files if not any(part.startswith(("_", ".")) for part in path.split(os.sep)))
    if others := [path for path in named if not path.endswith(PARQUET)]:
        problem = f"has {shortened(others[0])}{f' and {len(others) - 1} more' if others[1:] else ''}"
        remedy = "move it, or begin its name with _ if it is no part of the table"
        raise FormatError(folder, None, f"{problem}; expected only names that end in .parquet: {remedy}")
    return [files[path] for path in named]


def _remote_files(url: str) -> Iterable[File]:
    system, path = _file_system(url)

    def request(call: Callable[[], Made]) -> Made:
        try:
            return call()
        except Exception as error:  # noqa: BLE001  # whatever a library of a cloud raises
            raise FormatError(url, None, f"cannot be opened: {_reason(error)}") from None

    info = request(lambda: system.get_file_info(path))
    if info.type == fs.FileType.NotFound:
        raise MissingFileError(url, None, "cannot be opened: there is nothing")
    if info.type == fs.FileType.File:
        return [_stated(path, system)]
    below = request(lambda: system.get_file_info(fs.FileSelector(path, recursive=True)))
    names = [info.path for info in below if info.type == fs.FileType.File]
    if any("/_delta_log/" in name for name in names):
        raise FormatError(url, None, f"is {LAKES['_delta_log']}")
    if any(name.endswith(".metadata.json") and "/metadata/" in name for name in names):
        raise FormatError(url, None, f"is {LAKES['metadata']}")
    return [_stated(name, system) for name in _parts(url, {name[len(path) :].lstrip("/"): name for name in names})]


def _file_system(url: str) -> tuple[fs.FileSystem, str]:
    """The file system of a URL and the path on it: that of Arrow, or of fsspec for other schemes."""
    scheme, _, rest = url.partition("://")
    if (
        scheme in ("gs", "gcs") and "retry_limit_seconds=" not in rest
    ):  # or a machine without a network waits for a quarter hour
        url += f"{'&' if '?' in rest else '?'}retry_limit_seconds={PATIENCE}"
    try:
        system, path = fs.FileSystem.from_uri(url)
    except (arrow.ArrowInvalid, arrow.ArrowNotImplementedError) as error:
        if "Unrecognized" not in str(error):
            raise OptionError(f"{url}: {_reason(error)}; expected a URL as pyarrow.fs.FileSystem.from_uri takes it") from None
        return _of_fsspec(url)
    except OSError as error:
        raise FormatError(url, None, f"cannot be opened: {_reason(error)}") from None
    return system, path


def _of_fsspec(url: str) -> tuple[fs.FileSystem, str]:
    """The file system of a scheme that Arrow does not know."""
    scheme = url.partition("://")[0]
    try:
        system, path = fsspec.core.url_to_fs(url)
    except (ImportError, ValueError) as error:
        remedy = f"s3, gs, abfs or file, or an installed package of fsspec for {scheme}"
        raise OptionError(f"{url}: {scheme} is no scheme of Arrow; expected {remedy} ({_reason(error)})") from None
    return fs.PyFileSystem(fs.FSSpecHandler(system)), path


def _stated(path: str, system: fs.FileSystem | None = None) -> File:
    if system is None:
        stat = os.stat(path)
        file = File(path, stat.st_size, stat.st_mtime_ns)
    else:
        info = system.get_file_info(path)
        file = File(path, info.size, info.mtime_ns, system)
    check_size(path, file.size or 0)
    return file


def _checked(path: str, read: Callable[[], Made]) -> Made:
    """What is read; FormatError if it is damaged."""
    try:
        return read()
    except FormatError:
        raise
    except FileNotFoundError:
        raise MissingFileError(path, None, "cannot be opened: no such file or directory") from None
    except Exception as error:  # noqa: BLE001  # of Arrow, or whatever a library of a cloud raises
        raise FormatError(path, None, f"is no Parquet file that can be read: {_reason(error)}") from None


def _reason(error: BaseException) -> str:
    return shortened(str(error).partition("\n")[0] or type(error).__name__, 150)
