"""Resampling: how much a score varies with the documents that it was computed from.

Counts are columns of numbers, with one row a resampling unit: a document, a sentence. A bootstrap resample [1]_ takes as many
units as there are, with replacement. It is a row of weights, one a unit, so the sums of all columns in all resamples are one
product of matrices. All systems and metrics see the same resamples: differences between them are paired.

Notes
-----
The digits depend on the seed alone, neither on the machine nor on the order of systems:

* Numbers come from ``numpy.random.PCG64(SeedSequence([seed, kind, stream]))``, whose raw output of 64 bits a number NumPy keeps
  from version to version; the kind is 0 here and 1 for swaps. Resample r of n units uses outputs r·n up to (r + 1)·n; the
  upper 32 bits x of an output choose the unit ⌊x·n/2³²⌋. (No unit is preferred by more than n/2³².)
* Sums are exact, so that a library for linear algebra may add in any order. Whole numbers are, below 2⁵². Columns of other
  numbers are first rounded to multiples of a power of two of which any n add exactly: by at most n·2⁻⁵² of the largest
  number, which is too little to be seen.

References
----------
.. [1] Efron (1979), Bootstrap Methods: Another Look at the Jackknife.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, arange, tally
from referee.basics import progress
from referee.stats.counts import SIDES, Counts, Score, ScoreColumns
from referee.stats.intervals import Interval, bca, percentile
from referee.stats.linear import covariance, gradient, linear
from referee.stats.settings import Resampling

Systems: TypeAlias = Mapping[str, Mapping[str, Counts]]
"""System -> metric -> its counts; all over the same units."""

BLOCK = 1 << 21
"""Weights that are in memory at a time."""

CACHED = 1 << 16
"""Weights that are chosen at a time: few enough for the cache of a processor."""


def bootstrap_weights(units: int, resamples: int, seed: int, stream: int = 0) -> Iterator[Floats]:
    """How often each unit is in each resample: blocks of shape (resamples of the block, units)."""
    source = np.random.PCG64(np.random.SeedSequence([seed, 0, stream]))
    step = max(1, CACHED // max(units, 1))
    for rows in blocks(units, resamples):
        weights = np.empty((rows, units))
        for first in range(0, rows, step):
            _choose(source, weights[first : first + step])
        yield weights


def _choose(source: np.random.PCG64, weights: Floats) -> None:
    """Write the weights of the next resamples, shape (resamples, units)."""
    resamples, units = weights.shape
    drawn = source.random_raw(weights.size)
    drawn >>= np.uint64(32)
    drawn *= np.uint64(units)
    drawn >>= np.uint64(32)
    places = drawn.view(np.int64).reshape(weights.shape)
    places += (arange(resamples) * units)[:, None]
    weights[:] = tally(places.ravel(), minlength=weights.size).reshape(weights.shape)


def blocks(units: int, rows: int) -> Iterator[int]:
    """Split rows of weights into blocks of at most `BLOCK` weights: the number of rows of each."""
    step = max(1, BLOCK // max(units, 1))
    for done in range(0, rows, step):
        progress.step("resampling", done, rows)
        yield min(step, rows - done)


@dataclass(frozen=True, eq=False)
class Estimate:
    """The score of all units, and how it varies. Each array has a row for each of `SIDES`; a metric without sides has only one.

    Parameters
    ----------
    value : float64, shape (sides, 1)
        The score of all units.
    resampled : float64, shape (sides, resamples), or None
        The score of each resample; None if there are fewer than two units.
    influence : float64, shape (sides, units)
        The jackknife: the score without each unit, less `value`. It has no columns if no method needs it.
    beta : float or None
        Of the F-measure that the first row is; None if it is none.
    errors : float64, shape (sides,), or None
        The standard errors, for the method "linear".
    """

    value: Floats
    resampled: Floats | None
    influence: Floats
    beta: float | None = None
    errors: Floats | None = None

    @property
    def score(self) -> Score:
        """The score of all units."""
        return Score(**dict(zip(SIDES, self.value[:, 0].tolist(), strict=False)), beta=self.beta)

    def intervals(self, r: Resampling) -> dict[str, Interval]:
        """The interval of each side; empty if there are fewer than two units."""
        if self.errors is not None:
            sides = zip(SIDES, self.value[:, 0].tolist(), self.errors.tolist(), strict=False)
            return {side: linear(value, error, r.level) for side, value, error in sides}
        if self.resampled is None:
            return {}
        if r.method == "bca":
            rows = zip(self.resampled, self.value[:, 0].tolist(), self.influence, strict=True)
            intervals = [bca(resampled, value, influence, r.level) for resampled, value, influence in rows]
        else:
            intervals = [percentile(resampled, r.level) for resampled in self.resampled]
        return dict(zip(SIDES, intervals, strict=False))


@dataclass(frozen=True, eq=False)
class AddableCounts:
    """The counts of systems over the same units, as columns that add exactly, each different one once.

    Parameters
    ----------
    columns : float64, shape (columns, units)
        What is added.
    place : mapping
        System -> metric -> name of a column -> its row in `columns`.
    systems : mapping
        System -> metric -> the counts themselves, which divide the sums.
    zero_division, beta : float
        How they divide.
    whole : mapping or None
        The same as `systems` with counts that have the exact sums, where those of the units are rounded.
    """

    columns: Floats
    place: Mapping[str, Mapping[str, Mapping[str, int]]]
    systems: Systems
    zero_division: float = np.nan
    beta: float = 1.0
    whole: Systems | None = None

    @classmethod
    def from_systems(
        cls,
        systems: Systems,
        *,
        zero_division: float = np.nan,
        beta: float = 1.0,
        paired: bool = False,
        whole: Systems | None = None,
    ) -> AddableCounts:
        """The counts of all systems as one table; what bounds an alignment (`slack`) is left out.

        Those of `paired` systems are rounded together, so that their differences are exact, too. Others are rounded alone: no
        digit depends on which other systems there are.
        """
        first = next(iter(systems.values()))
        rows: dict[bytes, int] = {}
        table: list[Floats] = []
        place: dict[str, dict[str, dict[str, int]]] = {name: {metric: {} for metric in first} for name in systems}
        for metric, counts in first.items():
            for column in counts.columns:
                if column.endswith("slack"):
                    continue
                values = [np.asarray(systems[name][metric].columns[column], dtype=np.float64) for name in systems]
                rounded = addable(values) if paired else [addable([value])[0] for value in values]
                for name, value in zip(systems, rounded, strict=True):
                    row = rows.setdefault(value.tobytes(), len(rows))
                    if row == len(table):
                        table.append(value)
                    place[name][metric][column] = row
        return cls(np.stack(table), place, systems, zero_division, beta, whole)

    @property
    def units(self) -> int:
        """The number of resampling units."""
        return len(self.columns.T)

    @property
    def total(self) -> Floats:
        """The sum of each column, shape (columns, 1)."""
        return np.asarray(self.columns.sum(axis=1, keepdims=True))

    def sums(self, weights: Iterable[Floats], columns: Floats | None = None) -> Floats:
        """The sums of all columns, or of those given, by each row of weights; shape (columns, rows)."""
        table = self.columns if columns is None else columns
        return np.concatenate([np.empty((len(table), 0)), *(table @ block.T for block in weights)], axis=1)

    def observed(self, system: str, metric: str) -> ScoreColumns:
        """The score of all units, of counts that are not rounded: to the last digit that of `Scores`."""
        total = (self.whole or self.systems)[system][metric].total().columns
        return self.divided(system, metric, {name: total[name] for name in self.place[system][metric]})

    def score(self, system: str, metric: str, sums: Floats) -> ScoreColumns:
        """The scores of one system by one metric: of each column of sums, shape (columns, n)."""
        return self.divided(system, metric, {name: sums[row] for name, row in self.place[system][metric].items()})

    def divided(self, system: str, metric: str, sums: Mapping[str, Floats]) -> ScoreColumns:
        """The scores of sums that are given by the names of their columns."""
        return replace(self.systems[system][metric], columns=sums).score(self.zero_division, self.beta)

    def estimates(self, r: Resampling, stream: int = 0) -> dict[str, dict[str, Estimate]]:
        """System -> metric -> its score, those of the resamples, and for BCa those without each unit."""
        if r.method == "linear":
            return self._linear()
        left_out = self.total - self.columns if r.method == "bca" else None
        weights = bootstrap_weights(self.units, r.resamples, r.seed, stream)
        resampled = self.sums(weights) if self.units > 1 else None

        def estimate(system: str, metric: str) -> Estimate:
            score = self.observed(system, metric)
            value = by_side(score)
            influence = np.empty((len(value), 0))
            if left_out is not None:
                with np.errstate(invalid="ignore"):  # an infinite score less itself
                    influence = by_side(self.score(system, metric, left_out)) - value
            values = None if resampled is None else by_side(self.score(system, metric, resampled))
            return Estimate(value, values, influence, score.beta)

        return {system: {metric: estimate(system, metric) for metric in metrics} for system, metrics in self.systems.items()}

    def _linear(self) -> dict[str, dict[str, Estimate]]:
        """The same by the delta method, without resamples."""
        total, spread = self.total, covariance(self.columns) if self.units > 1 else None

        def estimate(system: str, metric: str) -> Estimate:
            score, place = self.observed(system, metric), self.place[system][metric]
            value, rows, errors = by_side(score), list(place.values()), None
            if spread is not None:

                def scores(sums: Floats) -> Floats:
                    return by_side(self.divided(system, metric, dict(zip(place, sums, strict=True))))

                slopes = gradient(scores, total[rows, 0])
                errors = np.sqrt(np.maximum(np.einsum("si,ij,sj->s", slopes, spread[np.ix_(rows, rows)], slopes), 0))
            return Estimate(value, None, np.empty((len(value), 0)), score.beta, errors)

        return {system: {metric: estimate(system, metric) for metric in metrics} for system, metrics in self.systems.items()}


def by_side(score: ScoreColumns) -> Floats:
    """The numbers of each side that a metric has, shape (sides, n)."""
    sides = [numbers for side in SIDES if (numbers := getattr(score, side)) is not None]
    return np.stack(sides).astype(np.float64, copy=False)


def addable(columns: Sequence[Floats]) -> list[Floats]:
    """Columns of one kind, rounded so that sums of as many numbers as there are rows, and differences of these, are exact.

    Parameters
    ----------
    columns : sequence of float64, shape (rows,)

    Examples
    --------
    >>> thirds = addable([np.array([1 / 3, 2 / 3])])[0]
    >>> bool(thirds[0] + thirds[1] - thirds[0] == thirds[1]), bool(abs(thirds[0] - 1 / 3) < 1e-15)
    (True, True)
    """
    table = np.stack(columns)
    largest = np.abs(table).max(initial=0.0) * table.shape[1]
    if not 0 < largest < np.inf:
        return list(table + 0.0)
    unit = np.ldexp(1.0, np.frexp(largest)[1] - 52)
    return list(np.rint(table / unit) * unit + 0.0)


def intervals(counts: Mapping[str, Counts], r: Resampling) -> dict[str, dict[str, Interval]]:
    """Name of counts -> side -> the interval of its score; no sides if there are fewer than two units."""
    estimates = AddableCounts.from_systems({"": counts}).estimates(r)[""] if counts else {}
    return {name: estimate.intervals(r) for name, estimate in estimates.items()}
