"""Sets of positions, compared in bulk: what the inexact matchers share. Both sides must be on common positions."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import ranges
from referee.corpus.corpus import Corpus


class Candidates(NamedTuple):
    """Pairs of mentions that may be matched, no pair twice, with the weight `shared / size` of each, above 0.

    key, response : int64, shape (pairs,), numbers of mentions
    shared, size  : int64, shape (pairs,), whole numbers, so that weights can be compared exactly
    """

    key: Ints
    response: Ints
    shared: Ints
    size: Ints


def some(corpus: Corpus, mentions: Ints) -> Corpus:
    """Some of the mentions, in this order, as rows to be compared; entities and layers are not in step with them."""
    if len(mentions) == len(corpus.document):
        return corpus
    return replace(
        corpus,
        document=corpus.document[mentions],
        start=corpus.start[mentions],
        end=corpus.end[mentions],
        items=corpus.items and [corpus.items[m] for m in mentions.tolist()],
        **corpus.mention_columns(mentions),
    )


def sizes(corpus: Corpus) -> Ints:
    """How many positions each mention has, shape (mentions,)."""
    size = (corpus.end - corpus.start).astype(np.int64)
    if corpus.fragments is not None:
        of_shape = np.array([sum(end - start for start, end in shape) for shape in corpus.fragment_lists])
        size = np.where(corpus.fragments > 0, of_shape[corpus.fragments], size)
    return size


def shared_positions(key: Corpus, response: Corpus, k: Ints, r: Ints) -> Ints:
    """How many positions the mentions of each pair have in common, shape (pairs,); pairs are of one document each."""
    shared = np.minimum(key.end[k], response.end[r]).astype(np.int64) - np.maximum(key.start[k], response.start[r])
    several = np.zeros(len(k), dtype=bool)
    for side, mention in ((key, k), (response, r)):
        if side.fragments is not None:
            several |= side.fragments[mention] > 0
    for pair in np.flatnonzero(several).tolist():
        shared[pair] = sum(
            max(0, min(b, y) - max(a, x)) for a, b in key.spans(int(k[pair])) for x, y in response.spans(int(r[pair]))
        )
    return np.maximum(shared, 0)


def joined(key: Ints, response: Ints) -> tuple[Ints, Ints]:
    """All pairs of rows with equal values: their numbers on both sides."""
    order = np.argsort(response, kind="stable")
    values = response[order]
    k, place = ranges(np.searchsorted(values, key), np.searchsorted(values, key, side="right"))
    return k, order[place]


def packed(document: Ints, position: Ints) -> Ints:
    """Document and position in one number that sorts like the two."""
    return document.astype(np.int64) << 32 | position
