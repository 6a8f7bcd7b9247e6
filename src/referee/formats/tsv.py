"""A table of items and entities, tab-separated: like `csv`, with tabs.

::

    item	entity
    r1	17

Where programs disagree: some take quotes in tab-separated tables for letters. Here they quote, as in csv.
"""

from __future__ import annotations

from typing import TextIO

from referee.corpus import Corpus
from referee.formats import csv
from referee.formats.shared.source import Fault, Source

HOLDS = csv.HOLDS
HOLDS_EMPTY = csv.HOLDS_EMPTY


def sniff(head: str) -> bool:
    """A header we know, or mostly lines of two fields, the first one included."""
    return csv.sniff(head, delimiter="\t")


def read(source: Source, fault: Fault) -> Corpus:
    """Read a table with a column of items and one of entities."""
    return csv.read(source, fault, delimiter="\t")


def write(corpus: Corpus, out: TextIO) -> None:
    """Write the table of `csv` with tabs."""
    csv.write(corpus, out, delimiter="\t")
