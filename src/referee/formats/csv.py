"""A table of items and entities, comma-separated: for records, phrases and other items without a text.

::

    item,entity
    r1,17
    r2,17

The header is optional; without one there are two columns, item and entity. With one the columns are found by their names (see
`COLUMNS`; case does not matter), in any order and among others, and a column `document` groups the rows, which need not be
sorted. Two columns for one are an error, but a `name` is an item only where nothing else is. Entities of different documents
are different even if they are called the same. Quotes as in RFC 4180.

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
from itertools import chain, pairwise
from typing import NamedTuple, TextIO, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints, numbers, order_by, starts_of_runs
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.strings import Names, ranks
from referee.exceptions import FormatError, counted, shortened
from referee.formats.conll_scan import FIRST_BYTES, Bytes, words_at
from referee.formats.shared.documents import is_unnamed, item_names, labelled
from referee.formats.shared.source import UNREADABLE, Fault, Source

HOLDS = ("items",)
HOLDS_EMPTY = False
LONGEST_CELL = 1 << 17
"""Bytes; `csv` refuses longer cells."""
IN_CACHE = 1 << 17
"""Bytes or rows that are handled together: what is made of them stays in the cache of a processor."""
MOST_TIMES = 8
"""As many bytes as the file has, names of one length may take."""
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
    table = plain_table(source, delimiter)
    corpus = None if table is None else _of_columns(table, source.name)
    if corpus is not None:
        return corpus
    builder = CorpusBuilder(source.name)
    for name, (items, entities) in _of_rows(source, fault, delimiter).items():
        builder.document(name)
        builder.add_items(items, entities)
    return builder.corpus()


Documents: TypeAlias = "dict[str, tuple[list[str], list[str]]]"
"""The items of each document, and their entities."""


def _of_columns(table: PlainTable, name: str) -> Corpus | None:
    """The corpus of a table without errors; None of another."""
    columns = _columns(table.first)
    if _several(table.first) if columns else len(table.first) != 2:
        return None
    names = [None if n is None else table.names(n, columns is not None) for n in columns or (None, 0, 1)]
    of_document, items, entities = names
    if items is None or entities is None or (columns and columns[0] is not None and of_document is None):
        return None
    (entity,) = ranks(entities)
    if of_document is None:
        return _of_items(name, ("#1",), np.zeros(len(items), dtype=np.int32), items, entity, entities)
    document, first = numbered(ranks(of_document)[0])
    order = order_by(document)
    doc_ids = tuple(of_document.take(first))
    return _of_items(name, doc_ids, document[order], items.take(order), entity[order], entities.take(order))


def _of_items(name: str, doc_ids: tuple[str, ...], document: Ints, items: Names, entity: Ints, entities: Names) -> Corpus:
    """Return the corpus of items in the order of their documents, with the numbers and names of their entities."""
    entity, first = numbered(document, entity) if len(doc_ids) > 1 else numbered(entity)
    place = np.zeros(len(items), dtype=np.int32)
    return Corpus(doc_ids, document, place, place, entity, entities.take(first), items=items, source=name).in_reading_order()


def numbered(*columns: Ints) -> tuple[Ints, Ints]:
    """Number the rows in the order in which they first appear, equal ones alike; and the first row of each number.

    A column alone should have no values far above the number of rows.
    """
    values = columns[0]
    if len(columns) > 1:
        order = order_by(*columns)
        values = np.empty_like(order)
        values[order] = np.cumsum(starts_of_runs(*(column[order] for column in columns)))
    row = numbers(len(values))
    first = np.zeros(int(values.max(initial=0)) + 1, dtype=np.int64)
    first[values[::-1]] = row[::-1]  # the last of several is kept
    first_of_row = first[values]
    new = first_of_row == row
    return (np.cumsum(new, dtype=np.int64) - 1)[first_of_row], np.flatnonzero(new)


def _of_rows(source: Source, fault: Fault, delimiter: str) -> Documents:
    """The documents of any table, row by row."""
    rows = rows_of(source, fault, delimiter)
    documents: Documents = {}
    first = next(rows, None)
    if first is None:
        return documents
    columns = _columns(first[1])
    if columns and (several := _several(first[1])):
        fault(first[0], several)
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


class PlainTable(NamedTuple):
    """A table without quotes, blank lines and lines of other lengths.

    Parameters
    ----------
    data : uint8 array
        The bytes of the file, and eight more.
    borders : integers, shape (1 + fields,)
        -1, and where each field ends, line by line.
    width : int
        The number of columns.
    """

    data: Bytes
    borders: Ints
    width: int

    @property
    def first(self) -> list[str]:
        """The fields of the first line."""
        borders = self.borders[: self.width + 1].tolist()
        return [self.data[a + 1 : b].tobytes().decode() for a, b in pairwise(borders)]

    def names(self, column: int, first: int = 1) -> Names | None:
        """The fields of a column from a line on; None if there is none, one is empty, or one is far longer than others."""
        field = first * self.width + column
        start, end = self.borders[field : -1 : self.width] + 1, self.borders[field + 1 :: self.width]
        size = end - start
        width = -(-int(size.max(initial=0)) // 8)
        if not len(size) or not size.all() or 8 * width * len(size) > MOST_TIMES * len(self.data):
            return None
        words = np.empty((len(size), width), dtype=np.uint64)
        for rows in in_cache(len(size)):
            for n in range(width):
                word = words_at(self.data, np.minimum(start[rows] + 8 * n, end[rows]))
                words[rows, n] = word & FIRST_BYTES[np.clip(size[rows] - 8 * n, 0, 8)]
        return Names(words.byteswap(inplace=True))


def in_cache(size: int) -> Iterator[slice]:
    """Slices of so many rows, each of which fits into the cache of a processor with some columns made of it."""
    return (slice(at, at + IN_CACHE) for at in range(0, size, IN_CACHE))


def plain_table(source: Source, delimiter: str) -> PlainTable | None:
    """The fields of a table without quotes, blank lines and lines of other lengths; None of another, or of no rows."""
    try:
        raw = source.raw()
        raw.isascii() or raw.decode()
    except (*UNREADABLE, UnicodeDecodeError):
        return None
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n")
    if any(c in raw for c in b'"\r\0'):
        return None
    data = np.frombuffer(b"".join([raw, b"\n"[raw.endswith(b"\n") :], bytes(8)]), dtype=np.uint8)
    number = np.int32 if len(data) < 1 << 30 else np.int64  # with room for what is added to a border
    borders = np.concatenate([[number(-1)], *(_borders(data, rows, delimiter, number) for rows in in_cache(len(data)))])
    ends = data[borders[1:]] == ord("\n")
    width = int(ends.argmax()) + 1
    if width == 1 or len(ends) != width * np.count_nonzero(ends) or not ends[width - 1 :: width].all():
        return None
    if (borders[1:] - borders[:-1]).max() > LONGEST_CELL:
        return None
    return PlainTable(data, borders, width)


def _borders(data: Bytes, rows: slice, delimiter: str, number: type[np.int32 | np.int64]) -> Ints:
    """Where fields end in a part of the bytes."""
    part = data[rows]
    borders: Ints = np.flatnonzero((part == ord(delimiter)) | (part == ord("\n")))
    borders += rows.start
    return borders.astype(number)


def _several(header: Sequence[str]) -> str:
    """What a header has more than one column for; empty if nothing."""
    for role, found in _fitting(header).items():
        if len(found) > 1:
            columns = shortened(" and ".join(header[i].strip() for i in found))
            return f"found the columns {columns} for the {role}; expected one: rename the others"
    return ""


def _columns(header: Sequence[str]) -> tuple[int | None, int, int] | None:
    """Where document, item and entity are; None if this is no header."""
    document, item, entity = (next(iter(found), None) for found in _fitting(header).values())
    return None if item is None or entity is None else (document, item, entity)


def _fitting(header: Sequence[str]) -> dict[str, list[int]]:
    """The columns that fit each role; a name is what a record is called where nothing else is."""
    names = [name.strip().lower() for name in header]
    fitting = {role: [i for i, name in enumerate(names) if name in known] for role, known in COLUMNS.items()}
    return {role: [i for i in found if names[i] != "name"] or found for role, found in fitting.items()}
