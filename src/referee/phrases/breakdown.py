"""Error breakdown: which categories, lengths or uncovered candidates the cross-entropy comes from.

The excess of a group is its share of the cross-entropy minus its share of the candidates; excesses add up to 0. A rare category
always has a large negative excess, because it has as many candidates as any other, nearly all trivially false. So the bits per
chunk must be read with it: on CoNLL-2000, ADJP has an excess of -4 points and costs more bits per true chunk than any other
frequent category.

References
----------
.. [1] Abney (1993), Measures and Models for Phrase Recognition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats
from referee.counts import divide
from referee.phrases.scores import PhraseScores
from referee.phrases.sums import CandidateSums

MAX_LENGTH = 10
"""Candidates of this length and longer ones are one group."""


@dataclass(frozen=True, eq=False)
class ErrorBreakdown:
    """The groups of candidates and their part in the cross-entropy.

    Parameters
    ----------
    group
        What the candidates are grouped by.
    names
        The names of the groups.
    sums
        Sums of shape (groups,).
    share
        The share of the whole cross-entropy, a fraction; nan if any event has probability 0.
    excess
        The share of the cross-entropy minus the share of the candidates.
    """

    group: str
    names: list[str]
    sums: CandidateSums
    share: Floats
    excess: Floats


def error_breakdown(scores: PhraseScores, group: str, *, max_length: int = MAX_LENGTH) -> ErrorBreakdown:
    """Break the cross-entropy down by groups of candidates.

    Parameters
    ----------
    scores
        The scores of a response.
    group
        "category" or "sentence" (the largest share first), "length", or "coverage".
    max_length
        Candidates of this length and longer ones are one group.

    Examples
    --------
    >>> from referee.phrases import DefaultProbabilities, PhraseCandidates, decode, score
    >>> key = decode([["B-NP", "B-VP"]])
    >>> guess = PhraseCandidates.unlisted(key.sentences, key.categories, DefaultProbabilities.constant(0.5))
    >>> error_breakdown(score(key, guess), "length").share.round(2).tolist()
    [0.67, 0.33]
    """
    names, sums = scores.by(group)
    if group == "length" and len(names) > max_length:
        starts = np.arange(max_length)
        columns = {name: np.add.reduceat(column, starts) for name, column in sums.columns.items()}
        names, sums = [*names[: max_length - 1], f"{max_length}+"], CandidateSums(columns, sums.sentences)
    bits, total = sums.finite_cross_entropy, scores.total
    share = np.full(len(names), np.nan) if total.zero_probability_events else divide(bits, total.cross_entropy)
    excess = share - divide(sums["candidates"], total["candidates"])
    if group in ("category", "sentence"):
        order = np.lexsort((np.arange(len(names)), -bits, -sums.zero_probability_events))
        names, sums, share, excess = [names[g] for g in order], sums.at(order), share[order], excess[order]
    return ErrorBreakdown(group, names, sums, share, excess)
