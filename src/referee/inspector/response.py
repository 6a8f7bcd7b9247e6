"""One response as the page has it: its evaluation, its errors and their costs; and numbers in the form that the page has.

Mentions and entities are numbered within their document; -1 stands for none. Scores are fractions of 1 with all their digits,
so that the page rounds what reports round. Costs of errors and entities are whole numbers of hundred millionths of the score (a
millionth of a printed point), because there are many and the page should be small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints
from referee.counts import Score
from referee.error_analysis.costs import Costs, affordable, costs, usual
from referee.error_analysis.differences import KINDS, Differences, by_key_entity, differences
from referee.inspector.reasons import Reasons
from referee.scoring.evaluation import Evaluation

Json: TypeAlias = "str | int | float | Sequence[Json] | Mapping[str, Json] | None"
Record: TypeAlias = dict[str, Json]
"""What `assets/payload.d.ts` calls by a name."""


@dataclass(frozen=True, eq=False)
class ScoredResponse:
    """One response: its evaluation, its errors and their costs.

    Errors and costs are computed when they are first asked for.
    """

    evaluation: Evaluation
    reasons: Reasons | None = None
    """Why its mentions are where they are, if a resolver told."""

    @cached_property
    def differences(self) -> Differences:
        """The errors."""
        return differences(self.evaluation.pair)

    @cached_property
    def document_numbers(self) -> dict[str, int]:
        """Document name to its number in the evaluation."""
        return {name: number for number, name in enumerate(self.evaluation.documents)}

    @cached_property
    def metrics_with_costs(self) -> list[str]:
        """The metrics in which the page shows costs, the first one first: the usual ones, or others if none was computed.

        Of items, pairwise links come before them.
        """
        pairwise = ["links"] if self.evaluation.key.items is not None and "links" in self.evaluation.metrics else []
        return [*pairwise, *(metric for metric in usual(self.evaluation) if metric not in pairwise)]

    def costs(self, groups: Ints | None = None, number: int = 0) -> Costs:
        """Compute what errors cost, each alone or in groups.

        Parameters
        ----------
        groups : int64 array or None
            The group of each error, shape (errors,); -1 for none. None: each error alone.
        number : int
            How many groups there are.
        """
        return costs(self.differences, self.evaluation, self.metrics_with_costs, groups, number)

    def _costs_if_affordable(self, groups: Ints | None = None, number: int = 0) -> Costs:
        """No metric has costs where these would take long."""
        return self.costs(groups, number) if affordable(self.differences, groups) else Costs({}, {})

    @cached_property
    def error_costs(self) -> Costs:
        """What each error costs."""
        return self._costs_if_affordable()

    @cached_property
    def key_costs(self) -> Costs:
        """What all errors of a key entity cost, with the spurious mentions of the entities that it is the best match of."""
        return self._costs_if_affordable(by_key_entity(self.differences), len(self.evaluation.key.entity_document))

    @cached_property
    def response_costs(self) -> Costs:
        """What all errors of a response entity cost."""
        return self._costs_if_affordable(self.differences.response_entity, len(self.evaluation.response.entity_document))

    @cached_property
    def whole_costs_in_documents(self) -> list[dict[str, list[int | None]]]:
        """What each error, all of a key entity, and all of a response entity cost in their document."""
        return [whole_costs(of.document) for of in (self.error_costs, self.key_costs, self.response_costs)]

    @cached_property
    def kind_costs(self) -> Costs:
        """What all errors of a kind cost."""
        return self.costs(self.differences.kind.astype(np.int64), len(KINDS))

    @cached_property
    def error_mention_types(self) -> Ints:
        """The type of the first mention of each error, shape (errors,)."""
        e, d = self.evaluation, self.differences
        return _on_its_side(d.key_mention, d.response_mention, *(c.mention_types_with_zeros for c in (e.key, e.response)))

    @cached_property
    def error_entity_sizes(self) -> Ints:
        """The size of the entity of each error, of the key if the error has one there, shape (errors,)."""
        e, d = self.evaluation, self.differences
        return _on_its_side(d.key_entity, d.response_entity, e.key.entity_size, e.response.entity_size)

    @cached_property
    def _kept(self) -> dict[tuple[str, ...], Record]:
        """See `kept`."""
        return {}

    def kept(self, make: Callable[[ScoredResponse, Sequence[str]], Record], names: Sequence[str]) -> Record:
        """What a page of these documents has of the response alone, made once for all pages."""
        place = (make.__name__, *names)
        if place not in self._kept:
            self._kept[place] = make(self, names)
        return self._kept[place]

    @cached_property
    def document_scores(self) -> dict[str, list[tuple[float | None, ...]]]:
        """By metric, what `score_values` lists of each document."""
        return {
            metric: list(zip(*map(_side_values, (rows.recall, rows.precision, rows.value)), strict=False))
            for metric, rows in self.evaluation.by_document.items()
        }

    @cached_property
    def correct_mentions(self) -> Bools:
        """Which key mentions were found with their span and are in their entity, shape (mentions,)."""
        d = self.differences
        return (d.key_counterpart >= 0) & (d.key_error < 0) & (d.key_span_error < 0)

    @cached_property
    def identical_entities(self) -> Bools:
        """Which key entities the response has with just these mentions, shape (entities,)."""
        t = self.evaluation.table
        same = (t.shared == t.key_size[t.key]) & (t.shared == t.response_size[t.response])
        identical = np.zeros(len(t.key_size), dtype=bool)
        identical[t.key[same]] = True
        return identical

    def correct(self, name: str) -> tuple[Bools, Bools]:
        """Tell what is correct in one document.

        Returns
        -------
        tuple of bool arrays
            `correct_mentions` and `identical_entities` of the document; both empty if it is not there.
        """
        if name not in self.document_numbers:
            return self.correct_mentions[:0], self.identical_entities[:0]
        key, number = self.evaluation.key, self.document_numbers[name]
        mentions, entities = rows_of(key.document, number), rows_of(key.entity_document, number)
        return self.correct_mentions[mentions], self.identical_entities[entities]


def _on_its_side(key: Ints, response: Ints, of_key: Ints, of_response: Ints) -> Ints:
    """The value of each error on the side of the key, or of the response where the key has none."""
    values = np.zeros(len(key), dtype=np.int64)
    has_key = key >= 0
    values[has_key], values[~has_key] = of_key[key[has_key]], of_response[response[~has_key]]
    return values


def rows_of(documents: Ints, number: int) -> slice:
    """Find the rows of one document in a sorted column of document numbers."""
    # Bounds of another type would make NumPy convert the whole column before it searches.
    return slice(*documents.searchsorted(np.array([number, number + 1], dtype=documents.dtype)).tolist())


def within(numbers: Ints, rows: slice) -> list[int]:
    """Count numbers from the first row of a document; -1 stays."""
    local: list[int] = np.maximum(numbers - rows.start, -1).tolist()
    return local


def whole_costs(by_metric: Mapping[str, Floats]) -> dict[str, list[int | None]]:
    """Convert costs to whole numbers of hundred millionths, None where a score is undefined."""
    return {metric: _whole(column * 1e8) for metric, column in by_metric.items()}


def _whole(costs: Floats) -> list[int | None]:
    undefined = np.isnan(costs)
    whole: list[int | None] = np.rint(np.where(undefined, 0, costs)).astype(np.int64).tolist()
    for n in np.flatnonzero(undefined).tolist():
        whole[n] = None
    return whole


def score_values(score: Score) -> list[float | None]:
    """List recall, precision, and F1 or the one value."""
    return [defined(score.recall), defined(score.precision), defined(score.value)]


def _side_values(side: Floats | None) -> Iterable[float | None]:
    return repeat(None) if side is None else map(defined, np.atleast_1d(side).astype(np.float64).tolist())


def defined(value: float | None) -> float | None:
    """Replace what is undefined, for which JSON has no number, by None."""
    return None if value is None or math.isnan(value) else value
