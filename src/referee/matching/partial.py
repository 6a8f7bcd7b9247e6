"""Partial matching: a response mention may be smaller than the key mention if it has a certain part of it, and nothing else."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints, locations
from referee.basics.exceptions import warn
from referee.corpus import Corpus
from referee.matching.spans import Candidates, shared_positions, sizes, within_ranges


def partial(key: Corpus, response: Corpus) -> Candidates:
    """Pair mentions where the response mention contains the head of the key mention and lies within it.

    The weight is the share of the key mention that the response mention covers. Heads of the response are not used.

    References
    ----------
    CorefUD scorer 1.2, ``--match partial``.
    """
    return _between(key, response, key.heads, key.heads + 1)


def minimum_span(key: Corpus, response: Corpus) -> Candidates:
    """Pair mentions where the response mention contains the minimum span (MIN) of the key mention and lies within it.

    The weight is the share of the key mention that the response mention covers. A key mention without a minimum span is only
    matched exactly.

    Warns
    -----
    RefereeWarning
        If no mention of the key has a minimum span.

    References
    ----------
    Hirschman, L. and Chinchor, N. (1998). MUC-7 coreference task definition.
    Universal Anaphora scorer 2.0.
    """
    if key.minimum_span is None and len(key.document):
        warn(f"{key.source} has no minimum spans (MIN), so its mentions are only matched exactly")
    minimum = np.empty((0, 2), np.int64) if key.minimum_span is None else key.minimum_span
    return _between(key, response, minimum[:, 0], minimum[:, 1])


def _between(key: Corpus, response: Corpus, start: Ints, end: Ints) -> Candidates:
    """Pairs where the response mention contains [start, end) and lies within the key mention; -1 where there is no start."""
    with_start = np.flatnonzero(start >= 0)
    document = key.document[with_start]
    row, r = within_ranges(
        locations(response.document, response.start),
        locations(document, key.start[with_start]),
        locations(document, start[with_start]) + 1,
    )
    k = with_start[row]
    inside = (response.end[r] >= end[k]) & (response.end[r] <= key.end[k])
    k, r = k[inside], r[inside]
    shared, size = shared_positions(key, response, k, r), sizes(response)[r]
    fits = shared == size  # a discontinuous mention may lie between the ends of the key mention, but not within it
    discontinuous = fits & (response.fragments[r] > 0) if response.fragments is not None else np.zeros(len(k), dtype=bool)
    for pair in np.flatnonzero(discontinuous).tolist():
        fits[pair] = any(a <= start[k[pair]] and end[k[pair]] <= b for a, b in response.spans(int(r[pair])))
    return Candidates(k[fits], r[fits], shared[fits], sizes(key)[k[fits]])
