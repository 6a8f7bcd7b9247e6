"""Cells of one giant clustering: a table in which one pair of entities stands for all pairs of the same sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from referee.algorithms.arrays import Bools, Ints, argsort, inverse, lengths, starts_of_runs, tally
from referee.algorithms.components import joined
from referee.basics.exceptions import EngineError, OptionError
from referee.basics.extras import arrow
from referee.metrics.folded import FoldedTable, RepeatedParts
from referee.metrics.metric import Metric
from referee.metrics.parts import count_parts
from referee.metrics.registry import METRICS
from referee.metrics.table import Table
from referee.stats.counts import Counts
from referee.tables.engine import Cells, RowStatistics
from referee.tables.items import item_numbers
from referee.tabular.arrow import numbers

SHARE = 0.4
"""Of the memory for everything, what cells may take while they are counted."""

BYTES = 260
"""Memory for each cell that is counted by all metrics."""


def table_of(cells: Cells) -> FoldedTable:
    """Return the table of one document: its first part is the rest, each type is one more part."""
    rest, (a, b, n, times) = cells.rest, cells.types
    part = np.arange(1, len(a) + 1)
    has_key, has_response, has_cell = np.flatnonzero(a), np.flatnonzero(b), np.flatnonzero(n)
    key_place = np.cumsum(a > 0) - 1 + len(rest.key_size)
    response_place = np.cumsum(b > 0) - 1 + len(rest.response_size)
    return FoldedTable(
        np.concatenate([rest.key, key_place[has_cell]]),
        np.concatenate([rest.response, response_place[has_cell]]),
        np.concatenate([rest.shared, n[has_cell]]),
        np.concatenate([rest.key_size, a[has_key]]),
        np.concatenate([rest.response_size, b[has_response]]),
        np.concatenate([rest.key_document, part[has_key]]),
        np.concatenate([rest.response_document, part[has_response]]),
        1,
        fold=RepeatedParts(np.concatenate([[1], times])),
    )


def rest_of(cells: arrow.Table) -> Table:
    """Return the table of cells with the columns kf, rf, n, a, b.

    Those are the smallest items of the key entity and of the response entity, which give the order of the entities; the
    mentions that they share; and their sizes.
    """
    key, response = (item_numbers(cells.column(name))[1] for name in ("kf", "rf"))
    key_first, key = np.unique(key, return_index=True, return_inverse=True)[1:]
    response_first, response = np.unique(response, return_index=True, return_inverse=True)[1:]
    order = argsort(key, response)
    return Table(
        key[order],
        response[order],
        numbers(cells.column("n"))[order],
        numbers(cells.column("a"))[key_first],
        numbers(cells.column("b"))[response_first],
        np.zeros(len(key_first), dtype=np.int64),
        np.zeros(len(response_first), dtype=np.int64),
        1,
    )


def cells_of(table: Table, seen: RowStatistics) -> Cells:
    """Return the cells of a table of one document, whose entities are in the order of their smallest items."""
    key_cells = tally(table.key, minlength=len(table.key_size))
    response_cells = tally(table.response, minlength=len(table.response_size))
    alone = (key_cells[table.key] == 1) & (response_cells[table.response] == 1)
    missed, spurious = table.key_size[key_cells == 0], table.response_size[response_cells == 0]
    types = np.concatenate(
        [
            np.stack([table.key_size[table.key[alone]], table.response_size[table.response[alone]], table.shared[alone]]),
            np.stack([missed, np.zeros_like(missed), np.zeros_like(missed)]),
            np.stack([np.zeros_like(spurious), spurious, np.zeros_like(spurious)]),
        ],
        axis=1,
    )
    order = argsort(*types)
    start = np.flatnonzero(starts_of_runs(*types[:, order]))
    times = lengths(start, len(order))
    rest = table.with_entities(_occurs(table.key[~alone], key_cells), _occurs(table.response[~alone], response_cells))
    return Cells(np.vstack([types[:, order[start]], times]), rest, seen)


def _occurs(entity: Ints, entities: Ints) -> Bools:
    """Which entities occur in a column."""
    occurs = np.zeros(len(entities), dtype=bool)
    occurs[entity] = True
    return occurs


def count_cells(
    table: Table, times: Ints, metrics: Mapping[str, Metric], memory: int
) -> tuple[dict[str, Counts], dict[str, object]]:
    """Return the counts of a table that `table_of` made, and what the JSON report says of the run.

    Parameters
    ----------
    table : Table
    times : int64, shape (types,)
        How many pairs of entities there are of each type.
    metrics : mapping
        Name -> metric.
    memory : int
        Bytes for everything together. If the rest does not fit, it is counted in parts.

    Raises
    ------
    OptionError
        If the rest does not fit, and a metric is a function of the caller, which may be no formula of sums.
    EngineError
        If cells that overlap one with another do not fit.
    """
    cells, limit = int(table.cell_offsets[1]), max(int(SHARE * memory) // BYTES, 1)
    if cells <= limit:
        return {name: metric.count(table) for name, metric in metrics.items()}, {}
    for name, metric in metrics.items():
        if METRICS.get(metric.id) is not metric:
            needed = f"{cells} cells of {BYTES} bytes"
            raise OptionError(f"{name} is a function of your own, which gets all {needed} at once: raise --memory")
    parts = 0

    def all_parts() -> Iterator[tuple[Table, Ints]]:
        nonlocal parts
        yield table.part(1, table.parts), times
        for parts, part in enumerate(whole_components(table.part(0, 1), limit), 1):  # noqa: B007
            yield part, np.ones(1, dtype=np.int64)

    totals = table.key_mentions, table.T.key_mentions, table.common
    counts = count_parts(all_parts(), totals, metrics)
    return counts, {"rest_cells": cells, "rest_parts": parts}


def whole_components(rest: Table, limit: int) -> Iterator[Table]:
    """Divide the table of one document into tables of at most so many cells, of whole components of overlapping entities.

    Raises
    ------
    EngineError
        If a component has more cells.
    """
    keys = len(rest.key_size)
    label = joined(np.arange(keys + len(rest.response_size)), rest.key, rest.response + keys)
    size = tally(label[rest.key], minlength=len(label)).astype(np.int64)
    largest = int(size.max(initial=0))
    if largest > limit:
        remedy = f"raise --memory to {largest * BYTES / SHARE / 1e9:.2g}GB or more"
        problem = f"{largest} cells overlap one with another, directly or through others, more than fit into memory"
        raise EngineError(f"{problem}; nothing is reported: {remedy}")
    half = max(limit // 2, 1)
    small = size <= half
    part = np.zeros(len(size), dtype=np.int64)
    part[small] = (np.cumsum(size[small]) - size[small]) // half
    part[~small] = np.arange(1, int((~small).sum()) + 1) + part.max(initial=0)
    key_part, response_part = np.split(part[label], [keys])
    key_order, response_order = argsort(key_part), argsort(response_part)
    key, response = inverse(key_order)[rest.key], inverse(response_order)[rest.response]
    order = argsort(key, response)
    documents = Table(
        key[order], response[order], rest.shared[order], rest.key_size[key_order], rest.response_size[response_order],
        key_part[key_order], response_part[response_order], int(part.max(initial=0)) + 1,
    )  # fmt: skip
    del rest, label, size, small, part, key_part, response_part, key_order, response_order, key, response, order  # memory
    for document in range(documents.documents):
        yield documents.part(document, document + 1)
