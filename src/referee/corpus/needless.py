"""What an annotation of texts has that its entities say anyway: a format that cannot hold it loses nothing."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import argsort, starts_of_runs, tally
from referee.corpus.corpus import Corpus
from referee.corpus.undecided import UNDECIDED, count_undecided


def telling_links(corpus: Corpus) -> int:
    """Count the links of entities whose links are neither those from each mention to the one before it nor all to the first.

    Any entities have such links, and tools and our writers list them. Of an entity without links nothing is told.
    """
    links = corpus.links
    if links is None:
        return 0
    order, size = argsort(corpus.entity), len(corpus.entity_ids)
    starts = starts_of_runs(corpus.entity[order])
    first, before = np.full((2, len(order)), -1)
    later = np.flatnonzero(~starts)
    first[order[later]] = order[starts][np.cumsum(starts)[later] - 1]
    before[order[later]] = order[later - 1]
    linked, to = np.maximum(links.first, links.second), np.minimum(links.first, links.second)
    entity, unlinked = corpus.entity[linked], order[later]
    others = [tally(entity[to != expected[linked]], minlength=size) for expected in (before, first)]
    lacking = tally(corpus.entity[unlinked[~np.isin(unlinked, linked)]], minlength=size)
    return int((np.logical_and(*others) | (lacking > 0))[entity].sum())


def types_follow(corpus: Corpus) -> bool:
    """Whether the only type is that of undecided mentions, all of which were put into other entities."""
    sides = [corpus, *([corpus.deixis] if corpus.deixis is not None else [])]
    return not any({*(side.entity_types or ())} - {"", UNDECIDED} or count_undecided(side) for side in sides)
