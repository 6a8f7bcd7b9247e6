"""A sample or two of every format: the files of `tests/samples`, and those that a library makes.

`tests/samples/FORMAT/1` is a sample, `2` the next; a folder if other files belong to the one to read, whose name comes first.
"""

import io
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from referee.basics.exceptions import MissingExtraError

Sample = Mapping[str, bytes]
"""A file to read, and those that belong to it: their contents by their names, the one to read first."""

SAMPLES = Path(__file__).parent.parent / "samples"
TEXTS = sorted(path.name for path in SAMPLES.iterdir())
"""The formats of texts, of which samples are stored."""

TABLES = [
    {
        "id": ["d1", "d2"],
        "sentences": [
            [
                {"id": 1, "tokens": [{"id": 1.0, "text": "Ann"}, {"id": 1.1, "text": "_"}, {"id": 2.0, "text": "waves"}]},
                {"id": 2, "tokens": [{"id": 1.0, "text": "She"}]},
            ],
            [],
        ],
        "coref_chains": [[[[0, 0, 1], [1, 0, 0]], [[0, 2, 2]]], []],
    },
    {"unique_id": ["r1", "r2", "r3"], "cluster_id": [17, 17, 4]},
    {"unique_id_l": ["r1", "r2"], "unique_id_r": ["r2", "r7"], "match_probability": [0.93, 0.12]},
    {"doc_key": ["d1", "d2"], "sentences": [[["Ann", "saw", "her"]], [["Bo"]]], "clusters": [[[[0, 0], [2, 2]]], []]},
]
"""What files of Parquet and Arrow hold, as JSON."""

SHEETS = [
    [["record_id", "cluster_id"], ["r1", 17], ["r2", 17.0], ["007", "four"], [7, "four"]],
    [["unique_id_l", "unique_id_r", "match_probability"], ["r1", "r2", 0.93], ["r2", "r7", 0.12]],
]
"""The rows of workbooks of Excel."""

MADE = ("docbin", "parquet", "arrow", "xlsx")
"""The formats of which a library makes the samples, and reads the files."""


@cache
def samples(format):
    """The files to start from; MissingExtraError if the format needs a library that is not there."""
    if format == "parquet":
        return [{"d": parquet(table)} for table in TABLES]
    if format == "arrow":
        return [{"d": arrow(table)} for table in TABLES]
    if format == "docbin":
        return [{"d": docbin()}]
    if format == "xlsx":
        return [{"d": workbook(rows)} for rows in SHEETS]
    files = sorted((SAMPLES / format).iterdir(), key=lambda path: int(path.name))
    return [_of_folder(path) if path.is_dir() else {"d": path.read_bytes()} for path in files]


def _of_folder(folder):
    """The files of a folder; those not in other folders of it come first, in the order of their names."""
    paths = sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda path: (path.parent != folder, path))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def texts(format):
    """The samples that are single texts."""
    return [text.decode() for sample in samples(format) if len(sample) == 1 for text in sample.values()]


def file_text(name):
    """The text of a file of `tests/formats/texts`, which a test looks at more closely than at a sample."""
    return (SAMPLES.parent / "formats" / "texts" / name).read_text(encoding="utf-8")


def parquet(table):
    """A file with these columns; ValueError if they are none that Parquet can hold."""
    try:
        arrow, tables = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("parquet", "parquet") from None
    out = io.BytesIO()
    try:
        tables.write_table(arrow.table(table), out)
    except Exception as error:  # the library has many
        raise ValueError from error
    return out.getvalue()


def arrow(table):
    """A stream of Arrow with these columns."""
    try:
        library, out = import_module("pyarrow"), io.BytesIO()
    except ImportError:
        raise MissingExtraError("arrow", "parquet") from None
    columns = library.table(table)
    with import_module("pyarrow.ipc").new_stream(out, columns.schema) as writer:
        writer.write_table(columns)
    return out.getvalue()


def workbook(rows):
    """A file of Excel with these rows; ValueError if they are none that a sheet can hold."""
    try:
        library, out = import_module("openpyxl"), io.BytesIO()
    except ImportError:
        raise MissingExtraError("xlsx", "xlsx") from None
    book = library.Workbook()
    try:
        for row in rows:
            book.active.append(row)
        book.save(out)
    except Exception as error:  # the library has many
        raise ValueError from error
    return out.getvalue()


def docbin():
    try:
        spacy = import_module("spacy")
    except ImportError:
        raise MissingExtraError("docbin", "spacy") from None
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    first, second = nlp("My sister saw her dog. It barked."), nlp("Ann waved")
    first.spans["coref_clusters_1"] = [first[0:2], first[3:4]]
    first.spans["coref_head_clusters_1"] = [first[1:2], first[3:4]]
    if not second.has_extension("coref_clusters"):
        second.set_extension("coref_clusters", default=None)
    second._.coref_clusters = [[(0, 3), (4, 9)]]
    return spacy.tokens.DocBin(docs=[first, second], store_user_data=True).to_bytes()
