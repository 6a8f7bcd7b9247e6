"""Mentions that are still to be adjudicated: each is an entity of its own of the type `UNDECIDED`.

In files for tools each has a note that begins with `NOTE`. It is for people: no reader reads it, and it is not written again
when its mention is decided.
"""

from __future__ import annotations

import re

from referee.algorithms.arrays import tally
from referee.corpus.corpus import Corpus

UNDECIDED = "undecided"
"""The entity type of undecided mentions in a corpus for adjudication."""

NOTE = f"{UNDECIDED}: "
"""How the notes of undecided mentions begin."""

MAY_HAVE_NOTES = re.compile(rb"[Uu]ndecided[:=]")
"""In the bytes of a file: perhaps it has notes of undecided mentions."""


def count_undecided(corpus: Corpus) -> int:
    """How many mentions of a corpus are undecided.

    Two that were put into one entity are decided, also if they keep the type.
    """
    if corpus.entity_types is None or UNDECIDED not in corpus.entity_types:
        return 0
    sizes = tally(corpus.entity, minlength=len(corpus.entity_types)).tolist()
    return sum(size == 1 and name == UNDECIDED for size, name in zip(sizes, corpus.entity_types, strict=True))


def is_undecided(corpus: Corpus, entity: int) -> bool:
    """Whether the only mention of an entity is undecided."""
    return corpus.entity_types is not None and corpus.entity_types[entity] == UNDECIDED and corpus.entity_size[entity] == 1


def note_of(corpus: Corpus, mention: int) -> str:
    """The note of a mention that is undecided; empty if it has none."""
    has_note = corpus.notes is not None and is_undecided(corpus, int(corpus.entity[mention]))
    return corpus.notes[mention] if corpus.notes is not None and has_note else ""
