"""What an annotation of texts has that its entities say anyway: a format that cannot hold it loses nothing."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import order_by, starts_of_runs, tally
from referee.corpus.corpus import Corpus
from referee.corpus.undecided import UNDECIDED, count_undecided


def links_follow(corpus: Corpus) -> bool:
    """Whether the links of each entity are those from each mention to the one before it, or those from each to the first.

    Any entities have such links, and tools and our writers list them.
    """
    links = corpus.links
    if links is None:
        return True
    order = order_by(corpus.entity)
    starts = starts_of_runs(corpus.entity[order])
    first, before = np.full((2, len(order)), -1)
    later = np.flatnonzero(~starts)
    first[order[later]] = order[starts][np.cumsum(starts)[later] - 1]
    before[order[later]] = order[later - 1]
    linked, to = np.maximum(links.first, links.second), np.minimum(links.first, links.second)
    if len({*linked.tolist()}) < len(later):
        return False
    entity, size = corpus.entity[linked], len(corpus.entity_ids)
    others = [tally(entity[to != expected[linked]], minlength=size) for expected in (before, first)]
    return not np.logical_and(*others).any()


def types_follow(corpus: Corpus) -> bool:
    """Whether the only type is that of undecided mentions, all of which were put into other entities."""
    sides = [corpus, *([corpus.deixis] if corpus.deixis else [])]
    return not any({*(side.entity_types or ())} - {"", UNDECIDED} or count_undecided(side) for side in sides)
