"""The values of a comparison: `Difference`, `ComparisonCell`, `Part`, `Worse`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from referee.metrics.best import TARGETS
from referee.stats.counts import Number, Score
from referee.stats.intervals import Interval

BETTER, WORSE = "*", "†"
"""The marks of a system that is significantly better, or worse, than the baseline."""


def difference(metric: str, value: Number, baseline: Number) -> Number:
    """How much larger a score is than that of the baseline; of a metric with a target, how much farther it is from the target.

    Examples
    --------
    >>> difference("muc", 0.75, 0.5), difference("d_error", -0.75, 0.5)
    (0.25, 0.25)
    """
    if metric in TARGETS:
        return abs(value - TARGETS[metric]) - abs(baseline - TARGETS[metric])
    return value - baseline


class Difference(NamedTuple):
    """The score of a system minus that of the baseline; of a metric with a target, such as a distance, less is better.

    Attributes
    ----------
    value : float
        As `difference` has it.
    interval : Interval or None
        None where nothing can be resampled.
    randomization : float
        p of the randomization test; nan where there is one unit: exchanging it tells nothing apart.
    exact : bool
        Whether all swaps were tried, so that this p is exact.
    bootstrap : float
        p of the paired bootstrap; nan where nothing can be resampled.
    p : float
        The p of the chosen test, corrected for the number of systems (Holm).
    undefined : int
        The number of swaps after which a score is 0/0; they are left out.
    better : bool
        Whether the system is better than the baseline, however little.
    significant : bool
        Whether p is at most 1 - level.
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


class ComparisonCell(NamedTuple):
    """One system by one metric on one part.

    Attributes
    ----------
    score : Score
        Its score.
    intervals : mapping
        "value", "recall", "precision" -> its interval; empty where nothing can be resampled.
    difference : Difference or None
        From the baseline; None for the baseline.
    best : bool
        Whether no system has a better score on this part.
    """

    score: Score
    intervals: Mapping[str, Interval]
    difference: Difference | None
    best: bool

    @property
    def interval(self) -> Interval | None:
        """The interval of the F-measure, or of the one number of the metric."""
        return self.intervals.get("value")

    @property
    def p(self) -> float:
        """The p-value of the difference from the baseline; nan for the baseline."""
        return math.nan if self.difference is None else self.difference.p

    @property
    def significant(self) -> bool:
        """Whether the difference from the baseline is significant."""
        return self.difference is not None and self.difference.significant

    @property
    def mark(self) -> str:
        """The mark of a significant difference; empty if there is none."""
        d = self.difference
        return (BETTER if d.better else WORSE) if d and d.significant else ""


@dataclass(frozen=True)
class Part:
    """The documents of a group, all documents, or the mean over groups.

    Attributes
    ----------
    name : str
        The name of the group; "micro" for the sums over all documents, "macro" for a mean over documents or groups.
    documents : int
        Their number.
    units : int
        The number of resampling units: documents, or sentences.
    cells : mapping
        System -> metric -> `ComparisonCell`.
    """

    name: str
    documents: int
    units: int
    cells: Mapping[str, Mapping[str, ComparisonCell]]

    def best(self, metric: str) -> frozenset[str]:
        """The systems with the best score: several, if their scores are equal but for rounding."""
        return frozenset([system for system, cells in self.cells.items() if cells[metric].best])


class Worse(NamedTuple):
    """A system that is worse than the baseline by a metric, and how this is known."""

    system: str
    metric: str
    why: str
