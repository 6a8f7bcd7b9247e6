"""A table of items and entities, comma-separated: for records, phrases and other items without a text.

::

    item,entity
    r1,17
    r2,17

The header is optional; without one there are two columns, item and entity. With one the columns are found by their names (see
`COLUMNS`; case does not matter), in any order and among others, and a column `document` groups the rows, which need not be
sorted. Entities of different documents are different even if they are called the same. Quotes as in RFC 4180.

References
----------
The usual output of entity resolution, `record_id,cluster_id`.

Notes
-----
Where programs disagree:

* Splink writes `cluster_id,unique_id`, the entity first: hence columns by name.
* An item without an entity is left out by some and a singleton for others: here it is an error. Give singletons entities of
  their own.
* A stray quote swallows lines with lenient readers; here it is an error.

A document without mentions has no rows, so it is not written. Spans are written as items `start-end`, and stay items when
read. Words and types are not written.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TextIO, TypeAlias

import numpy as np

from referee.corpus import Corpus, CorpusBuilder
from referee.exceptions import FormatError, counted, shortened
from referee.formats.shared.documents import is_unnamed, item_names, labelled
from referee.formats.shared.source import UNREADABLE, Fault, Source

HOLDS = ("items",)
HOLDS_EMPTY = False
LONGEST_CELL = 1 << 17
"""Bytes; `csv` refuses longer cells."""
COLUMNS = {
    "document": ("document", "doc", "document_id", "doc_id"),
    "item": ("item", "item_id", "record", "record_id", "mention", "mention_id", "unique_id", "id", "name"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "label", "group", "group_id"),
}


def sniff(head: str, *, delimiter: str = ",") -> bool:
    """A header we know, or mostly lines of two fields, the first one included, in which neither is empty."""
    lines = [line.rstrip("\r") for line in head.split("\n")[:20] if line.strip()]
    try:
        rows = [next(csv.reader([line], delimiter=delimiter)) for line in lines]
    except csv.Error:
        return False
    if not rows or rows[0][0][:1] in ("#", "{", "<"):
        return False
    return _columns(rows[0]) is not None or (
        len(rows[0]) == 2 and all(map(str.strip, rows[0])) and 2 * sum(len(row) == 2 for row in rows) > len(rows)
    )


def read(source: Source, fault: Fault, *, delimiter: str = ",") -> Corpus:
    """Read a table with a column of items and one of entities."""
    documents = _of_columns(source, delimiter)
    builder = CorpusBuilder(source.name)
    for name, (items, entities) in (_of_rows(source, fault, delimiter) if documents is None else documents).items():
        builder.document(name)
        builder.add_items(items, entities)
    return builder.corpus()


Documents: TypeAlias = "dict[str, tuple[list[str], list[str]]]"
"""The items of each document, and their entities."""


def _of_columns(source: Source, delimiter: str) -> Documents | None:
    """The documents of a table without quotes and errors; None of another."""
    cells = plain_columns(source, delimiter)
    if cells is None:
        return None
    columns = _columns([cell for cell, *_ in cells])
    if columns is None and len(cells) != 2:
        return None
    document, items, entities = (None if n is None else cells[n][columns is not None :] for n in columns or (None, 0, 1))
    if not items or not entities or "" in items or "" in entities:
        return None
    if document is None:
        return {"": (items, entities)}
    documents: Documents = {}
    for name, item, entity in zip(document, items, entities, strict=True):
        of_document = documents.setdefault(name, ([], []))
        of_document[0].append(item)
        of_document[1].append(entity)
    return documents


def _of_rows(source: Source, fault: Fault, delimiter: str) -> Documents:
    """The documents of any table, row by row."""
    rows = rows_of(source, fault, delimiter)
    documents: Documents = {}
    first = next(rows, None)
    if first is None:
        return documents
    columns = _columns(first[1])
    if columns is None:
        rows, width, document, item, entity = chain([first], rows), 2, None, 0, 1
    else:
        width, (document, item, entity) = len(first[1]), columns
    if document is None:
        documents[""] = [], []
    for line, row in rows:
        if len(row) != width:
            expected = f"{width}, as {'in the header' if columns else 'item, entity'}"
            fault(line, f"found {counted(len(row), 'field')}; expected {expected}")
        elif not (row[item] and row[entity]):
            found = f"the item {shortened(row[item])!r} without an entity" if row[item] else "no item"
            fault(line, f"found {found}; expected both in every row (singletons have entities of their own)")
        else:
            of_document = documents.setdefault("" if document is None else row[document], ([], []))
            of_document[0].append(row[item])
            of_document[1].append(row[entity])
    return documents


def write(corpus: Corpus, out: TextIO, *, delimiter: str = ",") -> None:
    """Write two columns; three, the first with the document, unless it is a single document without a name.

    Raises
    ------
    FormatError
        If a name has a carriage return or NUL, which `read` would take for the end of a line, or for no text.
    """
    names = item_names(corpus)
    for name in chain(corpus.doc_ids, names, corpus.entity_ids):
        if "\r" in name or "\0" in name:
            raise FormatError(corpus.source, None, f"has the name {shortened(name)!r}, which a table cannot hold: rename it")
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    alone = is_unnamed(corpus)
    writer.writerow(["item", "entity"] if alone else ["document", "item", "entity"])
    for document, clusters in labelled(corpus):
        prefix = [] if alone else [document]
        for label, mentions in clusters.items():
            writer.writerows([*prefix, names[m], label] for m in mentions)


def rows_of(source: Source, fault: Fault, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, with the numbers of their last lines; a quote out of place is an error."""
    reader = csv.reader((line + "\n" for _, line in source.lines(fault)), delimiter=delimiter, strict=True)
    while True:
        try:
            yield from ((reader.line_num, row) for row in reader if row)
        except csv.Error as error:
            fault(reader.line_num, f"is no table: {error}; expected quotes around whole fields, and doubled inside")
        else:
            return


def plain_columns(source: Source, delimiter: str) -> list[list[str]] | None:
    """The columns of a table without quotes, blank lines and lines of other lengths; None of another, or of no rows."""
    try:
        raw = source.raw().removesuffix(b"\n") + b"\n"
        text = raw.decode()
    except (*UNREADABLE, UnicodeDecodeError):
        return None
    data = np.frombuffer(raw, dtype=np.uint8)
    borders = np.flatnonzero((data == ord(delimiter)) | (data == ord("\n")))
    ends = data[borders] == ord("\n")
    width = int(ends.argmax()) + 1
    regular = len(ends) == width * np.count_nonzero(ends) and ends[width - 1 :: width].all()
    if (
        not regular
        or b"\n\n" in b"\n" + raw
        or any(c in raw for c in b'"\r\0')
        or np.diff(borders, prepend=-1).max() > LONGEST_CELL
    ):
        return None
    cells = text[:-1].replace("\n", delimiter).split(delimiter)
    return [cells[n::width] for n in range(width)]


def _columns(header: Sequence[str]) -> tuple[int | None, int, int] | None:
    """Where document, item and entity are; None if this is no header."""
    names = [name.strip().lower() for name in header]
    document, item, entity = (next((i for i, n in enumerate(names) if n in known), None) for known in COLUMNS.values())
    return None if item is None or entity is None else (document, item, entity)
