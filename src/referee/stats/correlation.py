"""How alike two columns of numbers order, or spread, the same things: Pearson, Spearman, Kendall.

p is two-sided, of no correlation. It comes from Student's distribution with n - 2 degrees of freedom (Pearson, Spearman), or
from the normal distribution with the variance corrected for ties (Kendall [1]_). With few systems it is rough. Numbers that
differ by `ROUNDING` or less are equal.

References
----------
.. [1] Kendall (1970), Rank Correlation Methods.
.. [2] Abramowitz and Stegun (1964), Handbook of Mathematical Functions, 26.5.8 and 26.7.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.stats.significance import ROUNDING


class Correlation(NamedTuple):
    """A coefficient in [-1, 1], and the p of no correlation.

    Both are nan where a column does not vary or has fewer than two numbers; p is nan of two numbers.
    """

    value: float
    p: float


def pearson(x: Floats, y: Floats) -> Correlation:
    """Divide the covariance by both standard deviations.

    Examples
    --------
    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])).value, 4)
    0.982
    """
    if not (levels(x).any() and levels(y).any()):
        return Correlation(math.nan, math.nan)
    a, b = x - x.mean(), y - y.mean()
    # Not `a @ b`: libraries for products of matrices add in an order of their own, and so differ in the last digit.
    ab, aa, bb = ((first * second).sum() for first, second in ((a, b), (a, a), (b, b)))
    r = float(np.clip(ab / math.sqrt(aa * bb), -1, 1))
    freedom = len(x) - 2
    return Correlation(r, _beta((1 - r) * (1 + r), freedom / 2, 0.5) if freedom else math.nan)  # 26.7.1


def spearman(x: Floats, y: Floats) -> Correlation:
    """Return Pearson's coefficient of the ranks; equal numbers share the mean of their ranks."""
    return pearson(ranks(x), ranks(y))


def kendall(x: Floats, y: Floats) -> Correlation:
    """Return tau-b.

    It is the number of pairs in the same order, minus that of pairs in opposite order, divided by the geometric mean of the
    pairs that are not tied on either side.
    """
    n = len(x)
    a, b = levels(x), levels(y)
    same = sum(int((np.sign(a[i] - a[:i]) * np.sign(b[i] - b[:i])).sum()) for i in range(n))
    ties = [np.unique(side, return_counts=True)[1].astype(np.float64) for side in (a, b)]
    pairs = n * (n - 1) / 2
    untied = [pairs - float((t * (t - 1)).sum()) / 2 for t in ties]
    if not all(untied):
        return Correlation(math.nan, math.nan)
    value = max(-1.0, min(1.0, same / math.sqrt(untied[0]) / math.sqrt(untied[1])))
    if n < 3:
        return Correlation(value, math.nan)
    twos, threes, fives = (
        [float(tied.sum()) for tied in terms]
        for terms in zip(*((t * (t - 1), t * (t - 1) * (t - 2), t * (t - 1) * (2 * t + 5)) for t in ties), strict=True)
    )
    variance = (n * (n - 1) * (2 * n + 5) - sum(fives)) / 18
    variance += twos[0] * twos[1] / (2 * n * (n - 1)) + threes[0] * threes[1] / (9 * n * (n - 1) * (n - 2))
    return Correlation(value, math.erfc(abs(same) / math.sqrt(2 * variance)))


COEFFICIENTS: Mapping[str, Callable[[Floats, Floats], Correlation]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def ranks(x: Floats) -> Floats:
    """Return the rank of each number from 1, the smallest first; equal numbers share the mean of their ranks.

    Examples
    --------
    >>> ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, level, number = np.unique(levels(x), return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(number) - (number - 1) / 2)[level])


def levels(x: Floats) -> Ints:
    """Count the different numbers below each one; those that differ by `ROUNDING` or less are equal.

    Examples
    --------
    >>> levels(np.array([0.5, 0.1, 0.5 + 1e-15])).tolist()
    [1, 0, 1]
    """
    order = np.argsort(x, kind="stable")
    ascending, below = x[order], np.zeros(len(x), dtype=np.int64)
    below[order[1:]] = np.cumsum(ascending[1:] > ascending[:-1] + ROUNDING)
    return below


def _beta(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function I_x(a, b), by the continued fraction 26.5.8, where it converges fast."""
    if x <= 0:
        return 0.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 10_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * fraction
