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
    if corpus.entity_types is None or UNDECIDED not in corpus.entity_types:
        return 0
    sizes = tally(corpus.entity, minlength=len(corpus.entity_types)).tolist()
    return sum(size == 1 and name == UNDECIDED for size, name in zip(sizes, corpus.entity_types, strict=True))
