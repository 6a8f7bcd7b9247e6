"""Tables of what a response would be with some of its errors repaired.

=================================  ======================================================================
error                              repair
=================================  ======================================================================
boundary                           the response mention takes the key mention's span
missed                             the mention is added to the home of its entity
missed_entity                      the entity is added
spurious, spurious_entity          the mention, the entity is deleted
split, misplaced                   the mentions move to the home of their entity
merged                             the mentions become an entity of their own, the new home of theirs
=================================  ======================================================================

A case is a document with some of its errors repaired. There may be thousands of cases of a large document, so what no repair
reaches is not counted again: a case holds the connected components, of the graph of entities that have mentions in common, in
which errors are repaired, and `referee.metrics.table.Fold` makes it whole. Measures that see more than components need `whole`
documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import inverse, order_by, ranges, starts_of_runs
from referee.error_analysis.differences import (
    MERGED,
    MISPLACED,
    MISSED,
    MISSED_ENTITY,
    SPLIT,
    SPURIOUS,
    SPURIOUS_ENTITY,
    Differences,
    at,
)
from referee.metrics.table import Fold, Table, table_of

BLOCK = 1 << 20
"""Mentions that are counted at a time, about."""


class Cases(NamedTuple):
    """Each document in which a group of errors has some, in the order of the documents: what is repaired at once.

    document, group : int64, shape (cases,)
    case : int64, shape (errors,), the case that each error is repaired in; -1 for none
    """

    document: Ints
    group: Ints
    case: Ints

    @classmethod
    def of(cls, d: Differences, groups: Ints) -> Cases:
        """groups : shape (errors,), the group of each error, -1 for none"""
        errors = np.flatnonzero(groups >= 0)
        errors = errors[order_by(d.document[errors], groups[errors])]
        new = starts_of_runs(d.document[errors], groups[errors])
        case = np.full(len(d), -1, dtype=np.int64)
        case[errors] = np.cumsum(new) - 1
        return cls(d.document[errors[new]], groups[errors[new]], case)


def repaired_tables(d: Differences, cases: Cases, *, whole: bool = False) -> Iterator[Table]:
    """Tables of all cases in order, a document for each, some thousands of cases a table.

    whole : whether they hold whole documents, instead of what is different from the table of the evaluation
    """
    plan = _Plan.of(d, cases, whole)
    first = 0
    while first < len(cases.document):
        after = max(first + 1, int(np.searchsorted(plan.rows, plan.rows[first] + BLOCK, side="right")) - 1)
        copies = plan.copies(first, after)
        now = _table(d, plan.slots, copies, cases.case, np.arange(first, after))
        if whole:
            yield now
        else:
            was = _table(d, plan.slots, copies, cases.case, np.full(after - first, -2))
            old = table_of(d.pair)
            yield _beside([now, was, old], Fold(cases.document[first:after], 2 * (after - first) + old.documents))
        first = after


def mentions_to_count(d: Differences, cases: Cases) -> int:
    """How many mentions the tables of all cases have: what they cost in time."""
    return int(_Plan.of(d, cases, whole=False).rows[-1])


class _Plan(NamedTuple):
    """Which scopes, components or documents, each case has.

    case, scope : shape (copies,), ordered by case
    entry : shape (cases + 1,), where the copies of each case begin
    rows  : shape (cases + 1,), how many mentions there are before each case
    rank  : shape (key entities,), of each key entity within its scope
    """

    slots: _Slots
    keys: _Rows
    mentions: _Rows
    rank: Ints
    case: Ints
    scope: Ints
    entry: Ints
    rows: Ints

    @classmethod
    def of(cls, d: Differences, cases: Cases, whole: bool) -> _Plan:
        slots = _slots(d)
        key_scope, response_scope = _documents(d) if whole else d.components
        scopes = 1 + max(key_scope.max(initial=-1), response_scope.max(initial=-1))
        keys = _Rows.of(key_scope, scopes)
        mentions = _Rows.of(_first(at(key_scope, slots.key_entity), at(response_scope, slots.entity)), scopes)
        errors = np.flatnonzero(cases.case >= 0)
        case = cases.case[errors]
        scope = _first(at(key_scope, d.key_entity), at(response_scope, d.response_entity))[errors]
        order = order_by(case, scope)
        order = order[starts_of_runs(case[order], scope[order])]
        entry = np.searchsorted(case[order], np.arange(len(cases.document) + 1))
        rows = np.concatenate([[0], np.cumsum(mentions.sizes(scope[order]))])[entry]
        rank = inverse(keys.order) - keys.offsets[key_scope]
        return cls(slots, keys, mentions, rank, case[order], scope[order], entry, rows)

    def copies(self, first: int, after: int) -> _Copies:
        """Of the cases from `first` up to `after`."""
        part = slice(self.entry[first], self.entry[after])
        scope = self.scope[part]
        return _Copies(
            self.case[part] - first, after - first, *self.keys.expanded(scope), *self.mentions.expanded(scope), self.rank
        )


class _Slots(NamedTuple):
    """All mentions that a repaired response may have: those of the response, then the key's that it misses. Shape (slots,).

    key_entity : of the mention, or of its counterpart; -1 if it is spurious
    matched    : whether it is matched once it is there
    entity     : the response entity; -1 if it is not there
    error, boundary : numbers of errors, -1 for none
    place      : in the order of the text
    """

    key_entity: Ints
    matched: NDArray[np.bool_]
    entity: Ints
    error: Ints
    boundary: Ints
    place: Ints


def _slots(d: Differences) -> _Slots:
    key, response = d.pair.matching.key, d.pair.matching.response
    key_place, response_place = _places(d)
    counterpart, missed = d.response_counterpart, np.flatnonzero(d.key_counterpart < 0)
    boundary, absent = at(d.key_span_error, counterpart), np.full(len(missed), -1)
    return _Slots(
        key_entity=np.concatenate([at(key.entity, counterpart), key.entity[missed]]),
        matched=np.concatenate([(counterpart >= 0) & (boundary < 0), np.ones(len(missed), dtype=bool)]),
        entity=np.concatenate([response.entity, absent]).astype(np.int64),
        error=np.concatenate([d.response_error, d.key_error[missed]]),
        boundary=np.concatenate([boundary, absent]),
        place=np.concatenate([response_place, key_place[missed]]),
    )


def _places(d: Differences) -> tuple[Ints, Ints]:
    """Where each mention of key and of response stands in the order of both, as `referee.corpus.reading_order` has it."""
    key, response = d.pair.matching.on_common_positions
    if key.items is not None and response.items is not None:
        names = [*key.items, *response.items]
        rank = {name: n for n, name in enumerate(sorted(set(names)))}
        places = np.array([rank[name] for name in names], dtype=np.int64)
    else:
        start, end = (np.concatenate([getattr(s, c) for s in (key, response)]).astype(np.int64) for c in ("start", "end"))
        length = end - start
        places = inverse(order_by(start, np.where(length == 1, 0, length.max(initial=0) + 1 - length)))
    return places[: len(key.document)], places[len(key.document) :]


def _documents(d: Differences) -> tuple[Ints, Ints]:
    """The document of each key entity and of each response entity."""
    return d.pair.key.entity_document.astype(np.int64), d.pair.response.entity_document.astype(np.int64)


class _Rows(NamedTuple):
    """Rows by the scope they belong to, a component or a document: in the order of the scopes, and where each scope begins."""

    order: Ints
    offsets: Ints

    @classmethod
    def of(cls, scope: Ints, scopes: int) -> _Rows:
        order = order_by(scope)
        return cls(order, np.searchsorted(scope[order], np.arange(scopes + 1)))

    def expanded(self, scope: Ints) -> tuple[Ints, Ints]:
        """The rows of some scopes, one scope after another: where the scope stands in the argument, and the row."""
        which, place = ranges(self.offsets[scope], self.offsets[scope + 1])
        return which, self.order[place]

    def sizes(self, scope: Ints) -> Ints:
        sizes: Ints = self.offsets[scope + 1] - self.offsets[scope]
        return sizes


class _Copies(NamedTuple):
    """Copies of scopes, one or more for each document to be made, with their key entities and slots.

    document : shape (copies,), not decreasing
    key_copy, key_entity : shape (key entities of all copies,)
    slot_copy, slot      : shape (slots of all copies,)
    rank     : of each key entity within its scope
    """

    document: Ints
    documents: int
    key_copy: Ints
    key_entity: Ints
    slot_copy: Ints
    slot: Ints
    rank: Ints


def _table(d: Differences, slots: _Slots, copies: _Copies, case: Ints, repaired: Ints) -> Table:
    """The table of documents in each of which the errors of the case `repaired[document]` are repaired."""
    slot, copy = copies.slot, copies.slot_copy
    key_entity, error = slots.key_entity[slot], slots.error[slot]
    wanted = repaired[copies.document[copy]]
    own = len(d.best_key) + key_entity  # a response entity that a repair makes
    merged = np.full(len(d.best_response), -1, dtype=np.int64)
    merged[d.key_entity[d.kind == MERGED]] = np.flatnonzero(d.kind == MERGED)
    home = np.where(at(case, at(merged, key_entity)) == wanted, own, at(d.best_response, key_entity))
    kind = np.where(at(case, error) == wanted, at(d.kind, error), -1)
    entity = slots.entity[slot]
    for kinds, made in (
        ((MERGED, MISSED_ENTITY), own),
        ((SPLIT, MISPLACED, MISSED), home),
        ((SPURIOUS, SPURIOUS_ENTITY), np.full(len(slot), -1)),
    ):
        entity = np.where(np.isin(kind, kinds), made, entity)
    there = np.flatnonzero(entity >= 0)
    matched = (slots.matched[slot] | (at(case, slots.boundary[slot]) == wanted))[there]
    copy, entity, place, key_entity = copy[there], entity[there], slots.place[slot][there], key_entity[there]

    by_entity = order_by(copy, entity, place)
    new = starts_of_runs(copy[by_entity], entity[by_entity])
    opening = by_entity[new]  # the first mention of each response entity
    by_text = order_by(copies.document[copy[opening]], place[opening])
    response = np.empty(len(there), dtype=np.int64)
    response[by_entity] = inverse(by_text)[np.cumsum(new) - 1]
    entity, response_document = entity[opening][by_text], copies.document[copy[opening]][by_text]

    found = np.flatnonzero(matched)
    key_importance, response_importance = table_of(d.pair).key_importance, table_of(d.pair).response_importance
    table = Table.of(
        np.searchsorted(copies.key_copy, copy[found]) + copies.rank[key_entity[found]],
        response[found],
        d.pair.key.entity_size[copies.key_entity],
        np.bincount(response, minlength=len(entity)),
        copies.document[copies.key_copy],
        response_document,
        copies.documents,
    )
    if key_importance is None or response_importance is None:
        return table
    response_importance = np.concatenate([response_importance, key_importance])[entity]
    return replace(table, key_importance=key_importance[copies.key_entity], response_importance=response_importance)


def _beside(tables: Sequence[Table], fold: Fold) -> Table:
    """One table whose parts are the documents of all tables, one table after the other."""
    keys, responses, documents = (
        np.cumsum([0, *lengths])
        for lengths in (
            [len(t.key_size) for t in tables],
            [len(t.response_size) for t in tables],
            [t.documents for t in tables],
        )
    )

    def joined(name: str, offsets: Ints | None = None) -> Any:
        columns = [getattr(t, name) for t in tables]
        if columns[0] is None:
            return None
        return np.concatenate(columns if offsets is None else [c + n for c, n in zip(columns, offsets, strict=False)])

    return Table(
        joined("key", keys), joined("response", responses), joined("shared"), joined("key_size"), joined("response_size"),
        joined("key_document", documents), joined("response_document", documents), len(fold.document),
        joined("key_importance"), joined("response_importance"), fold=fold,
    )  # fmt: skip


def _first(a: Ints, b: Ints) -> Ints:
    """Of each two values the first, or the second where the first is -1."""
    return np.where(a >= 0, a, b)
