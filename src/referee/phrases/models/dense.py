"""A probability for every candidate, in one array: for models that have one for each, scored at the speed of memory.

The order of the candidates is that of `Candidates`: by sentence, start, end, category. The number of (x, i, j) in its sentence
of n words is ((i n - i (i - 1) / 2) + j - i - 1) K + x.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.algorithms.arrays import Floats, Ints
from referee.exceptions import MismatchError, OptionError
from referee.phrases.candidates import Candidates, Chunks, Default, Sentences, check_probabilities, same_sentences
from referee.phrases.measures import Sums, costs

BLOCK = 1 << 16
"""Probabilities that are looked at a time: they stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Dense:
    """p : float64 or float32, shape (universe,), the probability of every candidate"""

    sentences: Sentences
    categories: tuple[str, ...]
    p: NDArray[np.floating[Any]]
    source: str = "<memory>"

    @classmethod
    def build(cls, sentences: Sentences, categories: Sequence[str], p: ArrayLike, *, source: str = "<memory>") -> Dense:
        """OptionError if these are not as many probabilities as there are candidates."""
        values = np.asarray(p)
        universe = int(sentences.spans.sum()) * len(categories)
        if values.shape != (universe,):
            raise OptionError(f"{source}: found probabilities of shape {values.shape}; expected {universe}, one a candidate")
        check_probabilities(values, source)
        return cls(sentences, tuple(categories), values, source)

    @cached_property
    def offsets(self) -> Ints:
        """Where the candidates of each sentence begin; one more for the end."""
        return np.concatenate([[0], np.cumsum(self.sentences.spans * len(self.categories))])

    def places(self, chunks: Chunks) -> Ints:
        """The numbers of chunks of the same sentences and categories."""
        n, i = self.sentences.length.astype(np.int64)[chunks.sentence], chunks.start.astype(np.int64)
        span = i * n - i * (i - 1) // 2 + chunks.length - 1
        return self.offsets[chunks.sentence] + span * len(self.categories) + chunks.category

    def candidates(self, least: float = 0.0, default: Default | None = None) -> Candidates:
        """Those of at least this probability, listed; all others get the default, by default the mean of theirs."""
        kept = np.flatnonzero(self.p >= least)
        if default is None:
            rest = self.p.sum(dtype=np.float64) - self.p[kept].sum(dtype=np.float64)
            default = Default.constant(min(max(rest / max(len(self.p) - len(kept), 1), 0.0), 1.0))
        sentence = np.searchsorted(self.offsets, kept, side="right") - 1
        span, category = np.divmod(kept - self.offsets[sentence], len(self.categories))
        n = self.sentences.length.astype(np.int64)[sentence]
        # The start is the largest i whose first span, i n - i (i - 1) / 2, is not beyond: a root, off by one at most.
        start = np.floor((2 * n + 1 - np.sqrt((2 * n + 1.0) ** 2 - 8 * span)) / 2).astype(np.int64)
        start -= start * n - start * (start - 1) // 2 > span
        start += (start + 1) * n - (start + 1) * start // 2 <= span
        end = start + 1 + span - (start * n - start * (start - 1) // 2)
        s, i, j, x = (c.astype(np.int32) for c in (sentence, start, end, category))
        p = self.p[kept].astype(np.float64)
        return Candidates(self.sentences, self.categories, s, i, j, x, p, default, source=self.source)


def total(key: Chunks, dense: Dense) -> Sums:
    """The sums over all candidates, sentence by sentence, of shape (sentences,); for groups of them, see `measures.measure`.

    MismatchError if the key has other sentences, another order of them, or chunks of other categories.
    """
    key = _comparable(key, dense)
    sentences = len(key.sentences)
    true = dense.places(key)
    p_true = dense.p[true].astype(np.float64)
    bits_true, impossible = costs(p_true, np.ones(len(true), dtype=bool))

    def of_true(weights: Floats) -> Floats:
        return np.bincount(key.sentence, weights, sentences).astype(np.float64)

    correct = of_true(p_true)
    bits, yes, brier, mistakes = _of_false(dense, true)
    return Sums(
        {
            "candidates": np.diff(dense.offsets),
            "true": np.bincount(key.sentence, minlength=sentences),
            "impossible_true": np.bincount(key.sentence[impossible], minlength=sentences),
            "impossible_false": mistakes,
            "bits_true": of_true(bits_true),
            "bits_false": bits,
            "yes": yes + correct,
            "correct": correct,
            "brier": brier + of_true((1 - p_true) ** 2),
        },
        np.ones(sentences, dtype=np.int64),
    )


def _comparable(key: Chunks, dense: Dense) -> Chunks:
    if same_sentences(key, dense) is not None:
        raise MismatchError(
            f"{dense.source}: its sentences are those of {key.source} in another order; expected the same order"
        )
    if unknown := key.used() - set(dense.categories):
        raise MismatchError(
            f"{dense.source}: knows nothing of {', '.join(sorted(unknown))}; expected every category of {key.source}"
        )
    return key.renamed(dense.categories)


def _of_false(dense: Dense, true: Ints) -> tuple[Floats, Floats, Floats, Ints]:
    """Bits, sum of p, sum of p², and the number of events p = 1 of the false candidates of each sentence."""
    sentences = len(dense.sentences)
    bits, yes, squares = (np.zeros(sentences) for _ in range(3))
    mistakes = np.zeros(sentences, dtype=np.int64)
    some = np.flatnonzero(np.diff(dense.offsets))
    starts = dense.offsets[some]
    blocks = np.flatnonzero(np.diff(starts // BLOCK, prepend=-1))  # the first sentence of each
    longest = int(np.diff(dense.offsets[np.append(some[blocks], sentences)]).max(initial=0))
    buffer, other = np.empty(longest, dtype=dense.p.dtype), np.empty(longest, dtype=dense.p.dtype)
    for a, b in pairwise([*blocks.tolist(), len(some)]):
        first, after = starts[a], dense.offsets[some[b - 1] + 1]
        q, scratch = buffer[: after - first], other[: after - first]
        np.negative(dense.p[first:after], out=q)
        q[true[slice(*np.searchsorted(true, [first, after]))] - first] = 0
        which, each = some[a:b], starts[a:b] - first
        yes[which] = -np.add.reduceat(q, each, dtype=np.float64)
        squares[which] = np.add.reduceat(np.square(q, out=scratch), each, dtype=np.float64)
        with np.errstate(divide="ignore"):
            bits[which] = np.add.reduceat(np.log1p(q, out=scratch), each, dtype=np.float64)
        if np.isinf(bits[which]).any():
            certain = q == -1
            mistakes[which] = np.add.reduceat(certain, each, dtype=np.int64)
            scratch[certain] = 0
            bits[which] = np.add.reduceat(scratch, each, dtype=np.float64)
    return bits / -math.log(2), yes, squares, mistakes
