"""A probability for every candidate, in one array: for models that give one to each.

The order of the candidates is that of `PhraseCandidates`: by sentence, start, end, category. The candidate (x, i, j) of a
sentence of n words has the number (i n - i (i - 1) / 2 + j - i - 1) K + x in its sentence, for K categories.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.algorithms.arrays import Floats, Ints, tally
from referee.basics.exceptions import MismatchError, OptionError
from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences, SpanColumns
from referee.phrases.annotation.alignment import sentence_order
from referee.phrases.annotation.candidates import check_probabilities
from referee.phrases.sums import CandidateSums, surprisal

Probabilities: TypeAlias = NDArray[np.floating[Any]]
"""float64 or float32."""

BLOCK = 1 << 16
"""Probabilities that are looked at together: they stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class DenseCandidates:
    """The probability of every candidate. `DenseCandidates.build` makes and checks them.

    Parameters
    ----------
    sentences
        The sentences in which the candidates stand.
    categories
        The names of the categories.
    probability
        float64 or float32, shape (candidates,).
    source
        The name of the source, for messages.
    """

    sentences: Sentences
    categories: tuple[str, ...]
    probability: Probabilities
    source: str = "<memory>"

    @classmethod
    def build(
        cls, sentences: Sentences, categories: Sequence[str], probability: ArrayLike, *, source: str = "<memory>"
    ) -> DenseCandidates:
        """Build and check candidates.

        Raises
        ------
        OptionError
            If there are not as many probabilities as candidates, or one is not in [0, 1].
        """
        values = np.asarray(probability)
        size = int(sentences.span_counts.sum()) * len(categories)
        if values.shape != (size,):
            raise OptionError(f"{source}: found probabilities of shape {values.shape}; expected {size}, one per candidate")
        check_probabilities(values, source)
        return cls(sentences, tuple(categories), values, source)

    @cached_property
    def offsets(self) -> Ints:
        """Where the candidates of each sentence begin, and the end; shape (sentences + 1,)."""
        return np.concatenate([[0], np.cumsum(self.sentences.span_counts * len(self.categories))])

    def positions(self, chunks: Chunks) -> Ints:
        """The positions of chunks of the same sentences and categories."""
        n, start = self.sentences.length.astype(np.int64)[chunks.sentence], chunks.start.astype(np.int64)
        span = _first_span(start, n) + chunks.length - 1
        return self.offsets[chunks.sentence] + span * len(self.categories) + chunks.category

    def candidates(self, min_probability: float = 0.0, default: DefaultProbabilities | None = None) -> PhraseCandidates:
        """List the candidates of at least this probability; all others get the default.

        Parameters
        ----------
        min_probability
            The least probability that is listed.
        default
            The probabilities of all others; by default, the mean of theirs.
        """
        kept = np.flatnonzero(self.probability >= min_probability)
        if default is None:
            rest = self.probability.sum(dtype=np.float64) - self.probability[kept].sum(dtype=np.float64)
            default = DefaultProbabilities.constant(min(max(rest / max(len(self.probability) - len(kept), 1), 0.0), 1.0))
        columns, p = self._columns(kept), self.probability[kept].astype(np.float64)
        return PhraseCandidates(self.sentences, self.categories, columns, p, default, source=self.source)

    def _columns(self, positions: Ints) -> SpanColumns:
        """The spans at these positions."""
        sentence = np.searchsorted(self.offsets, positions, side="right") - 1
        span, category = np.divmod(positions - self.offsets[sentence], len(self.categories))
        n = self.sentences.length.astype(np.int64)[sentence]
        # The start is the largest i whose first span is not beyond: the root of a quadratic equation, off by one at most.
        start = np.floor((2 * n + 1 - np.sqrt((2 * n + 1.0) ** 2 - 8 * span)) / 2).astype(np.int64)
        start -= _first_span(start, n) > span
        start += _first_span(start + 1, n) <= span
        end = start + 1 + span - _first_span(start, n)
        return SpanColumns(*(column.astype(np.int32) for column in (sentence, start, end, category)))


def _first_span(start: Ints, n: Ints) -> Ints:
    """The number of the first span that starts at this word, in a sentence of n words."""
    return start * n - start * (start - 1) // 2


