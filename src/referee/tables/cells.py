"""Cells of one giant clustering: a table in which one pair of entities stands for all pairs of the same sizes."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from referee.algorithms.arrays import lengths, order_by, starts_of_runs, tally
from referee.metrics.table import Multiples, Table
from referee.tables.blocks import ranked
from referee.tables.columns import numbers
from referee.tables.engine import Cells, Seen


def table_of(cells: Cells) -> Table:
    """Return the table of one document: its first part is the rest, each type is one more part."""
    a, b, n, times = cells.types
    rest = cells.rest
    key_item, response_item = (ranked(column, column.slice(0, 0))[0] for column in (rest.column("kf"), rest.column("rf")))
    shared, key_of, response_of = (numbers(rest.column(name)) for name in ("n", "a", "b"))
    key_first, key = np.unique(key_item, return_index=True, return_inverse=True)[1:]
    response_first, response = np.unique(response_item, return_index=True, return_inverse=True)[1:]
    order = order_by(key, response)
    part = np.arange(1, len(a) + 1)
    has_key, has_response, has_cell = np.flatnonzero(a), np.flatnonzero(b), np.flatnonzero(n)
    key_place, response_place = np.cumsum(a > 0) - 1 + len(key_first), np.cumsum(b > 0) - 1 + len(response_first)
    return Table(
        np.concatenate([key[order], key_place[has_cell]]),
        np.concatenate([response[order], response_place[has_cell]]),
        np.concatenate([shared[order], n[has_cell]]),
        np.concatenate([key_of[key_first], a[has_key]]),
        np.concatenate([response_of[response_first], b[has_response]]),
        np.concatenate([np.zeros(len(key_first), dtype=np.int64), part[has_key]]),
        np.concatenate([np.zeros(len(response_first), dtype=np.int64), part[has_response]]),
        1,
        fold=Multiples(np.concatenate([[1], times])),
    )  # fmt: skip


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
    order = order_by(*types)
    start = np.flatnonzero(starts_of_runs(*types[:, order]))
    times = lengths(start, len(order))
    columns = {"kf": table.key, "rf": table.response, "n": table.shared, "a": a, "b": b}
    rest = import_module("pyarrow").table({name: column[~alone].astype(np.int64) for name, column in columns.items()})
    return Cells(np.vstack([types[:, order[start]], times]), rest, seen)
