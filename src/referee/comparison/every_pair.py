"""Each system against each better one, by one metric: the differences and p that comparisons with these baselines have.

A random swap exchanges the same documents whatever systems are compared. So what it moves is summed once for each system, and a
pair costs two divisions.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats
from referee.basics import progress
from referee.comparison.values import Difference, difference
from referee.metrics.best import TARGETS
from referee.metrics.scores import Scores
from referee.scoring.by import By
from referee.scoring.groups import grouping_of, rows_of_groups
from referee.scoring.units import UnitCounts, units_of
from referee.stats.resampling import AddableCounts
from referee.stats.settings import Resampling
from referee.stats.significance import ROUNDING, bootstrap, holm, randomization
from referee.stats.swaps import EXACT, OF_OTHER_SIDES, differing, every_swapped, random_swaps

SUMS = 1 << 25
"""Sums after swaps that are in memory at a time."""

Pair: TypeAlias = tuple[str, str]
"""A system, and the baseline that it is compared with."""


@dataclass(frozen=True, eq=False)
class _PartCounts:
    """The counts of all systems by one metric on one part, whose name chooses its random numbers."""

    counts: AddableCounts
    metric: str
    stream: int

    def values(self) -> Floats:
        """The score of each system."""
        return np.array([float(self.counts.observed(s, self.metric).value[0]) for s in self.counts.systems])

    def after(self, moved: Floats, a: str, b: str) -> Floats:
        """The difference of two systems after each swap, from the sums that the swaps take from each system."""
        of_a, of_b = (self.counts.place[system][self.metric] for system in (a, b))
        total = self.counts.total
        names = [name for name in of_a if name not in OF_OTHER_SIDES]
        gain = {name: moved[of_b[name]] - moved[of_a[name]] for name in names}
        sides = (
            self.counts.divided(s, self.metric, {name: total[places[name]] + sign * gain[name] for name in names}).value
            for s, places, sign in ((a, of_a, 1), (b, of_b, -1))
        )
        value, baseline = sides
        return difference(self.metric, baseline, value)


def every_pair(systems: Mapping[str, Scores], metric: str, by: By, r: Resampling) -> dict[Pair, Difference]:
    """Compare each system with each one before it, on all documents, or by the mean over groups.

    Parameters
    ----------
    systems
        System -> its scores, the best first.
    metric
        The metric.
    by, r
        As of a comparison; `r` as its result has it.

    Returns
    -------
    dict
        Differences without intervals. As of a comparison with the same baseline, p is corrected for all other systems.
    """
    tables = _tables(systems, metric, by, r)
    values = np.stack([table.values() for table in tables])
    rows = np.flatnonzero(~np.isnan(values).any(axis=1)).tolist() or [0]  # a part without a score of some system is left out
    tables = [tables[row] for row in rows]
    means = [math.fsum(row) / len(rows) for row in values[rows].T.tolist()]
    value = dict(zip(systems, means, strict=True))
    observed = {(b, a): float(difference(metric, value[b], value[a])) for a, b in combinations(systems, 2)}
    alone = {}
    if len(tables) > 1 or tables[0].counts.units > 1:
        alone = (_bootstrap if r.test == "bootstrap" else _randomization)(tables, observed, r)
    return _corrected(systems, observed, alone, metric, r)


def _tables(systems: Mapping[str, Scores], metric: str, by: By, r: Resampling) -> list[_PartCounts]:
    """The parts that a comparison resamples, as `referee.comparison.comparing` has them."""
    units = units_of(
        {name: replace(s, counts={metric: s.counts_of(metric)}) for name, s in systems.items()}, r.unit or "document"
    )
    o = next(iter(systems.values())).options
    groups = rows_of_groups(units.document, grouping_of(by, systems.values())) if by else {}
    parts: dict[str, UnitCounts] = {"": units}
    if any(len(rows) > 1 for rows in groups.values()):
        parts = {name: units.rows(rows) for name, rows in sorted(groups.items())}
    are_means = o.average == "macro" or (bool(groups) and len(parts) == 1)

    def table(name: str, part: UnitCounts) -> _PartCounts:
        part = part.averaged(o.zero_division, o.beta) if are_means else part
        counts = AddableCounts.from_systems(
            part.systems, zero_division=o.zero_division, beta=o.beta, paired=True, whole=part.whole
        )
        return _PartCounts(counts, metric, zlib.crc32(name.encode()))

    return [table(name, part) for name, part in parts.items()]


def _randomization(
    tables: Sequence[_PartCounts], observed: Mapping[Pair, float], r: Resampling
) -> dict[Pair, tuple[float, bool]]:
    """P of each pair, and whether all swaps were tried: on one part, where few documents differ."""
    first, exact = tables[0], {}
    for b, a in observed if len(tables) == 1 else ():
        if np.count_nonzero(differing(first.counts, a, b, first.metric)) <= EXACT:
            systems = {name: first.counts.systems[name] for name in (a, b)}
            pair = AddableCounts.from_systems(
                systems, zero_division=first.counts.zero_division, beta=first.counts.beta, paired=True
            )
            values = every_swapped(pair, a, b)[first.metric]
            null = difference(first.metric, values[1], values[0])
            exact[b, a] = randomization(null, observed[b, a], every=True), True
    others = [pair for pair in observed if pair not in exact]
    larger, tried = np.zeros(len(others), dtype=np.int64), np.zeros(len(others), dtype=np.int64)
    least = [abs(observed[pair]) - ROUNDING for pair in others]
    for moved in _moved(tables, r) if others else ():
        for n, (b, a) in enumerate(progress.tracked(others, "comparing")):
            null = sum(table.after(m, a, b) for table, m in zip(tables, moved, strict=True)) / len(tables)
            larger[n] += np.count_nonzero(np.abs(null) >= least[n])
            tried[n] += np.count_nonzero(~np.isnan(null))
    random = {
        pair: (math.nan if math.isnan(observed[pair]) else (int(k) + 1) / (int(number) + 1), False)
        for pair, k, number in zip(others, larger, tried, strict=True)
    }
    return exact | random


def _moved(tables: Sequence[_PartCounts], r: Resampling) -> Iterator[list[Floats]]:
    """What swaps take from each column, part by part, shape (columns, swaps): blocks of swaps."""
    swaps = [
        np.concatenate([block.astype(bool) for block in random_swaps(table.counts.units, r.resamples, r.seed, table.stream)])
        for table in tables
    ]
    step = max(1, SUMS // sum(len(table.counts.columns) for table in tables))
    for first in range(0, r.resamples, step):
        yield [
            table.counts.columns @ tried[first : first + step].T.astype(np.float64)
            for table, tried in zip(tables, swaps, strict=True)
        ]


def _bootstrap(tables: Sequence[_PartCounts], observed: Mapping[Pair, float], r: Resampling) -> dict[Pair, tuple[float, bool]]:
    """P of each pair by the paired bootstrap."""
    r = replace(r, method="percentile")
    estimates = [table.counts.estimates(r, table.stream) for table in tables]
    metric = tables[0].metric
    resampled = {}
    for system in tables[0].counts.systems:
        values = [by_system[system][metric].resampled for by_system in estimates]
        resampled[system] = np.sum([value[0] for value in values if value is not None], axis=0) / len(tables)
    return {
        (b, a): (bootstrap(difference(metric, resampled[b], resampled[a]), value), False) for (b, a), value in observed.items()
    }


def _corrected(
    systems: Mapping[str, Scores],
    observed: Mapping[Pair, float],
    alone: Mapping[Pair, tuple[float, bool]],
    metric: str,
    r: Resampling,
) -> dict[Pair, Difference]:
    """The differences, with p corrected for all comparisons with the baseline."""
    missing = math.nan, False
    either = {**alone, **{(a, b): p for (b, a), p in alone.items()}}
    differences = {}
    for baseline in systems:
        others = [system for system in systems if system != baseline]
        raw = np.array([[either.get((system, baseline), missing)[0]] for system in others]).reshape(-1, 1)
        for system, p in zip(others, holm(raw)[:, 0].tolist(), strict=True):
            if (value := observed.get((system, baseline))) is None:
                continue
            alone_p, is_exact = either.get((system, baseline), missing)
            tests = {"randomization": math.nan, "bootstrap": math.nan, r.test: alone_p}
            better = value < 0 if metric in TARGETS else value > 0
            is_significant = p <= 1 - r.level + ROUNDING
            differences[system, baseline] = Difference(
                value, None, **tests, exact=is_exact, p=p, undefined=0, better=better, significant=is_significant
            )
    return differences
