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

from referee.algorithms.arrays import Bools, Ints, tally
from referee.algorithms.components import components


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
        found, reasons = _entities(cells, tally(cell.reshape(-1)))
        entity[kept] = found[cell.reshape(-1)]
        undecided |= {int(m): reasons[c] for m, c in zip(kept, cell.reshape(-1).tolist(), strict=True) if c in reasons}
    return Decision(_renumbered(entity), dict(sorted(undecided.items())))


def _entities(cells: Ints, sizes: Ints) -> tuple[Ints, dict[int, str]]:
    """The entity of each cell, -1 if undecided, and why it is."""
    marked = cells >= 0
    for_one = np.sum((cells[:, :, None] == cells[:, None, :]) & marked[:, :, None], axis=0)
    against = np.sum(marked[:, :, None] & marked[:, None, :], axis=0) - for_one
    linked, tied = for_one > against, (for_one == against) & (for_one > 0)
    alive = np.ones(len(sizes), dtype=bool)
    reasons: dict[int, str] = {}
    while True:
        root = np.array(components(len(sizes), _pairs(linked & alive & alive[:, None])))
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


def _pairs(linked: Bools) -> list[tuple[int, int]]:
    first, second = np.nonzero(np.triu(linked, 1))
    return list(zip(first.tolist(), second.tolist(), strict=True))


def _renumbered(entity: Ints) -> Ints:
    """The entities numbered in the order of their first mentions."""
    number = {e: n for n, e in enumerate(dict.fromkeys(entity[entity >= 0].tolist()))}
    return np.array([number.get(e, -1) for e in entity.tolist()], dtype=np.int64)
