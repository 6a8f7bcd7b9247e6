"""Mutual information beyond chance and as a fraction, and the contingency matrix, as in `sklearn.metrics`.

Examples
--------
>>> round(adjusted_mutual_info_score([0, 0, 0, 1, 1, 2], ["a", "a", "b", "b", "b", "c"]), 4)
0.4118
>>> contingency_matrix([0, 0, 0, 1, 1, 2], ["a", "a", "b", "b", "b", "c"]).tolist()
[[2, 1, 0], [0, 2, 0], [0, 0, 1]]

References
----------
Vinh, Epps and Bailey (2010), "Information Theoretic Measures for Clusterings Comparison", equation 24.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from referee.algorithms.arrays import Floats, Ints, ranges, tally
from referee.basics.exceptions import check_name
from referee.compat.labels import table_of_labels
from referee.metrics.entropy import information
from referee.metrics.table import Table

AverageMethod: TypeAlias = Literal["min", "geometric", "arithmetic", "max"]

MEANS: Mapping[str, Callable[[Floats], Floats]] = {
    "min": np.min,
    "geometric": lambda bits: np.sqrt(np.prod(bits)),
    "arithmetic": np.mean,
    "max": np.max,
}
"""Means of the entropies of key and response."""


def normalized_mutual_info_score(
    labels_true: ArrayLike, labels_pred: ArrayLike, *, average_method: AverageMethod = "arithmetic"
) -> float:
    """Return the shared information as a fraction of a mean of that of key and response; 1 if both have one entity."""
    key, response, shared = _bits(table_of_labels(labels_true, labels_pred), average_method)
    if key == response == 0:
        return 1.0
    return shared / float(MEANS[average_method](np.array([key, response]))) if shared else 0.0


def adjusted_mutual_info_score(
    labels_true: ArrayLike, labels_pred: ArrayLike, *, average_method: AverageMethod = "arithmetic"
) -> float:
    """Return the shared information above that of chance, as a fraction of what it can be above that.

    0 if one side has a single entity and the other has not, 1 if both have, or there are no items.
    """
    table = table_of_labels(labels_true, labels_pred)
    key, response, shared = _bits(table, average_method)
    if key == response == 0:
        return 1.0
    if not (key and response):
        return 0.0
    by_chance = expected_information(table.key_size, table.response_size) * int(table.key_mentions.sum()) / np.log(2)
    most = float(MEANS[average_method](np.array([key, response])))
    # If both sides are all singletons, everything is shared by chance, too: that is 1 there, and differences are rounding.
    above, possible = (_away_from_0(value - by_chance) for value in (shared, most))
    return float(above / possible)


def contingency_matrix(labels_true: ArrayLike, labels_pred: ArrayLike) -> Ints:
    """Count the items of each label of the key, in rows, that have each label of the response, in columns.

    Returns
    -------
    int64, shape (labels of the key, labels of the response)
        In the order of the labels.
    """
    table_of_labels(labels_true, labels_pred)  # raises for labels that cannot be compared
    (rows, row), (columns, column) = (
        np.unique(np.asarray(labels), return_inverse=True) for labels in (labels_true, labels_pred)
    )
    return tally(row * len(columns) + column, minlength=len(rows) * len(columns)).reshape(len(rows), len(columns))


def expected_information(key_size: Ints, response_size: Ints) -> float:
    """Return the expected mutual information of two partitions of the same items, in nats for each item.

    Parameters
    ----------
    key_size, response_size : int64, shapes (K,) and (R,)
        The sizes of the entities, whose sums are the same.

    Notes
    -----
    The overlap of an entity of a items with one of b is hypergeometric. Only different pairs of sizes are computed, each with
    all its overlaps; there are at most sqrt(2 n) sizes in n items.

    Examples
    --------
    >>> two = np.array([1, 1])
    >>> round(expected_information(two, two), 4), round(math.log(2), 4)
    (0.6931, 0.6931)
    """
    items = int(key_size.sum())
    sizes, times = np.unique(response_size, return_counts=True)
    log_factorial = np.fromiter(map(math.lgamma, range(1, items + 2)), dtype=np.float64, count=items + 1)
    total = 0.0
    for size, number in zip(*map(np.ndarray.tolist, np.unique(key_size, return_counts=True)), strict=True):
        total += number * float(times @ _of_sizes(size, sizes, items, log_factorial))
    return total


def _of_sizes(a: int, b: Ints, items: int, log_factorial: Floats) -> Floats:
    """What an entity of `a` items shares with one of each size by chance."""
    least, most = np.maximum(0, a + b - items), np.minimum(a, b)
    place, shared = ranges(least, most + 1)
    other = b[place]
    log_probability = (
        log_factorial[other] - log_factorial[shared] - log_factorial[other - shared]
        + log_factorial[items - other] - log_factorial[a - shared] - log_factorial[items - other - a + shared]
        - (log_factorial[items] - log_factorial[a] - log_factorial[items - a])
    )  # fmt: skip
    information = shared / items * np.log(items * np.maximum(shared, 1) / (a * other))
    sums: Floats = tally(place, np.exp(log_probability) * information, minlength=len(b))
    return sums


def _bits(table: Table, average_method: str) -> tuple[float, float, float]:
    """The information of the key, of the response, and what they share."""
    check_name("average_method", average_method, MEANS)
    bits = information(table)
    return float(bits.key.sum()), float(bits.response.sum()), float(bits.shared.sum())


def _away_from_0(value: float) -> float:
    least = float(np.finfo(np.float64).eps)
    return min(value, -least) if value < 0 else max(value, least)
