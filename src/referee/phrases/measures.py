"""How much must be told of a truth beyond what a model said of it: entropy, and what goes with it (Abney 1993).

Every candidate is true (a chunk of the key) or not, and the model gives it a probability p. To say which of the two it is
costs -lg p bits if it is true, -lg (1 - p) if it is not. Everything here is a quotient of sums, so sums are what is kept
(`Sums`): sentence by sentence, and in cells of category, length, and whether a rule covers the candidate.

======================  ==============================================================  ====================================
measure                 formula                                                         unit, and what is better
======================  ==============================================================  ====================================
bits_per_candidate      sum of costs / candidates: Abney's H                            less; has no upper bound
bits_per_sentence       sum of costs / sentences: comparable across sets of categories  less
bits_per_chunk          sum of costs / true chunks: comparable across corpora           less
log10_perplexity        bits per sentence x lg 2 (base 10); 2^8880 has no float         less
precision               sum of p of the true / sum of p                                 more; "expected"
recall                  sum of p of the true / true chunks                              more; "expected"
f1                      their harmonic mean
brier                   mean of (p - y)²; per sentence, too                             less
recalibrated            bits per sentence of a hard answer: H(truth | answer)           less
======================  ==============================================================  ====================================

With probabilities of 0 and 1 alone the expected precision and recall are the usual ones.

A model that gives 0 to what is true (or 1 to what is not) costs infinitely many bits, and that is what is reported, with the
number of such events. Nothing is clamped unless a floor is asked for.

What is not listed is never looked at one by one: of each category and length there are so many candidates, less those listed,
and they all have the default probability. The numbers left are integers, so sparse and dense agree to the last digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import order_by
from referee.counts import divide, f_measure
from referee.exceptions import warn
from referee.messages import counted, shortened
from referee.phrases.calibration import Calibration, calibrate
from referee.phrases.candidates import Candidates, Chunks, Default, Flags, Sentences, found, same_sentences, together

Column: TypeAlias = NDArray[Any]

BLOCK = 1 << 16
"""Cells of sentence, category and length whose defaults are counted at a time."""


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over candidates, in arrays of one shape: groups of candidates, sentences, resamples, or a single total.

    columns   : candidates and true (their numbers), bits_true and bits_false (costs, without those that are infinite),
                impossible_true and impossible_false (how many are), yes (sum of p), correct (sum of p of the true), brier
    sentences : how many the sums are over
    """

    columns: Mapping[str, Column]
    sentences: Any

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def over(self, *axes: int) -> Sums:
        """Groups added up along axes."""
        return Sums({name: column.sum(axis=axes) for name, column in self.columns.items()}, self.sentences)

    def at(self, index: Any) -> Sums:
        """Some of the groups."""
        return Sums({name: column[index] for name, column in self.columns.items()}, self.sentences)

    @property
    def impossible(self) -> Column:
        """Events to which the model gave probability 0."""
        return np.asarray(self["impossible_true"] + self["impossible_false"])

    @property
    def bits(self) -> Floats:
        return np.where(self.impossible > 0, math.inf, self["bits_true"] + self["bits_false"])

    @property
    def bits_per_candidate(self) -> Floats:
        return divide(self.bits, self["candidates"])

    @property
    def bits_per_sentence(self) -> Floats:
        return divide(self.bits, self.sentences)

    @property
    def bits_per_chunk(self) -> Floats:
        return divide(self.bits, self["true"])

    @property
    def log10_perplexity(self) -> Floats:
        return self.bits_per_sentence * math.log10(2)

    @property
    def precision(self) -> Floats:
        return divide(self["correct"], self["yes"])

    @property
    def recall(self) -> Floats:
        return divide(self["correct"], self["true"])

    @property
    def f1(self) -> Floats:
        return f_measure(self.recall, self.precision)

    @property
    def brier(self) -> Floats:
        return divide(self["brier"], self["candidates"])

    @property
    def brier_per_sentence(self) -> Floats:
        return divide(self["brier"], self.sentences)

    @property
    def recalibrated(self) -> Floats:
        """Bits per sentence of the truth given a hard answer: of each answer, yes and no, the proportion that is right is told
        once for all. Only of sense if every p is 0 or 1."""
        yes, correct = self["yes"], self["correct"]
        told = _bits_of(correct, yes) + _bits_of(self["true"] - correct, self["candidates"] - yes)
        return divide(told, self.sentences)


