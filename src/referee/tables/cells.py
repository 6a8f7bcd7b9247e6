"""Cells of one giant clustering: a table in which one pair of entities stands for all pairs of the same sizes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, argsort, lengths, starts_of_runs, tally
from referee.basics.extras import arrow
from referee.metrics.folded import FoldedTable, Multiples
from referee.metrics.parts import Whole
from referee.metrics.table import Table
from referee.tables.engine import Cells, Seen
from referee.tables.items import item_numbers
from referee.tables.rest import RestInMemory
from referee.tabular.arrow import numbers


def table_of(cells: Cells) -> Table:
    """Return the table of one document: its first part is the rest, each type is one more part."""
    return beside(rest_columns(cells.rest.table()), cells.types, Multiples(np.concatenate([[1], cells.types[3]])))


class RestColumns(NamedTuple):
    """Cells with their entities from 0, and the sizes and found mentions of these."""

    key: Ints
    response: Ints
    shared: Ints
    key_size: Ints
    response_size: Ints
    key_found: Ints
    response_found: Ints


NO_REST = RestColumns(*[np.empty(0, dtype=np.int64)] * 7)


def rest_columns(rest: arrow.Table) -> RestColumns:
    """Return the columns of a table of the rest; entities are in the order of their smallest items."""
    key_item, response_item = (item_numbers(rest.column(name))[1] for name in ("kf", "rf"))
    shared, key_of, response_of = (numbers(rest.column(name)) for name in ("n", "a", "b"))
    key_first, key = np.unique(key_item, return_index=True, return_inverse=True)[1:]
    response_first, response = np.unique(response_item, return_index=True, return_inverse=True)[1:]
    order = argsort(key, response)
    found = (key_of[key_first], response_of[response_first])
    if "missed" in rest.column_names:  # an entity without mentions in common: here, or in the part that has its first cell
        missed, spurious = (numbers(rest.column(name)) for name in ("missed", "spurious"))
        found = found[0] - tally(key, missed, len(key_first)), found[1] - tally(response, spurious, len(response_first))
    return RestColumns(
        key[order], response[order], shared[order], key_of[key_first], response_of[response_first],
        *(of.astype(np.int64) for of in found),
    )  # fmt: skip


def beside(rest: RestColumns, types: Ints, fold: Multiples, whole: Whole = "component") -> Table:
    """Return the table with the rest as first part, and the types as one more part each; of which entities it has all cells."""
    a, b, n, _ = types
    part = np.arange(1, len(a) + 1)
    has_key, has_response, has_cell = np.flatnonzero(a), np.flatnonzero(b), np.flatnonzero(n)
    keys, responses = len(rest.key_size), len(rest.response_size)
    key_place, response_place = np.cumsum(a > 0) - 1 + keys, np.cumsum(b > 0) - 1 + responses
    return FoldedTable(
        np.concatenate([rest.key, key_place[has_cell]]),
        np.concatenate([rest.response, response_place[has_cell]]),
        np.concatenate([rest.shared, n[has_cell]]),
        np.concatenate([rest.key_size, a[has_key]]),
        np.concatenate([rest.response_size, b[has_response]]),
        np.concatenate([np.zeros(keys, dtype=np.int64), part[has_key]]),
        np.concatenate([np.zeros(responses, dtype=np.int64), part[has_response]]),
        1,
        fold=fold,
        known_key_found=rest.key_found if whole == "response" else None,
        known_response_found=rest.response_found if whole == "key" else None,
    )


def component(rest: RestColumns) -> Table:
    """Return the table of the rest alone, which is one document."""
    k, r = np.zeros_like(rest.key_size), np.zeros_like(rest.response_size)
    return Table(rest.key, rest.response, rest.shared, rest.key_size, rest.response_size, k, r, 1)


def cells_of(table: Table, seen: Seen) -> Cells:
    """Return the cells of a table of one document, whose entities are in the order of their smallest items."""
    key_cells = tally(table.key, minlength=len(table.key_size))
    response_cells = tally(table.response, minlength=len(table.response_size))
    a, b = table.key_size[table.key], table.response_size[table.response]
    alone = (key_cells[table.key] == 1) & (response_cells[table.response] == 1)
    missed, spurious = table.key_size[key_cells == 0], table.response_size[response_cells == 0]
    types = np.concatenate(
        [
            np.stack([a[alone], b[alone], table.shared[alone]]),
            np.stack([missed, np.zeros_like(missed), np.zeros_like(missed)]),
            np.stack([np.zeros_like(spurious), spurious, np.zeros_like(spurious)]),
        ],
        axis=1,
    )
    order = argsort(*types)
    start = np.flatnonzero(starts_of_runs(*types[:, order]))
    times = lengths(start, len(order))
    columns = {"kf": table.key, "rf": table.response, "n": table.shared, "a": a, "b": b}
    rest = arrow.table({name: column[~alone].astype(np.int64) for name, column in columns.items()})
    return Cells(np.vstack([types[:, order[start]], times]), RestInMemory(rest), seen)
