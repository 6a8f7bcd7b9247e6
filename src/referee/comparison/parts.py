"""The samples of a part: scores, resamples and swaps of each system; their mean over groups; and the cells made of them."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Floats
from referee.comparison.values import ComparisonCell, Difference, Part, difference
from referee.metrics.best import TARGETS, best
from referee.scoring.units import UnitCounts
from referee.stats.counts import divide
from referee.stats.resampling import AddableCounts, Estimate
from referee.stats.settings import Resampling
from referee.stats.significance import ROUNDING, bootstrap, holm, randomization
from referee.stats.swaps import every_swapped, random_swaps, swapped


@dataclass(frozen=True, eq=False)
class SystemSample(Estimate):
    """One system by one metric, on one part or added up over groups; then `value` has a column for each group.

    Parameters
    ----------
    swapped : float64, shape (2, swaps), or None
        The values of the baseline and of the system after each random swap; None if there are none.
    every : float64, shape (2, swaps), or None
        The same after all swaps, if they are few enough.
    groups : float64, shape (sides, 1)
        The number of groups that were added up; fewer where some have no score.
    """

    swapped: Floats | None = None
    every: Floats | None = None
    groups: Floats = field(default_factory=lambda: np.ones((1, 1)))

    def summand(self, defined: Bools) -> SystemSample:
        """One group of several; a side that is not `defined`, shape (sides, 1), adds nothing. Several have no exact test."""
        influence, groups = np.where(defined, self.influence, np.nan), defined.astype(np.float64)
        zeroed = self._changed(lambda numbers, is_defined: np.where(is_defined, numbers, 0.0), defined)
        return replace(zeroed, influence=influence, every=None, groups=groups)

    def __add__(self, other: SystemSample) -> SystemSample:
        """Add the groups of another sum; nothing where no group has a value."""
        if not (self.groups[0] and other.groups[0]):
            return self if self.groups[0] else other
        return SystemSample(
            np.concatenate([self.value, other.value], axis=1),
            _sum(self.resampled, other.resampled),
            np.concatenate([self.influence, other.influence], axis=1),
            self.beta,
            swapped=_sum(self.swapped, other.swapped),
            groups=self.groups + other.groups,
        )

    def mean(self) -> SystemSample:
        """Divide the sum by the number of groups; 0/0 if there is none. Values are added here, and rounded once."""
        total = np.array([[math.fsum(values)] for values in self.value.tolist()])
        value, influence = divide(total, self.groups), divide(self.influence, self.groups)
        return replace(self._changed(divide, self.groups), value=value, influence=influence)

    def _changed(self, change: Callable[..., Floats], groups: Floats | Bools) -> SystemSample:
        """With its numbers changed, as `groups` of each side says; those after swaps are values, the first side."""
        return replace(
            self,
            value=change(self.value, groups),
            resampled=None if self.resampled is None else change(self.resampled, groups),
            swapped=None if self.swapped is None else change(self.swapped, groups[0]),
        )


Samples: TypeAlias = Mapping[str, Mapping[str, SystemSample]]
"""System -> metric -> `SystemSample`."""


def _sum(a: Floats | None, b: Floats | None) -> Floats | None:
    return None if a is None or b is None else a + b


def sampled(
    name: str, units: UnitCounts, baseline: str, r: Resampling, *, zero_division: float, beta: float, random: bool
) -> Samples:
    """The samples of a part.

    Parameters
    ----------
    name
        Chooses the random numbers. So groups are resampled independently of each other, and of which others there are.
    units
        What is resampled.
    baseline
        The system with which the others are swapped.
    r
        How it is resampled.
    zero_division, beta
        How counts are divided.
    random
        Whether random swaps are made even if all swaps can be tried: a mean over groups needs them.
    """
    addable = partial(AddableCounts.from_systems, zero_division=zero_division, beta=beta)
    counts = addable(units.systems, whole=units.whole)
    stream = zlib.crc32(name.encode())
    samples: dict[str, dict[str, SystemSample]] = {}
    for system, estimates in counts.estimates(r, stream).items():
        every, tossed = {}, {}
        if system != baseline:
            pair = addable({name: units.systems[name] for name in (baseline, system)}, paired=True)
            every = every_swapped(pair, baseline, system)
            others = [metric for metric in estimates if random or metric not in every]
            swaps = random_swaps(pair.units, r.resamples, r.seed, stream)
            tossed = dict(swapped(pair, baseline, system, swaps, others)) if others else {}
        samples[system] = {m: SystemSample(**vars(e), swapped=tossed.get(m), every=every.get(m)) for m, e in estimates.items()}
    return samples


def added(total: Samples | None, group: Samples) -> Samples:
    """Add a group to the sum of others, side by side.

    What is undefined for a system is left out for all, so that all are compared over the same groups.
    """
    sums: dict[str, dict[str, SystemSample]] = {system: {} for system in group}
    for metric in next(iter(group.values())):
        defined = np.all([~np.isnan(samples[metric].value) for samples in group.values()], axis=0)
        for system, samples in group.items():
            summand = samples[metric].summand(defined)
            sums[system][metric] = summand if total is None else total[system][metric] + summand
    return sums


def mean_of(total: Samples) -> Samples:
    """Divide what was added up by the number of groups."""
    return {system: {metric: sample.mean() for metric, sample in metrics.items()} for system, metrics in total.items()}


def part_of(name: str, units: UnitCounts, samples: Samples, baseline: str, r: Resampling) -> Part:
    """The cells of samples, with p corrected for the number of systems; of one unit there is no test."""
    is_tested = len(units.document) > 1
    cells: dict[str, dict[str, ComparisonCell]] = {system: {} for system in samples}
    for metric, base in samples[baseline].items():
        differences = {
            system: _difference(metric, by_metric[metric], base, r, is_tested=is_tested)
            for system, by_metric in samples.items()
            if system != baseline
        }
        corrected = holm(np.array([[getattr(d, r.test)] for d in differences.values()]).reshape(-1, 1))[:, 0].tolist()
        judged = {
            system: d._replace(p=p, significant=p <= 1 - r.level + ROUNDING)
            for (system, d), p in zip(differences.items(), corrected, strict=True)
        }
        tops = best(metric, np.stack([by_metric[metric].value[0] for by_metric in samples.values()]))[:, 0].tolist()
        for (system, by_metric), top in zip(samples.items(), tops, strict=True):
            cells[system][metric] = ComparisonCell(
                by_metric[metric].score, by_metric[metric].intervals(r), judged.get(system), top
            )
    return Part(name, len(set(units.document)), len(units.document), cells)


def _difference(metric: str, sample: SystemSample, base: SystemSample, r: Resampling, *, is_tested: bool) -> Difference:
    """The difference of a system from the baseline; its p is not corrected yet."""

    def difference_from(numbers: Floats, baseline: Floats) -> Floats:
        return difference(metric, numbers[:1], baseline[:1])

    observed = difference_from(sample.value, base.value)
    resampled = (
        None if sample.resampled is None or base.resampled is None else difference_from(sample.resampled, base.resampled)
    )
    influence = difference_from(sample.influence + sample.value, base.influence + base.value) - observed
    value = float(observed[0, 0])
    exact = is_tested and sample.every is not None
    swaps = (sample.every if exact else sample.swapped) if is_tested else None
    null = np.empty(0) if swaps is None else difference(metric, swaps[1], swaps[0])
    return Difference(
        value=value,
        interval=Estimate(observed, resampled, influence).intervals(r).get("value"),
        randomization=math.nan if swaps is None else randomization(null, value, every=exact),
        exact=exact,
        bootstrap=math.nan if resampled is None else bootstrap(resampled[0], value),
        p=math.nan,
        undefined=int(np.isnan(null).sum()),
        better=value < 0 if metric in TARGETS else value > 0,
        significant=False,
    )