def dense_sums(key: Chunks, response: DenseCandidates) -> CandidateSums:
    """The sums over all candidates, sentence by sentence.

    They are those of `referee.phrases.score(key, response.candidates()).by_sentence`, computed faster. For groups of
    candidates, use `score`.

    Raises
    ------
    MismatchError
        If the key has other sentences, another order of them, or chunks of other categories.
    """
    key = _checked_key(key, response)
    sentences = len(key.sentences)
    true = response.positions(key)
    p_true = response.probability[true].astype(np.float64)
    bits_true, infinite = surprisal(p_true, np.ones(len(true), dtype=bool))

    def total(weights: Floats) -> Floats:
        return tally(key.sentence, weights, sentences).astype(np.float64)

    correct = total(p_true)
    false = _false_sums(response, true)
    return CandidateSums(
        {
            "candidates": np.diff(response.offsets),
            "true_chunks": tally(key.sentence, minlength=sentences),
            "zero_probability_true": tally(key.sentence[infinite], minlength=sentences),
            "zero_probability_false": false.zero_probability,
            "cross_entropy_true": total(bits_true),
            "cross_entropy_false": false.bits,
            "expected_chunks": false.probability + correct,
            "expected_correct": correct,
            "squared_error": false.p_squared + total((1 - p_true) ** 2),
        },
        np.ones(sentences, dtype=np.int64),
    )


def _checked_key(key: Chunks, response: DenseCandidates) -> Chunks:
    """The key over the categories of the response."""
    if sentence_order(key, response) is not None:
        raise MismatchError(
            f"{response.source}: its sentences are those of {key.source} in another order; expected the same order"
        )
    if unknown := key.used_categories() - set(response.categories):
        raise MismatchError(
            f"{response.source}: has no candidates of {', '.join(sorted(unknown))}; expected every category of {key.source}"
        )
    return key.with_categories(response.categories)


class _FalseSums(NamedTuple):
    """Sums over the false candidates of each sentence: bits, p, p², and the number of events p = 1."""

    bits: Floats
    probability: Floats
    p_squared: Floats
    zero_probability: Ints


def _false_sums(response: DenseCandidates, true: Ints) -> _FalseSums:
    sentences = len(response.sentences)
    sums = _FalseSums(np.zeros(sentences), np.zeros(sentences), np.zeros(sentences), np.zeros(sentences, dtype=np.int64))
    blocks = list(_blocks(response.offsets))
    longest = max((after - first for _, first, after in blocks), default=0)
    buffer, scratch = np.empty(longest, dtype=response.probability.dtype), np.empty(longest, dtype=response.probability.dtype)
    for numbers, first, after in blocks:
        negative, other = buffer[: after - first], scratch[: after - first]
        np.negative(response.probability[first:after], out=negative)
        negative[true[slice(*np.searchsorted(true, [first, after]))] - first] = 0
        _add_block(sums, numbers, response.offsets[numbers] - first, negative, other)
    return sums._replace(bits=sums.bits / -math.log(2))


def _blocks(offsets: Ints) -> Iterator[tuple[Ints, int, int]]:
    """Sentences that are looked at together: their numbers, and where their candidates begin and end."""
    numbers = np.flatnonzero(np.diff(offsets))
    starts = offsets[numbers]
    first_in_block = np.flatnonzero(np.diff(starts // BLOCK, prepend=-1))
    for a, b in pairwise([*first_in_block.tolist(), len(numbers)]):
        yield numbers[a:b], int(starts[a]), int(offsets[numbers[b - 1] + 1])


def _add_block(sums: _FalseSums, numbers: Ints, starts: Ints, negative: Probabilities, scratch: Probabilities) -> None:
    """Add the sums of one block. The bits are natural logarithms here.

    Parameters
    ----------
    sums
        The sums of all sentences.
    numbers, starts
        The sentences of the block, and where each begins in it.
    negative
        -p of the candidates of the block; 0 for the true ones.
    scratch
        An array of the same shape that may be overwritten.
    """

    def total(values: Probabilities) -> Floats:
        return np.add.reduceat(values, starts, dtype=np.float64)

    sums.probability[numbers] = -total(negative)
    sums.p_squared[numbers] = total(np.square(negative, out=scratch))
    with np.errstate(divide="ignore"):
        sums.bits[numbers] = total(np.log1p(negative, out=scratch))
    if np.isinf(sums.bits[numbers]).any():
        certain = negative == -1
        sums.zero_probability[numbers] = np.add.reduceat(certain, starts, dtype=np.int64)
        scratch[certain] = 0
        sums.bits[numbers] = total(scratch)
