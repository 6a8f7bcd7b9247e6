"""Arrow: the files and folders that `Dataset.save_to_disk` of Hugging Face writes, and other streams and files of Arrow.

Needs the extra `referee[parquet]`. What the columns mean is as in `parquet`. A folder of such files is one table:

``state.json``
    what `save_to_disk` writes beside them. It names the files; there may be others, which hold caches.
``dataset_dict.json``
    in a folder with a folder for each split. Give the folder of one split.

References
----------
"Arrow Columnar Format", IPC streaming format and IPC file format; `arrow_dataset.py` of datasets 5.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

from referee.basics.exceptions import FormatError, shortened
from referee.basics.extras import arrow, ipc, need
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.formats.shared.format import Format, never
from referee.formats.shared.json_values import Json
from referee.formats.shared.source import OnError, Source
from referee.tabular.arrow import records_of_table
from referee.tabular.reading import Records, corpus_of

FILE = b"ARROW1"
"""What the files begin with that are no streams."""


def read(source: Source, on_error: OnError) -> Corpus:
    """Read documents, or records as `csv` and `pairs` do."""
    return corpus_of(records(source, on_error))


def records(source: Source, on_error: OnError, *, probable: bool = False) -> Records:
    """Read the same; pairs are not decided."""
    return _read([source], source, on_error, probable=probable)


def read_together(paths: Iterable[str], folder: str, role: str, options: ReadOptions | None = None) -> Corpus:
    """Read the files of a folder as one table."""
    whole = Source(folder, b"", role=role, options=options)
    return corpus_of(_read(map(Source, paths), whole, whole.raise_error))


def saved_files(folder: str) -> list[str] | None:
    """Return the files of a data set that `save_to_disk` wrote; None if the folder is none.

    Raises
    ------
    FormatError
        If it has several splits.
    """
    try:
        if splits := _json(folder, "dataset_dict.json").get("splits"):
            raise FormatError(folder, None, f"has the splits {', '.join(splits)}; expected the folder of one of them")
        return [os.path.join(folder, file["filename"]) for file in _json(folder, "state.json")["_data_files"]]
    except (AttributeError, KeyError, TypeError, ValueError):  # files of these names that others wrote
        return None


def _json(folder: str, name: str) -> Json:
    """What a file says, nothing if it does not exist."""
    path = os.path.join(folder, name)
    return json.loads(Source(path).raw()) if os.path.isfile(path) else {}


def _read(sources: Iterable[Source], whole: Source, on_error: OnError, *, probable: bool = False) -> Records:
    """The records of the rows of all files."""
    need("Arrow", "pyarrow", "pyarrow.ipc")
    try:
        opened = ((ipc.open_file if s.head.startswith(FILE) else ipc.open_stream)(s.raw()) for s in sources)
        table = arrow.concat_tables([file.read_all() for file in opened])
        table.validate(full=True)
        return records_of_table(table, whole, on_error, probable=probable)
    except FormatError:
        raise
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        problem = shortened(str(error).partition("\n")[0], 100)
        raise FormatError(whole.name, None, f"is no Arrow file that can be read: {problem}") from None


FORMAT = Format(
    "arrow",
    __doc__,
    ("spans", "words", "entity types", "items", "links", "empty nodes"),
    never,
    read,
    records=records,
    read_together=read_together,
    is_project=True,
)
