"""The probabilities of chunks, from those of a tagger's tags.

A chunk (x, i, j) is a run of tags: B-x at i, I-x after it, and another tag at j. In a chain of first order its probability is
exactly

    P(B-x at i) · Π P(I-x at k | B-x or I-x at k - 1) · (1 - P(I-x at j | B-x or I-x at j - 1)),

given the sentence; the forward and backward sums give these probabilities (`chain_candidates`). From the probabilities of each
word's tags alone, they can be multiplied as if words were independent (`independent_candidates`); on CoNLL-2000 this costs a
tenth more bits. Only `B` begins a chunk, as in IOB2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.basics.exceptions import FormatError
from referee.phrases.annotation import DefaultProbabilities, PhraseCandidates, Sentences, SpanColumns


def categories_of(tags: Sequence[str], *, source: str = "<posteriors>") -> list[str]:
    """The categories of a tag set, in alphabetical order.

    Raises
    ------
    FormatError
        If it is not a tag set of IOB2.
    """
    wrong = [tag for tag in tags if tag != "O" and tag[:2] not in ("B-", "I-")]
    begun, inside = ({tag[2:] for tag in tags if tag[:2] == prefix} for prefix in ("B-", "I-"))
    if wrong or len(set(tags)) < len(tags) or not inside <= begun:
        raise FormatError(
            source, None, f"found the tags {', '.join(tags)}; expected O, and B- and I- of each category, each once"
        )
    return sorted(begun)


def independent_candidates(
    sentences: Sentences,
    tags: Sequence[str],
    marginals: Sequence[Floats],
    *,
    min_probability: float = 0.0,
    source: str = "<posteriors>",
) -> PhraseCandidates:
    """Candidates from the probability of each tag at each word, as if words were independent.

    Parameters
    ----------
    sentences
        The sentences.
    tags
        The tags of IOB2.
    marginals
        For each sentence, an array (words, tags).
    min_probability
        Candidates below it are not listed.
    source
        The name of the source, for messages.
    """
    steps = [np.repeat(marginal[1:, None, :], len(tags), axis=1) for marginal in marginals]
    return chain_candidates(sentences, tags, marginals, steps, min_probability=min_probability, source=source)


def chain_candidates(
    sentences: Sentences,
    tags: Sequence[str],
    marginals: Sequence[Floats],
    steps: Sequence[Floats],
    *,
    min_probability: float = 0.0,
    source: str = "<posteriors>",
) -> PhraseCandidates:
    """Candidates from the exact posterior of a chain.

    Parameters
    ----------
    sentences
        The sentences.
    tags
        The tags of IOB2.
    marginals
        For each sentence, an array (words, tags): P(tag).
    steps
        For each sentence, an array (words - 1, tags, tags): P(tag of the next word | tag of this word).
    min_probability
        Candidates below it are not listed. They count as 0, as all unlisted candidates.
    source
        The name of the source, for messages.
    """
    categories = categories_of(tags, source=source)
    number = {tag: t for t, tag in enumerate(tags)}
    begin = np.array([number[f"B-{name}"] for name in categories], dtype=np.int64)
    inside = np.array([number.get(f"I-{name}", -1) for name in categories], dtype=np.int64)
    spans = [np.empty((4, 0), dtype=np.int64)]
    p = [np.empty(0)]
    for s, (marginal, step) in enumerate(zip(marginals, steps, strict=True)):
        for length, start, category, values in _runs(marginal, step, begin, inside, min_probability):
            spans.append(np.array([np.full(len(start), s), start, start + length, category]))
            p.append(values)
    columns = SpanColumns(*np.concatenate(spans, axis=1))
    probability = np.clip(np.concatenate(p), 0.0, 1.0)  # products may exceed 1 by rounding
    default = DefaultProbabilities.constant(0.0)
    return PhraseCandidates.build(
        sentences, categories, **columns._asdict(), probability=probability, default=default, source=source
    )


def _runs(
    marginal: Floats, step: Floats, begin: Ints, inside: Ints, min_probability: float
) -> Iterator[tuple[int, Ints, Ints, Floats]]:
    """Length, start, category and probability of the chunks of one sentence, in one pass per length."""
    words = len(marginal)
    continues = np.zeros((2, words, len(begin)))  # after B, after I; never after the last word
    if len(step):
        continues[:, :-1] = np.where(inside < 0, 0.0, (step[:, begin, inside], step[:, inside, inside]))
    reached, onward = marginal[:, begin], continues[0]
    for length in range(1, words + 1):
        p = reached * (1 - onward)
        start, category = np.nonzero(p > 0 if min_probability <= 0 else p >= min_probability)
        yield length, start, category, p[start, category]
        reached = (reached * onward)[:-1]
        onward = continues[1, length:]
        if not (reached > min_probability).any():
            return
