"""The scores of a part, of its resamples and after its swaps; the mean of these over groups; and the cells they give."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from markable.comparison.rows import Rows
from markable.comparison.values import TARGETS, Cell, Difference, Part, difference
from markable.counts import Score
from markable.stats.intervals import Interval, bca, percentile
from markable.stats.resampling import EXACT, draws, every_swap, stack, swaps
from markable.stats.settings import Resampling
from markable.stats.significance import ROUNDING, bootstrap, holm, randomization

SIDES = ("value", "recall", "precision")


@dataclass(frozen=True)
class Sample:
    """One system by one measure, on one part or added up over groups.

    found     : its score, arrays of shape (1,)
    resampled : of each resample; None if a part has nothing to resample
    influence : without each of the units, less `found`, shape (units,)
    swapped   : (the baseline's, the system's) after each drawn swap; None for the baseline
    every     : the same after every swap, where they are few enough
    groups    : how many were added up
    """

    found: Score
    resampled: Score | None
    influence: Score
    swapped: tuple[Score, Score] | None = None
    every: tuple[Score, Score] | None = None
    groups: int = 1

    def __add__(self, other: Sample) -> Sample:
        """Over the groups of both. The exact test is not one of them together."""
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
            groups=self.groups + other.groups,
        )

    def mean(self) -> Sample:
        """What was added up, divided by the number of groups."""

        def divided(score: Score) -> Score:
            return _each(lambda x: x / self.groups, score)

        return Sample(
            divided(self.found),
            self.resampled and divided(self.resampled),
            divided(self.influence),
            self.swapped and (divided(self.swapped[0]), divided(self.swapped[1])),
        )


def _each(f: Callable[..., Any], *scores: Score) -> Score:
    """A function of each side that the scores have."""
    value, recall, precision = (
        None if getattr(scores[0], side) is None else f(*(getattr(s, side) for s in scores)) for side in SIDES
    )
    return Score(value, recall, precision)


Samples = Mapping[str, Mapping[str, Sample]]
"""System -> metric -> `Sample`."""


def sampled(name: str, rows: Rows, baseline: str, r: Resampling, undefined: float, beta: float, *, drawn: bool) -> Samples:
    """The samples of a part. Its name chooses the random numbers, so that groups are drawn independently of each other, and of
    which others there are.

    drawn : whether swaps are to be drawn even if all of them can be tried
    """
    s = stack(rows.systems, undefined=undefined, beta=beta)
    stream = zlib.crc32(name.encode())
    total, left_out = s.total, s.left_out
    resampled = s.sums(draws(s.units, r.resamples, r.seed, stream)) if s.units > 1 else None
    samples: dict[str, dict[str, Sample]] = {}
    differ = {system: s.differ(baseline, system) for system in rows.systems if system != baseline}
    for system, metrics in rows.systems.items():
        few = system != baseline and differ[system].sum() <= EXACT
        tossed = system != baseline and (drawn or not few)
        swapped = s.exchanged(baseline, system, swaps(s.units, r.resamples, r.seed, stream)) if tossed else None
        every = s.exchanged(baseline, system, [every_swap(differ[system])]) if few else None
        samples[system] = {}
        for metric in metrics:
            found = s.score(system, metric, total)
            samples[system][metric] = Sample(
                found,
                None if resampled is None else s.score(system, metric, resampled),
                _each(lambda x, y: x - y, s.score(system, metric, left_out), found),
                swapped and swapped(metric),
                every and every(metric),
            )
    return samples


def added(one: Samples | None, other: Samples) -> Samples:
    """Both, measure by measure; without what is undefined for some system, so that all are compared over the same groups."""
    if one is None:
        return other
    both: dict[str, dict[str, Sample]] = {system: {} for system in other}
    for metric in next(iter(other.values())):
        kept = [s for s in (one, other) if not any(np.isnan(m[metric].found.value).any() for m in s.values())] or [other]
        for system in other:
            first, *more = (s[system][metric] for s in kept)
            both[system][metric] = first + more[0] if more else first
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
    def of(score: Score, baseline: Score) -> Any:
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
