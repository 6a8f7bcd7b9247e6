"""What an input was taken for, in words."""

from __future__ import annotations

import os

from referee.basics.exceptions import counted
from referee.corpus import Corpus
from referee.formats.inputs.labels import LabelTable
from referee.formats.inputs.load import load
from referee.formats.inputs.paths import Stored, parquet_paths
from referee.formats.inputs.request import Request
from referee.formats.reading import detect
from referee.formats.shared.source import Source
from referee.formats.tabular.missing import is_missing
from referee.formats.tabular.pairs import SIDES
from referee.formats.tabular.text import SEPARATORS, TextTable, text_table


def told(path: str, request: Request, *, texts: bool = False) -> str:
    """Say what a file is taken for: of tables the kind, the columns and their roles, the header, the separator, and rows.

    Parameters
    ----------
    path : str
        A file or a folder.
    request : Request
        How it is read.
    texts : bool
        Whether something is said of texts with mentions, too; else nothing is.
    """
    asked = request.asked("annotation")
    if path != "-" and not os.path.isdir(path) and parquet_paths(path) is None:
        source = Source(path, asked=asked)
        name = (request.key_format or detect(source)).partition(":")[0]
        if name in ("csv", "tsv", "pairs"):
            table = text_table(source, source.fault, separator="\t" if name == "tsv" else None)
            return "" if table is None else _of_text(table, asked.nulls)
    elif path == "-" or os.path.isdir(path):
        return ""
    found = load(path, request, "annotation")
    if isinstance(found, Stored):
        return "counts of documents, for referee score and referee compare" if texts else ""
    if isinstance(found, LabelTable):
        names = [field.name for field in found.source.fields]
        rows = "" if found.source.rows is None else f"; {counted(found.source.rows, 'row')}"
        return f"{found.taken.said(names)}{rows}"
    if not isinstance(found, Corpus):
        return f"pairs: {counted(len(found.first), 'pair')}, {counted(len(found.names), 'record')}"
    if found.kind == "texts" and not texts:
        return ""
    return f"{found.kind}: {found.format}; {_numbers(found)}"


def _numbers(corpus: Corpus) -> str:
    mentions = "mention" if corpus.kind == "texts" else "item"
    numbers = (len(corpus.doc_ids), "document"), (len(corpus.document), mentions), (len(corpus.entity_ids), "entity")
    return ", ".join(counted(number, noun) for number, noun in numbers)


def _of_text(table: TextTable, nulls: str) -> str:
    ids = [place for role, place in table.taken.places.items() if role in (*SIDES, "item", "entity", "document", "source")]
    rows = missing = 0
    for _, row in table.rows():
        rows += 1
        missing += any(len(row) > place and is_missing(row[place], nulls) for place in ids)
    header = "no header" if table.header is None else f"header in line {table.header}"
    facts = [table.taken.said(table.names), header, SEPARATORS.get(table.separator, table.separator), counted(rows, "row")]
    if table.taken.kind == "pairs" and not table.taken.decision:
        facts.insert(1, "each a link")
    return "; ".join([*facts, f"{missing} without a value"] if missing else facts)
