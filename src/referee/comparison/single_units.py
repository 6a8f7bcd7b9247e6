"""The parts of groups that have one resampling unit each, such as every document: all at once.

With one unit there are no resamples, and at most two ways to exchange two systems: not at all, and in that unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from referee.algorithms.arrays import Floats, Ints, Numbers
from referee.comparison.values import TARGETS, CellColumn, CellRow, Part, best, difference
from referee.options.options import Options
from referee.scoring.units import UnitCounts
from referee.stats.counts import Counts, divide
from referee.stats.settings import Resampling
from referee.stats.significance import ROUNDING, holm


def parts_of_units(names: Sequence[str], units: UnitCounts, baseline: str, r: Resampling, o: Options) -> list[Part]:
    """Return a part for each row of `units`, as `parts.part_of` makes it of a group of this row alone."""
    columns: dict[str, dict[str, CellColumn]] = {system: {} for system in units.systems}
    for metric in units.systems[baseline]:
        systems = {system: _without_slack(of[metric]) for system, of in units.systems.items()}
        differences = _differences(metric, systems, baseline, r, o)
        scores = {system: counts.score(o.zero_division, o.beta) for system, counts in systems.items()}
        tops = best(metric, np.stack([score.value for score in scores.values()]))
        for (system, score), top in zip(scores.items(), tops, strict=True):
            columns[system][metric] = CellColumn(score, differences[system], top)
    return [Part(name, 1, 1, {system: CellRow(of, row) for system, of in columns.items()}) for row, name in enumerate(names)]


def _without_slack(counts: Counts) -> Counts:
    """The counts without what bounds an alignment."""
    return replace(counts, columns={name: column for name, column in counts.columns.items() if not name.endswith("slack")})


def _differences(
    metric: str, systems: Mapping[str, Counts], baseline: str, r: Resampling, o: Options
) -> dict[str, Sequence[Numbers]]:
    """For each system, its differences from the baseline: the columns of `Difference`; none for the baseline itself."""
    base = systems[baseline]
    tests = {system: _test(metric, c, base, o) for system, c in systems.items() if system != baseline}
    rows = len(next(iter(base.columns.values())))
    p = np.array([p if r.test == "randomization" else np.full(rows, np.nan) for _, p, _ in tests.values()]).reshape(-1, rows)
    differences: dict[str, Sequence[Numbers]] = {baseline: ()}
    for (system, (value, exact, undefined)), corrected in zip(tests.items(), holm(p), strict=True):
        better = value < 0 if metric in TARGETS else value > 0
        judged = (corrected, undefined, better, corrected <= 1 - r.level + ROUNDING)
        differences[system] = np.broadcast_arrays(value, None, exact, True, np.nan, *judged)  # type: ignore[arg-type]  # None as an object
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
