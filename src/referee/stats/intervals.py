"""Intervals from resamples: percentile, and BCa.

Source: Efron (1987), "Better Bootstrap Confidence Intervals"; Efron and Tibshirani (1993), chapters 13 and 14.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

INTERVALS = ("percentile", "bca")


class Interval(NamedTuple):
    """Where the true value lies, at some level.

    undefined : resamples in which the score was 0 / 0; they are left out
    """

    low: float
    high: float
    undefined: int = 0

    @property
    def margin(self) -> float:
        """Half of its width."""
        return (self.high - self.low) / 2


def percentile(values: NDArray[np.float64], level: float) -> Interval:
    """Between these lie the middle resamples, a share `level` of those defined; nan if none is. Both ends are resamples."""
    return _between(values, (1 - level) / 2, (1 + level) / 2)


def bca(values: NDArray[np.float64], estimate: float, left_out: NDArray[np.float64], level: float) -> Interval:
    """The bias-corrected and accelerated interval: percentiles moved by how far the resamples lie beside the estimate, and by
    how much its variance changes with it.

    values   : the score of each resample
    left_out : the score without each of the documents, for the acceleration

    Half of the resamples that equal the estimate count as below it. If all lie on one side there is nothing to correct by, and
    the interval is the percentiles'; so it is if the estimate is infinite.
    """
    from statistics import NormalDist  # a slow import, of use only here

    normal = NormalDist()
    defined = values[~np.isnan(values)]
    below = (np.count_nonzero(defined < estimate) + np.count_nonzero(defined == estimate) / 2) / max(len(defined), 1)
    if not (0 < below < 1 and np.isfinite(estimate)):
        return percentile(values, level)
    bias = normal.inv_cdf(below)
    influence = left_out[~np.isnan(left_out)]
    influence = influence.mean() - influence if len(influence) else np.zeros(1)
    spread = float((influence**2).sum())
    acceleration = float((influence**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0

    def share(tail: float) -> float:
        z = bias + normal.inv_cdf(tail)
        return normal.cdf(bias + z / (1 - acceleration * z)) if acceleration * z < 1 else float(z > 0)

    return _between(values, share((1 - level) / 2), share((1 + level) / 2))


def _between(values: NDArray[np.float64], low: float, high: float) -> Interval:
    defined = values[~np.isnan(values)]
    undefined = len(values) - len(defined)
    if not len(defined):
        return Interval(np.nan, np.nan, undefined)
    # The least value that at least such a share of all does not exceed: one that occurs, as one of two might be infinite.
    ranks = [min(max(int(np.ceil(share * len(defined) - 1e-9)), 1), len(defined)) - 1 for share in (low, high)]
    found = np.partition(defined, ranks)[ranks]
    return Interval(float(found[0]), float(found[1]), undefined)
