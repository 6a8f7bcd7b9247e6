"""The parts of groups that have one resampling unit each, such as every document: all at once.

With one unit there are no resamples, and exchanging two systems in it tells nothing: differences have no interval and no p.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from referee.algorithms.arrays import Numbers
from referee.basics.options.options import Options
from referee.comparison.values import TARGETS, CellColumn, CellRow, Part, best, difference
from referee.scoring.units import UnitCounts
from referee.stats.counts import Counts


def parts_of_units(names: Sequence[str], units: UnitCounts, baseline: str, o: Options) -> list[Part]:
    """Return a part for each row of `units`, as `parts.part_of` makes it of a group of this row alone."""
    columns: dict[str, dict[str, CellColumn]] = {system: {} for system in units.systems}
    for metric in units.systems[baseline]:
        systems = {system: _without_slack(counts[metric]) for system, counts in units.systems.items()}
        differences = _differences(metric, systems, baseline, o)
        scores = {system: counts.score(o.zero_division, o.beta) for system, counts in systems.items()}
        tops = best(metric, np.stack([score.value for score in scores.values()]))
        for (system, score), top in zip(scores.items(), tops, strict=True):
            columns[system][metric] = CellColumn(score, differences[system], top)
    return [
        Part(name, 1, 1, {system: CellRow(scores, row) for system, scores in columns.items()}) for row, name in enumerate(names)
    ]


def _without_slack(counts: Counts) -> Counts:
    """The counts without what bounds an alignment."""
    return replace(counts, columns={name: column for name, column in counts.columns.items() if not name.endswith("slack")})


def _differences(metric: str, systems: Mapping[str, Counts], baseline: str, o: Options) -> dict[str, Sequence[Numbers]]:
    """For each system, its differences from the baseline: the columns of `Difference`; none for the baseline itself."""
    values = {system: counts.score(o.zero_division, o.beta).value for system, counts in systems.items()}
    differences: dict[str, Sequence[Numbers]] = {baseline: ()}
    for system in (system for system in systems if system != baseline):
        value = difference(metric, values[system], values[baseline])
        better = value < 0 if metric in TARGETS else value > 0
        untested = (None, np.nan, False, np.nan, np.nan, 0)  # the interval, and all of the tests
        differences[system] = np.broadcast_arrays(value, *untested, better, False)  # type: ignore[arg-type]  # None as an object
    return differences
