"""Overlap matching: mentions that have enough positions in common may be matched."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints, locations
from referee.corpus import Corpus
from referee.matching.spans import Candidates, shared_positions, sizes, within_ranges


def overlapping(key: Corpus, response: Corpus) -> tuple[Ints, Ints, Ints]:
    """Find all pairs of mentions with a position in common.

    Parameters
    ----------
    key, response : Corpus
        On common positions.

    Returns
    -------
    key_mention, response_mention : int64, shape (pairs,)
    shared : int64, shape (pairs,)
        How many positions they have in common.
    """
    key_start, key_end = (locations(key.document, edge) for edge in (key.start, key.end))
    response_start, response_end = (locations(response.document, edge) for edge in (response.start, response.end))
    # Where two mentions overlap, either the response mention starts within the key mention, or the key mention starts after
    # the start of the response mention and within it. A pair is never both.
    outer_key, inner_response = within_ranges(response_start, key_start, key_end)
    outer_response, inner_key = within_ranges(key_start, response_start + 1, response_end)
    k, r = np.concatenate([outer_key, inner_key]), np.concatenate([inner_response, outer_response])
    shared = shared_positions(key, response, k, r)
    overlaps = shared > 0
    return k[overlaps], r[overlaps], shared[overlaps]


def overlap(key: Corpus, response: Corpus, *, min_overlap: float = 0.5) -> Candidates:
    """Pair mentions with enough positions in common; the weight is their Jaccard index (intersection over union).

    Parameters
    ----------
    key, response : Corpus
        On common positions.
    min_overlap : float
        Below 1, the least Jaccard index; from 1 on, the least number of positions in common.
    """
    k, r, shared = overlapping(key, response)
    union = sizes(key)[k] + sizes(response)[r] - shared
    enough = shared / union >= min_overlap if min_overlap < 1 else shared >= min_overlap
    return Candidates(k[enough], r[enough], shared[enough], union[enough])
