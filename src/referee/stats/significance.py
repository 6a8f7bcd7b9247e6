"""Is a difference real? Two tests of paired scores, and the correction for asking often.

Both are two-sided, and neither gives 0: what was observed is one of the ways it might have come out.

Source: paired bootstrap: Efron and Tibshirani (1993), algorithm 16.2, on paired differences; approximate randomization: Noreen
(1989); both for text: Berg-Kirkpatrick, Burkett and Klein (2012), "An Empirical Investigation of Statistical Significance in
NLP"; Yeh (2000). (r + 1)/(n + 1): Davison and Hinkley (1997), section 4.2. Correction: Holm (1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

TESTS = ("randomization", "bootstrap")
ROUNDING = 1e-12
"""Differences closer than this are equal."""


def randomization(null: NDArray[np.float64], observed: float, *, every: bool = False) -> float:
    """The share of differences after swaps that are at least as large as the observed one.

    null  : the difference after each swap; undefined ones are left out
    every : whether these are all swaps, the observed one among them; then the p is exact
    """
    return _share(null, observed, 0 if every else 1)


def bootstrap(resampled: NDArray[np.float64], observed: float) -> float:
    """The share of resampled differences, moved to have the observed one at 0, that are at least as far from it as 0 was."""
    return _share(resampled - observed, observed, 1)


def _share(null: NDArray[np.float64], observed: float, own: int) -> float:
    defined = null[~np.isnan(null)]
    if math.isnan(observed) or not len(defined) + own:
        return math.nan
    return float((np.count_nonzero(np.abs(defined) >= abs(observed) - ROUNDING) + own) / (len(defined) + own))


def holm(p: Sequence[float]) -> list[float]:
    """Each p as it must be judged when all of them are asked: step-down, never smaller than a smaller one's. nan stays nan and
    is not counted.

    >>> holm([0.01, 0.04, 0.03, math.nan])
    [0.03, 0.06, 0.06, nan]
    """
    order = sorted((value, place) for place, value in enumerate(p) if not math.isnan(value))
    corrected, least = list(p), 0.0
    for rank, (value, place) in enumerate(order):
        least = max(least, min(1.0, value * (len(order) - rank)))
        corrected[place] = least
    return corrected
