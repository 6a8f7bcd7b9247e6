"""The table of Abney (1993) on any corpus: every model, fitted and scored.

Recall, precision and F1 of phrase models are the expected ones. Those of sentence models are of the most probable parse,
over all categories, as in the paper. Bits are the surprisal of the truth: of every candidate, or of the whole parse.
Their sum over sentences has the same unit in all rows.

References
----------
.. [1] Abney (1993), Measures and Models for Phrase Recognition.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, fields
from typing import NamedTuple

from referee.basics import progress
from referee.basics.version import VERSION
from referee.phrases.annotation import Chunks, PhraseCandidates
from referee.phrases.models.by_name import FROM_ONE, FROM_TWO, fit
from referee.phrases.models.lattice import Tagger
from referee.phrases.models.parses import WEIGHTS, best_parses, parse_bits
from referee.phrases.one_best import match_chunks
from referee.phrases.scores import PhraseScores
from referee.phrases.scoring import score
from referee.reports.listing import Column, Listing, Title, headed, plain
from referee.reports.result import Result
from referee.stats.counts import divide


@dataclass(frozen=True)
class ModelScores:
    """The scores of a model.

    Parameters
    ----------
    model
        Its name.
    bits_per_candidate
        nan for sentence models, which have no probabilities of candidates.
    bits_per_sentence, bits_per_chunk, log10_perplexity, recall, precision, f1
        As in `referee.phrases.sums.CandidateSums`.
    rates
        Which recall, precision and F1 these are: "expected", or those of the most probable "parse".
    seconds
        The time for fitting and scoring.
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


NUMBERS = [field.name for field in fields(ModelScores)][1:-2]
"""What a model and `CandidateSums` both have."""


@dataclass(frozen=True)
class UncoveredShares:
    """The shares of true chunks, of candidates, and of the bits of model G that no rule covers; nan for 0 / 0."""

    true_chunks: float
    candidates: float
    bits: float


CORPORA = ("train", "second", "test")


class CorpusSize(NamedTuple):
    """The numbers of sentences, true chunks and candidates of a corpus."""

    sentences: int
    chunks: int
    candidates: int


@dataclass(frozen=True, eq=False, repr=False)
class ModelReproduction(Result):
    """The table: the scores of every model.

    Parameters
    ----------
    categories
        The categories of all corpora.
    corpora
        The sizes of the first, the second and the test corpus.
    rows
        The models.
    uncovered
        The part of model G that no rule covers.
    settings
        How the corpora were read, for the signature.
    """

    categories: tuple[str, ...]
    corpora: tuple[CorpusSize, ...]
    rows: tuple[ModelScores, ...]
    uncovered: UncoveredShares
    settings: Mapping[str, object] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Reproduction: {len(self.rows)} models>"

    @property
    def signature(self) -> str:
        """All settings on which the numbers depend."""
        settings = {**self.settings, "categories": len(self.categories)}
        return " | ".join([f"referee {VERSION}", *(f"{name}:{value}" for name, value in settings.items())])

    def listing(self) -> Listing:
        """The table of the models."""
        columns = [
            Column("model"),
            Column("per candidate", "number", group="bits", form=".6f"),
            Column("per sentence", "number", group="bits", form=".2f"),
            Column("per chunk", "number", group="bits", form=".2f"),
            Column("log10 perplexity", "number", form=".2f"),
            *(Column(title, "score") for title in ("recall", "precision", Title("F1", "F$_1$"))),
            Column("seconds", "number", form=".2f"),
        ]
        rows = [[row.model, *(getattr(row, name) for name in NUMBERS), row.seconds] for row in self.rows]
        shares = self.uncovered
        uncovered = (
            f"No rule of G covers {shares.true_chunks:.1%} of the true chunks and {shares.candidates:.1%} of the candidates. "
            f"They have {shares.bits:.1%} of its bits."
        )
        rates = "Recall, precision and F1 of S and Z are those of the most probable parse; for other models, expected ones."
        return Listing(columns, rows, notes=[uncovered, rates, self.signature])

    def listings(self) -> Sequence[Listing]:
        """The sizes of the corpora, then the table of the models."""
        columns = [Column("corpus"), *(Column(name, "count") for name in ("sentences", "true chunks", "candidates"))]
        return [Listing(columns, [(name, *size) for name, size in self._sizes()]), self.listing()]

    def _sizes(self) -> Iterator[tuple[str, CorpusSize]]:
        return zip(CORPORA, self.corpora, strict=True)

    def records(self) -> Listing:
        """The table for programs: a row for each model.

        Each row has the sizes of the corpora; that of G has the shares of the uncovered candidates.
        """
        sizes = {f"{name}_{column}": number for name, size in self._sizes() for column, number in size._asdict().items()}
        shares = {f"uncovered_{name}": number for name, number in asdict(self.uncovered).items()}
        rows = [
            [*astuple(row), *(shares.values() if row.model == "G" else [None] * len(shares)), *sizes.values(), self.signature]
            for row in self.rows
        ]
        names = [*(column.name for column in fields(ModelScores)), *shares, *sizes, "signature"]
        return Listing([Column(name, "number") for name in names], rows)

    def to_dict(self) -> dict[str, object]:
        """The content of the JSON report; undefined numbers are None."""
        return headed(
            signature=self.signature,
            categories=list(self.categories),
            corpora={name: size._asdict() for name, size in self._sizes()},
            rows=[_plain(asdict(row)) for row in self.rows],
            uncovered=_plain(asdict(self.uncovered)),
        )


