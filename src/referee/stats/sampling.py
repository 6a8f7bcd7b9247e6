"""Scores of a population, estimated from a sample of its key entities or of labelled pairs: ratios of weighted sums.

The sampled entities have numerators y and denominators x, and a weight w each: the inverse, up to a factor, of the probability
with which the entity was sampled. The ratio r = Σwy/Σwx has a bias of the order 1/n, which is estimated and subtracted; its
standard error is that of the linearised ratio [1]_, [2]_.

Of pairs, sums are estimated as Horvitz and Thompson do [3]_: each sampled pair stands for so many as its weight says. Pairs are
resampled within strata, so that each resample has as many of each stratum as the sample.

References
----------
.. [1] Binette, York, Hickerson, Baek, Madhavan and Jones (2022), Estimating the Performance of Entity Resolution Algorithms,
   section 3: arXiv 2210.01230.
.. [2] Cochran (1977), Sampling Techniques, sections 6.4 and 6.8.
.. [3] Horvitz and Thompson (1952), A Generalization of Sampling Without Replacement from a Finite Universe.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Ints, Numbers
from referee.stats.intervals import Interval, percentile
from referee.stats.linear import linear
from referee.stats.resampling import addable, bootstrap_weights


@dataclass(frozen=True, eq=False)
class Ratio:
    """An estimated ratio.

    Parameters
    ----------
    value : float
        The estimate, its bias corrected; nan if the denominators are 0.
    influence : float64, shape (entities,)
        What each entity adds to the difference between the estimate and the true ratio, to first order.
    """

    value: float
    influence: Floats

    def __sub__(self, other: Ratio) -> Ratio:
        """The difference of two ratios of the same sample, to first order."""
        return Ratio(self.value - other.value, self.influence - other.influence)

    def __repr__(self) -> str:
        return f"Ratio(value={self.value!r}, error={self.error!r})"

    @property
    def error(self) -> float:
        """The standard error; nan of fewer than two entities."""
        n = len(self.influence)
        return math.sqrt(n / (n - 1) * float((self.influence**2).sum())) if n > 1 else math.nan

    def interval(self, level: float) -> Interval:
        """The interval at a level, with the quantiles of the normal distribution."""
        return linear(self.value, self.error, level)


@dataclass(frozen=True, eq=False)
class ResampledRatio:
    """An estimated ratio with its values in resamples.

    Parameters
    ----------
    value : float
        The estimate; nan if the denominator is 0.
    resampled : float64, shape (resamples,)
        The same of each resample.
    """

    value: float
    resampled: Floats

    def __sub__(self, other: ResampledRatio) -> ResampledRatio:
        """The difference of two ratios of the same resamples."""
        return ResampledRatio(self.value - other.value, self.resampled - other.resampled)

    def __repr__(self) -> str:
        return f"ResampledRatio(value={self.value!r}, error={self.error!r})"

    @property
    def error(self) -> float:
        """The standard deviation of the resamples that have a value; nan if fewer than two have one."""
        defined = self.resampled[~np.isnan(self.resampled)]
        if len(defined) < 2:
            return math.nan
        return float(defined.std(ddof=1)) if np.ptp(defined) else 0.0  # not what rounding leaves

    def interval(self, level: float) -> Interval:
        """The interval of the middle resamples."""
        return percentile(self.resampled, level)


EstimatedRatio: TypeAlias = Ratio | ResampledRatio
"""Both have a value, a standard error and an interval; those of one sample can be subtracted."""


def stratified_sums(columns: Floats, strata: Sequence[Ints], resamples: int, seed: int) -> Floats:
    """Return the sums of columns in resamples of units, which are drawn within strata, shape (columns, resamples).

    Parameters
    ----------
    columns : float64, shape (columns, units)
        What is added.
    strata : sequence of int64 arrays
        The units of each stratum that was sampled; other units are in each resample once.
    resamples, seed : int
        How many resamples there are, and what they depend on.
    """
    table = np.stack(addable(list(columns)))  # sums are exact, in whatever order they are added
    fixed = np.ones(table.shape[1], dtype=bool)
    sums = np.zeros((len(table), resamples))
    for stream, units in enumerate(strata):
        fixed[units] = False
        weights = bootstrap_weights(len(units), resamples, seed, stream)
        sums += np.concatenate([table[:, units] @ block.T for block in weights], axis=1)
    return np.asarray(sums + table[:, fixed].sum(axis=1, keepdims=True))


def ratio(numerator: Numbers, denominator: Numbers, weight: Floats) -> Ratio:
    """Estimate a ratio of sums over a population.

    Parameters
    ----------
    numerator, denominator : shape (entities,)
        Of the sampled entities.
    weight : float64, shape (entities,)
        Above 0.

    Examples
    --------
    >>> ratio(np.array([1, 0]), np.array([1, 1]), np.ones(2)).value
    0.5
    """
    y, x, n = numerator * weight, denominator * weight, len(weight)
    if not n or not x.sum():
        return Ratio(math.nan, np.full(n, math.nan))
    mean = x.mean()
    plain = y.mean() / mean
    rest = y - plain * x  # which add to 0
    bias = -float((rest * x).sum()) / (n * (n - 1) * mean**2) if n > 1 else 0.0
    return Ratio(float(plain - bias), rest / (n * mean))


def f_ratio(recall: Ratio, precision: Ratio, beta: float) -> Ratio:
    """Estimate the F-measure of two ratios of the same sample, to first order."""
    b, r, p = beta * beta, recall.value, precision.value
    total = b * p + r
    if not total > 0:
        return Ratio(0.0 if total == 0 else math.nan, recall.influence * 0)
    by_recall, by_precision = (1 + b) * b * p * p / total**2, (1 + b) * r * r / total**2
    return Ratio((1 + b) * p * r / total, by_recall * recall.influence + by_precision * precision.influence)
