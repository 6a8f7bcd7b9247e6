"""Intervals without resamples: the delta method, for scores of sums over very many units.

A score is a function of sums: a ratio, an F-measure, a mean of these. Near the sums that were observed it is almost linear, so
its variance follows from the covariance of the columns and from the derivatives of the score [1]_. For a ratio R = X/Y of
n units that is n/(n - 1) · Σ (x - R y)² / Y². The interval is symmetric, with the quantiles of the normal distribution. Both
are good approximations where there are many units, none of which matters much.

References
----------
.. [1] Davison and Hinkley (1997), Bootstrap Methods and Their Application, section 2.7.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from referee.algorithms.arrays import Floats
from referee.stats.intervals import Interval

STEP = 2.0**-17
"""Relative to a sum: its square, and the rounding of scores by it, are equally small."""

BLOCK = 1 << 16
"""Units that are centred at a time."""


def covariance(columns: Floats) -> Floats:
    """Return the covariances of the sums of columns, shape (columns, columns), estimated from their units.

    Parameters
    ----------
    columns : float64, shape (columns, units)
        At least two units.
    """
    number, units = columns.shape
    mean, products = columns.mean(axis=1, keepdims=True), np.zeros((number, number))
    for first in range(0, units, BLOCK):
        centred = columns[:, first : first + BLOCK] - mean
        products += centred @ centred.T
    spread: Floats = products * (units / (units - 1))
    return spread


def gradient(score: Callable[[Floats], Floats], sums: Floats) -> Floats:
    """Return the derivatives of scores by sums, shape (sides, columns); 0 by a sum of 0, whose units are all 0.

    Parameters
    ----------
    score : callable
        Gives the scores, shape (sides, n), of sums, shape (columns, n).
    sums : float64, shape (columns,)
    """
    steps = np.diag(sums * STEP)
    scores = score(np.concatenate([sums[:, None] + steps, sums[:, None] - steps], axis=1))
    with np.errstate(invalid="ignore"):  # an infinite score less itself
        change = scores[:, : len(sums)] - scores[:, len(sums) :]
    return np.divide(change, 2 * STEP * sums, out=np.zeros_like(change), where=sums != 0)


def linear(value: float, error: float, level: float) -> Interval:
    """Return the interval of a score with this standard error; nan for an infinite score, which is no linear one.

    Examples
    --------
    >>> [round(end, 4) for end in linear(0.5, 0.1, 0.95)[:2]]
    [0.304, 0.696]
    """
    from statistics import NormalDist  # a slow import, of use only here

    if np.isinf(value):
        return Interval(np.nan, np.nan)
    margin = NormalDist().inv_cdf((1 + level) / 2) * error
    return Interval(value - margin, value + margin)
