"""Models S and Z: from the probabilities of single candidates to the probabilities of whole parses.

A parse is a sequence of chunks that partitions the sentence. Both models give a chunk c = (x, i, j) a weight, and a parse the
product of its chunks' weights over the sum of all parses' products:

S (Abney 1993)
    goes from left to right and chooses at each place among the candidates that start there, in proportion to P(T|c): the
    weight is P(T|c) / sum of P(T|c') over all c' from i. The products of all parses add up to 1, unless some way is a dead end.
Z
    is the exact conditional of a phrase model in which candidates are independent, given that the true ones partition the
    sentence: the weight is the odds P(T|c) / (1 - P(T|c)). So the bits of the phrase model are those of Z plus the cost of the
    event that there is a partition, -lg P(partition); Z is never worse, sentence by sentence. S has no such guarantee, and may
    be better still.

Sums over all parses and the best parse are found by dynamic programming over places, for all sentences of one length at once,
in logarithms. In a tie the best parse takes the chunk with the smaller start, then the category that comes first.

A probability of 1 is taken as the greatest number below 1, where odds are needed. A place from which nothing is possible
leaves a sentence without any parse: its truth costs infinitely many bits, its best parse is empty, its marginals are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import ranges, starts_of_runs
from referee.exceptions import MismatchError
from referee.phrases.candidates import Candidates, Chunks, Default, same_sentences

CELLS = 1 << 21
"""Candidates that are looked at together, roughly; a longer sentence is looked at alone."""

ALMOST_ONE = float(np.nextafter(1.0, 0.0))

Weigh = Callable[[Floats], Floats]
"""Probabilities, shape (sentences, starts, ends, categories), to weights."""


def local(p: Floats) -> Floats:
    """Weights of S."""
    total = p.sum(axis=(2, 3), keepdims=True)
    shares: Floats = np.divide(p, total, out=np.zeros_like(p), where=total > 0)
    return shares


def odds(p: Floats) -> Floats:
    """Weights of Z."""
    clipped = np.minimum(p, ALMOST_ONE)
    weights: Floats = clipped / (1 - clipped)
    return weights


WEIGHTS: dict[str, Weigh] = {"S": local, "Z": odds}


def sentence_bits(kind: str, candidates: Candidates, key: Chunks) -> Floats:
    """-lg P(true parse) of each sentence of the key.

    MismatchError if the chunks of a sentence are no partition of it.
    """
    candidates, key = _alike(candidates, key)
    check_partition(key)
    bits = np.zeros(len(key.sentences))
    offsets = np.searchsorted(key.sentence, np.arange(len(key.sentences) + 1))
    for block in _blocks(candidates, WEIGHTS[kind]):
        sentence, rows = ranges(offsets[block.sentences], offsets[block.sentences + 1])
        weight = block.weight[sentence, key.start[rows], key.end[rows] - 1, key.category[rows]]
        found = np.bincount(sentence, _lg(weight), len(block.sentences))
        bits[block.sentences] = np.maximum(_finite(block.forward[:, -1]) / np.log(2) - found, 0.0)
    return bits


def viterbi(kind: str, candidates: Candidates) -> Chunks:
    """The most probable parse of each sentence."""
    found: list[NDArray[np.int64]] = [np.empty((4, 0), dtype=np.int64)]
    for block in _blocks(candidates, WEIGHTS[kind]):
        category = block.weight.argmax(axis=3)
        with np.errstate(divide="ignore"):
            best = np.log(block.weight.max(axis=3))
        number, n = best.shape[:2]
        rows = np.arange(number)
        value, back = np.zeros((number, n + 1)), np.zeros((number, n + 1), dtype=np.int64)
        for end in range(1, n + 1):
            ways = value[:, :end] + best[:, :end, end - 1]
            back[:, end] = ways.argmax(axis=1)
            value[:, end] = ways[rows, back[:, end]]
        rows = rows[value[:, n] > -np.inf]
        at = np.full(len(rows), n)
        while len(rows):
            start = back[rows, at]
            found.append(np.array([block.sentences[rows], start, at, category[rows, start, at - 1]]))
            rows, at = rows[start > 0], start[start > 0]
    sentence, starts, ends, categories = np.concatenate(found, axis=1)
    return Chunks.build(
        candidates.sentences, candidates.categories, sentence, starts, ends, categories, source=candidates.source
    )


def marginals(kind: str, candidates: Candidates, least: float = 0.0) -> Candidates:
    """The probability of each candidate to be in the parse. So a sentence model can be judged as a phrase model.

    least : candidates below it are not listed; then by default each gets the mean of those of its category and length, which
            is not exact. With 0 every candidate is listed.
    """
    sentences, categories = candidates.sentences, candidates.categories
    columns: list[NDArray[np.int64]] = [np.empty((4, 0), dtype=np.int64)]
    values: list[Floats] = [np.empty(0)]
    longest = int(sentences.length.max(initial=0))
    rest = np.zeros((len(categories), longest))
    count = np.zeros((len(categories), longest), dtype=np.int64)
    for block in _blocks(candidates, WEIGHTS[kind]):
        p = block.marginals
        n = p.shape[1]
        listed = (p >= least) & np.tri(n, dtype=bool).T[None, :, :, None]
        sentence, start, last, category = np.nonzero(listed)
        columns.append(np.array([block.sentences[sentence], start, last + 1, category]))
        values.append(p[listed])
        if least > 0:
            for length in range(1, n + 1):
                start = np.arange(n - length + 1)
                some, unlisted = p[:, start, start + length - 1], ~listed[:, start, start + length - 1]
                rest[:, length - 1] += (some * unlisted).sum(axis=(0, 1))
                count[:, length - 1] += unlisted.sum(axis=(0, 1))
    default = Default.by_length(np.divide(rest, count, out=np.zeros_like(rest), where=count > 0))
    sentence, start, end, category = np.concatenate(columns, axis=1)
    p = np.concatenate(values)
    return Candidates.build(sentences, categories, sentence, start, end, category, p, default, source=candidates.source)


def own_entropy(kind: str, candidates: Candidates) -> Floats:
    """The bits a sentence would cost on average if the model were true: the entropy of its parses."""
    bits = np.zeros(len(candidates.sentences))
    for block in _blocks(candidates, WEIGHTS[kind]):
        p = block.marginals
        expected = np.where(p > 0, p * _lg(np.where(p > 0, block.weight, 1.0)), 0.0).sum(axis=(1, 2, 3))
        bits[block.sentences] = np.maximum(block.forward[:, -1] / np.log(2) - expected, 0.0)
    return bits


def partition_cost(candidates: Candidates) -> Floats:
    """-lg P(the true candidates partition the sentence), candidates being independent."""
    bits = np.zeros(len(candidates.sentences))
    for block in _blocks(candidates, odds):
        all_false = -np.log1p(-np.minimum(block.p, ALMOST_ONE)).sum(axis=(1, 2, 3))
        bits[block.sentences] = np.maximum(all_false - block.forward[:, -1], 0.0) / np.log(2)
    return bits


def check_partition(chunks: Chunks) -> None:
    """MismatchError if a sentence is not covered from end to end by chunks that do not overlap."""
    length = chunks.sentences.length
    new = starts_of_runs(chunks.sentence)
    last = np.append(new[1:], np.ones(min(len(new), 1), dtype=bool))
    expected_start = np.where(new, 0, np.append(0, chunks.end[:-1]) if len(new) else 0)
    wrong = (chunks.start != expected_start) | (last & (chunks.end != length[chunks.sentence]))
    bad = np.zeros(len(length), dtype=bool)
    bad[chunks.sentence[wrong]] = True
    bad |= (np.bincount(chunks.sentence, minlength=len(length)) == 0) & (length > 0)
    if bad.any():
        name = chunks.sentences.ids[int(bad.argmax())]
        raise MismatchError(
            f"{chunks.source}: the chunks of sentence {name!r} overlap or leave words out; expected a partition, as models S "
            "and Z need: give each word outside of chunks a chunk of its own (category Null)"
        )


@dataclass(frozen=True, eq=False)
class _Block:
    """Sentences of n words each.

    sentences : int64, shape (sentences,), their numbers
    p, weight : shape (sentences, starts, last words, categories); 0 where the last word is before the start
    """

    sentences: Ints
    p: Floats
    weight: Floats

    @cached_property
    def spans(self) -> Floats:
        """ln of the summed weights of each span."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log(self.weight.sum(axis=3))
        return logs

    @cached_property
    def forward(self) -> Floats:
        """ln of the summed weights of all ways from the first place to each. (sentences, n + 1)"""
        n = self.spans.shape[1]
        total = np.zeros((len(self.sentences), n + 1))
        for end in range(1, n + 1):
            total[:, end] = _log_sum(total[:, :end] + self.spans[:, :end, end - 1])
        return total

    @cached_property
    def backward(self) -> Floats:
        """ln of the summed weights of all ways from each place to the last."""
        n = self.spans.shape[1]
        total = np.zeros((len(self.sentences), n + 1))
        for start in range(n - 1, -1, -1):
            total[:, start] = _log_sum(total[:, start + 1 :] + self.spans[:, start, start:])
        return total

    @cached_property
    def marginals(self) -> Floats:
        """The probability of each candidate to be in the parse."""
        ways = self.forward[:, :-1, None] + self.backward[:, None, 1:] - _finite(self.forward[:, -1])[:, None, None]
        with np.errstate(divide="ignore"):
            # In logarithms, as the ways around an unlikely chunk may be beyond all numbers.
            p: Floats = np.exp(np.minimum(ways[..., None] + np.log(self.weight), 0.0))
        return p


