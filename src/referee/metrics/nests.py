"""Nests: mentions one inside another, whose best matching by common positions is known without a search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, arange, argsort, inverse, locations, repeat, starts_of_runs, tally
from referee.corpus import Corpus


class NestedPairs(NamedTuple):
    """What nests decide.

    Parameters
    ----------
    key : int64, shape (pairs,)
        The key mentions that are matched.
    shared : int64, shape (pairs,)
        How many positions they have in common with their partners.
    undecided : tuple of two int64 arrays
        The mentions of the key, and those of the response, that are in no nest.
    """

    key: Ints
    shared: Ints
    undecided: tuple[Ints, Ints]


def nested_pairs(key: Corpus, response: Corpus) -> NestedPairs:
    """Match the mentions of nests: the largest of both sides, then the second largest, and so on.

    A nest is all mentions that overlap, directly or by way of others, if those of each side lie one inside another, and all of
    them have a position in common. Most nests are one mention a side.

    Parameters
    ----------
    key, response : Corpus
        On common positions.

    Notes
    -----
    Two mentions of a nest share min(end, end') - max(start, start') positions. An exchange of partners gains nothing, since
    min(a, c) + min(b, d) >= min(a, d) + min(b, c) for a >= b and c >= d. Nor does it gain to leave out a larger mention for a
    smaller one.
    """
    sides = (key, response)
    lengths = [len(side.document) for side in sides]
    document, start, end = (
        np.concatenate([getattr(side, name) for side in sides]).astype(np.int64) for name in ("document", "start", "end")
    )
    if not len(document):
        return NestedPairs(document, start, (document, document))
    is_response = repeat(np.array([0, 1]), lengths)
    # What overlaps, directly or not: until a mention starts where all mentions before it have ended.
    first, after = locations(document, start), locations(document, end)
    order = argsort(document, start)
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = first[order][1:] >= np.maximum.accumulate(after[order])[:-1]
    group = (np.cumsum(begins) - 1)[inverse(order)]
    groups = int(group.max()) + 1
    # From now on by group, key before response, each from the outside to the inside.
    order = argsort(group, is_response, start, end.max() - end)
    first, after, group, is_response = first[order], after[order], group[order], is_response[order]
    outermost = starts_of_runs(group, is_response)
    bad = np.zeros(groups, dtype=bool)
    bad[group[1:][~outermost[1:] & (after[1:] > after[:-1])]] = True
    new = np.flatnonzero(starts_of_runs(group))
    bad |= np.maximum.reduceat(first, new) >= np.minimum.reduceat(after, new)
    pieces = [side.fragments > 0 if side.fragments is not None else np.zeros(len(side.document), bool) for side in sides]
    bad[group[np.concatenate(pieces)[order]]] = True
    depth = arange(len(order)) - np.flatnonzero(outermost)[np.cumsum(outermost) - 1]
    number = tally(2 * group + is_response, minlength=2 * groups).reshape(groups, 2).min(axis=1)
    matched = ~bad[group] & (depth < number[group])
    k, r = np.flatnonzero(matched & (is_response == 0)), np.flatnonzero(matched & (is_response == 1))
    shared = np.minimum(after[k], after[r]) - np.maximum(first[k], first[r])
    undecided = np.split(np.sort(order[bad[group]]), [np.count_nonzero(bad[group] & (is_response == 0))])
    return NestedPairs(order[k], shared, (undecided[0], undecided[1] - lengths[0]))
