"""What an input was taken for, in words."""

from __future__ import annotations

import os
import warnings

from referee.basics.exceptions import RefereeWarning, counted
from referee.basics.options.choices import ANSWERS
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.formats.shared.documents import is_unnamed
from referee.formats.shared.source import Source
from referee.inputs.labels import LabelTable
from referee.inputs.load import load
from referee.inputs.paths import Stored, parquet_paths
from referee.inputs.reading import detect
from referee.tabular.missing import is_missing
from referee.tabular.pairs import SIDES
from referee.tabular.reading import records_of
from referee.tabular.text import SEPARATORS, TextTable, text_table


def summary_line(path: str, options: ReadOptions, read: Corpus | None = None) -> str:
    """Say what a file is taken for: of tables the kind, the columns and their roles, the header, the separator, and rows.

    Of others the format and the numbers of documents, mentions and entities.

    Parameters
    ----------
    path : str
        A file or a folder.
    options : ReadOptions
        How it is read.
    read : Corpus or None
        What was read of it, if it was; what is said of a table is looked up in its file.
    """
    if read is None or (read.format not in ANSWERS and read.kind != "texts" and path != "-" and not os.path.isdir(path)):
        with warnings.catch_warnings():
            if read is not None:  # what there is to warn of was said then
                warnings.simplefilter("ignore", RefereeWarning)
            return _of_path(path, options)
    return _of_corpus(read)


def _of_path(path: str, options: ReadOptions) -> str:
    if path != "-" and not os.path.isdir(path) and parquet_paths(path) is None:
        source = Source(path, options=options)
        name = (options.format or detect(source)).partition(":")[0]
        if name in ("csv", "tsv", "pairs"):
            table = text_table(source, source.raise_error, separator="\t" if name == "tsv" else None)
            if table is not None and not table.sure:
                records_of(table, source, source.raise_error)  # what score would ask, is asked
            return "" if table is None else _of_text(table, options.nulls)
    loaded = load(path, options, "annotation")
    if isinstance(loaded, Stored):
        return "counts of documents, for referee score and referee compare"
    if isinstance(loaded, LabelTable):
        names = [field.name for field in loaded.source.fields]
        rows = "" if loaded.source.rows is None else f"; {counted(loaded.source.rows, 'row')}"
        return f"{loaded.schema.summary(names)}{rows}"
    if not isinstance(loaded, Corpus):
        return f"pairs: {counted(len(loaded.first), 'pair')}, {counted(len(loaded.names), 'record')}"
    return _of_corpus(loaded)


def _of_corpus(corpus: Corpus) -> str:
    blocks = getattr(getattr(corpus, "content", None), "blocks", ())  # of an answer
    notations = dict.fromkeys(block.style.notation for block in blocks if block.style)
    how = f" (notation {' and '.join(notations)})" if notations else ""
    mentions = "mention" if corpus.kind == "texts" else "item"
    numbers = [(len(corpus.doc_ids), "document"), (len(corpus.document), mentions), (len(corpus.entity_ids), "entity")]
    counts = ", ".join(counted(number, noun) for number, noun in numbers[corpus.kind != "texts" and is_unnamed(corpus) :])
    remedy = "; --text KEY looks the strings up" if corpus.format == "quotes" and corpus.items is not None else ""
    return f"{corpus.kind}: {corpus.format}{how}; {counts}{remedy}"


def _of_text(table: TextTable, nulls: str) -> str:
    ids = [place for role, place in table.schema.places.items() if role in (*SIDES, "item", "entity", "document", "source")]
    rows = missing = 0
    for _, row in table.rows():
        rows += 1
        missing += any(len(row) > place and is_missing(row[place], nulls) for place in ids)
    header = "no header" if table.header is None else f"header in line {table.header}"
    facts = [table.schema.summary(table.names), header, SEPARATORS.get(table.separator, table.separator), counted(rows, "row")]
    if table.schema.kind == "pairs" and not table.schema.decision:
        facts.insert(1, "each a link")
    return "; ".join([*facts, f"{missing} without a value"] if missing else facts)
