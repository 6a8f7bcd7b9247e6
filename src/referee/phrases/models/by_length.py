"""Model XK: the probability of a candidate goes by its category x and its length k.

P(T|x,k) = (t + p1) / (c + 1), where t of the c candidates of this category and length are true in the training corpus, and p1
is the probability of model 1. The c = sum of max(0, n - k + 1) over the sentences are counted without being enumerated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from referee.phrases.candidates import Candidates, Chunks, Default, Sentences
from referee.phrases.models.counting import base_rate, smoothed, true_by_length


@dataclass(frozen=True, eq=False)
class ByLength:
    """A table of probabilities by category and length."""

    name: str
    categories: tuple[str, ...]
    table: Default

    def predict(self, sentences: Sentences) -> Candidates:
        return Candidates.unlisted(sentences, self.categories, self.table, source=self.name)

    def values(self) -> dict[str, Any]:
        return {"table": self.table.table.tolist(), "beyond": self.table.beyond}


def by_length(train: Chunks) -> ByLength:
    """Model XK. A length that the corpus does not have gets p1."""
    p1 = base_rate(train)
    table = smoothed(true_by_length(train), train.sentences.spans_of_length(), p1, 1)
    return ByLength("XK", train.categories, Default.by_length(table, p1))
