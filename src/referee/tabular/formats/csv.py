"""A table of records, comma-separated: items and entities, or pairs.

::

    item,entity
    r1,17
    r2,17

What the columns mean, which names are known, when the first row is a header, and what is missing: docs/records.md. The
separator may also be a semicolon or a bar. A column `document` groups the rows, which need not be sorted. Entities of different
documents are different even if they are called the same. Quotes as in RFC 4180.

References
----------
The usual output of entity resolution, `record_id,cluster_id`.

Notes
-----
Where programs disagree:

* Splink writes `cluster_id,unique_id`, the entity first: hence columns by name.
* An item without an entity is left out by some and a singleton for others: here it is an error, unless `--nulls` says which.
* A stray quote swallows lines with lenient readers; here it is an error.

A document without mentions has no rows, so it is not written. Spans are written as items `start-end`, and stay items when
read. Words and types are not written.
"""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from typing import TextIO

from referee.basics.exceptions import warn
from referee.corpus import Corpus
from referee.formats.shared.documents import is_unnamed, item_names, labelled
from referee.formats.shared.format import Format
from referee.formats.shared.losses import Losses, fitting
from referee.formats.shared.source import OnError, Source
from referee.tabular.missing import MISSING
from referee.tabular.reading import Records, read_table, records_of
from referee.tabular.text import kind_of, separator_of, text_table


def sniff(head: str) -> bool:
    """A table of labels, not separated by tabs."""
    return kind_of(head) == "labels" and separator_of(head) != "\t"


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a table with a column of items and one of entities, or of pairs."""
    return read_table(source, on_error)


def records(source: Source, on_error: OnError, *, probable: bool = False) -> Records:
    """Read the same; pairs are not decided."""
    return records_of(text_table(source, on_error, probable=probable), source, on_error, "csv")


def write(corpus: Corpus, out: TextIO, *, delimiter: str = ",") -> None:
    """Write two columns; three, the first with the document, unless it is a single document without a name."""
    names = item_names(corpus)
    if words := sorted({*names, *corpus.entity_ids, *corpus.doc_ids} & MISSING):
        warn(f"{corpus.source} has the name {words[0]}, which stands for none in a table: read it with --nulls keep")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    alone = is_unnamed(corpus)
    writer.writerow(["item", "entity"] if alone else ["document", "item", "entity"])
    for document, clusters in labelled(corpus):
        prefix = [] if alone else [document]
        for label, mentions in clusters.items():
            writer.writerows([*prefix, names[m], label] for m in mentions)


def drop_unsupported(losses: Losses) -> None:
    """Change names with a carriage return, NUL, or blanks around them."""
    losses.rename(_fits)
    names = item_names(losses.corpus)
    labels = losses.corpus.entity_ids
    items, entity_ids = (fitting(column, _fits, NO_CELL) for column in (names, labels))
    for noun, old, new in (("mentions", names, items), ("entities", labels, entity_ids)):
        losses.change_names(old, new, noun)
    losses.corpus = replace(losses.corpus, items=items, entity_ids=entity_ids).in_reading_order()


def _fits(name: str) -> bool:
    return NO_CELL.search(name) is None


NO_CELL = re.compile(r"[\r\0]|\A\s|\s\Z")


FORMAT = Format("csv", __doc__, ("items",), sniff, read, write, drop_unsupported, holds_empty=False, records=records)
