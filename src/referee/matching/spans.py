"""Sets of positions, compared in bulk: what the inexact matchers share. Both sides must be on common positions."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, locations, ranges, tally
from referee.basics.exceptions import MismatchError
from referee.corpus import Corpus

MOST = 1 << 22
"""Overlapping pairs of a document that are listed: those of 2,000 mentions one inside another."""


class Candidates(NamedTuple):
    """Pairs of mentions that may be matched, each with the weight `shared / size`.

    Parameters
    ----------
    key, response : int64, shape (pairs,)
        Numbers of mentions. No pair twice.
    shared, size : int64, shape (pairs,)
        The weight as a fraction above 0, so that weights can be added and compared exactly.
    """

    key: Ints
    response: Ints
    shared: Ints
    size: Ints


def mention_rows(corpus: Corpus, mentions: Ints) -> Corpus:
    """Some of the mentions as rows to be compared.

    Parameters
    ----------
    corpus : Corpus
    mentions : int64, shape (chosen,)
        Numbers of mentions, in the order that is wanted.

    Returns
    -------
    Corpus
        Only the columns of mentions are selected. Entities and layers still refer to the old numbers.
    """
    if len(mentions) == len(corpus.document):
        return corpus
    return replace(corpus, **corpus.mention_columns(mentions))


def sizes(corpus: Corpus) -> Ints:
    """How many positions each mention has, shape (mentions,)."""
    size = (corpus.end - corpus.start).astype(np.int64)
    if corpus.fragments is not None:
        of_fragments = np.array([sum(end - start for start, end in spans) for spans in corpus.fragment_lists])
        size = np.where(corpus.fragments > 0, of_fragments[corpus.fragments], size)
    return size


def shared_positions(key: Corpus, response: Corpus, key_mention: Ints, response_mention: Ints) -> Ints:
    """How many positions the mentions of each pair have in common.

    Parameters
    ----------
    key, response : Corpus
    key_mention, response_mention : int64, shape (pairs,)
        Numbers of mentions. The two of a pair are in the same document.

    Returns
    -------
    int64, shape (pairs,)
    """
    end = np.minimum(key.end[key_mention], response.end[response_mention]).astype(np.int64)
    shared = end - np.maximum(key.start[key_mention], response.start[response_mention])
    discontinuous = np.zeros(len(shared), dtype=bool)
    for side, mention in ((key, key_mention), (response, response_mention)):
        if side.fragments is not None:
            discontinuous |= side.fragments[mention] > 0
    for pair in np.flatnonzero(discontinuous).tolist():
        spans = key.spans(int(key_mention[pair])), response.spans(int(response_mention[pair]))
        shared[pair] = sum(max(0, min(b, y) - max(a, x)) for a, b in spans[0] for x, y in spans[1])
    return np.maximum(shared, 0)


def refuse_many_overlaps(key: Corpus, response: Corpus) -> None:
    """Refuse a document in which more than `MOST` pairs of mentions overlap, before they are listed.

    Raises
    ------
    MismatchError
        With the name of the document.
    """
    starts, ends = (np.sort(locations(response.document, edge)) for edge in (response.start, response.end))
    before_end = starts.searchsorted(locations(key.document, key.end))
    after_start = ends.searchsorted(locations(key.document, key.start), side="right")
    pairs = tally(key.document, np.maximum(before_end - after_start, 0), len(key.doc_ids)).astype(np.int64)
    if pairs.max(initial=0) > MOST:
        raise MismatchError(
            f"document {key.doc_ids[int(pairs.argmax())]!r}: {pairs.max()} pairs of mentions that are not equal overlap; "
            f"expected at most {MOST}: leave out mentions that lie one inside another"
        )


def within_ranges(values: Ints, first: Ints, after: Ints) -> tuple[Ints, Ints]:
    """Pair each half-open range with each of the values in it.

    Parameters
    ----------
    values : int64, shape (values,)
    first, after : int64, shape (ranges,)

    Returns
    -------
    range_number, value_number : int64, shape (pairs,)
        Ascending by range, then by value.

    Examples
    --------
    >>> within_ranges(np.array([5, 7, 5]), np.array([7, 0]), np.array([8, 6]))
    (array([0, 1, 1]), array([1, 0, 2]))
    """
    order = np.argsort(values, kind="stable")
    in_order = values[order]
    number, at = ranges(np.searchsorted(in_order, first), np.searchsorted(in_order, after))
    return number, order[at]
