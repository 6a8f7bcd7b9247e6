"""One response as the page sees it: its evaluation, its errors and their costs; and numbers in the form that the page has.

Mentions and entities are numbered within their document; -1 stands for none. Scores are fractions, costs whole numbers of
hundred thousandths of the score (a thousandth of a printed point): they are many, and a page should be small.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.counts import Score
from referee.error_analysis.costs import ATTRIBUTED, USUAL, Costs, affordable, costs
from referee.error_analysis.differences import Differences, by_key_entity, differences
from referee.scoring.evaluation import Evaluation

Record: TypeAlias = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Run:
    """One response: its evaluation, its errors and their costs."""

    evaluation: Evaluation

    @cached_property
    def differences(self) -> Differences:
        return differences(self.evaluation)

    @cached_property
    def place(self) -> dict[str, int]:
        """The number of each document."""
        return {name: number for number, name in enumerate(self.evaluation.documents)}

    @cached_property
    def costed(self) -> list[str]:
        """The measures with costs, the first of which a page begins with: the usual ones, or, if none was computed, others."""
        e = self.evaluation
        standard = [m for m in USUAL if m in e.counts and m in ATTRIBUTED and m not in e.own]
        return standard or [m for m in e.counts if m in ATTRIBUTED and m not in e.own][: len(USUAL)]

    def costs(self, groups: Ints | None = None, number: int = 0) -> Costs:
        return costs(self.differences, self.costed, groups, number)

    def _if_affordable(self, groups: Ints | None = None, number: int = 0) -> Costs:
        """No measure has costs where these would take long."""
        return self.costs(groups, number) if affordable(self.differences, groups) else Costs({}, {})

    @cached_property
    def error_costs(self) -> Costs:
        return self._if_affordable()

    @cached_property
    def key_costs(self) -> Costs:
        """Of entities of the key, with spurious mentions in what they own."""
        return self._if_affordable(by_key_entity(self.differences), len(self.evaluation.key.entity_document))

    @cached_property
    def response_costs(self) -> Costs:
        return self._if_affordable(self.differences.response_entity, len(self.evaluation.response.entity_document))

    @cached_property
    def right(self) -> Any:
        """Which key mentions were found, with their boundary, and are in their place: bool, shape (mentions,)."""
        d = self.differences
        return (d.key_counterpart >= 0) & (d.key_error < 0) & (d.key_boundary < 0)

    @cached_property
    def whole(self) -> Any:
        """Which key entities the response has, mention by mention: bool, shape (entities,)."""
        t = self.evaluation.table
        same = (t.shared == t.key_size[t.key]) & (t.shared == t.response_size[t.response])
        whole = np.zeros(len(t.key_size), dtype=bool)
        whole[t.key[same]] = True
        return whole

    def kept(self, name: str) -> tuple[Any, Any]:
        """`right` and `whole` of the mentions and entities of one document; empty if it is not there."""
        if name not in self.place:
            return self.right[:0], self.whole[:0]
        key, number = self.evaluation.key, self.place[name]
        return self.right[rows_of(key.document, number)], self.whole[rows_of(key.entity_document, number)]


def rows_of(documents: Ints, number: int) -> slice:
    """The rows of a document."""
    first, after = np.searchsorted(documents, [number, number + 1]).tolist()
    return slice(first, after)


def local(numbers: Ints, rows: slice) -> list[int]:
    """Numbers within the document; -1 stays."""
    found: list[int] = np.where(numbers < 0, -1, numbers - rows.start).tolist()
    return found


def scaled(by_metric: Mapping[str, Any], rows: slice = slice(None)) -> dict[str, list[int | None]]:
    """Costs as whole numbers, None where a score is undefined."""
    return {
        metric: [None if math.isnan(x) else round(x) for x in (column[rows] * 1e5).tolist()]
        for metric, column in by_metric.items()
    }


def three(score: Score) -> list[float | None]:
    """Recall, precision, and F or the one value."""
    return [plain(score.recall), plain(score.precision), plain(score.value)]


def plain(value: Any) -> Any:
    """None for what is undefined, which JSON cannot say otherwise; six digits are more than anybody reads."""
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, 6)
    return value
