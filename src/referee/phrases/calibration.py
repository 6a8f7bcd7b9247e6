"""Calibration: whether candidates with probability p are true in a share p of the cases.

The bins of the reliability table have equal widths from 0.1 on. Below, their edges are powers of 10, because nearly all
candidates are there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, tally
from referee.reports.listing import Column, Listing
from referee.stats.counts import divide

BIN_EDGES = np.array([0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, *(k / 10 for k in range(1, 11))])
"""The edges of the bins. The last bin includes 1."""

MIN_PROBABILITY = 0.01
"""Candidates below it do not count in the calibration error. They are so many, and so trivially false, that with them the error
would be close to 0 for every model."""


class ReliabilityBin(NamedTuple):
    """The candidates with probabilities from `low` to below `high`: their mean probability, and the share that is true."""

    low: float
    high: float
    candidates: int
    mean_probability: float
    share_true: float

    @property
    def name(self) -> str:
        """The bin as an interval of probabilities.

        >>> ReliabilityBin(1e-6, 1e-5, 1, 2e-6, 0.0).name, ReliabilityBin(0.9, 1.0, 1, 0.95, 1.0).name
        ('[1e-06, 1e-05)', '[0.9, 1]')
        """
        return f"[{self.low:g}, {self.high:g}{']' if self.high == 1 else ')'}"


@dataclass(frozen=True, eq=False)
class Calibration:
    """Sums over the candidates of each bin of `BIN_EDGES`, shape (bins,).

    Parameters
    ----------
    candidates
        The number of candidates.
    expected_true
        The sum of their probabilities.
    true
        How many are true.
    """

    candidates: Ints
    expected_true: Floats
    true: Ints

    @property
    def mean_probability(self) -> Floats:
        """The mean probability in each bin; nan in an empty one."""
        return divide(self.expected_true, self.candidates)

    @property
    def share_true(self) -> Floats:
        """The share of true candidates in each bin; nan in an empty one."""
        return divide(self.true, self.candidates)

    @property
    def error(self) -> float:
        """Expected calibration error: the mean distance between the probability and the share of true candidates of a bin.

        It is the mean over the candidates of at least `MIN_PROBABILITY`; nan if there are none.
        """
        counted_bins = slice(int(np.searchsorted(BIN_EDGES, MIN_PROBABILITY)), None)
        distance = np.abs(self.expected_true - self.true)[counted_bins].sum()
        return float(divide(distance, self.candidates[counted_bins].sum()))

    def bins(self) -> list[ReliabilityBin]:
        """The bins that have candidates."""
        columns = (BIN_EDGES[:-1], BIN_EDGES[1:], self.candidates, self.mean_probability, self.share_true)
        bins = (ReliabilityBin(*row) for row in zip(*(column.tolist() for column in columns), strict=True))
        return [each for each in bins if each.candidates]

    def listing(self, system: str = "") -> Listing:
        """The reliability table.

        Parameters
        ----------
        system
            The name of the system, for the caption.
        """
        means = [Column(name, "number", form=".4g") for name in ("mean probability", "share true")]
        columns = [Column("probability"), Column("candidates", "count"), *means]
        rows = [(each.name, each.candidates, each.mean_probability, each.share_true) for each in self.bins()]
        return Listing(columns, rows, caption="reliability" + (f": {system}" if system else ""))


def calibrate(probability: Floats, candidates: Ints, true: Ints | Bools) -> Calibration:
    """Distribute candidates over the bins.

    Parameters
    ----------
    probability
        Probabilities, shape (probabilities,).
    candidates
        The number of candidates of each probability.
    true
        How many of them are true.

    Examples
    --------
    >>> calibrate(np.array([0.25, 1.0]), np.array([4, 1]), np.array([1, 1])).error
    0.0
    """
    bins = len(BIN_EDGES) - 1
    position = np.minimum(np.searchsorted(BIN_EDGES, probability, side="right") - 1, bins - 1)

    def total(column: Floats | Ints | Bools) -> Floats:
        return tally(position, column, bins).astype(np.float64)

    return Calibration(total(candidates).astype(np.int64), total(candidates * probability), total(true).astype(np.int64))
