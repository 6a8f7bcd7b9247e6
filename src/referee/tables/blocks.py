"""Whole documents, counted: rows of key and response become a `Table`, and two ordered streams become blocks of documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, inverse, order_by, pack, starts_of_runs, tally
from referee.basics.exceptions import EngineError
from referee.basics.extras import arrow, pc
from referee.formats.tabular.arrow import numbers
from referee.metrics.metric import Metric
from referee.metrics.table import Table
from referee.tables.engine import EXAMPLES, Counted, CountingRules, Kernel, Only, Seen, Tally

if TYPE_CHECKING:
    from referee.basics.libraries import ArrowBatch, ArrowColumn, ArrowTable

BLOCK = 1 << 19
"""Rows of key and response together that are counted at a time; a larger document is counted whole."""


@dataclass(frozen=True)
class BlockKernel:
    """The `Kernel` that counts whole documents by metrics."""

    metrics: Mapping[str, Metric]
    rules: CountingRules

    def __call__(self, key: ArrowTable, response: ArrowTable) -> Counted:
        """Count the documents of all rows."""
        block = block_of(key, response, self.rules)
        return Counted(
            block.documents, {name: m.count(block.table) for name, m in self.metrics.items()}, block.seen, block.only
        )


DENSE = 4
"""Numbers that are smaller than so many times their number are places in an array, and need not be sorted."""


class Block(NamedTuple):
    """The table of whole documents; see `Counted` for the rest."""

    table: Table
    documents: list[int | str]
    seen: Seen
    only: Only


class _BlockSide(NamedTuple):
    """The entities of a side: their sizes and documents; and the entity of each row that is matched."""

    size: Ints
    document: Ints
    matched: Ints


def block_of(key: ArrowTable, response: ArrowTable, rules: CountingRules) -> Block:
    """Make the table of whole documents, whose rows may have any order.

    Parameters
    ----------
    key, response : Arrow tables
        With the columns of `rows`. Without documents all rows are of one, called "".
    rules : Rules
        What is counted.
    """
    names, documents = _documents(key, response)
    item = np.concatenate(ranked(key.column("item"), response.column("item")))
    entity = np.concatenate([_codes(side.column("entity")) for side in (key, response)])
    document, in_response = np.concatenate(documents), np.arange(len(item)) >= key.num_rows
    order = _ordered_items(item, in_response) if len(names) == 1 else None
    if order is None:
        order = order_by(document, _narrow(item, document))
    document, item, entity, in_response = document[order], item[order], entity[order], in_response[order]

    new = starts_of_runs(document, item)
    again = ~new
    again[1:] &= in_response[1:] == in_response[:-1]
    conflicts: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    repeated = (0, 0)
    if again.any():
        conflicts = _conflicts(again & np.append(False, entity[1:] != entity[:-1]), order, in_response, key, response)
        repeated = (int((again & ~in_response).sum()), int((again & in_response).sum()))
        kept = ~again
        document, item, entity, in_response = document[kept], item[kept], entity[kept], in_response[kept]
        new = starts_of_runs(document, item)
    both = np.flatnonzero(~new)  # the response's rows of items that both sides have
    shared = np.zeros(len(item), dtype=bool)
    shared[both] = shared[both - 1] = True
    kept = _scored(document, in_response, shared, len(names), rules)
    left_out = int((~kept).sum())
    k = _side(document, entity, ~in_response, shared)
    r = _side(document, entity, in_response & kept, shared)
    only = _only(document, in_response, names)
    if left_out and rules.extra_documents == "ignore":
        names, k, r = _without_documents(names, k, r, only[1])
    table = Table.of(k.matched, r.matched, k.size, r.size, k.document, r.document, len(names))
    seen = Seen(
        Tally(key.num_rows, repeated=repeated[0], conflicts=conflicts[0]),
        Tally(response.num_rows, repeated=repeated[1], conflicts=conflicts[1], left_out=left_out),
        len(both),
    )
    return Block(table if rules.singletons else without_singletons(table), names, seen, only)


def ranked(key: ArrowColumn, response: ArrowColumn) -> tuple[Ints, Ints]:
    """Return the values of two columns of Arrow as numbers from 0 that sort like them."""
    if arrow.types.is_int64(key.type):
        values = _codes(key), _codes(response)
        lows = [int(v.min()) for v in values if len(v)]
        highs = [int(v.max()) for v in values if len(v)]
        if not lows or max(highs) - min(lows) < 1 << 62:
            low = min(lows, default=0)
            return values[0] - low, values[1] - low
        ranks = np.unique(np.concatenate(values), return_inverse=True)[1]
        return ranks[: len(values[0])], ranks[len(values[0]) :]
    both = arrow.chunked_array([*_chunks(key), *_chunks(response)], key.type).combine_chunks().dictionary_encode()
    if isinstance(both, arrow.ChunkedArray):
        both = both.chunk(0)
    place = inverse(numbers(pc.sort_indices(both.dictionary)))
    ranks = place[numbers(both.indices)]
    return ranks[: len(key)], ranks[len(key) :]


def _chunks(column: ArrowColumn) -> list[ArrowColumn]:
    return column.chunks if hasattr(column, "chunks") else [column]


def _codes(column: ArrowColumn) -> Ints:
    """Integers that are equal where the values are: the values themselves, or numbers of texts."""
    if arrow.types.is_int64(column.type):
        return numbers(column)
    encoded = column.combine_chunks().dictionary_encode() if hasattr(column, "chunks") else column.dictionary_encode()
    if isinstance(encoded, arrow.ChunkedArray):
        encoded = encoded.chunk(0)
    return numbers(encoded.indices)


def _documents(key: ArrowTable, response: ArrowTable) -> tuple[list[int | str], tuple[Ints, Ints]]:
    """The names of the documents, ascending, and the document of each row."""
    if "document" not in key.column_names:
        return [""], (np.zeros(key.num_rows, dtype=np.int64), np.zeros(response.num_rows, dtype=np.int64))
    columns = key.column("document"), response.column("document")
    both = arrow.chunked_array([chunk for column in columns for chunk in _chunks(column)], columns[0].type)
    encoded = both.dictionary_encode().combine_chunks()
    if isinstance(encoded, arrow.ChunkedArray):
        encoded = encoded.chunk(0) if encoded.num_chunks else arrow.array([], columns[0].type).dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    place = inverse(numbers(order))[numbers(encoded.indices)]
    return encoded.dictionary.take(order).to_pylist(), (place[: key.num_rows], place[key.num_rows :])


def _narrow(item: Ints, document: Ints) -> Ints:
    """Items with fewer bits, where they would not fit into an integer with their documents and rows."""
    if pack(document[:1], item[:1], limits=(int(document.max(initial=0)), int(item.max(initial=0)))) is not None:
        bits = int(document.max(initial=0)).bit_length() + int(item.max(initial=0)).bit_length() + len(item).bit_length()
        if bits <= 63:
            return item
    ranks: Ints = np.unique(item, return_inverse=True)[1]
    return ranks


def _ordered_items(item: Ints, in_response: Bools) -> Ints | None:
    """The rows in the order of their items, without sorting; None if items are repeated, or far apart."""
    places = 2 * (int(item.max(initial=0)) + 1)
    if places > DENSE * len(item):
        return None
    row_at = np.full(places, -1, dtype=np.int64)
    row_at[2 * item + in_response] = np.arange(len(item))
    order = row_at[row_at >= 0]
    return order if len(order) == len(item) else None


def _conflicts(
    differs: Bools, order: Ints, in_response: Bools, key: ArrowTable, response: ArrowTable
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Examples of items that are in two entities of one side."""

    def of(side: ArrowTable, mask: Bools, first: int) -> tuple[str, ...]:
        found = []
        for place in np.flatnonzero(mask)[:EXAMPLES].tolist():
            rows = [int(order[row]) - first for row in (place - 1, place)]
            one, other = sorted(side.column("entity")[row].as_py() for row in rows)
            found.append(f"{side.column('item')[rows[0]].as_py()} in {one} and {other}")
        return tuple(found)

    return of(key, differs & ~in_response, 0), of(response, differs & in_response, key.num_rows)


