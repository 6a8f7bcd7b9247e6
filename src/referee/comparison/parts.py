"""The scores of a part, of its resamples and after its swaps; the mean of these over groups; and the cells they give."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.comparison.rows import Rows
from referee.comparison.values import TARGETS, Cell, Difference, Part, difference
from referee.counts import ScoreColumns, divide
from referee.stats.intervals import Interval, bca, percentile
from referee.stats.resampling import EXACT, SIDES, Stack, draws, every_swap, stack, swaps
from referee.stats.settings import Resampling
from referee.stats.significance import ROUNDING, bootstrap, holm, randomization

ONE = ScoreColumns(*(np.ones(1),) * 3)
"""Group, of each side."""


@dataclass(frozen=True)
class Sample:
    """One system by one measure, on one part or added up over groups.

    found     : its score, arrays of shape (1,)
    resampled : of each resample; None if a part has nothing to resample
    influence : without each of the units, less `found`, shape (units,)
    swapped   : (the baseline's, the system's) after each drawn swap; None for the baseline
    every     : the same after every swap, where they are few enough
    groups    : how many were added up, of each side; fewer where some have no score
    """

    found: ScoreColumns
    resampled: ScoreColumns | None
    influence: ScoreColumns
    swapped: tuple[ScoreColumns, ScoreColumns] | None = None
    every: tuple[ScoreColumns, ScoreColumns] | None = None
    groups: ScoreColumns = ONE

    def __add__(self, other: Sample) -> Sample:
        """Over the groups of both; none adds nothing. The exact test is not one of them together."""
        if not (self.groups.value and other.groups.value):
            return self if self.groups.value else other
        both = None if self.resampled is None or other.resampled is None else _each(np.add, self.resampled, other.resampled)
        swapped = None
        if self.swapped and other.swapped:
            a, b = (_each(np.add, x, y) for x, y in zip(self.swapped, other.swapped, strict=True))
            swapped = a, b
        return Sample(
            _each(np.add, self.found, other.found),
            both,
            _each(lambda x, y: np.concatenate([x, y]), self.influence, other.influence),
            swapped,
            groups=_each(np.add, self.groups, other.groups),
        )

    def summand(self, groups: ScoreColumns) -> Sample:
        """As one group of several, if `groups` of a side is 1; if it is 0, the side adds nothing."""

        def kept(score: ScoreColumns) -> ScoreColumns:
            return _each(lambda x, n: x if n else np.zeros_like(x), score, groups)

        return Sample(
            kept(self.found),
            self.resampled and kept(self.resampled),
            _each(lambda x, n: x if n else x[:0], self.influence, groups),
            self.swapped and (kept(self.swapped[0]), kept(self.swapped[1])),
            groups=groups,
        )

    def mean(self) -> Sample:
        """What was added up, divided by the number of groups; undefined where there are none."""

        def divided(score: ScoreColumns) -> ScoreColumns:
            return _each(divide, score, self.groups)

        return Sample(
            divided(self.found),
            self.resampled and divided(self.resampled),
            divided(self.influence),
            self.swapped and (divided(self.swapped[0]), divided(self.swapped[1])),
        )


def _each(f: Callable[..., Any], *scores: ScoreColumns) -> ScoreColumns:
    """A function of each side that the scores have."""
    return ScoreColumns(*(f(*(getattr(s, side) for s in scores)) for side in SIDES if getattr(scores[0], side) is not None))


Samples = Mapping[str, Mapping[str, Sample]]
"""System -> metric -> `Sample`."""


def sampled(name: str, rows: Rows, baseline: str, r: Resampling, undefined: float, beta: float, *, drawn: bool) -> Samples:
    """The samples of a part. Its name chooses the random numbers, so that groups are drawn independently of each other, and of
    which others there are.

    drawn : whether swaps are to be drawn even if all of them can be tried
    """
    s = stack(rows.systems, zero_division=undefined, beta=beta)
    stream = zlib.crc32(name.encode())
    total, left_out = s.total, s.left_out
    resampled = s.sums(draws(s.units, r.resamples, r.seed, stream)) if s.units > 1 else None
    samples: dict[str, dict[str, Sample]] = {}
    for system, metrics in rows.systems.items():
        every = {} if system == baseline else _every_swapped(s, baseline, system)
        tossed = [] if system == baseline else [metric for metric in metrics if drawn or metric not in every]
        swapped = s.exchanged(baseline, system, swaps(s.units, r.resamples, r.seed, stream), tossed) if tossed else None
        samples[system] = {}
        for metric in metrics:
            found = s.score(system, metric, total)
            samples[system][metric] = Sample(
                found,
                None if resampled is None else s.score(system, metric, resampled),
                _each(lambda x, y: x - y, s.score(system, metric, left_out), found),
                swapped(metric) if swapped and metric in tossed else None,
                every.get(metric),
            )
    return samples


def _every_swapped(s: Stack, baseline: str, system: str) -> dict[str, tuple[ScoreColumns, ScoreColumns]]:
    """The scores of both after every swap, by the measures whose counts differ in few enough documents."""
    alike: dict[tuple[bool, ...], list[str]] = {}  # by the documents in which they differ: often the same for many measures
    for metric in s.place[system]:
        differ = s.differ(baseline, system, metric)
        if np.count_nonzero(differ) <= EXACT:
            alike.setdefault(tuple(differ.tolist()), []).append(metric)
    found: dict[str, tuple[ScoreColumns, ScoreColumns]] = {}
    for where, metrics in alike.items():
        scores = s.exchanged(baseline, system, every_swap(np.array(where, dtype=np.bool_)), metrics)
        found |= {metric: scores(metric) for metric in metrics}
    return found


def added(one: Samples | None, other: Samples) -> Samples:
    """Both, measure by measure and side by side; without what is undefined for some system, so that all are compared over the
    same groups.
    """
    both: dict[str, dict[str, Sample]] = {system: {} for system in other}
    for metric in next(iter(other.values())):
        defined = _each(lambda *found: int(not np.isnan(found).any()), *(samples[metric].found for samples in other.values()))
        for system, samples in other.items():
            summand = samples[metric].summand(defined)
            both[system][metric] = summand if one is None else one[system][metric] + summand
    return both


def mean_of(over: Samples) -> Samples:
    """What was added up, divided by the number of groups."""
    return {system: {metric: sample.mean() for metric, sample in metrics.items()} for system, metrics in over.items()}


def part_of(name: str, documents: int, units: int, samples: Samples, baseline: str, r: Resampling) -> Part:
    """The cells of samples, p corrected for the number of systems."""
    cells: dict[str, dict[str, Cell]] = {system: {} for system in samples}
    for metric in samples[baseline]:
        base = samples[baseline][metric]
        differences = {
            system: _difference(metric, found[metric], base, r) for system, found in samples.items() if system != baseline
        }
        corrected = dict(zip(differences, holm([getattr(d, r.test) for d in differences.values()]), strict=True))
        for system, found in samples.items():
            d = differences.get(system) and _judged(differences[system], corrected[system], 1 - r.level)
            cells[system][metric] = Cell(found[metric].found[0], _intervals(found[metric], r), d)
    return Part(name, documents, units, cells)


def _intervals(sample: Sample, r: Resampling) -> dict[str, Interval]:
    found = {}
    for side in SIDES:
        if sample.resampled is not None and (values := getattr(sample.resampled, side)) is not None:
            found[side] = _interval(values, getattr(sample.found, side), getattr(sample.influence, side), r)
    return found


def _interval(values: NDArray[np.float64], found: Any, influence: NDArray[np.float64], r: Resampling) -> Interval:
    return bca(values, float(found[0]), influence, r.level) if r.method == "bca" else percentile(values, r.level)


def _difference(metric: str, sample: Sample, base: Sample, r: Resampling) -> Difference:
    def of(score: ScoreColumns, baseline: ScoreColumns) -> Any:
        return difference(metric, score.value, baseline.value)

    observed = of(sample.found, base.found)
    interval, p = None, math.nan
    if sample.resampled is not None and base.resampled is not None:
        values = of(sample.resampled, base.resampled)
        without = [_each(np.add, s.influence, s.found) for s in (sample, base)]
        interval, p = _interval(values, observed, of(*without) - observed, r), bootstrap(values, float(observed[0]))
    pair = sample.every or sample.swapped
    null = of(pair[1], pair[0]) if pair else np.empty(0)
    exact = sample.every is not None
    value = float(observed[0])
    better = value < 0 if metric in TARGETS else value > 0
    return Difference(
        value, interval, randomization(null, value, every=exact), exact, p, math.nan, int(np.isnan(null).sum()), better, False
    )


def _judged(d: Difference, p: float, alpha: float) -> Difference:
    return replace(d, p=p, significant=p <= alpha + ROUNDING)
