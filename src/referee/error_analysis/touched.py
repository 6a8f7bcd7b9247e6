"""Tables of what repairs touch, where a metric needs no more: costs of single errors in large connected components.

A repair moves few mentions. It touches the key entities of these (rows of the table), and the response entities that lose or
gain them (columns). So a case has two small tables: one as it is when repaired, and one as it was. Both have the cells of all
touched rows and columns. Other entities that these meet have their sizes, and not all of their cells. They have the same cells
in both tables, so that what a metric counts there is the same. So a sum over the repaired document is the sum over the first
table, minus that over the second one, plus that over the document.

The best alignment of entities may change anywhere in a connected component. `referee.error_analysis.prices` tells for which
cases prices prove that it does not change beyond what is touched. In the other cases `referee.algorithms.realignment` finds how
far the change goes. Cases are uncertain where there are no prices, or where that would take more work than is affordable.

Examples
--------
>>> import numpy as np
>>> from referee import score
>>> from referee.error_analysis.differences import differences
>>> from referee.metrics import muc
>>> d = differences(score([{"a", "b", "c"}, {"d", "e", "f"}], [{"a", "b"}, {"c", "d", "e"}]).pair)
>>> cases = Cases.of(d, groups=np.array([0, 1]))
>>> (table,) = touched_tables(d, cases, ChangedRegion.of(d, cases))
>>> muc.count(table).columns["recall_numerator"].tolist()
[3, 3]
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, Numbers, argsort, pack, starts_of_runs, tally
from referee.algorithms.assignment import assign
from referee.algorithms.meeting_trees import Edge
from referee.basics import progress
from referee.error_analysis.differences import Differences, at
from referee.error_analysis.prices import Prices, prices
from referee.error_analysis.realigned import Realigned, Visits
from referee.error_analysis.repairs import BLOCK, Cases, GroupedRows, Repaired, beside, repaired, slots_of
from referee.metrics.table import Alignment, Table, table_of

MENTIONS = 4
"""A touched cell takes as long as so many mentions of `referee.error_analysis.repairs`."""

MENTIONS_OF_VISIT = 2
"""So does an edge that is visited to find an alignment again."""


def touched_tables(d: Differences, cases: Cases, touched: ChangedRegion, limit: float = inf) -> Iterator[Table]:
    """Make the tables of all cases in order: a document for each case, up to some thousands of cases in a table.

    Parameters
    ----------
    d : Differences
        The errors.
    cases : Cases
        The errors to repair.
    touched : ChangedRegion
        What their repairs touch.
    limit : number
        Alignments are not looked for when that has taken as long as counting so many mentions.

    Notes
    -----
    `Table.wrong` tells of which cases a metric has asked for an alignment that is not found here: their counts are wrong.
    """
    cells, first, visits = touched.cells, 0, Visits(limit / MENTIONS_OF_VISIT)
    while first < len(cases.document):
        progress.step("repairing errors", first, len(cases.document))
        after = max(first + 1, int(np.searchsorted(cells, cells[first] + BLOCK // MENTIONS, side="right")) - 1)
        yield _table(d.memo_call(BaseTable), touched.between(first, after), cases.document[first:after], visits)
        first = after


class _TouchedSums(Repaired):
    """How sums over repaired documents are made of sums over small tables; and their alignments, where they are certain.

    Parameters
    ----------
    old : BaseTable
    document
        As of `Repaired`.
    touched : _Entities
        Touched response entities of cases.
    keys, responses : _Entities
        Those of the small tables.
    visits : Visits
        How many edges may still be visited.
    """

    def __init__(
        self, old: BaseTable, document: Ints, touched: _Entities, keys: _Entities, responses: _Entities, visits: Visits
    ) -> None:
        super().__init__(document, old.table)
        self._old, self._touched, self._keys, self._responses, self._visits = old, touched, keys, responses, visits

    def aligned(self, table: Table, similarity: Callable[[Table], Numbers]) -> Alignment:
        """The best alignment has the similarity of the old one, less old prices of touched response entities, plus new ones.

        So a cell of each such entity has its price.
        """
        weight, before = similarity(table), self._old.table.alignment(similarity).weight
        cases, r = len(self.document), self._responses
        case = np.where(r.document < cases, r.document, r.document - cases)  # a remainder takes ten times as long
        touched = self._touched.has(case, r.entity)
        response = table.response[: len(weight) - len(before)]
        cell = np.flatnonzero((touched & (r.document < cases))[response])
        bids = _Bids(self._keys.entity[table.key[cell]], response[cell], case[response[cell]], weight[cell])
        price, uncertain = np.zeros(len(case), dtype=np.result_type(weight, np.int64)), np.ones(cases, dtype=bool)
        for known in self._old.prices(similarity):
            bids = _Bids(*(column[uncertain[bids.case]] for column in bids))
            prices = np.where(touched & (r.document >= cases), _at_or_0(known.response, r.entity), 0)
            np.maximum.at(prices, bids.response, bids.weight - known.key[bids.key])
            proved = uncertain & self._proved(known, bids, prices)
            price, uncertain = np.where(proved[case], prices, price), uncertain & ~proved
        aligned = np.concatenate([np.zeros(len(response), dtype=weight.dtype), before])
        first = np.zeros(len(price), dtype=np.int64)
        first[response[::-1]] = np.arange(len(response))[::-1]
        aligned[first[price > 0]] = price[price > 0]
        if uncertain.any() and self._old.table.alignment(similarity).slack is None:
            self._realign(table, self._old.realigned(similarity), response, cell, uncertain, aligned)
        return Alignment(aligned, None, uncertain)

    def _realign(self, table: Table, known: Realigned, response: Ints, cell: Ints, uncertain: Bools, aligned: Numbers) -> None:
        """Find the best alignments of uncertain cases, as far as the visits suffice.

        What an alignment gains is put into cells of the case as repaired; or, with the other sign, as it was. `response` has
        the place of the response entity of each cell of the small tables, `cell` those of touched entities as repaired.
        """
        cases, of_case = len(self.document), defaultdict[int, dict[int, list[Edge]]](dict)
        touched = np.flatnonzero(uncertain[self._touched.document])
        columns: Iterable[Numbers] = (self._touched.document[touched], self._touched.entity[touched])
        for case, entity in zip(*(column.tolist() for column in columns), strict=True):
            of_case[case][entity] = []
        weight, document = known.similarity(table), self._responses.document[response]
        cell = cell[uncertain[document[cell]] & (weight[cell] > 0)]
        columns = document[cell], self._responses.entity[response[cell]], self._keys.entity[table.key[cell]], weight[cell]
        for case, entity, key, similarity in zip(*(column.tolist() for column in columns), strict=True):
            of_case[case][entity].append((key, similarity))
        first = np.searchsorted(document, np.arange(2 * cases + 1)).tolist()
        for case, entities in of_case.items():
            gain = known.gain(list(entities), list(entities.values()), self._visits)
            if gain is None:
                return
            uncertain[case] = False
            repaired, old = (range(first[part], first[part + 1]) for part in (case, cases + case))
            for term, (at_cell, sign) in zip(
                gain, [*((n, 1) for n in repaired[:2]), *((n, -1) for n in old[:2])], strict=False
            ):
                aligned[at_cell] = sign * term

    def _proved(self, known: Prices, bids: _Bids, price: Numbers) -> Bools:
        """Whether touched response entities with a price, and key entities that have lost their partners, find new ones.

        Partners are worth their prices. A key entity may leave a partner that costs nothing.
        """
        cases, partner, cost = len(self.document), known.key_partner[bids.key], known.key[bids.key]
        left = self._touched.has(bids.case, partner)
        free = left | (_at_or_0(known.response, partner) == 0)
        fair = np.flatnonzero(free & (bids.weight - cost == price[bids.response]))
        settled = ((price[bids.response] > 0) + (left & (cost > 0)).astype(np.float64))[fair]
        key = _Entities.of(bids.case, bids.key, self._keys.numbers)
        partners = assign(key.place(bids.case, bids.key)[fair], bids.response[fair], settled, len(key.code), len(price)).edges
        lost = at(known.response_partner, np.where(self._touched.entity < len(known.response), self._touched.entity, -1))
        selling = self._touched.document[_at_or_0(known.key, lost) > 0]
        buying = self._responses.document[price > 0]
        owed = tally(selling, minlength=cases) + tally(buying, minlength=2 * cases)[:cases]
        return np.asarray(tally(bids.case[fair][partners], settled[partners], cases) == owed)


class _Bids(NamedTuple):
    """Cells of touched response entities, as repaired: key entity, place of the response entity, case, similarity."""

    key: Ints
    response: Ints
    case: Ints
    weight: Numbers


class BaseTable:
    """The table of the response as it is, with the cells of each entity, and its prices."""

    def __init__(self, d: Differences) -> None:
        self.table = t = table_of(d.pair)
        self.keys, self.responses = len(t.key_size), len(t.response_size)
        self.of_key, self.of_response = GroupedRows.of(t.key, self.keys), GroupedRows.of(t.response, self.responses + 1)
        self._prices: dict[Callable[[Table], Numbers], list[Prices]] = {}
        self._realigned: dict[Callable[[Table], Numbers], Realigned] = {}

    def prices(self, similarity: Callable[[Table], Numbers]) -> list[Prices]:
        """The prices by a similarity."""
        if similarity not in self._prices:
            self._prices[similarity] = prices(self.table, similarity)
        return self._prices[similarity]

    def realigned(self, similarity: Callable[[Table], Numbers]) -> Realigned:
        """The alignment by a similarity, of which changes are tried."""
        if similarity not in self._realigned:
            self._realigned[similarity] = Realigned(self.table, similarity)
        return self._realigned[similarity]


@dataclass(frozen=True, eq=False)
class _Entities:
    """Distinct entities of cases or documents, sorted; a code has the document and the number of the entity."""

    code: Ints
    numbers: int

    @classmethod
    def of(cls, document: Ints, entity: Ints, numbers: int) -> _Entities:
        code = np.sort(document * numbers + entity, kind="stable")  # of few runs that are sorted already
        return cls(code[starts_of_runs(code)], numbers)

    @cached_property
    def document(self) -> Ints:
        return self.code // self.numbers

    @cached_property
    def entity(self) -> Ints:
        return self.code - self.document * self.numbers

    def place(self, document: Ints, entity: Ints) -> Ints:
        """Where these entities, which are there, are."""
        return np.searchsorted(self.code, document * self.numbers + entity)

    def has(self, document: Ints, entity: Ints) -> Bools:
        """Whether these entities are there; -1 is none."""
        place, code = self.place(document, entity), document * self.numbers + entity
        return np.asarray((entity >= 0) & (np.append(self.code, -1)[place] == code))

    def between(self, first: int, after: int) -> _Entities:
        """Those of some documents, which are numbered from 0 on."""
        a, b = np.searchsorted(self.code, np.array([first, after]) * self.numbers)
        return _Entities(self.code[a:b] - first * self.numbers, self.numbers)


class _Moves(NamedTuple):
    """Mentions that repairs change, ordered by case.

    Parameters
    ----------
    case, key : int64, shape (moves,)
        The case, and the key entity; -1 for none.
    before, after : int64, shape (moves,)
        The response entity of the mention, -1 for none.
    lost, gained : int64, shape (moves,)
        The same if the mention is matched, else -1.
    """

    case: Ints
    key: Ints
    before: Ints
    after: Ints
    lost: Ints
    gained: Ints

    @classmethod
    def of(cls, d: Differences, cases: Cases) -> _Moves:
        slots = d.memo_call(slots_of)
        by_error, by_span = at(cases.case, slots.error), at(cases.case, slots.span_error)
        case = np.concatenate([by_error, np.where(by_span == by_error, -1, by_span)])
        rows = np.flatnonzero(case >= 0)
        rows = rows[argsort(case[rows])]
        case, slot = case[rows], rows % max(len(by_error), 1)
        after, matched = repaired(d, slot, cases.case, case)
        before = slots.entity[slot]
        lost, gained = np.where(slots.matched[slot], before, -1), np.where(matched, after, -1)
        return cls(case, slots.key_entity[slot], before, after, lost, gained)


class ChangedRegion(NamedTuple):
    """What the repairs of cases touch.

    Parameters
    ----------
    moves : _Moves
    keys, responses : _Entities
        Touched entities of cases. Response entities are those of the table, and one for each key entity that a repair may make.
    cells : int64, shape (cases + 1,)
        The number of touched entities and cells before each case; what is in two touched entities counts twice.
    """

    moves: _Moves
    keys: _Entities
    responses: _Entities
    cells: Ints

    @property
    def mentions(self) -> int:
        """The number of mentions that are counted in the same time."""
        return MENTIONS * int(self.cells[-1])

    @classmethod
    def of(cls, d: Differences, cases: Cases) -> ChangedRegion:
        """What the repairs of these cases touch."""
        old, moves = d.memo_call(BaseTable), _Moves.of(d, cases)
        case, response = np.tile(moves.case, 2), np.concatenate([moves.before, moves.after])
        keys = _Entities.of(moves.case[moves.key >= 0], moves.key[moves.key >= 0], old.keys)
        responses = _Entities.of(case[response >= 0], response[response >= 0], old.responses + old.keys)
        sizes = old.of_key.sizes(keys.entity), old.of_response.sizes(np.minimum(responses.entity, old.responses))
        case = np.concatenate([keys.document, responses.document])
        cells = tally(case, np.concatenate(sizes) + 1, len(cases.document)).astype(np.int64)
        return cls(moves, keys, responses, np.concatenate([[0], np.cumsum(cells)]))

    def between(self, first: int, after: int) -> ChangedRegion:
        """That of some cases, which are numbered from 0 on."""
        moves = _Moves(*(column[slice(*np.searchsorted(self.moves.case, [first, after]))] for column in self.moves))
        entities = self.keys.between(first, after), self.responses.between(first, after)
        return ChangedRegion(moves._replace(case=moves.case - first), *entities, self.cells[first : after + 1])


class _CaseCells(NamedTuple):
    """Cells of cases or documents: shapes (cells,)."""

    document: Ints
    key: Ints
    response: Ints
    shared: Ints

    @classmethod
    def joined(cls, *parts: tuple[Ints, Ints, Ints, Ints | int]) -> _CaseCells:
        """Cells one after the other; a number stands for a column of it."""
        rows = [np.broadcast_arrays(*part) for part in parts]
        return cls(*(np.concatenate(columns) for columns in zip(*rows, strict=True)))

    def added(self) -> _CaseCells:
        """The cells in their order, each once, with the sum of what they share. Cells that share nothing are left out."""
        packed = pack(self.document, self.key, self.response)
        order = argsort(*self[:3]) if packed is None else np.argsort(packed, kind="stable")  # as in `_Entities.of`
        document, key, response, shared = (column[order] for column in self)
        first = np.flatnonzero(starts_of_runs(document, key, response))
        sums = np.add.reduceat(shared, first) if len(first) else shared
        first, sums = first[sums > 0], sums[sums > 0]
        return _CaseCells(document[first], key[first], response[first], sums)


def _table(old: BaseTable, touched: ChangedRegion, document: Ints, visits: Visits) -> Table:
    """The small tables of some cases, and the table of all documents."""
    t, (moves, keys, responses, _), n = old.table, touched, len(document)
    cells = _cells(old, touched)
    lost, gained = moves.lost >= 0, moves.gained >= 0
    cells = _CaseCells.joined(
        cells,
        (cells.document + n, *cells[1:]),
        (moves.case[lost], moves.key[lost], moves.lost[lost], -1),
        (moves.case[gained], moves.key[gained], moves.gained[gained], 1),
    ).added()
    key = _Entities.of(*_both(keys, n, cells.document, cells.key), keys.numbers)
    response = _Entities.of(*_both(responses, n, cells.document, cells.response), responses.numbers)
    response_size = np.append(t.response_size, np.zeros(old.keys, dtype=np.int64))[response.entity]
    for mentions, change in ((moves.before, -1), (moves.after, 1)):
        there = mentions >= 0
        np.add.at(response_size, response.place(moves.case[there], mentions[there]), change)
    response, response_size = _Entities(response.code[response_size > 0], response.numbers), response_size[response_size > 0]
    table = Table(
        key.place(cells.document, cells.key), response.place(cells.document, cells.response), cells.shared,
        t.key_size[key.entity], response_size, key.document, response.document, 2 * n,
    )  # fmt: skip
    table = t.with_copies(table, key.entity, response.entity)
    return beside([table], _TouchedSums(old, document, responses, key, response, visits))


def _cells(old: BaseTable, touched: ChangedRegion) -> _CaseCells:
    """The cells of the touched entities of each case, before repairs."""
    t, (_, keys, responses, _) = old.table, touched
    row, of_row = old.of_key.expanded(keys.entity)
    column, of_column = old.of_response.expanded(np.minimum(responses.entity, old.responses))
    case = np.concatenate([keys.document[row], responses.document[column]])
    both = _Entities.of(case, np.concatenate([of_row, of_column]), len(t.key) + 1)
    case, cell = both.document, both.entity
    return _CaseCells(case, t.key[cell], t.response[cell], t.shared[cell])


def _both(touched: _Entities, n: int, document: Ints, entity: Ints) -> tuple[Ints, Ints]:
    """The documents and numbers of entities of cells, and of those that are touched, as repaired and as they were."""
    documents = np.concatenate([document, touched.document, touched.document + n])
    return documents, np.concatenate([entity, touched.entity, touched.entity])


def _at_or_0(column: Numbers, row: Ints) -> Numbers:
    """The values of a column in these rows, 0 where the row is -1 or past the last one."""
    inside = (row >= 0) & (row < len(column))
    return np.where(inside, np.append(column, 0)[np.where(inside, row, -1)], 0)
