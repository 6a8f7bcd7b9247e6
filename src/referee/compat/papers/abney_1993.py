"""Abney (1993), Measures and models for phrase recognition."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator

import numpy as np

from referee.basics.exceptions import OptionError
from referee.compat.papers.value import Data, PrintedValue
from referee.phrases.models.corpora import read_corpus, split
from referee.phrases.models.reproduction import ModelReproduction, ModelScores, reproduce
from referee.phrases.sums import CandidateSums

TRAIN, TEST = 1706, 1549
"""Sentences for training and test."""

SECOND = 659
"""Sentences of the sample of the treebank between the two; the paper does not give the size of its second corpus."""

CHUNKS, CANDIDATES = 19_025, 14_442_484
"""True chunks and candidates of the training corpus."""

TRUE, PER_SENTENCE = 17_676, 8880
"""True chunks of the test corpus, and its candidates per sentence."""

BITS = {"0": "8880", "1": "126", "XK": "70.6", "G": "33.8", "C": "29.8", "S(G)": "14.1"}
"""The last table of the paper, bits per sentence."""

OPTIONS = {"CoNLL-2000": "--conll2000", "treebank sample": "--treebank"}
"""How the command gets a corpus."""

PAPER_NEEDS = "the treebank of 1991, the tagger, and the smoothing"


def values(data: Data) -> Iterator[PrintedValue]:
    """Numbers from the paper's own counts; then its table of models, on corpora that are given."""
    yield from _counts()
    yield from _measures()
    for corpus, table in _tables(data):
        yield from _models(corpus, table)


def constant(p: float) -> CandidateSums:
    """The sums of a model that gives each candidate of the test corpus the same probability."""
    candidates = TEST * PER_SENTENCE
    columns = {
        "candidates": candidates,
        "true_chunks": TRUE,
        "cross_entropy_true": -TRUE * math.log2(p),
        "cross_entropy_false": -(candidates - TRUE) * math.log1p(-p) / math.log(2),
        "zero_probability_true": 0,
        "zero_probability_false": 0,
        "expected_chunks": p * candidates,
        "expected_correct": p * TRUE,
    }
    return CandidateSums({name: np.asarray(value) for name, value in columns.items()}, TEST)


def _counts() -> Iterator[PrintedValue]:
    train, test = "Section 4.1, training corpus", "Section 4.1, test corpus"
    guess, one = constant(0.5), constant(CHUNKS / CANDIDATES)
    yield PrintedValue(train, "true chunks per sentence", "11.2", CHUNKS / TRAIN)
    yield PrintedValue(
        train, "candidates per sentence", "8470", float(round(CANDIDATES / TRAIN, -1)), remark="8465.7, rounded to tens"
    )
    yield PrintedValue(test, "true chunks per sentence", "11.4", TRUE / TEST)
    yield PrintedValue("Section 3", "bits per candidate of a random guess", "1", float(guess.bits_per_candidate))
    yield PrintedValue("Section 4.5", "0, bits per sentence", BITS["0"], float(guess.bits_per_sentence))
    yield PrintedValue(
        "Section 4.5", "1, bits per sentence", BITS["1"], float(one.bits_per_sentence), remark="from the counts of both corpora"
    )


def _measures() -> Iterator[PrintedValue]:
    yield PrintedValue(
        "Section 3", "the greatest perplexity, 2^8880", "10^2670", f"10^{PER_SENTENCE * math.log10(2):.0f}",
        misprint="8880 lg 2 is 2673.1; the last digit is rounded away",
    )  # fmt: skip
    both = [_entropy_of_two(p) for p in (0.99, 0.01)]
    yield PrintedValue(
        "Section 3", "H, after P(T) and P(not T) are exchanged", "at most 1", f"{max(both):.2f} and {min(both):.2f}",
        misprint="one true and one false candidate, both with P = .99, have H = 3.33 both ways; H has no upper bound",
    )  # fmt: skip
    yield PrintedValue(
        "Section 4.5",
        "S, parses per sentence",
        "104",
        f"10^{14.1 * math.log10(2):.0f}",
        misprint="the 4 is an exponent: 2^14.1",
    )


def _entropy_of_two(p: float) -> float:
    """H of one true and one false candidate of the same probability."""
    return -(math.log2(p) + math.log2(1 - p)) / 2


def _tables(data: Data) -> Iterator[tuple[str, ModelReproduction | None]]:
    """The table on each corpus, or None where the corpus is not at hand."""
    table = None
    if data.conll2000:
        train, test = (read_corpus(_file(data.conll2000, name)) for name in ("train.txt", "test.txt"))
        first, second = split(train, [len(train.sentences) // 2])
        table = reproduce(first, second, test)
    yield "CoNLL-2000", table
    table = None
    if data.treebank:
        first, second, rest = split(read_corpus(data.treebank, trees="abney"), [TRAIN, SECOND])
        table = reproduce(first, second, rest)
    yield "treebank sample", table


def _file(folder: str, name: str) -> str:
    path = os.path.join(folder, name)
    if not os.path.isfile(path):
        raise OptionError(f"{folder}: found no {name}; expected the folder of CoNLL-2000, with train.txt and test.txt")
    return path


def _models(corpus: str, table: ModelReproduction | None) -> Iterator[PrintedValue]:
    place, needs = f"Section 4.5, {corpus}", PAPER_NEEDS
    if table is None:
        needs += f"; for a comparison, give a folder: {OPTIONS[corpus]}"
    rows = {row.model: row for row in table.rows} if table else {}
    for model in list(BITS)[2:]:
        bits = rows[model].bits_per_sentence if table else None
        yield PrintedValue(place, f"{model}, bits per sentence", BITS[model], bits, missing=needs)
    best, shares = rows.get("S(G)"), table.uncovered if table else None
    for name, printed, ours in (
        ("S(G), precision", "74.1%", best.precision if best else None),
        ("S(G), recall", "75.6%", best.recall if best else None),
        ("true chunks that no rule of G covers", "4%", shares.true_chunks if shares else None),
        ("bits of G in candidates that no rule covers", "19%", shares.bits if shares else None),
    ):
        yield PrintedValue(place, name, printed, ours, missing=needs)
    if table and shares:
        yield PrintedValue(
            place, "candidates that no rule of G covers", "4%", shares.candidates,
            misprint="4% of the true chunks; nearly all candidates are uncovered",
        )  # fmt: skip
        yield PrintedValue(place, "models, most bits first", " ".join(BITS), _ranked(list(rows.values())))


def _ranked(rows: list[ModelScores]) -> str:
    """The models of the paper, those with most bits first."""
    named = [row for row in rows if row.model in BITS]
    return " ".join(row.model for row in sorted(named, key=lambda row: -row.bits_per_sentence))
