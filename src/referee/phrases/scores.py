"""The scores of a phrase response: `PhraseScores`, and the groups of candidates that it can be broken down by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.phrases.annotation.sentences import Sentences
from referee.phrases.calibration import Calibration
from referee.phrases.sums import CandidateSums


@dataclass(frozen=True, eq=False)
class PhraseScores:
    """The scores of a response against a key of phrases. `referee.phrases.score` makes them.

    Parameters
    ----------
    name, key
        The names of the response and of the key.
    categories
        The categories of the candidate space: those of both sides.
    sentences
        The sentences of the key.
    cells
        Sums of shape (categories, lengths, 2); the last axis is uncovered, covered.
    by_sentence
        Sums of shape (sentences,).
    calibration
        The reliability table.
    one_best
        Whether every probability is 0 or 1.
    listed
        The number of candidates that the response lists.
    default
        The probability of all others, as the signature shows it.
    min_probability
        The bound to which probabilities were clipped; 0 for none.
    """

    name: str
    key: str
    categories: tuple[str, ...]
    sentences: Sentences
    cells: CandidateSums
    by_sentence: CandidateSums
    calibration: Calibration
    one_best: bool
    listed: int
    default: str
    min_probability: float = 0.0

    @property
    def total(self) -> CandidateSums:
        """The sums over all candidates."""
        return self.cells.over(0, 1, 2)

    def by(self, group: str) -> tuple[list[str], CandidateSums]:
        """The names of the groups and their sums; `group` is one of `GROUPS`."""
        return GROUPS[group](self)


def _by_category(scores: PhraseScores) -> tuple[list[str], CandidateSums]:
    return list(scores.categories), scores.cells.over(1, 2)


def _by_length(scores: PhraseScores) -> tuple[list[str], CandidateSums]:
    sums = scores.cells.over(0, 2)
    return [str(k + 1) for k in range(len(sums["true_chunks"]))], sums


def _by_coverage(scores: PhraseScores) -> tuple[list[str], CandidateSums]:
    return ["uncovered", "covered"], scores.cells.over(0, 1)


def _by_sentence(scores: PhraseScores) -> tuple[list[str], CandidateSums]:
    return list(scores.sentences.ids), scores.by_sentence


GROUPS: dict[str, Callable[[PhraseScores], tuple[list[str], CandidateSums]]] = {
    "category": _by_category,
    "length": _by_length,
    "coverage": _by_coverage,
    "sentence": _by_sentence,
}
"""What the scores can be broken down by."""

QUANTITIES: dict[str, str] = {
    "bits_per_candidate": "bits",
    "bits_per_sentence": "bits",
    "bits_per_chunk": "bits",
    "log10_perplexity": "digits",
    "recall": "",
    "precision": "",
    "f1": "",
    "brier": "squares",
    "brier_per_sentence": "squares",
    "zero_probability_events": "events",
}
"""The quantities of `CandidateSums` that are reported, with their units; none for fractions of 1."""