def _plain(numbers: Mapping[str, object]) -> dict[str, object]:
    return {name: plain(number) for name, number in numbers.items()}


def reproduce(train: Chunks, second: Chunks, test: Chunks, *, tagger: Tagger | None = None) -> ModelReproduction:
    """Fit every model to two corpora, and score it on a third. The categories are those of all three.

    Parameters
    ----------
    train, second
        The corpora for fitting.
    test
        The corpus for scoring.
    tagger
        Gives the probabilities of tags; without one, the tags of the corpora are certain.
    """
    categories = tuple(sorted({*train.categories, *second.categories, *test.categories}))
    train, second, test = (corpus.with_categories(categories) for corpus in (train, second, test))
    phrase_models: list[ModelScores] = []
    sentence_models: list[ModelScores] = []
    uncovered = UncoveredShares(math.nan, math.nan, math.nan)
    for name in (*FROM_ONE, *FROM_TWO):
        progress.step(f"model {name}")
        begin = time.perf_counter()
        candidates = fit(name, train, second, tagger=tagger).predict(test.sentences)
        scores = score(test, candidates)
        numbers = {number: float(getattr(scores.total, number)) for number in NUMBERS}
        seconds = time.perf_counter() - begin
        phrase_models.append(ModelScores(name, **numbers, rates="expected", seconds=seconds))
        if name == "G":
            uncovered = _uncovered(scores)
        for kind in WEIGHTS if name in FROM_TWO else ():
            progress.step(f"model {kind}({name})")
            sentence_models.append(_sentence_model(kind, name, candidates, test))
    sizes = tuple(
        CorpusSize(len(corpus.sentences), len(corpus), len(categories) * int(corpus.sentences.span_counts.sum()))
        for corpus in (train, second, test)
    )
    return ModelReproduction(categories, sizes, (*phrase_models, *sentence_models), uncovered)


def _sentence_model(kind: str, name: str, candidates: PhraseCandidates, test: Chunks) -> ModelScores:
    begin = time.perf_counter()
    bits = float(parse_bits(kind, candidates, test).sum())
    counts = match_chunks(test, best_parses(kind, candidates))
    per_sentence = bits / len(test.sentences)
    bits_of = (math.nan, per_sentence, bits / len(test), per_sentence * math.log10(2))
    rates = (counts.recall, counts.precision, counts.f1)
    return ModelScores(f"{kind}({name})", *bits_of, *rates, "parse", time.perf_counter() - begin)


def _uncovered(scores: PhraseScores) -> UncoveredShares:
    (_, groups), total = scores.sums.by("coverage"), scores.total
    columns = ((sums["true_chunks"], sums["candidates"], sums.cross_entropy) for sums in (groups, total))
    return UncoveredShares(*(float(divide(part[0], whole)) for part, whole in zip(*columns, strict=True)))
