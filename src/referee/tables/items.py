"""The items of one side, ascending and each once, with their entities as numbers.

A key is put in order alone, once for all responses. What a response calls its documents and items is then looked up among the
names of the key, and only names that are new are sorted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, arange, argsort, inverse, pack, starts_of_runs, tally
from referee.basics.extras import arrow, pc
from referee.tables.engine import EXAMPLES, SideTotals
from referee.tabular.arrow import numbers

DENSE = 4
"""Numbers that are smaller than so many times their number are places in an array, and need not be sorted."""


class SideItems(NamedTuple):
    """The items of a side in the order of their documents and names, and its entities in the order of their first items.

    Parameters
    ----------
    document, item : integers, shape (items,)
        No two items have both alike.
    entity : integers, shape (items,)
        The number of each item's entity.
    first : integers, shape (entities,)
        The first item of each entity.
    tally : SideTotals
        What was seen of the rows.
    """

    document: Ints
    item: Ints
    entity: Ints
    first: Ints
    tally: SideTotals

    @property
    def size(self) -> Ints:
        """How many items each entity has."""
        return tally(self.entity, minlength=len(self.first))

    def only(self, kept: Bools) -> SideItems:
        """Return some of the items, with what is left of their entities."""
        document, item = self.document[kept], self.item[kept]
        return SideItems(document, item, *_numbered(document, self.entity[kept]), self.tally)


class KeyItems(NamedTuple):
    """The items of a key, and what responses are compared with.

    Parameters
    ----------
    documents : Arrow array or None
        Their names, ascending; None if the rows have none.
    names : Arrow array or None
        Those of the items; None if items are integers.
    items : SideItems
        Its documents, and items that have names, are places among these.
    """

    documents: arrow.Array | None
    names: arrow.Array | None
    items: SideItems


def key_items(rows: arrow.Table) -> KeyItems:
    """Put the rows of a key in order; they have the columns of `rows`."""
    documents, document = ranked(rows.column("document")) if "document" in rows.column_names else (None, _one(rows))
    names, item = item_numbers(rows.column("item")) if documents is not None else _nearly_distinct(rows.column("item"))
    return KeyItems(documents, names, _in_order(rows, document, item))


def with_response(key: KeyItems, rows: arrow.Table) -> tuple[list[int | str], SideItems, SideItems]:
    """Put the rows of a response in order, too; return the names of all documents, and both sides as numbers that compare."""
    names: list[int | str] = [""]
    items, document = key.items, _one(rows)
    if key.documents is not None:
        values, place, number = placed(key.documents, rows.column("document"))
        names = values.take(arrow.array(inverse(place))).to_pylist()
        items, document = items._replace(document=place[items.document]), place[number]
    if key.names is None:
        return names, items, _in_order(rows, document, numbers(rows.column("item")))
    _, place, number = placed(key.names, rows.column("item"))
    return names, items._replace(item=place[items.item]), _in_order(rows, document, place[number])


def matched(key: SideItems, response: SideItems) -> tuple[Ints, Ints]:
    """Return the items that both sides have, as rows of either."""
    k, r = _in_one_number(key, response)
    at = np.searchsorted(k, r)
    at[at == len(k)] = 0
    both = np.flatnonzero(k[at] == r) if len(k) else at[:0]
    return at[both], both


def item_numbers(column: arrow.Array) -> tuple[arrow.Array | None, Ints]:
    """Return the names of items, ascending, and the items as integers that sort like them; None if they are integers."""
    return (None, numbers(column)) if arrow.types.is_int64(column.type) else ranked(column)


def ranked(column: arrow.Array) -> tuple[arrow.Array, Ints]:
    """Return the different values of a column of Arrow, ascending, and the place of each row's value among them."""
    encoded = whole(column).dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    return encoded.dictionary.take(order), inverse(numbers(order))[numbers(encoded.indices)]


def _nearly_distinct(column: arrow.Array) -> tuple[arrow.Array | None, Ints]:
    """The same as `item_numbers`, for names of which few are there twice: they are sorted without being hashed before."""
    if arrow.types.is_int64(column.type) or len(column) < 2:
        return item_numbers(column)
    column = whole(column)
    order = pc.sort_indices(column)
    values = column.take(order)
    new = np.append(True, numbers(pc.not_equal(values[1:], values[:-1]).cast(arrow.uint8())).astype(bool))
    number = np.empty(len(new), dtype=np.int64)
    number[numbers(order)] = np.cumsum(new) - 1
    return values if new.all() else values.filter(arrow.array(new)), number


def placed(known: arrow.Array, column: arrow.Array) -> tuple[arrow.Array, Ints, Ints]:
    """Look up the values of a column of Arrow among others.

    Parameters
    ----------
    known : Arrow array
        Different values, ascending.
    column : Arrow array
        Any values of the same type.

    Returns
    -------
    tuple
        The known values and those that are new; the place of each of these if all of them are sorted; and the number of each
        row's value among them.
    """
    number = numbers(pc.fill_null(pc.index_in(column, value_set=known), -1))
    is_new = number < 0
    if not is_new.any():
        return known, arange(len(known)), number
    new = whole(column.filter(arrow.array(is_new))).dictionary_encode()
    number[is_new] = len(known) + numbers(new.indices)
    values = whole(arrow.chunked_array([known, new.dictionary]))
    return values, inverse(numbers(pc.sort_indices(values))), number  # which is fast where most are in order


