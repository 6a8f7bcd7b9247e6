"""Is a difference real? Two tests of paired scores, and the correction for several tests.

Both tests are two-sided, and neither gives 0: the observed result is one of the possible results, so p is (r + 1)/(n + 1) [5]_.

References
----------
.. [1] Noreen (1989), Computer-Intensive Methods for Testing Hypotheses: approximate randomization.
.. [2] Efron and Tibshirani (1993), An Introduction to the Bootstrap, algorithm 16.2: on paired differences.
.. [3] Yeh (2000), More Accurate Tests for the Statistical Significance of Result Differences.
.. [4] Berg-Kirkpatrick, Burkett and Klein (2012), An Empirical Investigation of Statistical Significance in NLP.
.. [5] Davison and Hinkley (1997), Bootstrap Methods and Their Application, section 4.2.
.. [6] Holm (1979), A Simple Sequentially Rejective Multiple Test Procedure.
"""

from __future__ import annotations

import math

import numpy as np

from referee.algorithms.arrays import Floats

ROUNDING = 1e-12
"""Numbers that differ by this or less are equal."""


def randomization(null: Floats, observed: float, *, every: bool = False) -> float:
    """Return the share of the differences after swaps that are at least as large as the observed one [1]_.

    Parameters
    ----------
    null
        The difference after each swap; nan is left out.
    observed
        The difference without swaps.
    every
        Whether these are all swaps, among them the observed one. Then p is exact.
    """
    return _share(null, observed, 0 if every else 1)


def bootstrap(resampled: Floats, observed: float) -> float:
    """Return the share of the resampled differences that are at least as far from the observed one as 0 is [2]_."""
    return _share(resampled - observed, observed, 1)


def _share(null: Floats, observed: float, more: int) -> float:
    """The share of differences as large as the observed one; `more` of them are counted on top."""
    defined = null[~np.isnan(null)]
    if math.isnan(observed) or not len(defined) + more:
        return math.nan
    return float((np.count_nonzero(np.abs(defined) >= abs(observed) - ROUNDING) + more) / (len(defined) + more))


def holm(p: Floats) -> Floats:
    """Return each p, corrected for the number of tests [6]_. A larger p never becomes smaller than a smaller one.

    Parameters
    ----------
    p : float64, shape (tests, families)
        Each family is corrected on its own. nan stays nan and does not count as a test.

    Examples
    --------
    >>> holm(np.array([[0.01], [0.04], [0.03], [np.nan]]))[:, 0].tolist()
    [0.03, 0.06, 0.06, nan]
    """
    order = np.argsort(p, axis=0, kind="stable")  # nan last
    left = np.count_nonzero(~np.isnan(p), axis=0) - np.arange(len(p))[:, None]
    ranked = np.minimum(1.0, np.take_along_axis(p, order, axis=0) * left)
    corrected = np.empty_like(p)
    np.put_along_axis(corrected, order, np.maximum.accumulate(ranked, axis=0), axis=0)
    return corrected
