"""Models 0 and 1: one probability for all candidates.

Model 0 guesses: 1/2, so that every candidate costs one bit. Model 1 knows one number, the proportion of true chunks among the
candidates of a training corpus. For both, expected precision is the proportion of true chunks in the corpus that is judged,
and expected recall is the probability itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.phrases.candidates import Candidates, Chunks, Default, Sentences
from referee.phrases.models.counting import base_rate


@dataclass(frozen=True, eq=False)
class Constant:
    """One probability."""

    name: str
    categories: tuple[str, ...]
    p: float

    def predict(self, sentences: Sentences) -> Candidates:
        return Candidates.unlisted(sentences, self.categories, Default.constant(self.p), source=self.name)

    def values(self) -> dict[str, Any]:
        return {"p": self.p}


def guess(train: Chunks) -> Constant:
    """Model 0."""
    return Constant("0", train.categories, 0.5)


def one_parameter(train: Chunks) -> Constant:
    """Model 1."""
    return Constant("1", train.categories, base_rate(train))
