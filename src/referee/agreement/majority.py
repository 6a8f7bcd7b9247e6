"""What most annotators agree on in a document: `decided`.

Mentions
    A mention is one if more than half of all annotators have it, and none if fewer than half do. With exactly half it is
    undecided.
Links
    Of two mentions, those annotators vote who have both: for one entity, or for two. More votes for one entity are a link. As
    many for as against are a tie.
Entities
    What links connect is an entity (they are made transitive), as far as the votes allow. There is a conflict between two
    mentions if links connect them, but most votes are against; or if they are tied and nothing connects them. The mentions with
    the most conflicts are undecided, and are taken out together with their links, until no conflict is left. A mention is
    undecided, too, if all that it was linked to is.

So two annotators never outvote each other: where they differ, nothing is decided. No order of annotators or mentions matters.

A mention on which most agree may be undecided for another one: if the annotators who have both are tied, what they are tied on
is the link of the two, and neither end of it is decided, whoever else has only one of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, arange, argsort, ranges, starts_of_runs, tally
from referee.algorithms.components import joined

PAIRS = 1 << 20
"""As many pairs, about, are looked at together: it bounds the memory."""


class Conflict(NamedTuple):
    """Why a mention is undecided, if it is for its votes with others.

    Parameters
    ----------
    other : int
        A mention that it is in conflict with: of those that every annotator has in the same entities, the first.
    mentions : int
        With how many mentions it is in conflict.
    """

    other: int
    mentions: int


class MajorityDecision(NamedTuple):
    """What is decided of the mentions of a document.

    Parameters
    ----------
    entity : integers, shape (mentions,)
        The number of the entity, from 0; -1 for what is no mention, or undecided.
    undecided : dict
        Mention -> why it is undecided: a conflict, or another reason in words.
    """

    entity: Ints
    undecided: dict[int, Conflict | str]


def decided(labels: Ints) -> MajorityDecision:
    """Decide by majority what is a mention, and which mentions are of one entity.

    Parameters
    ----------
    labels : integers, shape (annotators, mentions)
        The entity in which each annotator has each mention; -1 where the annotator has it in none.

    Examples
    --------
    Three annotators. The fourth mention is only the first one's; of the third all three say something else.

    >>> decided(np.array([[0, 0, 0, 1], [0, 0, 1, -1], [0, 0, -1, -1]]))
    MajorityDecision(entity=array([ 0,  0, -1, -1]), undecided={2: Conflict(other=0, mentions=2)})
    """
    annotators = len(labels)
    votes = (labels >= 0).sum(axis=0)
    undecided: dict[int, Conflict | str] = {
        m: f"marked by {votes[m]} of {annotators}" for m in np.flatnonzero(2 * votes == annotators).tolist()
    }
    kept = np.flatnonzero(2 * votes > annotators)
    entity = np.full(labels.shape[1], -1)
    if len(kept):
        # Mentions that every annotator has in the same entities are alike: what is decided of one is decided of all.
        cells, first, cell = np.unique(labels[:, kept], axis=1, return_index=True, return_inverse=True)
        entities, reasons = _entities(cells, tally(cell.reshape(-1)), kept[first])
        entity[kept] = entities[cell.reshape(-1)]
        undecided |= {int(m): reasons[c] for m, c in zip(kept, cell.reshape(-1).tolist(), strict=True) if c in reasons}
    return MajorityDecision(_renumbered(entity), dict(sorted(undecided.items())))


def _entities(cells: Ints, sizes: Ints, mention: Ints) -> tuple[Ints, dict[int, Conflict | str]]:
    """The entity of each cell, by its first one, -1 if undecided; and why it is. Each cell has a first mention."""
    votes = _Votes(cells, sizes, *_near(cells))
    group = joined(arange(len(sizes)), votes.pairs_of(arange(len(sizes)))[0], votes.other)  # no group bears on another
    lone = votes.linked_cells() == 0
    reasons: dict[int, Conflict | str] = {}
    most = np.zeros(len(sizes), dtype=np.int64)  # conflicts of a cell of each group
    while len(torn := np.flatnonzero(votes.conflicts)):
        most[group[torn]] = 0
        np.maximum.at(most, group[torn], votes.conflicts[torn])
        worst = torn[votes.conflicts[torn] == most[group[torn]]]
        reasons |= {c: Conflict(int(mention[other]), int(votes.conflicts[c])) for c, other in votes.against(worst).items()}
        votes.take_out(worst)
    alone = votes.alive & (sizes == 1) & ~lone & (votes.linked_cells() == 0)
    reasons |= dict.fromkeys(np.flatnonzero(alone).tolist(), "all that it is linked to is undecided")
    return np.where(votes.alive & ~alone, votes.root, -1), reasons


def _near(cells: Ints) -> tuple[Ints, Ints, Bools]:
    """The pairs of cells for which as many votes are for one entity as against it, or more. No other pair is a link or a tie.

    Returns
    -------
    begin : int64, shape (cells + 1,)
        Where the pairs of each cell begin.
    other : int64, shape (pairs,)
        The other cell of each.
    linked : bool, shape (pairs,)
        Whether more are for it.
    """
    count, marked = cells.shape[1], cells >= 0
    order = np.argsort(cells, axis=1, kind="stable")
    ordered = np.take_along_axis(cells, order, axis=1)
    first, after = (
        np.stack([np.searchsorted(labels, row, side) for labels, row in zip(ordered, cells, strict=True)])
        for side in ("left", "right")
    )
    sets = []
    pairs = np.cumsum(np.where(marked, after - first, 0).sum(axis=0))
    for block in np.split(arange(count), np.searchsorted(pairs, np.arange(PAIRS, pairs[-1], PAIRS))):
        codes = []
        for annotator, by in enumerate(order):
            rows = block[marked[annotator, block]]
            row, place = ranges(first[annotator, rows], after[annotator, rows])
            codes.append(rows[row] * count + by[place])
        pair, for_one = np.unique(np.concatenate(codes), return_counts=True)
        one, other = np.divmod(pair, count)
        votes = np.sum(marked[:, one] & marked[:, other], axis=0)
        near = (2 * for_one >= votes) & (one != other)
        sets.append((one[near], other[near], 2 * for_one[near] > votes[near]))
    one, other, linked = map(np.concatenate, zip(*sets, strict=True))
    return np.searchsorted(one, np.arange(count + 1)), other, linked


class _Votes:
    """The cells that are not taken out, what their links connect, and their conflicts.

    Any two cells have an annotator in common, as most annotators have each. So all pairs that are not `_near` have more votes
    against one entity than for it.

    Attributes
    ----------
    alive : bool, shape (cells,)
        Which cells are not taken out.
    root : int64, shape (cells,)
        The first cell of those that links connect with each.
    conflicts : int64, shape (cells,)
        The mentions with which those of each cell are in conflict; 0 for what is taken out.
    """

    def __init__(self, cells: Ints, sizes: Ints, begin: Ints, other: Ints, linked: Bools) -> None:
        self.cells, self.sizes, self.begin, self.other, self.linked = cells, sizes, begin, other, linked
        self.alive, self.root, self.conflicts = np.ones(len(sizes), dtype=bool), arange(len(sizes)), 0 * sizes
        self._connect(self.root.copy())

    def pairs_of(self, cells: Ints) -> tuple[Ints, Ints]:
        """The pairs of these cells, as rows of `cells` and numbers of pairs, with what is not taken out."""
        row, pair = ranges(self.begin[cells], self.begin[cells + 1])
        kept = self.alive[self.other[pair]]
        return row[kept], pair[kept]

    def linked_cells(self) -> Ints:
        """With how many others each cell is linked."""
        row, pair = self.pairs_of(arange(len(self.sizes)))
        return np.asarray(tally(row[self.linked[pair]], minlength=len(self.sizes)))

    def take_out(self, worst: Ints) -> None:
        """Take out cells; what their links connected is looked at anew."""
        row, pair = self.pairs_of(worst)
        other = self.other[pair]
        apart = self.root[other] != self.root[worst[row]]
        np.subtract.at(self.conflicts, other[apart], self.sizes[worst[row[apart]]])
        self.alive[worst], self.conflicts[worst] = False, 0
        self._connect(self._connected(worst))

    def _connected(self, cells: Ints) -> Ints:
        """All that links connect with these cells, ascending."""
        here = np.zeros(len(self.sizes), dtype=bool)
        here[self.root[cells]] = True
        return np.flatnonzero(here[self.root] & self.alive)

    def _connect(self, cells: Ints) -> None:
        """Find what links connect, and the conflicts, of all cells that were connected."""
        row, pair = self.pairs_of(cells)
        other, links = self.other[pair], self.linked[pair]
        label = joined(arange(len(cells)), row[links], np.searchsorted(cells, other[links]))
        self.root[cells] = cells[label]
        together = self.root[other] == self.root[cells][row]
        of_all = tally(label, self.sizes[cells], len(cells))[label] - self.sizes[cells]
        near = tally(row, np.where(together, -1, 1) * self.sizes[other], len(cells))
        self.conflicts[cells] = of_all + near

    def against(self, worst: Ints) -> dict[int, int]:
        """The cell that each is in conflict with: that with most mentions, and the first of these."""
        row, pair = self.pairs_of(worst)
        other = self.other[pair]
        apart = self.root[other] != self.root[worst[row]]
        row, other = np.concatenate(
            [np.stack([row, other])[:, apart], self._against(worst, row[~apart], other[~apart])], axis=1
        )
        order = argsort(row, self.sizes.max() - self.sizes[other], other)
        first = order[starts_of_runs(row[order])]
        return dict(zip(worst.tolist(), other[first].tolist(), strict=True))

    def _against(self, worst: Ints, row: Ints, near: Ints) -> Ints:
        """The largest of the connected cells that are not near each of some cells, as rows of these and cells."""
        members = self._connected(worst)
        members = members[argsort(self.root[members], self.sizes.max() - self.sizes[members], members)]
        begin, end = (np.searchsorted(self.root[members], self.root[worst], side) for side in ("left", "right"))
        rank = 0 * self.sizes
        rank[members] = arange(len(members))
        row, ranks = np.append(row, arange(len(worst))), rank[np.append(near, worst)]
        order = argsort(row, ranks)
        row, ranks = row[order], ranks[order] - begin[row[order]]
        ends = begin + tally(row[ranks == arange(len(row)) - np.searchsorted(row, row)], minlength=len(worst))
        some = np.flatnonzero(ends < end)
        return np.stack([some, members[ends[some]]])


def _renumbered(entity: Ints) -> Ints:
    """The entities numbered in the order of their first mentions."""
    number = {e: n for n, e in enumerate(dict.fromkeys(entity[entity >= 0].tolist()))}
    return np.array([number.get(e, -1) for e in entity.tolist()], dtype=np.int64)
