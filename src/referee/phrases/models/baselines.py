"""Models 0, 1 and XK: a table of probabilities that knows nothing of words; and the counts that it is made from.

Model 0 guesses: with 1/2, every candidate costs one bit. Model 1 knows one number, the proportion of true chunks among the
candidates of a training corpus. For both, expected precision is the proportion of true chunks in the corpus that is scored, and
expected recall is the probability itself.

In model XK, the probability of a candidate depends on its category x and its length k: P(T | x, k) = (t + p1) / (c + 1), where
t of the c candidates of this category and length are true in the training corpus, and p1 is the probability of model 1. The
candidates are counted without being enumerated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.algorithms.arrays import Floats, tally
from referee.basics.exceptions import OptionError, brief_names
from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences


@dataclass(frozen=True, eq=False)
class Baseline:
    """Probabilities by category and length, or one for all candidates."""

    name: str
    categories: tuple[str, ...]
    table: DefaultProbabilities

    def __repr__(self) -> str:
        return f"<Baseline {self.name}: {brief_names(self.categories)}>"

    def predict(self, sentences: Sentences) -> PhraseCandidates:
        """The probabilities of the candidates of these sentences."""
        return PhraseCandidates.unlisted(sentences, self.categories, self.table, source=self.name)

    def values(self) -> dict[str, object]:
        """The probabilities as they are saved in JSON."""
        return {"p": self.table.beyond} if self.table.is_constant else self.table.values()


def guess(train: Chunks) -> Baseline:
    """Model 0; of the corpus, only the categories matter."""
    return Baseline("0", train.categories, DefaultProbabilities.constant(0.5))


def one_parameter(train: Chunks) -> Baseline:
    """Fit model 1."""
    return Baseline("1", train.categories, DefaultProbabilities.constant(base_rate(train)))


def by_length(train: Chunks) -> Baseline:
    """Fit model XK. A length that the corpus does not have gets p1."""
    p1 = base_rate(train)
    table = smoothed(true_by_length(train), train.sentences.span_counts_by_length(), p1, weight=1)
    return Baseline("XK", train.categories, DefaultProbabilities.by_length(table, p1))


def smoothed(true: ArrayLike, total: ArrayLike, prior: ArrayLike, weight: float) -> Floats:
    """The proportion of true among all candidates, as if `weight` more had been seen with the proportion `prior`.

    Examples
    --------
    >>> smoothed([0, 3], [4, 4], prior=0.5, weight=1).tolist()
    [0.1, 0.7]
    """
    t, c, q = (np.asarray(counts, dtype=np.float64) for counts in (true, total, prior))
    # Sums of probabilities may be a rounding error outside [0, 1].
    return np.asarray(np.clip((t + weight * q) / (c + weight), 0.0, 1.0))


def base_rate(train: Chunks) -> float:
    """The proportion of true chunks among all candidates.

    Raises
    ------
    OptionError
        If the corpus has no chunks.
    """
    if not len(train):
        raise OptionError(f"{train.source} has no chunks; expected some to learn from")
    return len(train) / (len(train.categories) * int(train.sentences.span_counts.sum()))


def true_by_length(chunks: Chunks) -> NDArray[np.int64]:
    """True chunks of each category and length 1, 2, ..., up to the longest sentence; shape (categories, lengths)."""
    lengths = int(chunks.sentences.length.max(initial=0))
    cell = chunks.category.astype(np.int64) * lengths + chunks.length - 1
    return tally(cell, minlength=len(chunks.categories) * lengths).reshape(-1, lengths)
