"""The probabilities of chunks, from those of a tagger's tags.

A chunk (x, i, j) is a run of tags: B-x at i, I-x after it, and another tag at j. In a chain of first order its probability is
exactly

    P(B-x at i) · Π P(I-x at k | B-x or I-x at k - 1) · (1 - P(I-x at j | B-x or I-x at j - 1)),

given the sentence; the forward and backward sums give these probabilities (`chain_candidates`). From the probabilities of each
word's tags alone, they can be multiplied as if words were independent (`independent_candidates`); on CoNLL-2000 this costs a
tenth more bits. Only `B` begins a chunk, as in IOB2. In schemes that mark both ends (IOBES, BILOU, BMEWO), the last factor is
the probability of E-x at j - 1, and S-x at i is a chunk of one word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.basics.exceptions import FormatError
from referee.phrases.annotation import DefaultProbabilities, PhraseCandidates, Sentences, SpanColumns
from referee.phrases.chunking.iob import ALIASES


class TagNumbers(NamedTuple):
    """The categories of a tag set in alphabetical order, and the number of the tag of each with each prefix; -1 for none."""

    categories: list[str]
    begin: Ints
    inside: Ints
    last: Ints
    only: Ints

    @property
    def marks_ends(self) -> bool:
        """Whether tags mark the last word of a chunk."""
        return bool((self.last >= 0).any() or (self.only >= 0).any())


def tag_numbers(tags: Sequence[str], source: str) -> TagNumbers:
    """The numbers of the tags of IOB2, or of a scheme that marks both ends: IOBES, BILOU, BMEWO.

    Raises
    ------
    FormatError
        If it is the tag set of none of them.
    """
    numbers: dict[tuple[str, str], int] = {}
    for number, tag in enumerate(tags):
        prefix, hyphen, category = tag.partition("-")
        if tag != "O":
            numbers[ALIASES.get(prefix, prefix) if hyphen else "", category] = number
    begun, inside, last, only = ({x for p, x in numbers if p == prefix} for prefix in "BIES")
    is_complete = inside <= begun and (not last | only or (begun == last and begun <= only))
    if not (is_complete and {p for p, _ in numbers} <= set("BIES") and len(numbers) + ("O" in tags) == len(tags)):
        expected = "O, and B- and I- of each category, each once; or those of IOBES, BILOU or BMEWO"
        raise FormatError(source, None, f"found the tags {', '.join(tags)}; expected {expected}")
    categories = sorted(begun | only)
    return TagNumbers(categories, *(np.array([numbers.get((p, x), -1) for x in categories], dtype=np.int64) for p in "BIES"))


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
        The tags of IOB2, IOBES, BILOU or BMEWO.
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
        The tags of IOB2, IOBES, BILOU or BMEWO.
    marginals
        For each sentence, an array (words, tags): P(tag).
    steps
        For each sentence, an array (words - 1, tags, tags): P(tag of the next word | tag of this word).
    min_probability
        Candidates below it are not listed. They count as 0, as all unlisted candidates.
    source
        The name of the source, for messages.
    """
    numbers = tag_numbers(tags, source)
    runs = _marked_runs if numbers.marks_ends else _runs
    spans = [np.empty((4, 0), dtype=np.int64)]
    p = [np.empty(0)]
    for s, (marginal, step) in enumerate(zip(marginals, steps, strict=True)):
        for length, start, category, values in runs(marginal, step, numbers, min_probability):
            spans.append(np.array([np.full(len(start), s), start, start + length, category]))
            p.append(values)
    columns = SpanColumns(*np.concatenate(spans, axis=1))
    probability = np.clip(np.concatenate(p), 0.0, 1.0)  # products may exceed 1 by rounding
    default = DefaultProbabilities.constant(0.0)
    return PhraseCandidates.build(
        sentences, numbers.categories, **columns._asdict(), probability=probability, default=default, source=source
    )


def _runs(
    marginal: Floats, step: Floats, numbers: TagNumbers, min_probability: float
) -> Iterator[tuple[int, Ints, Ints, Floats]]:
    """Length, start, category and probability of the chunks of one sentence, in one pass per length."""
    words, begin = len(marginal), numbers.begin
    continues = _followed_by(step, words, numbers, numbers.inside)
    reached, onward = marginal[:, begin], continues[0]
    for length in range(1, words + 1):
        p = reached * (1 - onward)
        yield length, *_likely(p, min_probability)
        reached = (reached * onward)[:-1]
        onward = continues[1, length:]
        if not (reached > min_probability).any():
            return


def _marked_runs(
    marginal: Floats, step: Floats, numbers: TagNumbers, min_probability: float
) -> Iterator[tuple[int, Ints, Ints, Floats]]:
    """The same where tags mark both ends: S alone; or B, any number of I, and E."""
    words = len(marginal)
    yield 1, *_likely(np.where(numbers.only < 0, 0.0, marginal[:, numbers.only]), min_probability)
    goes_on, ends = (_followed_by(step, words, numbers, following) for following in (numbers.inside, numbers.last))
    reached = np.where(numbers.begin < 0, 0.0, marginal[:, numbers.begin])
    for length in range(2, words + 1):
        state, at = int(length > 2), slice(length - 2, words - 1)  # after B, or after I, at the last word but one
        yield length, *_likely(reached[:-1] * ends[state, at], min_probability)
        reached = reached[:-1] * goes_on[state, at]
        if not (reached > min_probability).any():
            return


def _followed_by(step: Floats, words: int, numbers: TagNumbers, following: Ints) -> Floats:
    """P(tag of the next word | B or I of the category), shape (2, words, categories); 0 after the last word."""
    p = np.zeros((2, words, len(following)))
    if len(step):
        p[:, :-1] = np.where(following < 0, 0.0, (step[:, numbers.begin, following], step[:, numbers.inside, following]))
    return p


def _likely(p: Floats, min_probability: float) -> tuple[Ints, Ints, Floats]:
    """Start, category and probability of those that are listed."""
    start, category = np.nonzero(p > 0 if min_probability <= 0 else p >= min_probability)
    return start, category, p[start, category]
