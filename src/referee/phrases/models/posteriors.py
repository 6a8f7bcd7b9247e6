"""From the probabilities of a tagger's tags to those of chunks.

A chunk (x, i, j) is a run of tags: B-x at i, I-x after it, and something else at j. In a chain of first order its probability
is exactly

    P(B-x at i) · Π P(I-x at k | B-x or I-x at k - 1) · (1 - P(I-x at j | B-x or I-x at j - 1))

all given the sentence, as forward and backward sums give them (`of_chain`). Whoever has only the probabilities of each word's
tags can multiply these as if they were independent (`of_marginals`): on CoNLL-2000 that costs a tenth more bits. Only `B`
begins a chunk, as in IOB2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats
from referee.exceptions import FormatError
from referee.phrases.candidates import Candidates, Default, Sentences


def categories_of(tags: Sequence[str], *, source: str = "<posteriors>") -> list[str]:
    """The categories of a tag set, in alphabetical order. FormatError if it is not one of IOB2."""
    wrong = [tag for tag in tags if tag != "O" and tag[:2] not in ("B-", "I-")]
    begun, inside = ({tag[2:] for tag in tags if tag[:2] == prefix} for prefix in ("B-", "I-"))
    if wrong or len(set(tags)) < len(tags) or not inside <= begun:
        raise FormatError(
            source, None, f"found the tags {', '.join(tags)}; expected O, and B- and I- of each category, each once"
        )
    return sorted(begun)


def of_marginals(
    sentences: Sentences, tags: Sequence[str], marginals: Sequence[Floats], *, least: float = 0.0, source: str = "<posteriors>"
) -> Candidates:
    """Candidates from the probability of each tag at each word, as if words were independent.

    marginals : float, of each sentence an array (words, tags)
    least     : candidates below it are not listed
    """
    steps = [np.repeat(m[1:, None, :], len(tags), axis=1) for m in marginals]
    return of_chain(sentences, tags, marginals, steps, least=least, source=source)


def of_chain(
    sentences: Sentences,
    tags: Sequence[str],
    marginals: Sequence[Floats],
    steps: Sequence[Floats],
    *,
    least: float = 0.0,
    source: str = "<posteriors>",
) -> Candidates:
    """Candidates from the exact posterior of a chain.

    marginals : float, of each sentence an array (words, tags): P(tag)
    steps     : float, of each sentence an array (words - 1, tags, tags): P(tag of the next word | tag of this one)
    least     : candidates below it are not listed; they count as 0, like all others
    """
    categories = categories_of(tags, source=source)
    place = {tag: t for t, tag in enumerate(tags)}
    b = [place[f"B-{name}"] for name in categories]
    i = [place.get(f"I-{name}", -1) for name in categories]
    found: list[list[NDArray[Any]]] = [[], [], [], [], []]
    for s, (marginal, step) in enumerate(zip(marginals, steps, strict=True)):
        go_on = np.zeros((2, len(marginal), len(b)))  # after B, after I; never after the last word
        if len(step):
            go_on[:, :-1] = np.where(np.array(i) < 0, 0.0, (step[:, b, i], step[:, i, i]))
        alive, go = marginal[:, b], go_on[0]
        for length in range(1, len(marginal) + 1):
            p = alive * (1 - go)
            start, category = np.nonzero(p > 0 if least <= 0 else p >= least)
            for column, values in zip(found, (np.full(len(start), s), start, start + length, category), strict=False):
                column.append(values)
            found[4].append(p[start, category])
            alive = (alive * go)[:-1]
            go = go_on[1, length:]
            if not (alive > least).any():
                break
    sentence, start, end, category = (np.concatenate([*c, np.empty(0, dtype=np.int64)]) for c in found[:4])
    p = np.clip(np.concatenate([*found[4], np.empty(0)]), 0.0, 1.0)  # products may exceed 1 by rounding
    return Candidates.build(sentences, categories, sentence, start, end, category, p, Default.constant(0.0), source=source)
