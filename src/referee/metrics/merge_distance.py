"""Generalised merge distance: the cost of splitting response entities and merging the parts into key entities."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Ints, Numbers, argsort, inverse, lengths, repeat, starts_of_runs
from referee.metrics.metric import metric
from referee.metrics.table import Table
from referee.stats.counts import Columns, Counts, ScoreColumns

Cost: TypeAlias = Callable[[Ints, Ints], Ints]
"""The cost of splitting, or merging, sets of x and y mentions; takes and gives arrays."""


def one(x: Ints, y: Ints) -> Ints:
    """Every operation costs the same."""
    return np.ones_like(x)


def product(x: Ints, y: Ints) -> Ints:
    """An operation costs as many pairs as it separates or joins: the distance counts wrong pairs."""
    return x * y


def generalised_merge_distance(split: Cost, merge: Cost) -> Callable[[Table], Counts]:
    """Return the function that counts with these costs: split each response entity into its parts, merge those of a key entity.

    Notes
    -----
    It is exact for costs that do not depend on the order of operations, as `one` and `product`.

    References
    ----------
    Menestrina, Whang and Garcia-Molina (2010), the "slice" algorithm.
    """

    def count(table: Table) -> Counts:
        t = table.extended
        return Counts({"splits": _cost(t.T, split), "merges": _cost(t, merge)}, _finish)

    return count


@metric("Merge distance", counts="operations", aliases=("gmd",), unit="operations", symmetric=True, target=0.0)
def merge_distance(table: Table) -> Counts:
    """Splits and mergers to reach the key, one number.

    Notes
    -----
    A distance: 0 for equal partitions. Counts are operations of cost 1, added over documents. For other costs see
    `generalised_merge_distance`.

    References
    ----------
    Menestrina, Whang and Garcia-Molina (2010).
    """
    counts = generalised_merge_distance(one, one)(table)
    return Counts(counts.columns, counts.finish, unit="operations")


def _cost(t: Table, cost: Cost) -> Numbers:
    """The cost of merging the parts of each key entity one after another, shape (documents,)."""
    order = argsort(t.key, t.response)
    key, part = t.key[order], t.shared[order]
    first = starts_of_runs(key)
    before = _running_total(part, first) - part
    return t.sum_cells(np.where(first, 0, cost(part, before))[inverse(order)])


def _running_total(part: Ints, first: Bools) -> Ints:
    total = np.cumsum(part)
    start = np.flatnonzero(first)
    return total - repeat(total[start] - part[start], lengths(start, len(part)))


def _finish(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    return ScoreColumns(c["splits"] + c["merges"])
