"""Models S and Z: from the probabilities of single candidates to the probabilities of whole parses.

A parse is a sequence of chunks that partitions the sentence. Both models give each chunk c = (x, i, j) a weight. The
probability of a parse is the product of the weights of its chunks, divided by the sum of the products of all parses.

S [1]_
    goes from left to right and chooses among the candidates that start at the current word, in proportion to P(T | c):
    the weight is P(T | c) / sum of P(T | c') over all c' from i. The products of all parses add up to 1, unless some
    choices lead to a dead end.
Z
    is the exact conditional distribution of a phrase model in which candidates are independent, given that the true ones
    partition the sentence: the weight is the odds P(T | c) / (1 - P(T | c)). So the bits of the phrase model are those of
    Z plus the surprisal of a partition, -log2 P(partition). Z is never worse than the phrase model, sentence by sentence.
    S has no such guarantee, and may still be better.

Dynamic programming over word positions finds the sums over all parses and the best parse, in logarithms, for all
sentences of one length at once. In a tie the best parse takes the chunk with the smaller start, then the category that
comes first.

Where odds are needed, a probability of 1 is replaced by the largest number below 1. If no chunk is possible at a position, the
sentence may have no parse: then its truth has infinitely many bits, its best parse is empty, and its marginals are 0.

References
----------
.. [1] Abney (1993), Measures and Models for Phrase Recognition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Bools, Floats, Ints, ranges, starts_of_runs, tally
from referee.basics.exceptions import MismatchError, brief_names
from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences, SpanColumns, aligned

CELLS = 1 << 21
"""Candidates in one block, roughly; a longer sentence is a block of its own."""

ALMOST_ONE = float(np.nextafter(1.0, 0.0))

Weights: TypeAlias = Callable[[Floats], Floats]
"""From probabilities, shape (sentences, starts, last words, categories), to weights."""


def shares(probability: Floats) -> Floats:
    """Weights of S: shares of the probabilities of all candidates with the same start."""
    total = probability.sum(axis=(2, 3), keepdims=True)
    return np.asarray(np.divide(probability, total, out=np.zeros_like(probability), where=total > 0))


def odds(probability: Floats) -> Floats:
    """Weights of Z."""
    clipped = np.minimum(probability, ALMOST_ONE)
    return np.asarray(clipped / (1 - clipped))


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
        return _log(self.weight.sum(axis=3))

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
        # In logarithms, as the weights of the ways around an unlikely chunk may exceed all numbers.
        return np.asarray(np.exp(np.minimum(ways[..., None] + _log(self.weight), 0.0)))


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
        return np.asarray(np.log2(values))


def _log(values: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(values))


def finite(values: Floats) -> Floats:
    """The values, with 0 for those that are infinite or nan."""
    return np.where(np.isfinite(values), values, 0.0)


def _log_sum(values: Floats) -> Floats:
    """Natural logarithm of the sum of the exponentials of each row."""
    top = finite(values.max(axis=1))
    return _log(np.exp(values - top[:, None]).sum(axis=1)) + top


def parse_bits(kind: str, candidates: PhraseCandidates, key: Chunks) -> Floats:
    """Surprisal of the true parse of each sentence of the key: -log2 P(parse).

    Parameters
    ----------
    kind
        "S" or "Z".
    candidates
        The probabilities of a phrase model.
    key
        The true parses.

    Raises
    ------
    MismatchError
        If the chunks of a sentence are not a partition of it, or the sentences differ.
    """
    key, candidates = aligned(key, candidates)
    check_partition(key)
    bits = np.zeros(len(key.sentences))
    offsets = np.searchsorted(key.sentence, np.arange(len(key.sentences) + 1))
    for block in parse_blocks(candidates, WEIGHTS[kind]):
        sentence, rows = ranges(offsets[block.sentences], offsets[block.sentences + 1])
        weight = block.weight[sentence, key.start[rows], key.end[rows] - 1, key.category[rows]]
        log_weight = tally(sentence, log2(weight), len(block.sentences))
        bits[block.sentences] = np.maximum(finite(block.forward[:, -1]) / np.log(2) - log_weight, 0.0)
    return bits


def best_parses(kind: str, candidates: PhraseCandidates) -> Chunks:
    """The most probable parse of each sentence (Viterbi).

    Parameters
    ----------
    kind
        "S" or "Z".
    candidates
        The probabilities of a phrase model.
    """
    columns: list[NDArray[np.int64]] = [np.empty((4, 0), dtype=np.int64)]
    for block in parse_blocks(candidates, WEIGHTS[kind]):
        columns += _best_chunks(block)
    best = SpanColumns(*np.concatenate(columns, axis=1))
    return Chunks.build(candidates.sentences, candidates.categories, **best._asdict(), source=candidates.source)


def _best_chunks(block: ParseBlock) -> list[NDArray[np.int64]]:
    """The chunks of the best parses, as arrays of the rows sentence, start, end, category."""
    category = block.weight.argmax(axis=3)
    best_weight = _log(block.weight.max(axis=3))
    sentences, n = best_weight.shape[:2]
    rows = np.arange(sentences)
    value, back = np.zeros((sentences, n + 1)), np.zeros((sentences, n + 1), dtype=np.int64)
    for end in range(1, n + 1):
        ways = value[:, :end] + best_weight[:, :end, end - 1]
        back[:, end] = ways.argmax(axis=1)
        value[:, end] = ways[rows, back[:, end]]
    rows = rows[value[:, n] > -np.inf]
    end_of = np.full(len(rows), n)
    chunks = []
    while len(rows):
        start = back[rows, end_of]
        chunks.append(np.array([block.sentences[rows], start, end_of, category[rows, start, end_of - 1]]))
        rows, end_of = rows[start > 0], start[start > 0]
    return chunks


def marginals(kind: str, candidates: PhraseCandidates, min_probability: float = 0.0) -> PhraseCandidates:
    """The probability of each candidate to be in the parse. So a sentence model can be scored as a phrase model.

    Parameters
    ----------
    kind
        "S" or "Z".
    candidates
        The probabilities of a phrase model.
    min_probability
        Candidates below it are not listed. By default they get the mean of the unlisted candidates of their category and
        length, which is not exact. With 0, every candidate is listed.
    """
    sentences, categories = candidates.sentences, candidates.categories
    columns: list[NDArray[np.int64]] = [np.empty((4, 0), dtype=np.int64)]
    probabilities: list[Floats] = [np.empty(0)]
    longest = int(sentences.length.max(initial=0))
    rest = np.zeros((2, len(categories), longest))
    for block in parse_blocks(candidates, WEIGHTS[kind]):
        p = block.marginals
        is_span = np.tri(p.shape[1], dtype=bool).T[None, :, :, None]
        listed = (p >= min_probability) & is_span
        sentence, start, last, category = np.nonzero(listed)
        columns.append(np.array([block.sentences[sentence], start, last + 1, category]))
        probabilities.append(p[listed])
        if min_probability > 0:
            _add_unlisted(rest, p, ~listed)
    total, count = rest
    default = DefaultProbabilities.by_length(np.divide(total, count, out=np.zeros_like(total), where=count > 0))
    spans, p = SpanColumns(*np.concatenate(columns, axis=1)), np.concatenate(probabilities)
    return PhraseCandidates.build(
        sentences, categories, **spans._asdict(), probability=p, default=default, source=candidates.source
    )


def _add_unlisted(rest: Floats, p: Floats, unlisted: Bools) -> None:
    """Add the sum of the unlisted probabilities, and their number, by category and length."""
    n = p.shape[1]
    for length in range(1, n + 1):
        start = np.arange(n - length + 1)
        values, is_unlisted = p[:, start, start + length - 1], unlisted[:, start, start + length - 1]
        rest[0, :, length - 1] += (values * is_unlisted).sum(axis=(0, 1))
        rest[1, :, length - 1] += is_unlisted.sum(axis=(0, 1))


def check_partition(chunks: Chunks) -> None:
    """Raise a MismatchError if the chunks of a sentence do not cover it from end to end, or overlap."""
    length = chunks.sentences.length
    is_first = starts_of_runs(chunks.sentence)
    is_last = np.append(is_first[1:], np.ones(min(len(is_first), 1), dtype=bool))
    expected_start = np.where(is_first, 0, np.append(0, chunks.end[:-1]) if len(is_first) else 0)
    is_wrong = (chunks.start != expected_start) | (is_last & (chunks.end != length[chunks.sentence]))
    wrong = np.zeros(len(length), dtype=bool)
    wrong[chunks.sentence[is_wrong]] = True
    wrong |= (tally(chunks.sentence, minlength=len(length)) == 0) & (length > 0)
    if wrong.any():
        name = chunks.sentences.ids[int(wrong.argmax())]
        raise MismatchError(
            f"{chunks.source}: the chunks of sentence {name!r} overlap or leave words out; expected a partition, as models S "
            "and Z need it: give each word outside of chunks a chunk of its own (category Null)"
        )


class PhraseModel(Protocol):
    """A model of single candidates."""

    @property
    def name(self) -> str:
        """The name of the model, such as "C"."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that it knows."""

    def predict(self, sentences: Sentences) -> PhraseCandidates:
        """The probabilities of the candidates of these sentences."""

    def values(self) -> dict[str, object]:
        """The parameters as they are saved in JSON."""


@dataclass(frozen=True, eq=False)
class SentenceModel:
    """A model of parses.

    Parameters
    ----------
    kind
        "S" or "Z".
    phrases
        The phrase model whose probabilities it starts from.
    """

    kind: str
    phrases: PhraseModel

    def __repr__(self) -> str:
        return f"<SentenceModel {self.name}: {brief_names(self.categories)}>"

    @property
    def name(self) -> str:
        """The name of the model, such as "S(C)"."""
        return f"{self.kind}({self.phrases.name})"

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that it knows."""
        return self.phrases.categories

    def predict(self, sentences: Sentences, min_probability: float = 0.0) -> PhraseCandidates:
        """The probability of each candidate to be in the parse; `marginals` explains `min_probability`."""
        return marginals(self.kind, self.phrases.predict(sentences), min_probability)

    def parse(self, sentences: Sentences) -> Chunks:
        """The most probable parse of each sentence."""
        return best_parses(self.kind, self.phrases.predict(sentences))

    def values(self) -> dict[str, object]:
        """The parameters as they are saved in JSON."""
        return {"phrases": {"model": self.phrases.name, **self.phrases.values()}}