def _blocks(candidates: Candidates, weigh: Weigh) -> Iterator[_Block]:
    """All sentences with words, those of one length together."""
    categories = len(candidates.categories)
    table = (candidates.default or Default.constant(0.0)).for_categories(categories)
    offsets = np.searchsorted(candidates.sentence, np.arange(len(candidates.sentences) + 1))
    for n in np.unique(candidates.sentences.length).tolist():
        same = np.flatnonzero(candidates.sentences.length == n)
        if n == 0 or not categories:
            continue
        start, last = np.indices((n, n))
        unlisted = table.T[np.clip(last - start, 0, table.shape[1] - 1)] * (last >= start)[..., None]
        step = max(CELLS // (n * n * categories), 1)
        for first in range(0, len(same), step):
            some = same[first : first + step]
            p = np.repeat(unlisted[None], len(some), axis=0)
            sentence, rows = ranges(offsets[some], offsets[some + 1])
            p[sentence, candidates.start[rows], candidates.end[rows] - 1, candidates.category[rows]] = candidates.p[rows]
            yield _Block(some, p, weigh(p))


def _alike(candidates: Candidates, key: Chunks) -> tuple[Candidates, Chunks]:
    """Both over the same sentences and categories."""
    place = same_sentences(key, candidates)
    if place is not None:
        candidates = candidates.select(place)
    categories = tuple(dict.fromkeys((*candidates.categories, *key.categories)))
    return candidates.renamed(categories), key.renamed(categories)


def _log_sum(values: Floats) -> Floats:
    """ln of the sum of the exponentials of each row."""
    top = _finite(values.max(axis=1))
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(np.exp(values - top[:, None]).sum(axis=1)) + top
    return logs


def _finite(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, 0.0)


def _lg(values: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        logs: Floats = np.log2(values)
    return logs