def whole(column: arrow.Array) -> arrow.Array:
    """Return a column of Arrow in one piece."""
    return column.combine_chunks() if hasattr(column, "chunks") else column


def _one(rows: arrow.Table) -> Ints:
    """The documents of rows that are of one."""
    return np.broadcast_to(np.int64(0), rows.num_rows)


def _in_order(rows: arrow.Table, document: Ints, item: Ints) -> SideItems:
    """The items of a side, whose rows have these documents and items. An item is in the entity of its first row."""
    order, entity = _order(document, item), _codes(rows.column("entity"))
    document, item, entity = document.take(order), item.take(order), entity.take(order)
    new = starts_of_runs(document, item)
    conflicts: tuple[str, ...] = ()
    if not new.all():
        conflicts = _conflicts(~new & np.append(False, entity[1:] != entity[:-1]), order, rows)
        document, item, entity = document[new], item[new], entity[new]
    seen = SideTotals(rows.num_rows, repeated=rows.num_rows - len(item), conflicts=conflicts)
    return SideItems(document, item, *_numbered(document, entity), seen)


def _codes(column: arrow.Array) -> Ints:
    """Integers that are equal where the values are: the values themselves, or numbers of texts."""
    if arrow.types.is_int64(column.type):
        return numbers(column)
    return numbers(whole(column).dictionary_encode().indices)


def _order(document: Ints, item: Ints) -> Ints:
    """The stable order of rows by document and item."""
    item = _from_zero(item)
    if not document.any():
        places = int(item.max(initial=0)) + 1
        if places <= DENSE * len(item):
            row_at = np.full(places, -1, dtype=np.int64)
            row_at[item] = np.arange(len(item))
            order = row_at[row_at >= 0]
            if len(order) == len(item):  # no item is repeated
                return order
    return argsort(document, _narrow(item, document))


def _from_zero(values: Ints) -> Ints:
    """Integers from 0 that sort like others."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    if high - low < 1 << 62:
        return values - low
    ranks: Ints = np.unique(values, return_inverse=True)[1]
    return ranks


def _narrow(item: Ints, document: Ints) -> Ints:
    """Items with fewer bits, where they would not fit into an integer with their documents and rows."""
    bits = int(document.max(initial=0)).bit_length() + int(item.max(initial=0)).bit_length() + len(item).bit_length()
    if bits <= 63:
        return item
    ranks: Ints = np.unique(item, return_inverse=True)[1]
    return ranks


def _conflicts(differs: Bools, order: Ints, rows: arrow.Table) -> tuple[str, ...]:
    """Examples of items that are in two entities."""
    examples = []
    for place in np.flatnonzero(differs)[:EXAMPLES].tolist():
        two = [int(order[row]) for row in (place - 1, place)]
        one, other = sorted(rows.column("entity")[row].as_py() for row in two)
        examples.append(f"{rows.column('item')[two[0]].as_py()} in {one} and {other}")
    return tuple(examples)


def _numbered(document: Ints, entity: Ints) -> tuple[Ints, Ints]:
    """The number of each row's entity, in the order of first rows, and the first row of each entity."""
    rows = len(entity)
    codes = _from_zero(entity)
    most = int(codes.max(initial=0))
    if rows and document[0] == document[-1] and most < DENSE * rows:
        first_of = np.full(most + 1, rows)
        first_of[codes[::-1]] = np.arange(rows - 1, -1, -1)  # of several rows, the first is written last
        is_first = np.zeros(rows, dtype=bool)
        is_first[first_of[codes]] = True
        return (np.cumsum(is_first) - 1)[first_of[codes]], np.flatnonzero(is_first)
    order = argsort(document, _narrow(codes, document))
    start = starts_of_runs(document[order], codes[order])
    first = order[start]  # of each entity in the order of codes: rows of a run are ascending
    by_first = np.argsort(first)
    number = np.empty(rows, dtype=np.int64)
    number[order] = inverse(by_first)[np.cumsum(start) - 1]
    return number, first[by_first]


def _in_one_number(key: SideItems, response: SideItems) -> tuple[Ints, Ints]:
    """Document and item of each row as one integer, which sorts and compares as the two."""
    if not key.document.any() and not response.document.any():
        return key.item, response.item
    rows = len(key.item)
    document = np.concatenate([key.document, response.document])
    item = _from_zero(np.concatenate([key.item, response.item]))
    packed = pack(document, item)
    if packed is None:
        packed = pack(document, np.unique(item, return_inverse=True)[1])
    assert packed is not None  # there are no more items than rows
    return packed[:rows], packed[rows:]
