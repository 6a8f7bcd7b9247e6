"""The parts of groups that have one resampling unit each, such as every document: all at once.

With one unit there are no resamples, and at most two ways to exchange two systems: not at all, and in that unit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.comparison.values import TARGETS, Cell, Difference, Part, difference
from referee.counts import Counts, Score, divide
from referee.options import Options
from referee.scoring.units import Units
from referee.stats.resampling import addable, by_side
from referee.stats.settings import Resampling
from referee.stats.significance import ROUNDING, holm


def parts_of_units(names: Sequence[str], units: Units, baseline: str, r: Resampling, o: Options) -> list[Part]:
    """Return a part for each row of `units`, as `parts.part_of` makes it of a group of this row alone."""
    cells: list[dict[str, dict[str, Cell]]] = [{system: {} for system in units.systems} for _ in names]
    for metric in units.systems[baseline]:
        systems = _addable({system: of[metric] for system, of in units.systems.items()})
        differences = _differences(metric, systems, baseline, r, o)
        for system, counts in systems.items():
            score = counts.score(o.zero_division, o.beta)
            rows = zip(cells, by_side(score).T.tolist(), differences[system], strict=True)
            for of, sides, from_baseline in rows:
                value, recall, precision = (*sides, None, None)[:3]
                of[system][metric] = Cell(Score(value, recall, precision, score.beta), {}, from_baseline)
    return [Part(name, 1, 1, of) for name, of in zip(names, cells, strict=True)]


def _addable(systems: Mapping[str, Counts]) -> dict[str, Counts]:
    """The counts by one metric without what bounds an alignment, each row rounded as if it were alone."""
    rounded: dict[str, dict[str, Floats]] = {system: {} for system in systems}
    for name in next(iter(systems.values())).columns:
        if not name.endswith("slack"):
            values = addable([np.asarray(c.columns[name], dtype=np.float64) for c in systems.values()], alone=True)
            for system, column in zip(systems, values, strict=True):
                rounded[system][name] = column
    return {system: replace(counts, columns=rounded[system]) for system, counts in systems.items()}


def _differences(
    metric: str, systems: Mapping[str, Counts], baseline: str, r: Resampling, o: Options
) -> dict[str, Sequence[Difference | None]]:
    """For each system, its difference from the baseline in each row; None for the baseline itself."""
    base, rows = systems[baseline], len(next(iter(systems[baseline].columns.values())))
    tests = {system: _test(metric, c, base, o) for system, c in systems.items() if system != baseline}
    chosen = [p.tolist() if r.test == "randomization" else [math.nan] * rows for _, p, _ in tests.values()]
    corrected = zip(*map(holm, zip(*chosen, strict=True)), strict=True)
    differences: dict[str, Sequence[Difference | None]] = {baseline: [None] * rows}
    for (system, columns), of in zip(tests.items(), corrected, strict=True):
        differences[system] = [
            Difference(
                value=value, interval=None, randomization=p, exact=True, bootstrap=math.nan, p=q, undefined=undefined,
                better=value < 0 if metric in TARGETS else value > 0, significant=q <= 1 - r.level + ROUNDING,
            )
            for value, p, undefined, q in zip(*(column.tolist() for column in columns), of, strict=True)
        ]  # fmt: skip
    return differences


def _test(metric: str, counts: Counts, base: Counts, o: Options) -> tuple[Floats, Floats, Ints]:
    """Of each row the difference, p of the randomization test, and the number of exchanges after which it is undefined."""

    def difference_of(counts: Counts, base: Counts) -> Floats:
        return difference(metric, *(c.score(o.zero_division, o.beta).value for c in (counts, base)))

    value = difference_of(counts, base)
    after = difference_of(replace(counts, columns=base.columns), replace(base, columns=counts.columns))
    differ = np.any([column != base.columns[name] for name, column in counts.columns.items()], axis=0)
    tried = np.stack([np.ones_like(differ), differ])
    null = np.stack([value, after])
    defined = tried & ~np.isnan(null)
    large = defined & (np.abs(null) >= np.abs(value) - ROUNDING)
    return value, divide(large.sum(axis=0), defined.sum(axis=0)), (tried & ~defined).sum(axis=0)
