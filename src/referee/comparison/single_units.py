"""The parts of groups that have one resampling unit each, such as every document: all at once.

With one unit there are no resamples, and exchanging two systems in it tells nothing: differences have no interval and no p.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.basics.options.options import Options
from referee.comparison.values import ComparisonCell, Difference, Part, difference
from referee.metrics.best import TARGETS, best
from referee.scoring.units import UnitCounts

UNTESTED = (None, math.nan, False, math.nan, math.nan, 0)
"""The interval of a difference in one unit, and all of its tests."""


def parts_of_units(names: Sequence[str], units: UnitCounts, baseline: str, o: Options) -> list[Part]:
    """Return a part for each row of `units`, as `parts.part_of` makes it of a group of this row alone."""
    cells: list[dict[str, dict[str, ComparisonCell]]] = [{system: {} for system in units.systems} for _ in names]
    for metric in units.systems[baseline]:
        scores = {}
        for system, counts in units.systems.items():  # without what bounds an alignment
            columns = {name: column for name, column in counts[metric].columns.items() if not name.endswith("slack")}
            scores[system] = replace(counts[metric], columns=columns).score(o.zero_division, o.beta)
        tops = best(metric, np.stack([score.value for score in scores.values()])).tolist()
        for (system, score), top in zip(scores.items(), tops, strict=True):
            values = difference(metric, score.value, scores[baseline].value)
            for row, value, cell_score, is_best in zip(cells, values.tolist(), score, top, strict=True):
                better = value < 0 if metric in TARGETS else value > 0
                compared = None if system == baseline else Difference(value, *UNTESTED, better=better, significant=False)
                row[system][metric] = ComparisonCell(cell_score, {}, compared, is_best)
    return [Part(name, 1, 1, row) for name, row in zip(names, cells, strict=True)]
