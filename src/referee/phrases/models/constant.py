"""Models 0 and 1: one probability for all candidates.

Model 0 guesses: with 1/2, every candidate costs one bit. Model 1 knows one number, the proportion of true chunks among the
candidates of a training corpus. For both, expected precision is the proportion of true chunks in the corpus that is scored, and
expected recall is the probability itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences
from referee.phrases.models.counting import base_rate


@dataclass(frozen=True, eq=False)
class Constant:
    """One probability for all candidates."""

    name: str
    categories: tuple[str, ...]
    probability: float

    def predict(self, sentences: Sentences) -> PhraseCandidates:
        """The probabilities of the candidates of these sentences."""
        default = DefaultProbabilities.constant(self.probability)
        return PhraseCandidates.unlisted(sentences, self.categories, default, source=self.name)

    def values(self) -> dict[str, object]:
        """The probability as it is saved in JSON."""
        return {"p": self.probability}


def guess(train: Chunks) -> Constant:
    """Model 0; of the corpus, only the categories matter."""
    return Constant("0", train.categories, 0.5)


def one_parameter(train: Chunks) -> Constant:
    """Fit model 1."""
    return Constant("1", train.categories, base_rate(train))
