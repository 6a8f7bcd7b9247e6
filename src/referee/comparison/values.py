"""What a comparison says: `Difference`, `Cell`, `Part`, `Comparison`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from referee.counts import Score
from referee.metrics.registry import METRICS
from referee.stats.intervals import Interval
from referee.stats.significance import ROUNDING

TARGETS: Mapping[str, float] = {name: m.target for name, m in METRICS.items() if m.target is not None}
"""Measures that are best at one value, and worse on either side of it: of these the distance from it is compared."""


def difference(metric: str, value: Any, baseline: Any) -> Any:
    """How much larger a score is than the baseline's, or, of a measure with a target, how much farther from it. Takes arrays.

    >>> difference("muc", 0.75, 0.5), difference("d_error", -0.75, 0.5)
    (0.25, 0.25)
    """
    if metric in TARGETS:
        return abs(value - TARGETS[metric]) - abs(baseline - TARGETS[metric])
    return value - baseline


@dataclass(frozen=True, slots=True)
class Difference:
    """A system less the baseline, as `difference` has it: of a measure with a target, such as a distance, less is better.

    interval      : of the difference; None where nothing can be resampled
    randomization : p of the randomization test
    exact         : whether it went through all swaps, so that its p is exact
    bootstrap     : p of the paired bootstrap; nan where nothing can be resampled
    p             : of the test that was chosen, corrected for the number of systems (Holm)
    undefined     : drawn swaps after which a score was 0 / 0; they are left out
    better        : whether the system is better than the baseline, however little
    significant   : whether p is at most 1 - level
    """

    value: float
    interval: Interval | None
    randomization: float
    exact: bool
    bootstrap: float
    p: float
    undefined: int
    better: bool
    significant: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """One system by one measure on one part.

    intervals  : "value", "recall", "precision" -> its interval; none where nothing can be resampled
    difference : from the baseline; None for the baseline itself
    """

    score: Score
    intervals: Mapping[str, Interval]
    difference: Difference | None = None

    @property
    def interval(self) -> Interval | None:
        """Of the F, or the value."""
        return self.intervals.get("value")


@dataclass(frozen=True, slots=True)
class Part:
    """Some documents, or the mean over groups of them.

    name      : of the group; "micro" for the sums over all documents, "macro" for a mean over documents or groups
    documents : how many
    units     : how many could be drawn: documents, or sentences
    cells     : system -> metric -> `Cell`
    """

    name: str
    documents: int
    units: int
    cells: Mapping[str, Mapping[str, Cell]]

    def best(self, metric: str) -> frozenset[str]:
        """The systems with the best score, all of them if several have it, but for rounding."""
        worse = {
            name: abs(cells[metric].score.value - TARGETS[metric]) if metric in TARGETS else -cells[metric].score.value
            for name, cells in self.cells.items()
        }
        least = min((w for w in worse.values() if not math.isnan(w)), default=math.nan)
        return frozenset(name for name, w in worse.items() if w <= least + ROUNDING)