MEASURES: dict[str, str] = {
    "bits_per_candidate": "bits",
    "bits_per_sentence": "bits",
    "bits_per_chunk": "bits",
    "log10_perplexity": "digits",
    "recall": "",
    "precision": "",
    "f1": "",
    "brier": "squares",
    "brier_per_sentence": "squares",
    "impossible": "events",
}
"""The measures, which are properties of `Sums`, with their units; none for fractions of 1."""


@dataclass(frozen=True, eq=False)
class PhraseScores:
    """What a model is worth on a key.

    categories : of the universe, those of both sides
    cells      : sums of shape (categories, lengths, 2): the last axis is uncovered, covered
    by_sentence: sums of shape (sentences,)
    hard       : whether every probability is 0 or 1
    floor      : what probabilities were raised to; 0 for nothing
    """

    name: str
    key: str
    categories: tuple[str, ...]
    sentences: Sentences
    cells: Sums
    by_sentence: Sums
    calibration: Calibration
    hard: bool
    listed: int
    default: str
    floor: float = 0.0

    @property
    def total(self) -> Sums:
        return self.cells.over(0, 1, 2)

    def by(self, group: str) -> tuple[list[str], Sums]:
        """The names of the groups, and their sums; group is one of `GROUPS`."""
        return GROUPS[group](self)


def _by_category(scores: PhraseScores) -> tuple[list[str], Sums]:
    return list(scores.categories), scores.cells.over(1, 2)


def _by_length(scores: PhraseScores) -> tuple[list[str], Sums]:
    sums = scores.cells.over(0, 2)
    return [str(k + 1) for k in range(len(sums["true"]))], sums


def _by_coverage(scores: PhraseScores) -> tuple[list[str], Sums]:
    return ["uncovered", "covered"], scores.cells.over(0, 1)


def _each_sentence(scores: PhraseScores) -> tuple[list[str], Sums]:
    return list(scores.sentences.ids), scores.by_sentence


GROUPS: dict[str, Callable[[PhraseScores], tuple[list[str], Sums]]] = {
    "category": _by_category,
    "length": _by_length,
    "coverage": _by_coverage,
    "sentence": _each_sentence,
}
"""How candidates are grouped."""


def measure(key: Chunks, response: Candidates | Chunks, *, floor: float = 0.0) -> PhraseScores:
    """What the response is worth, over all candidates of all categories of both sides.

    floor : raise probabilities to it, and lower them to 1 - floor; 0 leaves them as they are

    MismatchError if the sentences are not the same. Warns of other words, of categories that the response does not know, and of
    one that does not say what the probability of unlisted candidates is.
    """
    candidates = response if isinstance(response, Candidates) else response.candidates
    default = "unknown" if candidates.default is None else _told(candidates)
    key, candidates = _comparable(key, candidates)
    if floor:
        candidates = candidates.floored(floor)
    true, listed = found(key, candidates)
    if candidates.default is None and not listed.all():
        unlisted = counted(int((~listed).sum()), "true chunk")
        warn(f"{candidates.source}: {unlisted} not listed, and no default probability is given; they count as impossible")
    table = (candidates.default or Default.constant(0.0)).for_categories(len(candidates.categories))
    events = _events(candidates, true, key.where(~listed), table)
    cells = _cells(events, candidates, table)
    return PhraseScores(
        name=candidates.source,
        key=key.source,
        categories=candidates.categories,
        sentences=key.sentences,
        cells=Sums(cells, len(key.sentences)),
        by_sentence=_by_sentence(events, candidates.sentences, table),
        calibration=_calibration(events, cells, table),
        hard=all(bool(((p == 0) | (p == 1)).all()) for p in (candidates.p, table)),
        listed=len(candidates),
        default=default,
        floor=floor,
    )


