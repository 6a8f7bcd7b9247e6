"""Partial matching: a response mention may be smaller than the key's, as long as it has what matters, and nothing else."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import ranges
from referee.corpus.corpus import Corpus
from referee.exceptions import warn
from referee.matching.spans import Candidates, packed, shared_positions, sizes


def partial(key: Corpus, response: Corpus) -> Candidates:
    """Pairs where the response mention contains the key's head and lies within the key mention; the weight is the share of the
    key mention that it has. Heads of the response are not looked at.

    Source: CorefUD scorer 1.2, `--match partial`.
    """
    return _between(key, response, key.heads, key.heads + 1)


def minimum(key: Corpus, response: Corpus) -> Candidates:
    """Pairs where the response mention contains the key's MIN and lies within the key mention; the weight is the share of the
    key mention that it has. A key mention without MIN is only matched exactly; a warning if none has any.

    Source: MUC-7 coreference task definition (Hirschman and Chinchor 1998); Universal Anaphora scorer 2.0.
    """
    if key.minimum_span is None and len(key.document):
        warn(f"{key.source} has no MIN, so its mentions are only matched exactly")
    least = np.empty((0, 2), np.int64) if key.minimum_span is None else key.minimum_span
    return _between(key, response, least[:, 0], least[:, 1])


def _between(key: Corpus, response: Corpus, start: Ints, end: Ints) -> Candidates:
    """Pairs where the response mention contains [start, end) and lies within the key mention."""
    known = np.flatnonzero(start >= 0)
    order = np.argsort(packed(response.document, response.start), kind="stable")
    begins = packed(response.document, response.start)[order]
    document = key.document[known]
    row, place = ranges(
        np.searchsorted(begins, packed(document, key.start[known])),
        np.searchsorted(begins, packed(document, start[known]), side="right"),
    )
    k, r = known[row], order[place]
    inside = (response.end[r] >= end[k]) & (response.end[r] <= key.end[k])
    k, r = k[inside], r[inside]
    shared, size = shared_positions(key, response, k, r), sizes(response)[r]
    fits = shared == size  # a mention of several parts may lie within the key's ends, but not within the key
    several = fits & (response.fragments[r] > 0) if response.fragments is not None else np.zeros(len(k), dtype=bool)
    for pair in np.flatnonzero(several).tolist():
        fits[pair] = any(a <= start[k[pair]] and end[k[pair]] <= b for a, b in response.spans(int(r[pair])))
    return Candidates(k[fits], r[fits], shared[fits], sizes(key)[k[fits]])
