"""A table as what it is: a corpus of labels, or pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.source import OnError, Source
from referee.tabular.labels import labels_of
from referee.tabular.pairs import PairTable, pairs_of
from referee.tabular.text import TextTable, text_table

Records: TypeAlias = "Corpus | PairTable"
"""Labels as a corpus, or pairs."""


def records_of(table: TextTable | None, source: Source, on_error: OnError, format: str = "") -> Records:
    """Return the records of a table; an empty corpus of labels if there is none."""
    if table is None:
        return replace(CorpusBuilder(source.name).corpus(), kind="labels", format=format)
    origin = table.schema.origin(table.names, source.options)
    if table.schema.kind == "pairs":
        return pairs_of(table, on_error, source.options.nulls)._replace(format=format, origin=origin)
    return replace(labels_of(table, on_error, source.options), format=format, origin=origin)


def read_table(source: Source, on_error: OnError, separator: str | None = None) -> Corpus:
    """Read a table of text; the entities of pairs are what their links connect."""
    return corpus_of(records_of(text_table(source, on_error, separator=separator), source, on_error))


def corpus_of(records: Records) -> Corpus:
    """Return the corpus of records."""
    return records.corpus() if isinstance(records, PairTable) else records
