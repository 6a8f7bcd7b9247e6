"""One response as the page has it: its evaluation, its errors and their costs; and numbers in the form that the page has.

Mentions and entities are numbered within their document; -1 stands for none. Scores are fractions of 1 with all their digits,
so that the page rounds what reports round. Costs of errors and entities are whole numbers of hundred millionths of the score (a
millionth of a printed point), because there are many and the page should be small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, arange, argsort, lengths, starts_of_runs, tally
from referee.basics.exceptions import OptionError
from referee.corpus import MENTION_TYPES
from referee.error_analysis.answers import MISSING
from referee.error_analysis.costs import AFFORDABLE, Costs, SingleErrorCounts, costs, usual
from referee.error_analysis.crossed import combinations
from referee.error_analysis.differences import KINDS, Differences, by_key_entity, differences
from referee.error_analysis.error_filter import ErrorFilter, selection_of
from referee.error_analysis.facets import types_of_sides
from referee.error_analysis.wrong_pairs import KINDS as PAIR_KINDS, WrongPair, pairs_are_listed, wrong_pairs
from referee.pages.inspector.json_columns import CorpusColumns, lists, objects, offsets, within
from referee.pages.inspector.packing import Record, json_of
from referee.pages.inspector.reasons import Reasons
from referee.scoring.evaluation import Evaluation
from referee.stats.counts import Score

PAIRS = 1000
"""Wrong pairs of each kind that the page lists of a document, at most."""


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
        return [*pairwise, *(metric for metric in usual(self.evaluation, self.differences) if metric not in pairwise)]

    @property
    def metrics_with_sides(self) -> list[str]:
        """The metrics that have recall and precision."""
        return [metric for metric, scores in self.evaluation.by_document.items() if scores.recall is not None]

    def costs(self, groups: Ints | None = None, number: int = 0, limit: float = math.inf) -> Costs:
        """Compute what errors cost, each alone or in groups.

        Parameters
        ----------
        groups : int64 array or None
            The group of each error, shape (errors,); -1 for none. None: each error alone.
        number : int
            How many groups there are.
        limit : number
            Metrics for which more mentions must be counted are left out.
        """
        return costs(self.differences, self.evaluation, self.metrics_with_costs, groups, number, limit, self._single_counts)

    @cached_property
    def _single_counts(self) -> SingleErrorCounts:
        """The counts of each error corrected alone, which the page needs anyhow, if they are affordable."""
        return SingleErrorCounts.of(self.differences, self.evaluation, self.metrics_with_costs, AFFORDABLE)

    def _costs_if_affordable(self, groups: Ints | None = None, number: int = 0) -> Costs:
        """The costs, but for metrics in which they would take long."""
        return self.costs(groups, number, AFFORDABLE)

    @cached_property
    def error_costs(self) -> Costs:
        """What each error costs."""
        return self._costs_if_affordable()

    def _entity_costs(self, entity: Ints, documents: Ints) -> list[bytes]:
        """What all errors of an entity cost, of each document: a list of the entities with several errors, by metric.

        What one error costs is known. If it is not in some metric, entities with one error are listed, too.

        Parameters
        ----------
        entity : shape (errors,)
            The entity of each error, -1 for none.
        documents : shape (entities,)
            The document of each entity.
        """
        known = len(self.error_costs.document) == len(self.metrics_with_costs)
        listed = tally(entity[entity >= 0], minlength=len(documents)) > (1 if known else 0)
        costs = self._costs_if_affordable(np.where(np.append(listed, False)[entity], entity, -1), len(documents))
        columns = {metric: column[listed] for metric, column in costs.document.items()}
        return _costly(columns, offsets(documents[listed], len(self.evaluation.documents)))

    @cached_property
    def key_columns(self) -> CorpusColumns:
        """The columns of the key."""
        return CorpusColumns(self.evaluation.key)

    @cached_property
    def response_columns(self) -> CorpusColumns:
        """The columns of the response."""
        return CorpusColumns(self.evaluation.response)

    @cached_property
    def in_documents(self) -> list[bytes]:
        """Of each document: `ResponseData` of `assets/payload.d.ts`, but for the annotation."""
        e, d = self.evaluation, self.differences
        number = len(e.documents)
        mentions, entities = (e.key.document, e.response.document), (e.key.entity_document, e.response.entity_document)
        (km, rm), (ke, re) = ([offsets(documents, number) for documents in of_both] for of_both in (mentions, entities))
        errors = offsets(d.document, number)
        sides = [side for metric in self.metrics_with_sides for side in (e.columns(metric).recall, e.columns(metric).precision)]

        def numbered(numbers: Ints, documents: Ints, within_first: Ints) -> list[bytes]:
            return lists(within(numbers, documents, within_first), offsets(documents, number))

        def cells(key: Ints, response: Ints, shared: Ints) -> list[bytes]:
            documents = e.key.entity_document[key]
            columns = numbered(key, documents, ke), numbered(response, documents, re), lists(shared, offsets(documents, number))
            return [b"[%b]" % b",".join(of_document) for of_document in zip(*columns, strict=True)]

        of_errors = {
            "kind": lists(d.kind.astype(np.int64), errors),
            "key": numbered(d.key_entity, d.document, ke),
            "response": numbered(d.response_entity, d.document, re),
            "key_mention": numbered(d.key_mention, d.document, km),
            "response_mention": numbered(d.response_mention, d.document, rm),
            "mentions": lists(d.mentions, errors),
            "mention_type": lists(self.error_mention_types, errors),
            "costs": _costly(self.error_costs.document, errors),
        }
        return objects(
            {
                "counterpart": numbered(d.key_counterpart, e.key.document, rm),
                "key_error": numbered(d.key_error, e.key.document, errors),
                "key_span_error": numbered(d.key_span_error, e.key.document, errors),
                "best_response": numbered(d.best_response, e.key.entity_document, re),
                "best_key": numbered(d.best_key, e.response.entity_document, ke),
                "shared": cells(e.table.key, e.table.response, e.table.shared),
                "shared_span_errors": cells(*self._span_error_cells),
                "errors": objects(of_errors),
                "key_costs": self._entity_costs(by_key_entity(d), entities[0]),
                "response_costs": self._entity_costs(d.response_entity, entities[1]),
                "sides": lists(np.array(sides).T.ravel(), arange(number + 1) * len(sides)),
                **({} if self._wrong_pairs is None else {"wrong_pairs": self._wrong_pairs}),
                **({"answer": self._answers} if self.evaluation.pair.answers else {}),
            }
        )

    @cached_property
    def _wrong_pairs(self) -> list[bytes] | None:
        """The wrong pairs of each document, as many of each kind as the page lists; None if there are none to list."""
        if not pairs_are_listed(self.evaluation.pair):
            return None
        listed: dict[str, dict[str, list[WrongPair]]] = {
            name: {kind: [] for kind in PAIR_KINDS} for name in self.evaluation.documents
        }
        try:
            wrong = wrong_pairs(self.evaluation.pair)
        except OptionError:  # entities have too many pairs
            return None
        for row in wrong:
            listed[row.document][row.kind].append(row)
        return [
            json_of(
                {
                    "numbers": [len(rows) for rows in kinds.values()],
                    "rows": [
                        [row.kind, row.left, row.right, row.probability] for rows in kinds.values() for row in rows[:PAIRS]
                    ],
                }
            )
            for kinds in listed.values()
        ]

    @property
    def _answers(self) -> list[bytes]:
        """What a language model said of each document."""
        return [
            json_of({"state": answer.state, "repaired": answer.repaired, "text": answer.failed or answer.text})
            for answer in (self.evaluation.pair.answers.get(name, MISSING) for name in self.evaluation.documents)
        ]

    @property
    def _span_error_cells(self) -> tuple[Ints, Ints, Ints]:
        """Mentions with a span error: key entity, response entity, how many. No metric counts them as shared."""
        e, d = self.evaluation, self.differences
        mentions = np.flatnonzero(d.key_span_error >= 0)
        key, response = e.key.entity[mentions], e.response.entity[d.key_counterpart[mentions]]
        order = argsort(key, response)
        first = np.flatnonzero(starts_of_runs(key[order], response[order]))
        return key[order[first]], response[order[first]], lengths(first, len(order))

    @cached_property
    def kind_costs(self) -> Costs:
        """What all errors of a kind cost."""
        return self.costs(self.differences.kind.astype(np.int64), len(KINDS))

    @cached_property
    def error_mention_types(self) -> Ints:
        """The type of the first mention of each error, shape (errors,)."""
        d = self.differences
        return _on_its_side(d.key_mention, d.response_mention, *(side.types for side in types_of_sides(d)))

    @cached_property
    def error_entity_types(self) -> tuple[list[str], Ints]:
        """The names of entity types, and that of the entity of each error, shape (errors,); no names where there are none."""
        e, d = self.evaluation, self.differences
        types = [side.entity_types or [""] * len(side.entity_size) for side in (e.key, e.response)]
        names = sorted({name for side in types for name in side})
        numbers = {name: n for n, name in enumerate(names)}
        columns = (np.array([numbers[name] for name in side], dtype=np.int64) for side in types)
        return names, _on_its_side(d.key_entity, d.response_entity, *columns)

    @cached_property
    def together(self) -> tuple[list[tuple[int, int, str, int]], dict[str, list[float | None]]]:
        """How many errors are of a kind, a mention type and an entity type, and what they cost together; with all margins.

        Kinds and mention types are numbers, -1 for all; an entity type is empty for all.
        """
        d = self.differences
        sources = {"kind": True, "mention-type": types_of_sides(d)[0].source, "entity-type": d.pair.key.entity_types}
        by = [name for name, values in sources.items() if values]
        names, table = combinations(d, by, selection_of(d, ErrorFilter()), self._costs_if_affordable)
        types = ["unknown", *MENTION_TYPES[1:]]
        groups = []
        for values, errors, *_ in table:
            named = {name: labels[value] for name, labels, value in zip(by, names, values, strict=True) if value >= 0}
            kind, mention_type = named.get("kind"), named.get("mention-type")
            numbers = KINDS.index(kind) if kind else -1, types.index(mention_type) if mention_type else -1
            groups.append((*numbers, named.get("entity-type", ""), errors))
        return groups, {metric: [defined(row.costs.get(metric)) for row in table] for metric in self.metrics_with_costs}

    @cached_property
    def error_entity_sizes(self) -> Ints:
        """The size of the entity of each error, of the key if the error has one there, shape (errors,)."""
        e, d = self.evaluation, self.differences
        return _on_its_side(d.key_entity, d.response_entity, e.key.entity_size, e.response.entity_size)

    @cached_property
    def _kept(self) -> dict[tuple[str, ...], bytes]:
        """See `kept`."""
        return {}

    def kept(self, make: Callable[[ScoredResponse, Sequence[str]], Record], names: Sequence[str]) -> bytes:
        """What a page of these documents has of the response alone, as JSON, made once for all pages."""
        place = (make.__name__, *names)
        if place not in self._kept:
            self._kept[place] = json_of(make(self, names))
        return self._kept[place]

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


def whole_costs(by_metric: Mapping[str, Floats]) -> dict[str, Floats]:
    """Convert costs to whole numbers of hundred millionths; nan where a score is undefined."""
    return {metric: np.rint(column * 1e8) + 0.0 for metric, column in by_metric.items()}  # never -0


def score_values(score: Score) -> list[float | None]:
    """List recall, precision, and F1 or the one value."""
    return [defined(score.recall), defined(score.precision), defined(score.value)]


def _costly(by_metric: Mapping[str, Floats], first: Ints) -> list[bytes]:
    """Costs by metric, of each document."""
    columns = {metric: lists(column, first) for metric, column in whole_costs(by_metric).items()}
    return objects(columns) if columns else [b"{}"] * (len(first) - 1)


def defined(value: float | None) -> float | None:
    """Replace what is undefined, for which JSON has no number, by None."""
    return None if value is None or math.isnan(value) else value
