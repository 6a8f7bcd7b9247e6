"""Counts files: what metrics counted in each document, as Parquet, from which all scores can be made again to the bit.

A row is a document. The column `document` has its name. The others, `c0`, `c1`, ..., are the columns of the counts, int64 or
float64; columns that are equal are stored once. The metadata `referee.counts` is JSON:

::

    {"version": 1, "digest": 912559, "referee": "0.2.0", "name": "run7.conll", "engine": "memory",
     "signature": "...", "short_signature": "...", "options": {"match": "exact", ...},
     "metrics": {"muc": {"recall_numerator": "c0", ...}, ...}, "digests": {"document": 77, "c0": 1311, ...},
     "sources": {"key": {"name": "key.conll", "size": 4212, "modified": 1791.5, "mentions": 19, "entities": 6},
                 "response": {...}}}

A `digest` is the CRC-32 of the JSON without it, with sorted keys; those of the columns are of their types and values. So a
file with a wrong bit anywhere is refused. A file is written block by block. Columns that have been equal so far stand
there once; one that differs in a later block is given values of its own in the blocks before.

Needs the extra `referee[parquet]`.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from zlib import crc32

import numpy as np

from referee.algorithms.arrays import Numbers
from referee.basics.exceptions import FormatError, MissingFileError, OptionError, listed, one_line, shortened, warn
from referee.basics.extras import arrow, need, parquet
from referee.basics.files import written_whole
from referee.basics.names import check_call
from referee.basics.options.options import Options
from referee.basics.version import VERSION
from referee.corpus import CorpusBuilder
from referee.formats.shared.json_values import Json
from referee.formats.shared.source import check_size
from referee.inputs.paths import ENDING, KEY
from referee.matching.pair import Pair, pair_of
from referee.metrics.metric import Metric
from referee.metrics.registry import METRICS
from referee.metrics.scores import Scores
from referee.scoring.evaluation import Evaluation
from referee.scoring.other_scorers.profiles import PROFILES
from referee.scoring.stored import Fact, StoredScores
from referee.scoring.table_pair import TablePair
from referee.stats.counts import Columns, Counts

VERSION_OF_FORMAT = 1

ROWS = 1 << 16
"""Documents of a row group."""

Place = tuple[str, str]
"""A metric and one of its columns."""


class CountsWriter:
    """Takes the counts of documents block by block; use `writing`."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._digests: dict[str, int] = {}
        self._places: dict[Place, str] = {}
        self._kinds: dict[str, str] = {}
        self._file: parquet.ParquetWriter | None = None
        self._head: dict[str, object] = {}

    def add(self, documents: Sequence[str], counts: Mapping[str, Counts]) -> None:
        """Add documents, with the counts of each metric, a row a document."""
        columns = {
            (metric, name): column for metric, metric_counts in counts.items() for name, column in metric_counts.columns.items()
        }
        columns |= {place: np.zeros(len(documents)) for place in self._places if place not in columns}
        self._fit(columns)
        stored = {name: columns[place].astype(self._kinds[name]) for place, name in self._places.items()}
        for first in range(0, len(documents), ROWS):
            rows = slice(first, first + ROWS)
            self._write(documents[rows], {name: column[rows] for name, column in stored.items()})

    def describe(self, head: Mapping[str, object]) -> None:
        """Give what the metadata have besides the columns: see `head_of`."""
        self._head = dict(head)

    def close(self) -> None:
        """Write the metadata and the end of the file."""
        file = self._file or self._open()
        metrics: dict[str, dict[str, str]] = {}
        for (metric, column), name in self._places.items():
            metrics.setdefault(metric, {})[column] = name
        content = {"version": VERSION_OF_FORMAT, **self._head, "metrics": metrics, "digests": self._digests}
        content["digest"] = crc32(_canonical(content))
        text = json.dumps(content, ensure_ascii=False, allow_nan=False)
        file.add_key_value_metadata({KEY: text.encode(errors="backslashreplace")})  # a file name may be no UTF-8
        self._end()

    def abandon(self) -> None:
        """Close the file unfinished."""
        if self._file is not None:
            self._end()

    def _end(self) -> None:
        assert self._file is not None
        self._file.close()
        self._opened.close()

    def _fit(self, columns: Mapping[Place, Numbers]) -> None:
        """Change the columns of the file if these do not fit them."""
        places, kinds, number = dict[Place, str](), dict[str, str](), 0
        classes: dict[tuple[str | None, str, bytes], str] = {}
        names = {*self._places.values()}
        for place, column in columns.items():
            before = self._places.get(place)  # None: this metric has no such column so far, as `slack`
            kind = "int64" if column.dtype.kind in "iu" and self._kinds.get(before or "", "int64") == "int64" else "float64"
            key = before if self._file is not None else None, kind, column.astype(kind).tobytes()
            if key not in classes:
                name = before if before is not None and before not in classes.values() else None
                while name is None:
                    name, number = (f"c{number}" if f"c{number}" not in names else None), number + 1
                names.add(name)
                classes[key], kinds[name] = name, kind
            places[place] = classes[key]
        if self._file is not None and (places, kinds) != (self._places, self._kinds):
            self._rewrite(places, kinds)
        self._places, self._kinds = places, kinds

    def _rewrite(self, places: Mapping[Place, str], kinds: Mapping[str, str]) -> None:
        """Write what was written so far with other columns."""
        origin = {name: self._places.get(place) for place, name in places.items()}
        self._end()
        before = f"{self._path}.before"
        os.replace(self._path, before)
        self._file, self._kinds = None, dict(kinds)
        try:
            with open(before, "rb") as opened, parquet.ParquetFile(opened) as file:
                for batch in file.iter_batches(ROWS):
                    columns_by_name = {
                        name: batch.column(o).to_numpy() if o else np.zeros(len(batch)) for name, o in origin.items()
                    }
                    self._write(
                        batch.column("document").to_pylist(), {n: c.astype(kinds[n]) for n, c in columns_by_name.items()}
                    )
        finally:
            os.remove(before)

    def _open(self) -> parquet.ParquetWriter:
        self._digests = {"document": 0, **{name: crc32(kind.encode()) for name, kind in self._kinds.items()}}
        fields = [("document", arrow.string()), *((name, getattr(arrow, kind)()) for name, kind in self._kinds.items())]
        self._opened = open(self._path, "wb")  # Arrow opens no name that is not UTF-8
        self._file = parquet.ParquetWriter(self._opened, arrow.schema(fields), compression="zstd", write_page_checksum=True)
        return self._file

    def _write(self, documents: Sequence[str], columns: Columns) -> None:
        file = self._file or self._open()
        content = {"document": arrow.array(documents, arrow.string()), **{n: arrow.array(c) for n, c in columns.items()}}
        file.write_table(arrow.table(content), row_group_size=ROWS)
        for name, data in {"document": _joined(documents), **{n: c.tobytes() for n, c in columns.items()}}.items():
            self._digests[name] = crc32(data, self._digests[name])


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[CountsWriter]:
    """Open a counts file that appears when it is complete.

    Raises
    ------
    MissingExtraError
        Without pyarrow.
    OptionError
        If the name does not end in .parquet, or the file cannot be written.
    """
    target = os.fspath(path)
    if not target.endswith(ENDING):
        raise OptionError(f"counts are written as Parquet; found {target}: expected a name that ends in .parquet")
    _check_parquet()
    with written_whole(target) as partial:
        writer = CountsWriter(partial)
        try:
            yield writer
            writer.close()
        except BaseException:
            writer.abandon()
            raise


