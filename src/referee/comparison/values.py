"""What a comparison says: `Difference`, `Cell`, `Part`, `Comparison`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.counts import Score
from referee.messages import one_line
from referee.metrics.registry import METRICS
from referee.scoring.evaluation import Evaluation
from referee.stats.intervals import Interval
from referee.stats.settings import Resampling
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


@dataclass(frozen=True)
class Comparison:
    """What `compare` found.

    key         : where the key, or the keys, came from
    systems     : their names, in the order given
    metrics     : what was computed
    shown       : those of a table: the ones named, or a handful of all
    units       : metric -> what it is measured in, "" for fractions of 1
    baseline    : the system that the others are tested against
    parts       : the groups, if any; all documents; the mean over the groups
    resampling  : how intervals and tests were made
    notes       : what should be known of them: where no interval can be given, what was left out
    evaluations : corpus -> system -> `Evaluation`: what was compared; the corpus is "" if there is one
    """

    key: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    shown: tuple[str, ...]
    units: Mapping[str, str]
    baseline: str
    parts: tuple[Part, ...]
    resampling: Resampling
    notes: tuple[str, ...]
    evaluations: Mapping[str, Mapping[str, Evaluation]] = field(repr=False, compare=False)

    def __getitem__(self, place: tuple[str, str]) -> Cell:
        """The cell of (system, metric) in the last part: all documents, or the mean over groups."""
        return self.parts[-1].cells[place[0]][place[1]]

    @property
    def cut(self) -> bool:
        """Whether percentages are cut, not rounded."""
        return next(iter(next(iter(self.evaluations.values())).values())).options.decimals == "truncate"

    @property
    def signatures(self) -> tuple[str, ...]:
        """How all numbers were made, to be cited with them."""
        return self._signed([e for of in self.evaluations.values() for e in of.values()])

    def signature(self, part: str, system: str) -> str:
        """How the numbers of one system on one part were made; several signatures where the part is of several corpora."""
        of = [self.evaluations[part]] if part in self.evaluations else self.evaluations.values()
        return "; ".join(self._signed([evaluations[system] for evaluations in of]))

    def _signed(self, evaluations: Sequence[Evaluation]) -> tuple[str, ...]:
        several = len(self.systems) > 1
        tests = f" | test:{self.resampling.test} | correction:holm | baseline:{one_line(self.baseline)}" if several else ""
        return tuple(dict.fromkeys(f"{e.signature} | {self.resampling.signature}{tests}" for e in evaluations))