def _scored(document: Ints, in_response: Bools, shared: Bools, documents: int, rules: CountingRules) -> Bools:
    """Which rows are scored."""
    if rules.extra_items == "drop":
        return ~in_response | shared
    if rules.extra_documents == "ignore":
        in_key = np.zeros(documents, dtype=bool)
        in_key[document[~in_response]] = True
        return in_key[document]
    return np.ones(len(document), dtype=bool)


def _side(document: Ints, entity: Ints, mine: Bools, shared: Bools) -> _BlockSide:
    """The entities of a side, in the order of their smallest items; rows are in the order of documents and items."""
    where = np.flatnonzero(mine)
    document, entity = document[where], entity[where]
    number, first = _numbered(document, entity)
    return _BlockSide(tally(number, minlength=len(first)), document[first], number[shared[where]])


def _numbered(document: Ints, entity: Ints) -> tuple[Ints, Ints]:
    """The number of each row's entity, in the order of first rows, and the first row of each entity."""
    rows = len(entity)
    low = int(entity.min()) if rows else 0
    high = int(entity.max()) if rows else 0
    codes = entity - low if high - low < 1 << 62 else np.unique(entity, return_inverse=True)[1]
    if rows and document[0] == document[-1] and high - low < DENSE * rows:
        first_of = np.full(high - low + 1, rows)
        first_of[codes[::-1]] = np.arange(rows - 1, -1, -1)  # of several rows, the first is written last
        is_first = np.zeros(rows, dtype=bool)
        is_first[first_of[codes]] = True
        return (np.cumsum(is_first) - 1)[first_of[codes]], np.flatnonzero(is_first)
    order = order_by(document, _narrow(codes, document))
    start = starts_of_runs(document[order], codes[order])
    first = order[start]  # of each entity in the order of codes: rows of a run are ascending
    by_first = np.argsort(first)
    number = np.empty(rows, dtype=np.int64)
    number[order] = inverse(by_first)[np.cumsum(start) - 1]
    return number, first[by_first]


