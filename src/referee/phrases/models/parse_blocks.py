"""Sentences of one length, with the weights of their chunks and the sums over all their parses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import ranges
from referee.phrases.annotation import DefaultProbabilities, PhraseCandidates

CELLS = 1 << 21
"""Candidates in one block, roughly; a longer sentence is a block of its own."""

ALMOST_ONE = float(np.nextafter(1.0, 0.0))

Weights: TypeAlias = Callable[[Floats], Floats]
"""From probabilities, shape (sentences, starts, last words, categories), to weights."""


def shares(probability: Floats) -> Floats:
    """Weights of S: shares of the probabilities of all candidates with the same start."""
    total = probability.sum(axis=(2, 3), keepdims=True)
    weights: Floats = np.divide(probability, total, out=np.zeros_like(probability), where=total > 0)
    return weights


def odds(probability: Floats) -> Floats:
    """Weights of Z."""
    clipped = np.minimum(probability, ALMOST_ONE)
    weights: Floats = clipped / (1 - clipped)
    return weights


WEIGHTS: dict[str, Weights] = {"S": shares, "Z": odds}
"""The weights of chunks in each model."""


@dataclass(frozen=True, eq=False)
class ParseBlock:
    """Sentences of n words each.

    Parameters
    ----------
    sentences
        int64, shape (sentences,): their numbers.
    probability, weight
        Shape (sentences, starts, last words, categories); 0 where the last word is before the start.
    """

    sentences: Ints
    probability: Floats
    weight: Floats

    @cached_property
    def log_weights(self) -> Floats:
        """Natural logarithm of the summed weights of each span; shape (sentences, starts, last words)."""
        with np.errstate(divide="ignore"):
            logarithms: Floats = np.log(self.weight.sum(axis=3))
        return logarithms

    @cached_property
    def forward(self) -> Floats:
        """Natural logarithm of the summed weights of all ways from the first position to each; shape (sentences, n + 1)."""
        n = self.log_weights.shape[1]
        total = np.zeros((len(self.sentences), n + 1))
        for end in range(1, n + 1):
            total[:, end] = _log_sum(total[:, :end] + self.log_weights[:, :end, end - 1])
        return total

    @cached_property
    def backward(self) -> Floats:
        """Natural logarithm of the summed weights of all ways from each position to the last; shape (sentences, n + 1)."""
        n = self.log_weights.shape[1]
        total = np.zeros((len(self.sentences), n + 1))
        for start in range(n - 1, -1, -1):
            total[:, start] = _log_sum(total[:, start + 1 :] + self.log_weights[:, start, start:])
        return total

    @cached_property
    def marginals(self) -> Floats:
        """The probability of each candidate to be in the parse."""
        ways = self.forward[:, :-1, None] + self.backward[:, None, 1:] - finite(self.forward[:, -1])[:, None, None]
        with np.errstate(divide="ignore"):
            # In logarithms, as the weights of the ways around an unlikely chunk may exceed all numbers.
            p: Floats = np.exp(np.minimum(ways[..., None] + np.log(self.weight), 0.0))
        return p


def parse_blocks(candidates: PhraseCandidates, weights: Weights) -> Iterator[ParseBlock]:
    """Blocks of all sentences that have words."""
    categories = len(candidates.categories)
    table = (candidates.default or DefaultProbabilities.constant(0.0)).complete_table(categories)
    offsets = np.searchsorted(candidates.sentence, np.arange(len(candidates.sentences) + 1))
    for n in np.unique(candidates.sentences.length).tolist():
        of_length = np.flatnonzero(candidates.sentences.length == n)
        if n == 0 or not categories:
            continue
        first_word, last_word = np.indices((n, n))
        length = last_word - first_word + 1
        unlisted = table.T[np.clip(length, 1, table.shape[1]) - 1] * (length > 0)[..., None]
        step = max(CELLS // (n * n * categories), 1)
        for first in range(0, len(of_length), step):
            numbers = of_length[first : first + step]
            p = np.repeat(unlisted[None], len(numbers), axis=0)
            sentence, rows = ranges(offsets[numbers], offsets[numbers + 1])
            _, start, end, category = candidates.columns.take(rows)
            p[sentence, start, end - 1, category] = candidates.probability[rows]
            yield ParseBlock(numbers, p, weights(p))


def log2(values: Floats) -> Floats:
    """Binary logarithm; -inf for 0."""
    with np.errstate(divide="ignore"):
        logarithms: Floats = np.log2(values)
    return logarithms


def finite(values: Floats) -> Floats:
    """The values, with 0 for those that are infinite or nan."""
    return np.where(np.isfinite(values), values, 0.0)


def _log_sum(values: Floats) -> Floats:
    """Natural logarithm of the sum of the exponentials of each row."""
    top = finite(values.max(axis=1))
    with np.errstate(divide="ignore"):
        logarithms: Floats = np.log(np.exp(values - top[:, None]).sum(axis=1)) + top
    return logarithms
