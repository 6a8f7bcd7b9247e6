"""Candidates of documents in which very many mentions overlap, without the pairs that cannot be chosen.

Of n mentions one inside another, n² pairs overlap. To list them all takes memory without bounds, so they are made in blocks,
of which little is kept. Connected groups that `one_to_one` matches by whole numbers keep all their pairs. In a larger one, the
best few pairs of each key mention are matched, with prices (`auction`, `meeting_trees`). Then all pairs are compared with these
prices. Those that weigh more than the prices of their ends are added, and the group is matched again. If there are none, no
matching of the group is heavier.

Where no other matching is as heavy either, the pairs of the matching are the only ones that anyone needs. Another one would
take only tight pairs, which weigh as much as the prices of their ends. Draw an arc from the key mention of each tight pair to
the key mention that has its response mention. The difference of two matchings is a cycle of such arcs, or a path whose ends may
stay free, and a node that stands for "free" makes a cycle of it, too. Without cycles there is one matching. A group that has
one, or that takes too much work, keeps all its pairs.

References
----------
Dantzig, G. B. and Wolfe, P. (1960). Decomposition principle for linear programs. *Operations Research* 8: to add what the
prices of a smaller problem show to be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, arange, argsort, locations, ranked, starts_of_runs, tally
from referee.algorithms.assignment import BUDGET
from referee.algorithms.components import joined
from referee.corpus import Corpus
from referee.matching.one_to_one import LARGEST
from referee.matching.spans import Candidates, mention_rows

Find: TypeAlias = Callable[[Corpus, Corpus], Candidates]
"""What finds the candidates among the overlapping pairs of some mentions of both sides."""

MANY = 1 << 16
"""Overlapping pairs that are made at once. If there are more, documents with more than `LARGEST` of them a key mention are made
in blocks: groups of so many keep all their pairs anyway."""
BEST = 8
"""Pairs of each key mention with which the matching begins, and that a comparison with the prices may add."""
ROUNDS = 16
"""How often pairs are added."""
TIE, ROUNDING = 1e-8, 1e-13
"""Differences of weights that may be a tie, and those that are rounding."""


def needed_candidates(key: Corpus, response: Corpus, find: Find) -> Candidates:
    """Return candidates from which `one_to_one` chooses the same pairs as from all of them, perhaps in another order.

    Parameters
    ----------
    key, response : Corpus
        On common positions.
    find : callable
        Gives the candidates among mentions of both sides that overlap.
    """
    overlaps = _overlaps(key, response)
    if overlaps.sum() <= MANY:
        return find(key, response)
    rows = [arange(len(side.document)) for side in (key, response)]
    needed = [np.ones(len(of), dtype=bool) for of in rows]  # those of which all pairs are
    matched: list[Candidates] = []
    for document in np.flatnonzero(tally(key.document, overlaps) > LARGEST * tally(key.document)):
        here = [np.flatnonzero(side.document == document) for side in (key, response)]
        sides = [mention_rows(side, of) for side, of in zip((key, response), here, strict=True)]
        found, *finished = _OverlapBlocks(sides[0], sides[1], overlaps[here[0]], find).matched()
        matched.append(_renumbered(found, *here))
        for of_side, of, done in zip(needed, here, finished, strict=True):
            of_side[of[done]] = False
    left = [of[there] for of, there in zip(rows, needed, strict=True)]
    rest = find(*(mention_rows(side, of) for side, of in zip((key, response), left, strict=True)))
    return _together([_renumbered(rest, *left), *matched])


def _overlaps(key: Corpus, response: Corpus) -> Ints:
    """How many response mentions each key mention may overlap: those that begin before its end and end after its start."""
    starts, ends = (np.sort(locations(response.document, edge)) for edge in (response.start, response.end))
    before_end = starts.searchsorted(locations(key.document, key.end))
    after_start = ends.searchsorted(locations(key.document, key.start), side="right")
    return np.asarray(np.maximum(before_end - after_start, 0))


def _renumbered(found: Candidates, keys: Ints, responses: Ints) -> Candidates:
    """Candidates among some of the mentions, with the numbers of all mentions."""
    return Candidates(keys[found.key], responses[found.response], found.shared, found.size)


def _together(parts: list[Candidates]) -> Candidates:
    """The candidates of all parts."""
    return Candidates(*map(np.concatenate, zip(*parts, strict=True)))


def _rows(candidates: Candidates, which: Ints | Bools | slice) -> Candidates:
    """Some of the candidates."""
    return Candidates(*(column[which] for column in candidates))


def _best(key: Ints, loss: Floats) -> Ints:
    """The rows of the pairs of each key mention that lose least."""
    order = argsort(key, (loss * (1 << 24)).astype(np.int64))  # as fine as it must be for a choice that may be any
    row = arange(len(order))
    place = row - np.maximum.accumulate(np.where(starts_of_runs(key[order]), row, 0))
    return order[place < BEST]


class _ProvenMatching(NamedTuple):
    """A heaviest matching of some pairs, and prices that prove it. Response mentions are numbered after the key mentions."""

    price: Floats
    mate: Ints  # -1 for none


class _OverlapBlocks:
    """The overlapping mentions of a document, whose candidates are made a block at a time."""

    def __init__(self, key: Corpus, response: Corpus, overlaps: Ints, find: Find) -> None:
        self.key, self.response, self.find = key, response, find
        self.keys, self.responses = len(key.document), len(response.document)
        self.edges = np.flatnonzero(np.diff(np.cumsum(overlaps) // MANY, prepend=-1, append=-1))

    def blocks(self) -> Iterator[Candidates]:
        """All candidates, by key mentions."""
        for first, after in zip(self.edges[:-1].tolist(), self.edges[1:].tolist(), strict=True):
            mentions = np.arange(first, after)
            found = self.find(mention_rows(self.key, mentions), self.response)
            yield _renumbered(found, mentions, arange(self.responses))

    def matched(self) -> tuple[Candidates, Bools, Bools]:
        """The pairs of all groups that are large and have one best matching; and the key and response mentions in no other."""
        label, pairs = arange(self.keys + self.responses), []
        alone = np.ones(len(label), dtype=bool)
        for block in self.blocks():
            alone[block.key] = alone[block.response + self.keys] = False
            label = joined(label, block.key, block.response + self.keys)
            pairs.append(_rows(block, _best(block.key, 1 - block.shared / block.size)))
        size = np.maximum(*(tally(of, minlength=len(label)) for of in (label[: self.keys], label[self.keys :])))
        certain, chosen = self._certain(label, size > LARGEST, _together(pairs))
        finished = alone | certain[label]
        return chosen, finished[: self.keys], finished[self.keys :]

    def _certain(self, label: Ints, large: Bools, pairs: Candidates) -> tuple[Bools, Candidates]:
        """Whether each label is that of a large group with one best matching; and the pairs of these matchings."""
        for _ in range(ROUNDS):
            pairs = _rows(pairs, large[label[pairs.key]])
            if not len(pairs.key) or (matching := self._matching(pairs)) is None:
                break
            missing, tight = self._compared(matching, large[label])
            if tight is not None:
                large[_tied(matching, *tight, label, self.keys)] = False  # more pairs hardly change that
            if not len(missing.key):
                if tight is None:
                    break
                chosen = large[label[pairs.key]] & (matching.mate[pairs.key] == pairs.response + self.keys)
                return large, _rows(pairs, chosen)
            pairs = _together([pairs, missing])
        return np.zeros_like(large), _rows(pairs, slice(0))

    def _matching(self, pairs: Candidates) -> _ProvenMatching | None:
        """A heaviest matching of these pairs, or None if it takes too much work."""
        from referee.algorithms.auction import auction  # few corpora need the two
        from referee.algorithms.meeting_trees import MeetingTrees

        key, response, weight = pairs.key, pairs.response + self.keys, pairs.shared / pairs.size
        price, mate = np.zeros(self.keys + self.responses), np.full(self.keys + self.responses, -1)
        row, column = ranked(key), ranked(response)
        row_price, column_price, taken = auction(row, column, weight)
        price[key], price[response] = row_price[row], column_price[column]
        mate[key[taken]], mate[response[taken]] = response[taken], key[taken]
        prices, mates = price.tolist(), mate.tolist()
        certain = MeetingTrees(key, response, weight, prices, mates).grow(BUDGET)
        return _ProvenMatching(np.array(prices), np.array(mates)) if certain else None

    def _compared(self, matching: _ProvenMatching, large: Bools) -> tuple[Candidates, tuple[Ints, Ints] | None]:
        """Pairs that weigh more than their prices; and the ends of those that weigh as much and are not chosen, if not many."""
        missing: list[Candidates] = []
        keys, responses, number, most = list[Ints](), list[Ints](), 0, BEST * len(large)
        for every in self.blocks():
            block = _rows(every, large[every.key])
            response = block.response + self.keys
            gap = matching.price[block.key] + matching.price[response] - block.shared / block.size
            heavier = np.flatnonzero(gap < -ROUNDING)
            missing.append(_rows(block, heavier[_best(block.key[heavier], 1 + gap[heavier])]))
            tight = np.flatnonzero((abs(gap) <= TIE) & (matching.mate[block.key] != response))
            number += len(tight)
            if number <= most:
                keys.append(block.key[tight])
                responses.append(response[tight])
        return _together(missing), (np.concatenate(keys), np.concatenate(responses)) if number <= most else None


def _tied(matching: _ProvenMatching, key: Ints, response: Ints, label: Ints, keys: int) -> Ints:
    """The labels of the groups that may have several best matchings, from the ends of tight pairs that are not chosen.

    Nodes are numbered as mentions, and those that stand for "free", one a group, after them. A matched response mention is the
    node of its key mention.
    """
    price, mate = matching
    is_key, free = np.arange(len(label)) < keys, len(label) + label
    partner_price = np.where(mate >= 0, price[mate], 0)
    takes = np.flatnonzero(is_key & (partner_price <= TIE))
    leaves = np.flatnonzero(np.where(is_key, (mate >= 0) & (price <= TIE), mate < 0))
    node = np.where(is_key | (mate < 0), np.arange(len(label)), mate)
    tail = np.concatenate([key, free[takes], leaves])
    head = np.concatenate([node[response], takes, free[leaves]])
    return np.concatenate([label, arange(len(label))])[_after_cycles(tail, head, 2 * len(label))]


def _after_cycles(tail: Ints, head: Ints, nodes: int) -> Ints:
    """The nodes that are on a cycle of arcs, or after one: those that are left when nodes without arcs to them are taken out.

    Examples
    --------
    >>> _after_cycles(np.array([0, 1, 2, 2]), np.array([1, 2, 1, 3]), 5).tolist()
    [1, 2, 3]
    """
    order = argsort(tail)
    begin = np.concatenate([[0], np.cumsum(tally(tail, minlength=nodes))]).tolist()
    heads, entering = head[order].tolist(), tally(head, minlength=nodes)
    ready, left = np.flatnonzero(entering == 0).tolist(), entering.tolist()
    while ready:
        node = ready.pop()
        for to in heads[begin[node] : begin[node + 1]]:
            left[to] -= 1
            if not left[to]:
                ready.append(to)
    return np.flatnonzero(left)
