"""Overlap matching: mentions that have enough positions in common may be the same."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import ranges
from referee.corpus.corpus import Corpus
from referee.matching.spans import Candidates, packed, shared_positions, sizes


def overlapping(key: Corpus, response: Corpus) -> tuple[Ints, Ints, Ints]:
    """All pairs of mentions with a position in common: key mention, response mention, and how many positions.

    Of two mentions that overlap, either the response's begins in the key's, or the key's begins after the response's in it.
    """
    first = _beginning_inside(key, response, "left")
    second = _beginning_inside(response, key, "right")
    k, r = np.concatenate([first[0], second[1]]), np.concatenate([first[1], second[0]])
    shared = shared_positions(key, response, k, r)
    some = shared > 0
    return k[some], r[some], shared[some]


def overlap(key: Corpus, response: Corpus, *, threshold: float = 0.5) -> Candidates:
    """Pairs with enough in common; the weight is the share of positions in common among those of either (Jaccard, IoU).

    threshold : the least share, if below 1; otherwise the least number of positions in common
    """
    k, r, shared = overlapping(key, response)
    either = sizes(key)[k] + sizes(response)[r] - shared
    enough = shared / either >= threshold if threshold < 1 else shared >= threshold
    return Candidates(k[enough], r[enough], shared[enough], either[enough])


def _beginning_inside(outer: Corpus, inner: Corpus, side: str) -> tuple[Ints, Ints]:
    """Pairs where a mention of `inner` begins within one of `outer`; with side "right", not where both begin."""
    begins = packed(inner.document, inner.start)
    order = np.argsort(begins, kind="stable")
    o, place = ranges(
        np.searchsorted(begins[order], packed(outer.document, outer.start), side=side),  # type: ignore[call-overload]
        np.searchsorted(begins[order], packed(outer.document, outer.end)),
    )
    return o, order[place]