def costs(p: Floats, true: Flags) -> tuple[Floats, Flags]:
    """The cost in bits of each event, 0 where it is infinite; and where it is.

    >>> costs(np.array([0.25, 1e-20, 1.0]), np.array([True, False, False]))
    (array([2.00000000e+00, 1.44269504e-20, 0.00000000e+00]), array([False, False,  True]))
    """
    impossible = p == np.where(true, 0.0, 1.0)
    safe = np.where(impossible, 0.5, p)
    bits = np.log1p(-np.where(true, 0.0, safe)) / -math.log(2)
    bits[true] = -np.log2(safe[true])
    bits[impossible] = 0.0
    return bits, impossible


def _told(candidates: Candidates) -> str:
    default = candidates.default
    assert default is not None
    return "table" if default.table.shape[1] else f"{default.beyond:g}"


def _comparable(key: Chunks, candidates: Candidates) -> tuple[Chunks, Candidates]:
    """Both over the same sentences in the same order, and the categories of both."""
    place = same_sentences(key, candidates)
    if place is not None:
        candidates = candidates.select(place)
    _warn_of_words(key, candidates)
    default = candidates.default
    if default is None:
        unknown = key.used() - set(candidates.categories)
    else:  # a constant default is meant for all
        unknown = set(key.categories) - set(candidates.categories) if default.table.shape[1] else set()
    if unknown:
        each = f", whose candidates get the probability {default.beyond:g} each" if default else ""
        warn(
            f"{candidates.source}: knows nothing of {', '.join(sorted(unknown))}{each}; expected all categories that are scored"
        )
    return together(key, candidates)


