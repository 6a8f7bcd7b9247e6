"""Intervals from resamples: percentile and BCa.

References
----------
.. [1] Efron (1987), Better Bootstrap Confidence Intervals.
.. [2] Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 13 and 14.
"""

from __future__ import annotations

from typing import NamedTuple, NoReturn

import numpy as np

from referee.algorithms.arrays import Floats
from referee.basics.names import NoAttributeError
from referee.stats.significance import ROUNDING


class Interval(NamedTuple):
    """Where the true value lies, at a level.

    Attributes
    ----------
    low, high : float
        The ends; nan if there is no resample with a defined score.
    undefined : int
        The number of resamples whose score is 0/0; they are left out.
    """

    low: float
    high: float
    undefined: int = 0

    @property
    def margin(self) -> float:
        """Half of its width."""
        return (self.high - self.low) / 2

    def __getattr__(self, name: str) -> NoReturn:
        of_scores = name in ("f1", "recall", "precision", "value", "score")
        meant = "it has .low, .high and .margin; evaluation['muc'] has the score" if of_scores else ""
        raise NoAttributeError("Interval", name, ("low", "high", "margin", "undefined"), meant)


def percentile(values: Floats, level: float) -> Interval:
    """Return the interval that holds the middle resamples, a share `level` of those defined. Both ends are resamples."""
    return _between(values, (1 - level) / 2, (1 + level) / 2)


def bca(values: Floats, estimate: float, left_out: Floats, level: float) -> Interval:
    """Return the bias-corrected and accelerated interval [1]_.

    Its ends are percentiles, too. They are corrected for the bias of the resamples, and for how the variance of the score
    changes with the score.

    Parameters
    ----------
    values
        The score of each resample.
    estimate
        The score of all units.
    left_out
        The score without each unit, or how much it differs from `estimate`: for the acceleration.
    level
        The share of the interval.

    Notes
    -----
    Half of the resamples that equal the estimate, but for rounding, count as below it. If all of them are on one side, or the
    estimate is infinite, nothing can be corrected: then it is the percentile interval.
    """
    from statistics import NormalDist  # a slow import, of use only here

    normal = NormalDist()
    defined = values[~np.isnan(values)]
    if not (len(defined) and np.isfinite(estimate)):
        return percentile(values, level)
    less, at_most = np.count_nonzero(defined < estimate - ROUNDING), np.count_nonzero(defined <= estimate + ROUNDING)
    below = (less + at_most) / 2 / len(defined)
    if not 0 < below < 1:
        return percentile(values, level)
    bias = normal.inv_cdf(below)
    influence = left_out[~np.isnan(left_out)]
    influence = influence.mean() - influence if len(influence) else np.zeros(1)
    spread = float((influence**2).sum())
    acceleration = float((influence**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0

    def rank_fraction(tail: float) -> float:
        z = bias + normal.inv_cdf(tail)
        return normal.cdf(bias + z / (1 - acceleration * z)) if acceleration * z < 1 else float(z > 0)

    return _between(values, rank_fraction((1 - level) / 2), rank_fraction((1 + level) / 2))


def _between(values: Floats, low: float, high: float) -> Interval:
    """The smallest resamples that at least these shares of the defined ones do not exceed.

    Both occur; nothing is interpolated, as one of two neighbours might be infinite.
    """
    defined = values[~np.isnan(values)]
    undefined = len(values) - len(defined)
    if not len(defined):
        return Interval(np.nan, np.nan, undefined)
    ranks = [min(max(int(np.ceil(share * len(defined) - 1e-9)), 1), len(defined)) - 1 for share in (low, high)]
    start, end = np.partition(defined, ranks)[ranks].tolist()
    return Interval(start, end, undefined)
