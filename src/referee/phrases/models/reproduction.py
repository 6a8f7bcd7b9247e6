"""The table of Abney (1993), on any corpus: every model fitted and judged.

In the rows of phrase models, recall, precision and F are those expected from the probabilities; in the rows of sentence models
they are those of the most probable parse, all categories counted, as in the paper. Bits are -lg of what a model gives to the
truth: to every candidate, or to the whole parse. Their sum over sentences has one unit in all rows.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from referee.phrases.candidates import Candidates, Chunks
from referee.phrases.hard import match
from referee.phrases.measures import PhraseScores, measure
from referee.phrases.models.lattice import Tagger
from referee.phrases.models.registry import FROM_ONE, FROM_TWO, fit
from referee.phrases.models.sequence import WEIGHTS, sentence_bits, viterbi


@dataclass(frozen=True)
class Row:
    """What a model is worth.

    bits_per_candidate : nan for sentence models, which are not of candidates
    rates              : what recall, precision and F are: "expected", or those of the most probable "parse"
    seconds            : of fitting and judging it
    """

    model: str
    bits_per_candidate: float
    bits_per_sentence: float
    bits_per_chunk: float
    log10_perplexity: float
    recall: float
    precision: float
    f1: float
    rates: str
    seconds: float


@dataclass(frozen=True)
class Coverage:
    """The share that no rule covers of the true chunks, of the candidates, and of the bits of model G."""

    true: float
    candidates: float
    bits: float


@dataclass(frozen=True)
class Table:
    """corpora : of train, second and test: sentences, true chunks, candidates"""

    categories: tuple[str, ...]
    corpora: tuple[tuple[int, int, int], ...]
    rows: tuple[Row, ...]
    uncovered: Coverage


def reproduce(
    train: Chunks, second: Chunks, test: Chunks, *, tagger: Tagger | None = None, progress: Callable[[str], object] = str
) -> Table:
    """Every model, fitted on the first two corpora and judged on the third. The categories are those of all three.

    progress : is told the name of each model before it is fitted
    """
    categories = tuple(sorted({*train.categories, *second.categories, *test.categories}))
    train, second, test = (corpus.renamed(categories) for corpus in (train, second, test))
    rows: list[Row] = []
    later: list[Row] = []
    uncovered = Coverage(math.nan, math.nan, math.nan)
    for name in (*FROM_ONE, *FROM_TWO):
        progress(name)
        begin = time.perf_counter()
        candidates = fit(name, train, second, tagger=tagger).predict(test.sentences)
        scores = measure(test, candidates)
        rows.append(_phrases(name, scores, begin))
        if name == "G":
            uncovered = _uncovered(scores)
        for kind in WEIGHTS if name in FROM_TWO else ():
            progress(f"{kind}({name})")
            later.append(_parses(kind, name, candidates, test))
    sizes = tuple((len(c.sentences), len(c), len(categories) * int(c.sentences.spans.sum())) for c in (train, second, test))
    return Table(categories, sizes, (*rows, *later), uncovered)


def _phrases(name: str, scores: PhraseScores, begin: float) -> Row:
    t = scores.total
    return Row(
        name, float(t.bits_per_candidate), float(t.bits_per_sentence), float(t.bits_per_chunk), float(t.log10_perplexity),
        float(t.recall), float(t.precision), float(t.f1), "expected", time.perf_counter() - begin,
    )  # fmt: skip


def _parses(kind: str, name: str, candidates: Candidates, test: Chunks) -> Row:
    begin = time.perf_counter()
    bits = float(sentence_bits(kind, candidates, test).sum())
    hard = match(test, viterbi(kind, candidates)).total
    each = bits / len(test.sentences)
    return Row(
        f"{kind}({name})", math.nan, each, bits / len(test), each * math.log10(2),
        float(hard.recall), float(hard.precision), float(hard.f1), "parse", time.perf_counter() - begin,
    )  # fmt: skip


def _uncovered(scores: PhraseScores) -> Coverage:
    _, groups = scores.by("coverage")
    total = scores.total
    parts = (groups["true"], total["true"]), (groups["candidates"], total["candidates"]), (groups.bits, total.bits)
    return Coverage(*(float(part[0] / whole) if whole else math.nan for part, whole in parts))
