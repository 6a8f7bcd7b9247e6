"""Scores of a population, estimated from a sample of its key entities: ratios of weighted sums.

The sampled entities have numerators y and denominators x, and a weight w each: the inverse, up to a factor, of the probability
with which the entity was sampled. The ratio r = Σwy/Σwx has a bias of the order 1/n, which is estimated and subtracted; its
standard error is that of the linearised ratio [1]_, [2]_.

References
----------
.. [1] Binette, York, Hickerson, Baek, Madhavan and Jones (2022), Estimating the Performance of Entity Resolution Algorithms,
   section 3: arXiv 2210.01230.
.. [2] Cochran (1977), Sampling Techniques, sections 6.4 and 6.8.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats, Numbers
from referee.stats.intervals import Interval
from referee.stats.linear import linear


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
