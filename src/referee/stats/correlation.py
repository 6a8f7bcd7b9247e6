"""How alike two columns of numbers order the same things, or spread them: Pearson, Spearman, Kendall.

p is that of no correlation, two-sided: from Student's distribution with n - 2 degrees of freedom (Pearson, Spearman), from the
normal one with the variance corrected for ties (Kendall). With few systems it is rough. Numbers that differ by no more than
rounding are equal.

Source: Kendall (1970), "Rank Correlation Methods"; Abramowitz and Stegun (1964), 26.5.8 and 26.7.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.stats.significance import ROUNDING


class Correlation(NamedTuple):
    """A coefficient in [-1, 1] and the p of none; nan where a column does not vary, or fewer than two things are compared."""

    value: float
    p: float


def pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> Correlation:
    """The covariance over both standard deviations.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0])).value, 4)
    0.982
    """
    if not (levels(x).any() and levels(y).any()):
        return Correlation(math.nan, math.nan)
    a, b = x - x.mean(), y - y.mean()
    r = float(np.clip((a @ b) / math.sqrt((a @ a) * (b @ b)), -1, 1))
    freedom = len(x) - 2
    return Correlation(r, _student(r, freedom) if freedom else math.nan)


def spearman(x: NDArray[np.float64], y: NDArray[np.float64]) -> Correlation:
    """Pearson's coefficient of the ranks; equal numbers share the mean of their ranks."""
    return pearson(ranks(x), ranks(y))


def kendall(x: NDArray[np.float64], y: NDArray[np.float64]) -> Correlation:
    """tau-b: pairs in one order less pairs in opposite ones, over the geometric mean of the pairs untied on either side."""
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

    def over(f: Callable[[Any], Any]) -> tuple[float, float]:
        first, second = (float(f(t).sum()) for t in ties)
        return first, second

    fives = over(lambda t: t * (t - 1) * (2 * t + 5))
    twos, threes = over(lambda t: t * (t - 1)), over(lambda t: t * (t - 1) * (t - 2))
    variance = (n * (n - 1) * (2 * n + 5) - sum(fives)) / 18
    variance += twos[0] * twos[1] / (2 * n * (n - 1)) + threes[0] * threes[1] / (9 * n * (n - 1) * (n - 2))
    return Correlation(value, math.erfc(abs(same) / math.sqrt(2 * variance)) if variance > 0 else math.nan)


COEFFICIENTS: Mapping[str, Callable[[NDArray[np.float64], NDArray[np.float64]], Correlation]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def ranks(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rank of each number from 1, the smallest first; equal ones share the mean of theirs.

    >>> ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, number = np.unique(levels(x), return_inverse=True, return_counts=True)
    last = np.cumsum(number)
    mean: NDArray[np.float64] = (last - (number - 1) / 2)[place]
    return mean


def levels(x: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many different numbers are below each one; those that differ by no more than `ROUNDING` are equal.

    >>> levels(np.array([0.5, 0.1, 0.5 + 1e-15])).tolist()
    [1, 0, 1]
    """
    order = np.argsort(x, kind="stable")
    ascending, found = x[order], np.zeros(len(x), dtype=np.int64)
    found[order[1:]] = np.cumsum(ascending[1:] > ascending[:-1] + ROUNDING)
    return found


def _student(r: float, freedom: int) -> float:
    """The p of a correlation: the regularized incomplete beta function of 1 - r² at (freedom / 2, 1/2)."""
    return _beta((1 - r) * (1 + r), freedom / 2, 0.5)


def _beta(x: float, a: float, b: float) -> float:
    """I_x(a, b), by the continued fraction (26.5.8) evaluated forwards, from whichever end it converges faster."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
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