def _only(document: Ints, in_response: Bools, names: list[int | str]) -> Only:
    """The documents that one side alone has."""
    in_key, in_other = (tally(document[mine], minlength=len(names)) > 0 for mine in (~in_response, in_response))
    if len(names) == 1 and names[0] == "":
        return [], []
    return [names[d] for d in np.flatnonzero(~in_other)], [names[d] for d in np.flatnonzero(~in_key)]


def _without_documents(
    names: list[int | str], key: _BlockSide, response: _BlockSide, dropped: list[int | str]
) -> tuple[list[int | str], _BlockSide, _BlockSide]:
    """The documents without some that have no entities left."""
    gone = set(dropped)
    kept = np.array([name not in gone for name in names])
    place = np.cumsum(kept) - 1
    k, r = (side._replace(document=place[side.document]) for side in (key, response))
    return [name for name in names if name not in gone], k, r


def without_singletons(table: Table) -> Table:
    """The table without entities of one mention; their mentions stay in the entities of the other side."""
    key, response = table.key_size > 1, table.response_size > 1
    cells = key[table.key] & response[table.response]
    key_place, response_place = np.cumsum(key) - 1, np.cumsum(response) - 1
    return table.with_cells(
        key_place[table.key[cells]], response_place[table.response[cells]], table.shared[cells],
        table.key_size[key], table.response_size[response], table.key_document[key], table.response_document[response],
    )  # fmt: skip


def counted_in_blocks(
    key: Iterable[ArrowBatch], response: Iterable[ArrowBatch], kernel: Kernel, names: tuple[str, str], rows: int | None = None
) -> Iterator[Counted]:
    """Count two streams of rows that are ordered by document, block by block.

    Parameters
    ----------
    key, response : iterable of Arrow record batches
        With the columns of `rows`, documents ascending.
    kernel : Kernel
        Counts each block.
    names : tuple of str
        What messages call the two.
    rows : int
        How many rows of both together a block has at least, if there are so many; None for `BLOCK`.

    Raises
    ------
    EngineError
        If a stream is not ordered.
    """
    sides = [_Ordered(stream, name) for stream, name in zip((key, response), names, strict=True)]
    while True:
        for side in sides:
            side.fill(max((rows or BLOCK) // 2, 1))
        ends = [side.last for side in sides if not side.through]
        limit = min(ends) if ends else None  # documents before it are complete on both sides
        blocks = [side.take(limit) for side in sides]
        if any(block.num_rows for block in blocks):
            yield kernel(*blocks)
        elif not ends:
            return
        else:  # one document is larger than a block
            for side in sides:
                side.grow(limit)


class _Ordered:
    """A stream of rows; the last ones are held back until their document is complete."""

    def __init__(self, stream: Iterable[ArrowBatch], name: str) -> None:
        self.stream, self.name = iter(stream), name
        self.held: list[ArrowBatch] = []
        self.rows = 0
        self.through = False
        self.none: ArrowTable | None = None

    @property
    def last(self) -> int | str:
        """The document of the last row that was read."""
        last: int | str = self.held[-1].column("document")[-1].as_py()
        return last

    def fill(self, rows: int) -> None:
        """Read until so many rows are held."""
        while self.rows < rows and not self.through:
            self._read()

    def grow(self, limit: int | str | None) -> None:
        """Read on where the document that is not complete is all that is held."""
        if not self.through and (not self.held or self.last == limit):
            self._read()

    def take(self, limit: int | str | None) -> ArrowTable:
        """Give the rows of the documents before `limit`; all of them if it is None."""
        if not self.held:
            assert self.none is not None  # a stream begins with a batch, if with an empty one
            return self.none
        table = arrow.Table.from_batches(self.held)
        rows = table.num_rows
        if limit is not None:
            rows = int(pc.sum(pc.less(table.column("document"), limit)).as_py() or 0)
        self.held = table.slice(rows).to_batches()
        self.rows = table.num_rows - rows
        return table.slice(0, rows)

    def _read(self) -> None:
        batch = next(self.stream, None)
        if batch is None:
            self.through = True
            return
        self.none = batch.schema.empty_table()
        if not batch.num_rows:
            return
        document = batch.column("document")
        if not is_ascending(document) or (self.held and self.last > document[0].as_py()):
            raise EngineError(f"{self.name} is not ordered by document as it was before; nothing is reported: score again")
        self.held.append(batch)
        self.rows += batch.num_rows


def is_ascending(column: ArrowColumn) -> bool:
    """Whether a column of Arrow is ascending."""
    ascending: bool = pc.all(pc.less_equal(column[:-1], column[1:]), min_count=0).as_py()
    return ascending
