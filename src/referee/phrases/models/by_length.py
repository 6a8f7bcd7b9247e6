"""Model XK: the probability of a candidate depends on its category x and its length k.

P(T | x, k) = (t + p1) / (c + 1), where t of the c candidates of this category and length are true in the training corpus, and
p1 is the probability of model 1. The candidates are counted without being enumerated.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates, Sentences
from referee.phrases.models.counting import base_rate, smoothed, true_by_length


@dataclass(frozen=True, eq=False)
class ByLength:
    """A table of probabilities by category and length."""

    name: str
    categories: tuple[str, ...]
    table: DefaultProbabilities

    def predict(self, sentences: Sentences) -> PhraseCandidates:
        """The probabilities of the candidates of these sentences."""
        return PhraseCandidates.unlisted(sentences, self.categories, self.table, source=self.name)

    def values(self) -> dict[str, object]:
        """The table as it is saved in JSON."""
        return {"table": self.table.table.tolist(), "beyond": self.table.beyond}


def by_length(train: Chunks) -> ByLength:
    """Fit model XK. A length that the corpus does not have gets p1."""
    p1 = base_rate(train)
    table = smoothed(true_by_length(train), train.sentences.span_counts_by_length(), p1, weight=1)
    return ByLength("XK", train.categories, DefaultProbabilities.by_length(table, p1))
