"""Tables of a response with errors repaired.

=================================  ======================================================================
error                              repair
=================================  ======================================================================
span                               the response mention takes the span of the key mention
missed                             the mention is added to the best-matching response entity of its entity
missed_entity                      the entity is added
spurious, spurious_entity          the mention or entity is deleted
split, misplaced                   the mentions move to the best-matching response entity of their entity
merged                             the mentions become an entity of their own, now the best-matching one
=================================  ======================================================================

A case is a document with a group of its errors repaired. A large document may have thousands of cases, so the part that no
repair reaches is not counted again. Entities with a common mention are linked, and a case has only the connected components in
which errors are repaired, as they are and as they were; `Repaired` makes sums over the whole document of it. Metrics that see
more than components need `whole` documents. Of what most metrics need, less is enough: `referee.error_analysis.touched`.

Examples
--------
The response has the mention c in the wrong entity, and misses f. Each error is a case of its own:

>>> import numpy as np
>>> from referee import score
>>> from referee.error_analysis.differences import KINDS, differences
>>> from referee.metrics import muc
>>> key, response = [{"a", "b", "c"}, {"d", "e", "f"}], [{"a", "b"}, {"c", "d", "e"}]
>>> d = differences(score(key, response).pair)
>>> [KINDS[kind] for kind in d.kind]
['misplaced', 'missed']
>>> cases = Cases.of(d, groups=np.array([0, 1]))
>>> (table,) = repaired_tables(d, cases)

The table has a document for each case, in which MUC finds 3 of the 4 links of the key if c is moved, and 3 if f is added:

>>> counts = muc.count(table)
>>> counts.columns["recall_numerator"].tolist(), counts.columns["recall_denominator"].tolist()
([3, 3], [4, 4])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, Numbers, argsort, inverse, ranges, starts_of_runs, tally
from referee.algorithms.assignment import assign
from referee.basics import progress
from referee.corpus.strings import Names, ranks
from referee.error_analysis import differences as kinds
from referee.error_analysis.differences import Differences, at
from referee.metrics.folded import FoldedTable, PartSums
from referee.metrics.table import Alignment, Table, table_of

BLOCK = 1 << 20
"""Number of mentions that are counted at a time, roughly."""


class Cases(NamedTuple):
    """Errors that are repaired together: those of one group in one document, in the order of documents.

    Parameters
    ----------
    document, group : int64, shape (cases,)
        The document and the group of each case.
    case : int64, shape (errors,)
        The case in which each error is repaired; -1 for none.
    """

    document: Ints
    group: Ints
    case: Ints

    @classmethod
    def of(cls, d: Differences, groups: Ints) -> Cases:
        """Make the cases; `groups` has the group of each error, -1 for none."""
        errors = np.flatnonzero(groups >= 0)
        errors = errors[argsort(d.document[errors], groups[errors])]
        new = starts_of_runs(d.document[errors], groups[errors])
        case = np.full(len(d), -1, dtype=np.int64)
        case[errors] = np.cumsum(new) - 1
        return cls(d.document[errors[new]], groups[errors[new]], case)

    def some(self, numbers: Ints) -> Cases:
        """Some of the cases, given by their numbers, ascending."""
        number = np.full(len(self.document) + 1, -1, dtype=np.int64)  # the last one is that of errors in no case
        number[numbers] = np.arange(len(numbers))
        return Cases(self.document[numbers], self.group[numbers], number[self.case])


class Repaired(PartSums):
    """How sums over repaired documents are made of sums over parts: what was repaired, as it is; as it was; all documents.

    Parameters
    ----------
    document : int64, shape (cases,)
        The document of each case.
    whole : Table
        All documents, as they were.
    """

    def __init__(self, document: Ints, whole: Table) -> None:
        self.document, self.whole, self.parts = document, whole, 2 * len(document) + whole.documents

    def aligned(self, table: Table, similarity: Callable[[Table], Numbers]) -> Alignment | None:
        """The best alignment; that of all documents is known. None if one of them is not certainly the best."""
        weight, known = similarity(table), self.whole.alignment(similarity)
        before = len(weight) - len(known.weight)
        cells = table.key[:before], table.response[:before], weight[:before].astype(np.float64)
        assignment = assign(*cells, len(table.key_size), len(table.response_size))
        if assignment.slack is not None or known.slack is not None:
            return None
        aligned = np.concatenate([np.zeros(before, dtype=weight.dtype), known.weight])
        aligned[assignment.edges] = weight[assignment.edges]
        return Alignment(aligned, None)

    def __call__(self, sums: Numbers) -> Numbers:
        """Sums of the cases, from those of the parts."""
        cases = len(self.document)
        folded: Numbers = sums[..., :cases] - sums[..., cases : 2 * cases] + sums[..., 2 * cases + self.document]
        return folded


def repaired_tables(d: Differences, cases: Cases, *, whole: bool = False) -> Iterator[Table]:
    """Make the tables of all cases in order: a document for each case, up to some thousands of cases in a table.

    Parameters
    ----------
    d : Differences
        The errors.
    cases : Cases
        The errors to repair.
    whole : bool
        Whether tables have whole documents, instead of the components with repairs.
    """
    scopes = d.memo_call(_documents if whole else _components)
    plan = _ScopePlan.of(d, cases, scopes)
    first = 0
    while first < len(cases.document):
        progress.step("repairing errors", first, len(cases.document))
        after = max(first + 1, int(np.searchsorted(plan.rows, plan.rows[first] + BLOCK, side="right")) - 1)
        copies = plan.copies(scopes, first, after)
        table = _table(d, scopes, copies, cases.case, first)
        if whole:
            yield table
        else:
            old = _table(d, scopes, copies, np.full(len(d), -1, dtype=np.int64), first)
            yield beside([table, old], Repaired(cases.document[first:after], table_of(d.pair)))
        first = after


def mentions_to_count(d: Differences, cases: Cases) -> int:
    """Return the number of mentions in the components of all cases, as they are and as they were; time grows with it."""
    return 2 * int(_ScopePlan.of(d, cases, d.memo_call(_components)).rows[-1])


class _Scopes(NamedTuple):
    """What is counted together: components or documents, numbered document by document.

    Parameters
    ----------
    slots : Slots
        All mentions.
    of_keys, of_responses : shapes (key entities,) and (response entities,)
        The scope of each entity.
    keys, mentions : Rows
        Key entities and slots, by scope.
    rank : shape (key entities,)
        The place of each key entity within its scope.
    """

    slots: Slots
    of_keys: Ints
    of_responses: Ints
    keys: GroupedRows
    mentions: GroupedRows
    rank: Ints

    @classmethod
    def of(cls, d: Differences, key_scope: Ints, response_scope: Ints) -> _Scopes:
        """Number the scopes, which two columns give other numbers."""
        pair, slots = d.pair, d.memo_call(slots_of)
        document = np.concatenate([pair.key.entity_document, pair.response.entity_document])
        scope = np.concatenate([key_scope, response_scope])
        order = argsort(document, scope)
        new = starts_of_runs(document[order], scope[order])
        scope[order] = np.cumsum(new) - 1
        key_scope, response_scope = scope[: len(key_scope)], scope[len(key_scope) :]
        keys = GroupedRows.of(key_scope, int(new.sum()))
        mentions = GroupedRows.of(_first(at(key_scope, slots.key_entity), at(response_scope, slots.entity)), int(new.sum()))
        rank = inverse(keys.order) - keys.offsets[key_scope]
        return cls(slots, key_scope, response_scope, keys, mentions, rank)


def _components(d: Differences) -> _Scopes:
    return _Scopes.of(d, *d.components)


def _documents(d: Differences) -> _Scopes:
    return _Scopes.of(d, *(side.entity_document.astype(np.int64) for side in (d.pair.key, d.pair.response)))


class _ScopePlan(NamedTuple):
    """The scopes of each case.

    Parameters
    ----------
    case, scope : shape (copies,)
        A copy of a scope for each case with repairs in it, ordered by case.
    entry : shape (cases + 1,)
        Where the copies of each case begin.
    rows : shape (cases + 1,)
        The number of mentions before each case.
    """

    case: Ints
    scope: Ints
    entry: Ints
    rows: Ints

    @classmethod
    def of(cls, d: Differences, cases: Cases, scopes: _Scopes) -> _ScopePlan:
        errors = np.flatnonzero(cases.case >= 0)
        case = cases.case[errors]
        scope = _first(at(scopes.of_keys, d.key_entity), at(scopes.of_responses, d.response_entity))[errors]
        order = argsort(case, scope)
        order = order[starts_of_runs(case[order], scope[order])]
        entry = np.searchsorted(case[order], np.arange(len(cases.document) + 1))
        rows = np.concatenate([[0], np.cumsum(scopes.mentions.sizes(scope[order]))])[entry]
        return cls(case[order], scope[order], entry, rows)

    def copies(self, scopes: _Scopes, first: int, after: int) -> _Copies:
        """The copies of the cases from `first` up to `after`."""
        part = slice(self.entry[first], self.entry[after])
        scope = self.scope[part]
        return _Copies(self.case[part] - first, after - first, *scopes.keys.expanded(scope), *scopes.mentions.expanded(scope))


class Slots(NamedTuple):
    """All mentions that a repaired response may have: those of the response, then the missed ones of the key.

    Parameters
    ----------
    key_entity : shape (slots,)
        That of the mention, or of its counterpart; -1 if it is spurious.
    matched : shape (slots,)
        Whether the mention is matched if the response has it.
    entity : shape (slots,)
        The response entity; -1 if the response does not have the mention.
    error, span_error : shape (slots,)
        Numbers of errors, -1 for none.
    place : shape (slots,)
        The place in the order of the text.
    """

    key_entity: Ints
    matched: Bools
    entity: Ints
    error: Ints
    span_error: Ints
    place: Ints


def slots_of(d: Differences) -> Slots:
    """Return all mentions that a repaired response may have."""
    key, response = d.pair.matching.key, d.pair.matching.response
    key_place, response_place = _places(d)
    counterpart, missed = d.response_counterpart, np.flatnonzero(d.key_counterpart < 0)
    span_error, absent = at(d.key_span_error, counterpart), np.full(len(missed), -1)
    return Slots(
        key_entity=np.concatenate([at(key.entity, counterpart), key.entity[missed]]),
        matched=np.concatenate([(counterpart >= 0) & (span_error < 0), np.ones(len(missed), dtype=bool)]),
        entity=np.concatenate([response.entity, absent]).astype(np.int64),
        error=np.concatenate([d.response_error, d.key_error[missed]]),
        span_error=np.concatenate([span_error, absent]),
        place=np.concatenate([response_place, key_place[missed]]),
    )


def _places(d: Differences) -> tuple[Ints, Ints]:
    """The place of each mention of key and of response in the common order, that of `referee.corpus.reading_order`."""
    key, response = d.pair.matching.on_common_positions
    if isinstance(key.items, Names) and isinstance(response.items, Names):
        key_places, response_places = ranks(key.items, response.items)
        return key_places.astype(np.int64), response_places.astype(np.int64)
    if key.items is not None and response.items is not None:
        names = [*key.items, *response.items]
        rank = {name: n for n, name in enumerate(sorted(set(names)))}
        places = np.array([rank[name] for name in names], dtype=np.int64)
    else:
        start, end = (np.concatenate([getattr(s, c) for s in (key, response)]).astype(np.int64) for c in ("start", "end"))
        length = end - start
        places = inverse(argsort(start, np.where(length == 1, 0, length.max(initial=0) + 1 - length)))
    return places[: len(key.document)], places[len(key.document) :]


class GroupedRows(NamedTuple):
    """Rows in the order of the scopes or entities that they belong to, and where the rows of each begin."""

    order: Ints
    offsets: Ints

    @classmethod
    def of(cls, scope: Ints, scopes: int) -> GroupedRows:
        """Sort the rows, each of which belongs to a scope."""
        order = argsort(scope)
        return cls(order, np.searchsorted(scope[order], np.arange(scopes + 1)))

    def expanded(self, scope: Ints) -> tuple[Ints, Ints]:
        """The rows of these scopes, one scope after another: the place of the scope in the argument, and the row."""
        which, place = ranges(self.offsets[scope], self.offsets[scope + 1])
        return which, self.order[place]

    def sizes(self, scope: Ints) -> Ints:
        """The number of rows of each of these scopes."""
        return np.asarray(self.offsets[scope + 1] - self.offsets[scope])


class _Copies(NamedTuple):
    """Copies of scopes, one or more for each document of a table, with their key entities and slots.

    Parameters
    ----------
    document : shape (copies,)
        The document of each copy, not decreasing.
    documents : int
        The number of documents.
    key_copy, key_entity : shape (key entities of all copies,)
        The copy of each key entity, and its number.
    slot_copy, slot : shape (slots of all copies,)
        The copy of each slot, and its number.
    """

    document: Ints
    documents: int
    key_copy: Ints
    key_entity: Ints
    slot_copy: Ints
    slot: Ints


def _table(d: Differences, scopes: _Scopes, copies: _Copies, case: Ints, first_case: int) -> Table:
    """The table of documents in each of which the errors of one case are repaired, from the first case on."""
    slots, slot, copy = scopes.slots, copies.slot, copies.slot_copy
    entity, matched = repaired(d, slot, case, first_case + copies.document[copy])
    there = np.flatnonzero(entity >= 0)
    slot, copy, entity, matched = slot[there], copy[there], entity[there], matched[there]
    place, key_entity = slots.place[slot], slots.key_entity[slot]

    by_entity = argsort(copy, entity, place)
    new = starts_of_runs(copy[by_entity], entity[by_entity])
    opening = by_entity[new]  # the first mention of each response entity
    by_text = argsort(copies.document[copy[opening]], place[opening])
    response = np.empty(len(there), dtype=np.int64)
    response[by_entity] = inverse(by_text)[np.cumsum(new) - 1]
    entity, response_document = entity[opening][by_text], copies.document[copy[opening]][by_text]

    pairs = np.flatnonzero(matched)
    table = Table.of(
        np.searchsorted(copies.key_copy, copy[pairs]) + scopes.rank[key_entity[pairs]],
        response[pairs],
        d.pair.key.entity_size[copies.key_entity],
        tally(response, minlength=len(entity)),
        copies.document[copies.key_copy],
        response_document,
        copies.documents,
    )
    return table_of(d.pair).with_copies(table, copies.key_entity, entity)


def repaired(d: Differences, slot: Ints, case: Ints, wanted: Ints) -> tuple[Ints, Bools]:
    """Return where mentions are when the errors of a case are repaired.

    Parameters
    ----------
    d : Differences
        The errors.
    slot : int64, shape (rows,)
        Mentions, numbered as in `slots_of(d)`.
    case : int64, shape (errors,)
        The case in which each error is repaired; -1 for none.
    wanted : int64, shape (rows,)
        The case of each row, not negative.

    Returns
    -------
    tuple of arrays
        The response entity of each mention, -1 for none; past the last one, the entities that repairs make, one for each key
        entity. And whether the mention is matched.
    """
    slots = d.memo_call(slots_of)
    key_entity, error = slots.key_entity[slot], slots.error[slot]
    new_entity = len(d.best_key) + key_entity
    merged = np.full(len(d.best_response), -1, dtype=np.int64)
    merged[d.key_entity[d.kind == kinds.MERGED]] = np.flatnonzero(d.kind == kinds.MERGED)
    best = np.where(at(case, at(merged, key_entity)) == wanted, new_entity, at(d.best_response, key_entity))
    kind = np.where(at(case, error) == wanted, at(d.kind, error), -1)
    entity = slots.entity[slot]
    for repairs, made in (
        ((kinds.MERGED, kinds.MISSED_ENTITY), new_entity),
        ((kinds.SPLIT, kinds.MISPLACED, kinds.MISSED), best),
        ((kinds.SPURIOUS, kinds.SPURIOUS_ENTITY), np.full(len(slot), -1)),
    ):
        entity = np.where(np.isin(kind, repairs), made, entity)
    return entity, slots.matched[slot] | (at(case, slots.span_error[slot]) == wanted)


def beside(repairs: Sequence[Table], fold: Repaired) -> Table:
    """Return one table whose parts are the documents of all tables, one table after the other, and then all documents."""
    tables = [*repairs, fold.whole]
    keys, responses, documents = (
        np.cumsum([0, *lengths])
        for lengths in zip(*((len(t.key_size), len(t.response_size), t.documents) for t in tables), strict=True)
    )

    def joined(name: str, offsets: Ints | None = None) -> Numbers:
        columns = [getattr(t, name) for t in tables]
        return np.concatenate(columns if offsets is None else [c + n for c, n in zip(columns, offsets, strict=False)])

    columns = {column.name: getattr(fold.whole, column.name) for column in fields(Table) if column.init}
    columns |= {"key": joined("key", keys), "response": joined("response", responses)}
    columns |= {name: joined(name) for name in ("shared", "key_size", "response_size")}
    columns |= {name: joined(name, documents) for name in ("key_document", "response_document")}
    if fold.whole.key_importance is not None:
        columns |= {name: joined(name) for name in ("key_importance", "response_importance")}
    return FoldedTable(**{**columns, "documents": len(fold.document), "links": None, "alignments": {}}, fold=fold)


def _first(a: Ints, b: Ints) -> Ints:
    """The first of each two values, or the second where the first is -1."""
    return np.where(a >= 0, a, b)