@check_call()
def write_counts(scores: Evaluation | StoredScores, path: str | os.PathLike[str]) -> None:
    """Write the counts of each document, from which `read_counts` makes the scores again.

    Parameters
    ----------
    scores : Evaluation or StoredScores
        What was counted.
    path : path
        A file that ends in .parquet.

    Raises
    ------
    OptionError
        If the file cannot be written, or no metric can be stored.

    Warns
    -----
    RefereeWarning
        If metrics of your own are left out: a file has no functions.
    """
    known = _known(scores.options.profile)
    kept = {name: counts for name, counts in scores.counts.items() if known.get(name) is scores.metrics.get(name)}
    if own := [name for name in scores.counts if name not in kept]:
        remedy = "counts of functions of your own cannot be stored: expected names of metrics"
        if not kept:
            raise OptionError(f"found {listed(own)} alone; {remedy}")
        warn(f"{os.fspath(path)}: left out {listed(own)}; {remedy}")
    with writing(path) as file:
        for documents, counts in scores.blocks():
            file.add(documents, {name: counts[name] for name in kept})
        file.describe(head_of(scores, sources_of(scores), str(scores.run.get("engine", "memory"))))


def head_of(scores: Scores, sources: Mapping[str, Mapping[str, Fact]], engine: str = "memory") -> dict[str, object]:
    """Return the metadata of scores."""
    options = {name: None if isinstance(v, float) and math.isnan(v) else v for name, v in asdict(scores.options).items()}
    signed = {"signature": scores.signature, "short_signature": scores.short_signature}
    return {"referee": VERSION, "name": scores.name, "engine": engine, **signed, "options": options, "sources": dict(sources)}


def sources_of(scores: Evaluation | StoredScores) -> Mapping[str, Mapping[str, Fact]]:
    """Return what is known of key and response."""
    if isinstance(scores, StoredScores):
        return scores.sources
    if isinstance(scores.compared, TablePair):  # label tables, whose mentions would have to be made
        key, response = scores.compared.tables.names
        return {"key": facts_of(key), "response": facts_of(response)}
    sides = {"key": scores.key, "response": scores.response}
    numbers = {role: {"mentions": len(side.document), "entities": len(side.entity_ids)} for role, side in sides.items()}
    return {role: {**facts_of(side.source), **numbers[role]} for role, side in sides.items()}


