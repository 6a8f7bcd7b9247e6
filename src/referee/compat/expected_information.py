"""The information that key and response share by chance: the mean over all permutations of the items.

References
----------
Vinh, Epps and Bailey (2010), "Information Theoretic Measures for Clusterings Comparison", equation 24.
"""

from __future__ import annotations

import math

import numpy as np

from referee.algorithms.arrays import Floats, Ints, ranges, tally


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
