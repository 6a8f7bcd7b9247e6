"""Whether what is said to be true with probability p is true in p of the cases: bins, reliability, and their mean error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.counts import divide

EDGES = np.array([0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, *(k / 10 for k in range(1, 11))])
"""Bins of equal width, below 0.1 of equal ratio: nearly all candidates are there. The last bin includes 1."""

LEAST = 0.01
"""The error is over candidates of at least this probability: all others are trivially false, and so many that with them the
error would be next to nothing whatever a model says."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """Sums over the candidates in each bin of `EDGES`, shape (bins,).

    candidates : how many there are
    yes        : the sum of their probabilities
    true       : how many are true
    """

    candidates: Ints
    yes: Floats
    true: Ints

    @property
    def said(self) -> Floats:
        """The mean probability in each bin; nan in an empty one."""
        return divide(self.yes, self.candidates)

    @property
    def found(self) -> Floats:
        """The share of true candidates in each bin."""
        return divide(self.true, self.candidates)

    @property
    def error(self) -> float:
        """The expected calibration error: the mean, over candidates of at least `LEAST`, of how far what is said in their bin
        is from what is found there. nan if there are none."""
        kept = slice(int(np.searchsorted(EDGES, LEAST)), None)
        distance = np.abs(self.yes - self.true)[kept].sum()
        return float(divide(distance, self.candidates[kept].sum()))

    def rows(self) -> list[tuple[float, float, int, float, float]]:
        """Lower and upper edge, candidates, mean probability and share of true ones of each bin that has any."""
        columns = (EDGES[:-1], EDGES[1:], self.candidates, self.said, self.found)
        return [(lo, hi, n, said, found) for lo, hi, n, said, found in zip(*(c.tolist() for c in columns), strict=True) if n]


def calibrate(p: Floats, candidates: Ints, true: Ints) -> Calibration:
    """The bins of so many candidates of each probability, of which so many are true.

    >>> calibrate(np.array([0.25, 1.0]), np.array([4, 1]), np.array([1, 1])).error
    0.0
    """
    bins = len(EDGES) - 1
    of = np.minimum(np.searchsorted(EDGES, p, side="right") - 1, bins - 1)

    def added(column: Ints) -> Ints:
        return np.bincount(of, column, bins).astype(np.int64)

    return Calibration(added(candidates), np.bincount(of, candidates * p, bins).astype(np.float64), added(true))
