"""Score a response against a key of phrases: `score`.

The sums of `referee.phrases.sums` are computed over the whole candidate space, but only listed candidates and missed chunks
are looked at one by one. All other candidates are false and have the default probability of their category and length, so
their number is enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, argsort, tally
from referee.basics.exceptions import check_name, counted, warn
from referee.basics.options.choices import PHRASE_ALIASES
from referee.basics.options.options import check_threshold
from referee.basics.system_names import name_of
from referee.phrases.accuracy import have_tags
from referee.phrases.annotation import (
    Chunks,
    DefaultProbabilities,
    PhraseCandidates,
    Sentences,
    aligned,
    common_spans,
    in_common_words,
)
from referee.phrases.calibration import Calibration, calibrate
from referee.phrases.formats.sides import PhraseKey, PhraseResponse, read_values
from referee.phrases.metrics import BITS, METRICS, OF_PREDICTIONS
from referee.phrases.predictions import predicted, warn_of_words
from referee.phrases.scores import PhraseScores
from referee.phrases.sums import CandidateSums, GroupedSums, SumColumn, surprisal
from referee.phrases.thresholds import sweep

BLOCK = 1 << 16
"""Cells of sentence, category and length whose unlisted candidates are counted together."""


def score(
    key: PhraseKey,
    response: PhraseResponse | None = None,
    *,
    metrics: Sequence[str] | None = None,
    min_probability: float = 0.0,
    threshold: float = 0.5,
    decode: str = "conlleval",
) -> PhraseScores:
    """Score the probabilities of a response over the candidate space of all categories of key and response.

    Parameters
    ----------
    key
        The true chunks; the tags of each sentence; or their file or folder, in any format of `referee phrases formats`.
    response
        Candidates with probabilities; or chunks or tags, a 1-best prediction: its chunks have probability 1, all else 0. Or a
        file. None if the file of the key has both sides, as that of conlleval.
    metrics
        Ids of `METRICS`; None for those that say something of the response: those of matched chunks, and of probabilities
        all others.
    min_probability
        Clip probabilities to [min_probability, 1 - min_probability]; 0 leaves them as they are.
    threshold
        The phrases of types and matches are the candidates that the response lists with at least this probability.
    decode
        How tags become chunks, where they are given or files have them: one of `referee.basics.options.choices.DECODERS`.

    Raises
    ------
    MismatchError
        If the sentences of key and response differ.
    UnknownNameError
        If there is no such metric.
    OptionError
        If `min_probability` is not 0 and not between 0 and 0.5, or `threshold` is not between 0 and 1.

    Warns
    -----
    RefereeWarning
        If the words differ, if the response does not know a category, or if it lacks true chunks and has no default
        probability.

    Examples
    --------
    >>> score([["B-PER", "O"], ["O", "B-LOC"]], [["B-PER", "O"], ["O", "O"]])["exact_match"].recall
    0.5
    >>> from referee.phrases import decode
    >>> key = decode([["B-NP", "B-VP"]])
    >>> guess = PhraseCandidates.unlisted(key.sentences, key.categories, DefaultProbabilities.constant(0.5))
    >>> float(score(key, guess).total.bits_per_candidate)
    1.0
    """
    metrics = [PHRASE_ALIASES.get(metric, metric) for metric in metrics or ()]
    for metric in metrics:
        check_name("metric", metric, METRICS)
    key, (response,), read_with = read_values(key, [response], decode=decode)
    if key.sentences.texts is not None or response.sentences.texts is not None:
        key, (response,) = in_common_words(key, [response])
    candidates = PhraseCandidates.from_chunks(response) if isinstance(response, Chunks) else response
    check_threshold(threshold)
    is_certain = candidates.is_one_best
    prediction = response if isinstance(response, Chunks) else predicted(response, threshold)
    _warn_of_categories(key, candidates)
    key, candidates = aligned(key, candidates)
    warn_of_words(key, candidates)
    listed, true = common_spans(key, candidates)
    name = name_of(candidates.source)
    thresholds = None if is_certain else sweep(len(key), candidates, true, threshold, key=key.source, name=name)
    if min_probability:
        candidates = candidates.clipped(min_probability)
    if candidates.default is None and not listed.all() and BITS.intersection(metrics):
        missed = counted(int((~listed).sum()), "true chunk")
        warn(f"{candidates.source}: {missed} not listed, and no default probability is given: probability 0 is assumed")
    table = (candidates.default or DefaultProbabilities.constant(0.0)).complete_table(len(candidates.categories))
    events = _events(candidates, true, key.where(~listed), table)
    cells = _cells(events, candidates, table)
    by_sentence = _by_sentence(events, candidates.sentences, table)
    sums = GroupedSums(candidates.categories, key.sentences.ids, CandidateSums(cells, len(key.sentences)), by_sentence)
    one_best = all(bool(((p == 0) | (p == 1)).all()) for p in (candidates.probability, table))
    chunks = None if prediction is None else (key, prediction)
    usual = [] if chunks is None else [m for m in OF_PREDICTIONS if m != "accuracy" or have_tags(*chunks)]
    if not one_best:
        usual += [x for x, metric in METRICS.items() if not (metric.one_best or metric.count)]
    settings = {
        "categories": len(candidates.categories),
        "sentences": len(key.sentences),
        **({} if one_best and not min_probability else _space(candidates, min_probability)),
        **({} if is_certain or prediction is None else {"threshold": f"{threshold:g}"}),
        **{side: read.read_as for side, read in (("key", key), ("response", candidates)) if read.read_as},
        **read_with,
    }
    return PhraseScores(
        name, key.source, sums, _calibration(events, cells, table), tuple(metrics or usual), one_best, chunks, thresholds,
        are_usual=not metrics, settings=settings,
    )  # fmt: skip


def _space(candidates: PhraseCandidates, min_probability: float) -> dict[str, object]:
    """What the signature says of probabilities: how many are listed, and what the others are."""
    default = candidates.default
    return {
        "listed": len(candidates),
        "unlisted": "unknown" if default is None else f"{default.beyond:g}" if default.is_constant else "table",
        "min_probability": f"{min_probability:g}" if min_probability else "none",
    }


def _warn_of_categories(key: Chunks, candidates: PhraseCandidates) -> None:
    """Warn of categories of the key that the response does not know. A constant default is meant for all categories."""
    default = candidates.default
    if default is None:
        unknown, probability = key.used_categories() - set(candidates.categories), ""
    else:
        unknown = set() if default.is_constant else set(key.categories) - set(candidates.categories)
        probability = f": all their candidates get the probability {default.beyond:g}"
    if unknown:
        warn(
            f"{candidates.source}: has no candidates of {', '.join(sorted(unknown))}{probability}; expected all categories "
            "that are scored"
        )


@dataclass(frozen=True, eq=False)
class _Events:
    """The candidates that are looked at one by one: those listed, then the true ones that are not."""

    sentence: Ints
    category: Ints
    length: Ints
    covered: Bools
    probability: Floats
    true: Bools

    @cached_property
    def surprisal(self) -> tuple[Floats, Bools]:
        """Bits of each event, and which have probability 0."""
        return surprisal(self.probability, self.true)

    def sums(self, group: Ints, groups: int) -> dict[str, SumColumn]:
        """The sums of each group of events."""
        bits, infinite = self.surprisal
        true, zero = np.flatnonzero(self.true), np.flatnonzero(infinite)

        def number(rows: Ints | slice) -> Ints:
            return tally(group[rows], minlength=groups)

        def total(weights: Floats, rows: Ints | slice = slice(None)) -> Floats:
            return tally(group[rows], weights[rows], groups).astype(np.float64)  # integers, if there are no rows

        return {
            "candidates": number(slice(None)),
            "true_chunks": number(true),
            "zero_probability_true": number(zero[self.true[zero]]),
            "zero_probability_false": number(zero[~self.true[zero]]),
            "cross_entropy_true": total(bits, true),
            "cross_entropy_false": total(np.where(self.true, 0.0, bits)),
            "expected_chunks": total(self.probability),
            "expected_correct": total(self.probability, true),
            "squared_error": total((self.probability - self.true) ** 2),
        }


def _events(candidates: PhraseCandidates, true: Bools, missed: Chunks, table: Floats) -> _Events:
    covered = np.ones(len(candidates), dtype=bool) if candidates.covered is None else candidates.covered
    p = table[missed.category, np.minimum(missed.length, table.shape[1]) - 1]
    return _Events(
        sentence=np.concatenate([candidates.sentence, missed.sentence]),
        category=np.concatenate([candidates.category, missed.category]).astype(np.int64),
        length=np.concatenate([candidates.length, missed.length]),
        covered=np.concatenate([covered, np.zeros(len(missed), dtype=bool)]),
        probability=np.concatenate([candidates.probability, p]),
        true=np.concatenate([true, np.ones(len(missed), dtype=bool)]),
    )


def _sums_of_false(p: Floats) -> dict[str, SumColumn]:
    """What a false candidate of each probability adds to the sums."""
    bits, infinite = surprisal(p, np.zeros(p.shape, dtype=bool))
    return {
        "candidates": np.ones(p.shape, dtype=np.int64),
        "zero_probability_false": infinite,
        "cross_entropy_false": bits,
        "expected_chunks": p,
        "squared_error": p**2,
    }


def _cells(events: _Events, candidates: PhraseCandidates, table: Floats) -> dict[str, SumColumn]:
    """Sums of shape (categories, lengths, 2): by category, length, and whether a rule covers the candidate."""
    spans = candidates.sentences.span_counts_by_length()
    shape = (len(candidates.categories), len(spans), 2)
    cell = events.category * shape[1] + events.length - 1
    columns = events.sums(cell * 2 + events.covered, math.prod(shape))
    unlisted = np.tile(spans, shape[0]) - tally(cell, minlength=math.prod(shape[:2]))
    for name, each in _sums_of_false(_first_lengths(table, len(spans)).ravel()).items():
        columns[name][::2] += unlisted * each
    return {name: column.reshape(shape) for name, column in columns.items()}


def _first_lengths(table: Floats, lengths: int) -> Floats:
    """The default of each category and of 1, 2, ..., `lengths` words."""
    return table[:, np.minimum(np.arange(lengths), table.shape[1] - 1)]


def _by_sentence(events: _Events, sentences: Sentences, table: Floats) -> CandidateSums:
    """Sums of shape (sentences,). In blocks, as each sentence has as many unlisted cells as the table."""
    columns = events.sums(events.sentence, len(sentences))
    lengths = table.shape[1]
    order = argsort(events.sentence)
    sentence = events.sentence[order].astype(np.int64)
    cell = (events.category * lengths + np.minimum(events.length, lengths) - 1)[order]
    false = _sums_of_false(table.ravel())
    values = np.stack([column.astype(np.float64) for column in false.values()], axis=1)
    step = max(1, BLOCK // max(table.size, 1))
    for first in range(0, len(sentences), step):
        after = min(first + step, len(sentences))
        rows = slice(*np.searchsorted(sentence, [first, after]))
        spans = _spans_by_length(sentences.length[first:after].astype(np.int64), lengths)
        listed_there = tally((sentence[rows] - first) * table.size + cell[rows], minlength=(after - first) * table.size)
        unlisted = np.tile(spans, len(table)) - listed_there.reshape(after - first, -1)
        sums = unlisted.astype(np.float64) @ values  # numbers of candidates are exact in it, too
        for name, column in zip(false, sums.T, strict=True):
            columns[name][first:after] += column.astype(columns[name].dtype)
    return CandidateSums(columns, np.ones(len(sentences), dtype=np.int64))


def _spans_by_length(words: Ints, lengths: int) -> Ints:
    """Spans of each sentence with 1, 2, ... words; the last column counts all that are longer, too."""
    spans: Ints = np.maximum(words[:, None] - np.arange(lengths), 0)
    spans[:, -1] = spans[:, -1] * (spans[:, -1] + 1) // 2
    return spans


def _calibration(events: _Events, cells: Mapping[str, SumColumn], table: Floats) -> Calibration:
    candidates = cells["candidates"].sum(axis=2)
    lengths = candidates.shape[1]
    unlisted = candidates.ravel() - tally(events.category * lengths + events.length - 1, minlength=candidates.size)
    return calibrate(
        probability=np.concatenate([events.probability, _first_lengths(table, lengths).ravel()]),
        candidates=np.concatenate([np.ones(len(events.probability), dtype=np.int64), unlisted]),
        true=np.concatenate([events.true, np.zeros_like(unlisted)]),
    )
