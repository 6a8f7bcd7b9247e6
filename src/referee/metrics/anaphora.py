"""Anaphors of one class, each right or wrong: is it linked to the entity that it belongs to?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import inverse, starts_of_runs
from referee.corpus.corpus import MENTION_TYPES, Corpus
from referee.counts import Counts, rates
from referee.matching.spans import sizes
from referee.metrics.table import Table

DEFINITION = """Anaphor-decomposable score of {0}: those linked to the right entity, among those that should be linked.

    Counts are anaphors: mentions of that class that are not the first of their entity. One of the key is right if its
    counterpart is no first mention either, and belongs to the same response entity as the counterpart of an earlier mention of
    its key entity. It counts against recall if it is wrong or has no counterpart, against precision if it is wrong; so does an
    anaphor of the response that is not the counterpart of one of the key. A response without classes has no precision.

    Source: Žabokrtský et al. (2022), section 4.3, for zeros; the same for any other class.
    """


def anaphora(class_: str, name: str) -> Callable[[Table], Counts]:
    """The measure for one of `MENTION_TYPES`."""

    def measure(table: Table) -> Counts:
        return _anaphora(table, MENTION_TYPES.index(class_))

    measure.__name__ = measure.__qualname__ = f"{class_}_anaphora"
    measure.__doc__ = DEFINITION.format(name)
    return measure


zero_anaphora = anaphora("zero", "zeros")
pronoun_anaphora = anaphora("pronoun", "pronouns")
name_anaphora = anaphora("name", "proper names")
nominal_anaphora = anaphora("nominal", "nominal mentions")


def _anaphora(table: Table, class_: int) -> Counts:
    if table.matching is None:
        none = np.zeros(table.documents, dtype=np.int64)
        return rates((none, none), (none, none))
    key, response, key_mention, response_mention, _ = table.matching
    rank, anaphor = _ranks(key, class_)
    response_rank, response_anaphor = _ranks(response, class_)
    counterpart = np.full(len(key.document), -1, dtype=np.int64)
    counterpart[key_mention] = response_mention

    # The first mention of each key entity that has its counterpart in a response entity.
    cell = key.entity[key_mention].astype(np.int64) * len(response.entity_ids) + response.entity[response_mention]
    cells, number = np.unique(cell, return_inverse=True)
    earliest = np.full(len(cells), len(key.document), dtype=np.int64)
    np.minimum.at(earliest, number, rank[key_mention])
    has_earlier = np.zeros(len(key.document), dtype=bool)
    has_earlier[key_mention] = earliest[number] < rank[key_mention]

    linked = anaphor & (counterpart >= 0)
    linked[linked] = response_rank[counterpart[linked]] > 0
    visited = np.zeros(len(response.document), dtype=bool)
    visited[counterpart[anaphor & (counterpart >= 0)]] = True

    def counted(corpus: Corpus, which: NDArray[np.bool_]) -> Ints:
        return np.bincount(corpus.document[which], minlength=table.documents)

    if MENTION_TYPES[class_] != "zero" and response.mention_types is None and len(response.document):
        none = np.zeros(table.documents, dtype=np.int64)
        return rates((counted(key, linked & has_earlier), counted(key, anaphor)), (none, none))
    right, wrong = counted(key, linked & has_earlier), counted(key, linked & ~has_earlier)
    spurious = counted(response, response_anaphor & ~visited)
    return rates((right, counted(key, anaphor)), (right, right + wrong + spurious))


def _ranks(corpus: Corpus, class_: int) -> tuple[Ints, NDArray[np.bool_]]:
    """The place of each mention in its entity, from 0, by start, then end, then size; and which are anaphors of the class."""
    order = np.lexsort((sizes(corpus), corpus.end, corpus.start, corpus.entity))
    first = np.flatnonzero(starts_of_runs(corpus.entity[order]))
    length = np.diff(first, append=len(order))
    rank = (np.arange(len(order)) - np.repeat(first, length))[inverse(order)]
    return rank, (corpus.mention_types_with_zeros == class_) & (rank > 0)