def facts_of(path: str) -> dict[str, Fact]:
    """Return the name of a file, with its size and time if it is a file."""
    if not os.path.isfile(path):
        return {"name": path}
    status = os.stat(path)
    return {"name": path, "size": status.st_size, "modified": status.st_mtime}


@check_call()
def read_counts(path: str | os.PathLike[str]) -> StoredScores:
    """Read a counts file: scores, breakdowns, intervals and comparisons without key and response.

    Parameters
    ----------
    path : path
        What `referee score --counts` or `write_counts` wrote.

    Returns
    -------
    StoredScores
        The scores, as a mapping from metrics. All digits are those of the evaluation that was stored.

    Raises
    ------
    FormatError
        If the file is damaged, of another version of the format, or no counts file.
    MissingExtraError
        Without pyarrow.
    """
    name = os.fspath(path)
    content, documents, columns = _content(name)
    try:
        return _scores(content, documents, columns)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(name, None, f"has metadata that cannot be read: {shortened(str(error), 100)}") from None


def _content(path: str) -> tuple[dict[str, Json], tuple[str, ...], dict[str, Numbers]]:
    """The metadata, the documents and the columns of a file, which are as they were written."""
    _check_parquet()
    if not os.path.exists(path):
        raise MissingFileError(path, None, "cannot be opened: no such file or directory")
    check_size(path, os.path.getsize(path))
    failures = (arrow.ArrowException, OSError, UnicodeDecodeError, json.JSONDecodeError, MemoryError)
    try:
        with open(path, "rb") as opened, parquet.ParquetFile(opened, page_checksum_verification=True) as file:
            metadata = file.metadata.metadata or {}
            if KEY.encode() not in metadata:
                raise FormatError(path, None, "is no counts file; expected one that referee score --counts has written")
            content = json.loads(metadata[KEY.encode()])
            _check_head(path, content)
            table = file.read()
    except failures as error:
        problem = shortened(str(error).partition("\n")[0], 100)
        raise FormatError(path, None, f"is no counts file that can be read: {problem}") from None
    names = table.column_names
    if {*names} != {*content["digests"]}:
        differing, expected = (one_line(shortened(", ".join(hashes), 100)) for hashes in (names, content["digests"]))
        raise FormatError(path, None, f"has the columns {differing}; expected {expected}")
    documents = tuple(table.column("document").to_pylist())
    columns = {name: table.column(name).to_numpy() for name in names if name != "document"}
    digests = {name: crc32(column.tobytes(), crc32(column.dtype.name.encode())) for name, column in columns.items()}
    digests["document"] = crc32(_joined(documents)) if all(isinstance(name, str) for name in documents) else -1
    for name, digest in content["digests"].items():
        if digests[name] != digest:
            raise FormatError(path, None, f"is damaged: column {name} has other values than were written; write it again")
    return content, documents, columns


def _check_head(path: str, content: Json) -> None:
    version = content.get("version") if isinstance(content, dict) else None
    if version != VERSION_OF_FORMAT:
        problem = f"has version {shortened(repr(version))} of the format"
        raise FormatError(path, None, f"{problem}; expected {VERSION_OF_FORMAT}: score the files again")
    rest = {name: value for name, value in content.items() if name != "digest"}
    if content.get("digest") != crc32(_canonical(rest)):
        raise FormatError(path, None, "has metadata that were changed; expected a file as referee score --counts wrote it")


def _scores(content: Mapping[str, Json], documents: tuple[str, ...], columns: Columns) -> StoredScores:
    options = dict(content["options"])
    if options["zero_division"] is None:
        options["zero_division"] = math.nan
    known, empty = _known(options["profile"]), pair_of(CorpusBuilder().corpus(), CorpusBuilder().corpus(), Options())
    metrics = {name: known[name] for name in content["metrics"]}
    counts = {name: _counts(metrics[name], places, columns, empty) for name, places in content["metrics"].items()}
    return StoredScores(
        name=content["name"],
        documents=documents,
        metrics=metrics,
        counts=counts,
        options=Options(**options),
        signature=content["signature"],
        short_signature=content["short_signature"],
        sources=content["sources"],
        engine=content["engine"],
    )


def _counts(metric: Metric, places: Mapping[str, str], columns: Columns, empty: Pair) -> Counts:
    """The counts of a metric; how they are divided, the metric says when it counts nothing."""
    counts = metric.of_pair(empty)
    if lacking := counts.columns.keys() - places.keys():
        raise ValueError(f"{metric.id} has no column {min(lacking)}")
    return Counts({column: columns[name] for column, name in places.items()}, counts.finish, counts.unit)


def _known(profile: str) -> Mapping[str, Metric]:
    """The metrics of a profile, by their names."""
    return {**METRICS, **PROFILES[profile].metrics}


def _check_parquet() -> None:
    need("a counts file", "pyarrow")


def _joined(documents: Sequence[str]) -> bytes:
    return b"".join(document.encode() + b"\0" for document in documents)


def _canonical(content: Mapping[str, object]) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
