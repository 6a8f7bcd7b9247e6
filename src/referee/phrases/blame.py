"""Whose fault the bits are: their share by category, by length, and by whether any rule covers the candidate.

A group's *excess* is its share of the bits less its share of the candidates; excesses add up to 0. A rare category always has a
large negative one: it owns as many candidates as any other, nearly all trivially false. So *bits per chunk* stand beside
it: on CoNLL-2000, ADJP has an excess of -4 points and costs more bits per true chunk than any other frequent category.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats
from referee.counts import divide
from referee.phrases.measures import PhraseScores, Sums

LONG = 10
"""Lengths from here on are one group."""


@dataclass(frozen=True, eq=False)
class Blame:
    """The groups and their sums, of shape (groups,).

    share, excess : of all bits, fractions; nan if any event is impossible, for then a part of infinity is asked for
    """

    group: str
    names: list[str]
    sums: Sums
    share: Floats
    excess: Floats


def blame(scores: PhraseScores, group: str, *, long: int = LONG) -> Blame:
    """The blame by "category" or "sentence" (the greatest share first), by "length", or by "coverage".

    long : lengths from here on are one group

    >>> from referee.phrases.chunks.iob import decode
    >>> from referee.phrases.candidates import Candidates, Default
    >>> from referee.phrases.measures import measure
    >>> key = decode([["B-NP", "B-VP"]])
    >>> guess = Candidates.unlisted(key.sentences, key.categories, Default.constant(0.5))
    >>> blame(measure(key, guess), "length").share.round(2).tolist()
    [0.67, 0.33]
    """
    names, sums = scores.by(group)
    if group == "length" and len(names) > long:
        starts = np.arange(long)
        columns = {name: np.add.reduceat(column, starts) for name, column in sums.columns.items()}
        names, sums = [*names[: long - 1], f"{long}+"], Sums(columns, sums.sentences)
    bits, total = sums["bits_true"] + sums["bits_false"], scores.total
    share = divide(bits, total.bits) if not total.impossible else np.full(len(names), np.nan)
    excess = share - divide(sums["candidates"], total["candidates"])
    if group in ("category", "sentence"):
        order = np.lexsort((np.arange(len(names)), -bits, -sums.impossible))
        names, sums, share, excess = [names[g] for g in order], sums.at(order), share[order], excess[order]
    return Blame(group, names, sums, share, excess)
