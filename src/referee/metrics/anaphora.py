"""Anaphors of one mention type, each right or wrong: linked to their entity, or not.

An anaphor is a mention of the type that is not the first of its entity. An anaphor of the key is right if its counterpart
is no first mention either, and belongs to the same response entity as the counterpart of an earlier mention of its key
entity. It is missed if it has no counterpart, or one that is a first mention; all others are wrong. Both count against
recall, and wrong ones against precision. An anaphor of the response that is not the counterpart of one of the key counts
against precision, too. A response without mention types has no precision.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, argsort, inverse, lengths, repeat, starts_of_runs, tally
from referee.corpus import MENTION_TYPES, Corpus
from referee.matching.pair import Pair
from referee.matching.spans import sizes
from referee.metrics.metric import metric
from referee.stats.counts import Counts, rates


@metric("Zero anaphora", counts="anaphors", aliases=("zero",), scope="annotation", needs="empty nodes")
def zero_anaphora(pair: Pair) -> Counts:
    """Anaphoric zeros linked to the right entity.

    References
    ----------
    Žabokrtský et al. (2022), section 4.3.
    """
    return _anaphora(pair, "zero")


@metric("Pronoun anaphora", counts="anaphors", scope="annotation", needs="mention types")
def pronoun_anaphora(pair: Pair) -> Counts:
    """Anaphoric pronouns linked to the right entity.

    References
    ----------
    Žabokrtský et al. (2022), section 4.3, for zeros; the same for pronouns.
    """
    return _anaphora(pair, "pronoun")


@metric("Name anaphora", counts="anaphors", scope="annotation", needs="mention types")
def name_anaphora(pair: Pair) -> Counts:
    """Anaphoric proper names linked to the right entity.

    References
    ----------
    Žabokrtský et al. (2022), section 4.3, for zeros; the same for proper names.
    """
    return _anaphora(pair, "name")


@metric("Nominal anaphora", counts="anaphors", scope="annotation", needs="mention types")
def nominal_anaphora(pair: Pair) -> Counts:
    """Anaphoric nominal mentions linked to the right entity.

    References
    ----------
    Žabokrtský et al. (2022), section 4.3, for zeros; the same for nominal mentions.
    """
    return _anaphora(pair, "nominal")


class _LinkedMentions(NamedTuple):
    """What tells whether anaphors are right, whatever their type.

    Parameters
    ----------
    rank, response_rank : int64
        The place of each mention in its entity, from 0.
    counterpart : int64
        The response mention of each key mention, -1 for none.
    has_earlier : bool
        Whether the counterpart of a key mention is in the response entity of that of an earlier mention of its entity.
    """

    rank: Ints
    response_rank: Ints
    counterpart: Ints
    has_earlier: Bools


def _linked_mentions(pair: Pair) -> _LinkedMentions:
    key, response, key_mention, response_mention, _ = pair.matching
    rank, response_rank = _ranks(key), _ranks(response)
    counterpart = np.full(len(key.document), -1, dtype=np.int64)
    counterpart[key_mention] = response_mention

    # The first mention of each key entity that has its counterpart in a response entity.
    cell = key.entity[key_mention].astype(np.int64) * len(response.entity_ids) + response.entity[response_mention]
    cells, number = np.unique(cell, return_inverse=True)
    earliest = np.full(len(cells), len(key.document), dtype=np.int64)
    np.minimum.at(earliest, number, rank[key_mention])
    has_earlier = np.zeros(len(key.document), dtype=bool)
    has_earlier[key_mention] = earliest[number] < rank[key_mention]
    return _LinkedMentions(rank, response_rank, counterpart, has_earlier)


def _anaphora(pair: Pair, mention_type: str) -> Counts:
    key, response = pair.matching.key, pair.matching.response
    rank, response_rank, counterpart, has_earlier = pair.memo_call(_linked_mentions)
    anaphor, response_anaphor = _anaphors(key, rank, mention_type), _anaphors(response, response_rank, mention_type)

    linked = anaphor & (counterpart >= 0)
    linked[linked] = response_rank[counterpart[linked]] > 0
    visited = np.zeros(len(response.document), dtype=bool)
    visited[counterpart[anaphor & (counterpart >= 0)]] = True

    def counted(corpus: Corpus, which: Bools) -> Ints:
        return tally(corpus.document[which], minlength=len(key.doc_ids))

    if mention_type != "zero" and response.mention_types is None and len(response.document):
        none = np.zeros(len(key.doc_ids), dtype=np.int64)
        return rates((counted(key, linked & has_earlier), counted(key, anaphor)), (none, none))
    right, wrong = counted(key, linked & has_earlier), counted(key, linked & ~has_earlier)
    spurious = counted(response, response_anaphor & ~visited)
    return rates((right, counted(key, anaphor)), (right, right + wrong + spurious))


def _ranks(corpus: Corpus) -> Ints:
    """The place of each mention in its entity, from 0, by start, then end, then size."""
    order = argsort(corpus.entity, corpus.start, corpus.end, sizes(corpus))
    first = np.flatnonzero(starts_of_runs(corpus.entity[order]))
    ranks: Ints = (np.arange(len(order)) - repeat(first, lengths(first, len(order))))[inverse(order)]
    return ranks


def _anaphors(corpus: Corpus, rank: Ints, mention_type: str) -> Bools:
    """The mentions of a type that are not the first of their entity."""
    of_type: Bools = corpus.mention_types_with_zeros == MENTION_TYPES.index(mention_type)
    return of_type & (rank > 0)