def _warn_of_words(key: Chunks, candidates: Candidates) -> None:
    """Warns if the sentences, which are as long as each other, are not of the same words."""
    ours, theirs = key.sentences.words, candidates.sentences.words
    if ours is None or theirs is None or ours == theirs:
        return
    other = [s for s, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
    a, b = next((a, b) for a, b in zip(ours[other[0]], theirs[other[0]], strict=True) if a != b)
    warn(
        f"{candidates.source}: {counted(len(other), 'sentence')} of other words than in {key.source}: "
        f"sentence {key.sentences.ids[other[0]]!r} has {shortened(b)!r} for {shortened(a)!r}"
    )


@dataclass(frozen=True, eq=False)
class _Events:
    """The candidates that are looked at one by one: those listed, then the true ones that are not. All others are false, and
    have the default probability."""

    sentence: Ints
    category: Ints
    length: Ints
    covered: Flags
    p: Floats
    true: Flags

    @cached_property
    def costs(self) -> tuple[Floats, Flags]:
        return costs(self.p, self.true)


def _events(candidates: Candidates, true: Flags, missed: Chunks, table: Floats) -> _Events:
    covered = np.ones(len(candidates), dtype=bool) if candidates.covered is None else candidates.covered
    p = table[missed.category, np.minimum(missed.length, table.shape[1]) - 1]
    return _Events(
        np.concatenate([candidates.sentence, missed.sentence]),
        np.concatenate([candidates.category, missed.category]).astype(np.int64),
        np.concatenate([candidates.length, missed.length]),
        np.concatenate([covered, np.zeros(len(missed), dtype=bool)]),
        np.concatenate([candidates.p, p]),
        np.concatenate([true, np.ones(len(missed), dtype=bool)]),
    )


def _added(events: _Events, group: Ints, groups: int) -> dict[str, Column]:
    """The sums of the events of each group."""
    bits, impossible = events.costs
    true = np.flatnonzero(events.true)
    mistaken = np.flatnonzero(impossible)

    def number(which: Any) -> Ints:
        return np.bincount(group[which], minlength=groups)

    def add(weights: Floats, which: Any = slice(None)) -> Floats:
        return np.bincount(group[which], weights[which], groups).astype(np.float64)  # integers, if there are none

    bits_true = add(bits, true)
    return {
        "candidates": number(slice(None)),
        "true": number(true),
        "impossible_true": number(mistaken[events.true[mistaken]]),
        "impossible_false": number(mistaken[~events.true[mistaken]]),
        "bits_true": bits_true,
        "bits_false": add(np.where(events.true, 0.0, bits)),
        "yes": add(events.p),
        "correct": add(events.p, true),
        "brier": add((events.p - events.true) ** 2),
    }


def _of_false(p: Floats) -> dict[str, Column]:
    """What a false candidate of each probability adds to the sums."""
    bits, impossible = costs(p, np.zeros(p.shape, dtype=bool))
    return {
        "candidates": np.ones(p.shape, dtype=np.int64),
        "impossible_false": impossible,
        "bits_false": bits,
        "yes": p,
        "brier": p**2,
    }


def _cells(events: _Events, candidates: Candidates, table: Floats) -> dict[str, Column]:
    """Sums of shape (categories, lengths, 2): by category, length, and whether a rule covers the candidate."""
    spans = candidates.sentences.spans_of_length()
    shape = (len(candidates.categories), len(spans), 2)
    cell = events.category * shape[1] + events.length - 1
    columns = _added(events, cell * 2 + events.covered, math.prod(shape))
    unlisted = np.tile(spans, shape[0]) - np.bincount(cell, minlength=math.prod(shape[:2]))
    for name, each in _of_false(_of_length(table, len(spans)).ravel()).items():
        columns[name][::2] += unlisted * each
    return {name: column.reshape(shape) for name, column in columns.items()}


def _of_length(table: Floats, lengths: int) -> Floats:
    """The default of each category and of 1, 2, ... so many words."""
    return table[:, np.minimum(np.arange(lengths), table.shape[1] - 1)]


def _by_sentence(events: _Events, sentences: Sentences, table: Floats) -> Sums:
    columns = _added(events, events.sentence, len(sentences))
    n = sentences.length.astype(np.int64)
    lengths = table.shape[1]
    order = order_by(events.sentence)
    sentence = events.sentence[order].astype(np.int64)
    cell = (events.category * lengths + np.minimum(events.length, lengths) - 1)[order]
    each = _of_false(table.ravel())
    values = np.stack([column.astype(np.float64) for column in each.values()], axis=1)
    step = max(1, BLOCK // max(table.size, 1))
    for a in range(0, len(sentences), step):
        b = min(a + step, len(sentences))
        spans = np.maximum(n[a:b, None] - np.arange(lengths), 0)
        spans[:, -1] = spans[:, -1] * (spans[:, -1] + 1) // 2  # the last column stands for all that is longer, too
        rows = slice(*np.searchsorted(sentence, [a, b]))
        taken = np.bincount((sentence[rows] - a) * table.size + cell[rows], minlength=(b - a) * table.size)
        unlisted = np.tile(spans, len(table)) - taken.reshape(b - a, -1)
        sums = unlisted.astype(np.float64) @ values  # numbers of candidates are exact in it, too
        for name, column in zip(each, sums.T, strict=True):
            columns[name][a:b] += column.astype(columns[name].dtype)
    return Sums(columns, np.ones(len(sentences), dtype=np.int64))


def _calibration(events: _Events, cells: Mapping[str, Column], table: Floats) -> Calibration:
    unlisted = cells["candidates"].sum(axis=2)
    lengths = unlisted.shape[1]
    unlisted = unlisted.ravel() - np.bincount(events.category * lengths + events.length - 1, minlength=unlisted.size)
    return calibrate(
        np.concatenate([events.p, _of_length(table, lengths).ravel()]),
        np.concatenate([np.ones(len(events.p), dtype=np.int64), unlisted]),
        np.concatenate([events.true, np.zeros_like(unlisted)]),
    )


def _bits_of(part: Column, whole: Column) -> Floats:
    """Bits that tell which of `whole` things are the `part`, if all are as likely: -a lg (a/n) - (n - a) lg ((n - a)/n)."""
    a, n = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    rest = np.maximum(n - a, 0)
    share = [np.where(x > 0, x / np.where(n > 0, n, 1), 1) for x in (a, rest)]
    return np.asarray(0.0 - a * np.log2(share[0]) - rest * np.log2(share[1]))
