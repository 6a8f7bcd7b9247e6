"""Distributional metrics: entity sizes alone, whatever the entities contain.

Key and response are extended to one set of mentions. Then sizes are sorted, largest first, and the shorter list is padded
with zeros.

References
----------
Popescu-Belis and Robba (1998), "The Distributional Algorithm".
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, argsort, starts_of_runs
from referee.algorithms.sums import sum_runs
from referee.metrics.metric import metric
from referee.metrics.table import Table
from referee.stats.counts import Columns, Counts, ScoreColumns, divide, single


@metric("Distribution overlap", counts="mentions", aliases=("distribution_overlap",), scope="document", symmetric=True)
def overlap(table: Table) -> Counts:
    """Entity sizes in common, content ignored, one number.

    Notes
    -----
    The share of mentions that the sorted sizes have in common, rank by rank.

    References
    ----------
    Popescu-Belis and Robba (1998), "Distribution Overlapping".
    """
    r = ranks(table.extended)
    return single(sum_runs(r.length * np.minimum(r.key, r.response), r.offsets), table.extended.key_mentions)


@metric("d-error", counts="mentions", scope="document", target=0.0)
def d_error(table: Table) -> Counts:
    """Too much grouping (above 0) or too little (below 0), one number.

    Notes
    -----
    The value is between -1 and 1. It is the difference between the mean ranks at which the key is larger and at which the
    response is larger: d = Σ i (k_i -
    r_i) / (E (N + 1)), where i is the rank, N the longer list and E the mentions outside the overlap. 0 when the
    distributions are equal. Over documents numerators and denominators are added.

    The paper gives no formula. This one is a reconstruction, the only one of some 1,400 tried that agrees with every
    number it prints (40 % precision for its Table 1).

    References
    ----------
    Popescu-Belis and Robba (1998), "D-error"; reconstructed.
    """
    r = ranks(table.extended)
    surplus = sum_runs(r.length * np.maximum(r.key - r.response, 0), r.offsets)
    return Counts(
        {"numerator": sum_runs(r.total * (r.key - r.response), r.offsets), "denominator": surplus * (r.longer + 1)},
        _finish_d_error,
    )


def _finish_d_error(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    return ScoreColumns(divide(c["numerator"], c["denominator"], 0.0))


class Ranks(NamedTuple):
    """Ranks at which neither the key's sizes nor the response's change, as rows: int64, shape (rows,).

    Sizes decrease within a document; the shorter list is padded with zeros.
    """

    key: Ints  # the size of the key entity at these ranks
    response: Ints
    length: Ints  # how many ranks
    total: Ints  # the sum of these ranks, counted on from document to document: key and response have the same mentions
    offsets: Ints  # where the rows of each document begin, shape (documents + 1,)
    longer: Ints  # ranks of each document, shape (documents,)


def ranks(t: Table) -> Ranks:
    """Sort the sizes of key and response, and find the ranks at which one of them changes."""
    longer = np.maximum(t.key_entities, t.T.key_entities)
    before = np.cumsum(longer) - longer  # ranks of earlier documents
    key_size, key_first, key_last = _sorted_sizes(t, before)
    response_size, response_first, response_last = _sorted_sizes(t.T, before)
    ends = np.sort(np.concatenate([key_last, response_last]))
    last = ends[starts_of_runs(ends)]  # np.union1d hashes, and takes ten times as long
    length = np.diff(last, prepend=0)
    document = np.searchsorted(before + longer, last)

    def at(size: Ints, first: Ints, end: Ints) -> Ints:
        row = np.minimum(np.searchsorted(end, last), len(size) - 1)
        return np.where((first[row] < last) & (last <= end[row]), size[row], 0) if len(size) else np.zeros_like(last)

    return Ranks(
        at(key_size, key_first, key_last),
        at(response_size, response_first, response_last),
        length,
        length * (2 * last - length + 1) // 2,
        np.searchsorted(document, np.arange(len(longer) + 1)),
        longer,
    )


def _sorted_sizes(t: Table, before: Ints) -> tuple[Ints, Ints, Ints]:
    """Sizes of key entities, decreasing within a document, and the ranks before and at the end of each, in all documents."""
    size, times, document = t.key_sizes
    order = argsort(document, size.max(initial=0) - size)
    times = times[order]
    end = np.cumsum(times)
    last = end + (before - (np.cumsum(t.key_entities) - t.key_entities))[document[order]]
    return size[order], last - times, last


def direction(d: float) -> str:
    """Name the side that a d-error speaks of: "precision" (too much grouping), "recall" (too little), or neither ("")."""
    return "" if d == 0 or math.isnan(d) else "precision" if d > 0 else "recall"
