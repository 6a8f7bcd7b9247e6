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
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, numbers, ranges, starts_of_runs, tally
from referee.algorithms.components import joined

PAIRS = 1 << 20
"""As many pairs, about, are looked at together: it bounds the memory."""


class Decision(NamedTuple):
    """What is decided of the mentions of a document.

    Parameters
    ----------
    entity : integers, shape (mentions,)
        The number of the entity, from 0; -1 for what is no mention, or undecided.
    undecided : dict
        Mention -> why it is undecided.
    """

    entity: Ints
    undecided: dict[int, str]


def decided(labels: Ints) -> Decision:
    """Decide by majority what is a mention, and which mentions are of one entity.

    Parameters
    ----------
    labels : integers, shape (annotators, mentions)
        The entity in which each annotator has each mention; -1 where the annotator has it in none.

    Examples
    --------
    Three annotators. The fourth mention is only the first one's; of the third all three say something else.

    >>> decided(np.array([[0, 0, 0, 1], [0, 0, 1, -1], [0, 0, -1, -1]]))
    Decision(entity=array([ 0,  0, -1, -1]), undecided={2: '1 for and 1 against one entity with 2 mentions'})
    """
    annotators = len(labels)
    votes = (labels >= 0).sum(axis=0)
    undecided = {m: f"marked by {votes[m]} of {annotators}" for m in np.flatnonzero(2 * votes == annotators).tolist()}
    kept = np.flatnonzero(2 * votes > annotators)
    entity = np.full(labels.shape[1], -1)
    if len(kept):
        # Mentions that every annotator has in the same entities are alike: what is decided of one is decided of all.
        cells, cell = np.unique(labels[:, kept], axis=1, return_inverse=True)
        found, reasons = _in_groups(cells, tally(cell.reshape(-1)))
        entity[kept] = found[cell.reshape(-1)]
        undecided |= {int(m): reasons[c] for m, c in zip(kept, cell.reshape(-1).tolist(), strict=True) if c in reasons}
    return Decision(_renumbered(entity), dict(sorted(undecided.items())))


def _in_groups(cells: Ints, sizes: Ints) -> tuple[Ints, dict[int, str]]:
    """The entity of each cell, -1 if undecided, and why it is: each group of cells is decided alone."""
    group = _groups(cells)
    order = np.argsort(group, kind="stable")
    entity, reasons = group.copy(), dict[int, str]()
    for members in np.split(order, np.flatnonzero(starts_of_runs(group[order]))[1:]):
        if len(members) > 1:
            root, why = _entities(cells[:, members], sizes[members])
            entity[members] = np.where(root < 0, -1, members[root])
            reasons |= {int(members[c]): reason for c, reason in why.items()}
    return entity, reasons


def _groups(cells: Ints) -> Ints:
    """The group of each cell, by its first one. No link and no tie is between two groups, so none bears on another."""
    count, marked = cells.shape[1], cells >= 0
    order = np.argsort(cells, axis=1, kind="stable")
    ordered = np.take_along_axis(cells, order, axis=1)
    first, after = (
        np.stack([np.searchsorted(labels, row, side) for labels, row in zip(ordered, cells, strict=True)])
        for side in ("left", "right")
    )
    group = numbers(count)
    pairs = np.cumsum(np.where(marked, after - first, 0).sum(axis=0))
    for block in np.split(numbers(count), np.searchsorted(pairs, np.arange(PAIRS, pairs[-1], PAIRS))):
        codes = []
        for annotator, by in enumerate(order):
            rows = block[marked[annotator, block]]
            row, place = ranges(first[annotator, rows], after[annotator, rows])
            codes.append(rows[row] * count + by[place])
        pair, for_one = np.unique(np.concatenate(codes), return_counts=True)
        one, other = np.divmod(pair, count)
        near = 2 * for_one >= np.sum(marked[:, one] & marked[:, other], axis=0)
        group = joined(group, one[near], other[near])
    return group


def _entities(cells: Ints, sizes: Ints) -> tuple[Ints, dict[int, str]]:
    """The entity of each cell of a group, -1 if undecided, and why it is."""
    marked = (cells >= 0).astype(np.int16)
    for_one = np.zeros((len(sizes), len(sizes)), dtype=np.int16)
    for row in cells:
        for_one += (row[:, None] == row) & (row >= 0)
    against = marked.T @ marked - for_one
    linked, tied = for_one > against, (for_one == against) & (for_one > 0)
    alive = np.ones(len(sizes), dtype=bool)
    reasons: dict[int, str] = {}
    while True:
        root = joined(numbers(len(sizes)), *np.nonzero(linked & alive & alive[:, None]))
        together = root == root[:, None]
        conflict = ((together & (against > for_one)) | (~together & tied)) & alive & alive[:, None]
        number = conflict @ sizes
        if not number.any():
            break
        worst = np.flatnonzero(number == number.max()).tolist()
        reasons |= {c: _why(conflict[c], for_one[c], against[c], sizes) for c in worst}
        alive[worst] = False
    alone = alive & (sizes == 1) & (linked.sum(axis=0) > 1) & ((linked & alive & alive[:, None]).sum(axis=0) == 1)
    reasons |= dict.fromkeys(np.flatnonzero(alone).tolist(), "all that it is linked to is undecided")
    return np.where(alive & ~alone, root, -1), reasons


def _why(conflict: Bools, for_one: Ints, against: Ints, sizes: Ints) -> str:
    """The votes of the conflict with most mentions."""
    worst = int(np.argmax(conflict * sizes))
    mentions = int(sizes[conflict].sum())
    said = f"{for_one[worst]} for and {against[worst]} against one entity with {mentions} mention{'s' * (mentions != 1)}"
    return said if for_one[worst] == against[worst] else f"{said}, which other links connect"


def _renumbered(entity: Ints) -> Ints:
    """The entities numbered in the order of their first mentions."""
    number = {e: n for n, e in enumerate(dict.fromkeys(entity[entity >= 0].tolist()))}
    return np.array([number.get(e, -1) for e in entity.tolist()], dtype=np.int64)
