"""Mentions that are still to be adjudicated: each is an entity of its own of the type `UNDECIDED`."""

from __future__ import annotations

from referee.algorithms.arrays import tally
from referee.corpus.corpus import Corpus

UNDECIDED = "undecided"
"""The entity type of undecided mentions in a corpus for adjudication."""


def count_undecided(corpus: Corpus) -> int:
    """How many mentions of a corpus are undecided.

    Two that were put into one entity are decided, also if they keep the type.
    """
    return sum(undecided_in_documents(corpus))


def undecided_in_documents(corpus: Corpus) -> list[int]:
    """How many mentions of each document are undecided."""
    counts = [0] * len(corpus.doc_ids)
    if corpus.entity_types is None or UNDECIDED not in corpus.entity_types:
        return counts
    sizes = tally(corpus.entity, minlength=len(corpus.entity_types)).tolist()
    for size, name, document in zip(sizes, corpus.entity_types, corpus.entity_document.tolist(), strict=True):
        counts[document] += size == 1 and name == UNDECIDED
    return counts
