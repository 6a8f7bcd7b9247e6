"""A table of records, tab-separated: like `csv`, with tabs.

::

    item	entity
    r1	17

Where programs disagree: some take quotes in tab-separated tables for letters. Here they quote, as in csv.
"""

from __future__ import annotations

from typing import TextIO

from referee.corpus import Corpus
from referee.formats.shared.format import Format
from referee.formats.shared.source import OnError, Source
from referee.tabular.formats import csv
from referee.tabular.reading import Records, read_table, records_of
from referee.tabular.text import kind_of, separator_of, text_table


def sniff(head: str) -> bool:
    """A table of labels, separated by tabs."""
    return kind_of(head) == "labels" and separator_of(head) == "\t"


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a table with a column of items and one of entities, or of pairs."""
    return read_table(source, on_error, "\t")


def records(source: Source, on_error: OnError, *, probable: bool = False) -> Records:
    """Read the same; pairs are not decided."""
    return records_of(text_table(source, on_error, separator="\t", probable=probable), source, on_error, "tsv")


drop_unsupported = csv.drop_unsupported


def write(corpus: Corpus, out: TextIO) -> None:
    """Write the table of `csv` with tabs."""
    csv.write(corpus, out, delimiter="\t")


FORMAT = Format("tsv", __doc__, csv.FORMAT.holds, sniff, read, write, drop_unsupported, holds_empty=False, records=records)
