"""Models S and Z as models of sentences: a phrase model, and the constraint that chunks partition the sentence.

`referee.phrases.models.parses` has the probabilities of parses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from referee.phrases.annotation import Chunks, PhraseCandidates, Sentences
from referee.phrases.models.parses import best_parses, marginals


class PhraseModel(Protocol):
    """A model of single candidates."""

    @property
    def name(self) -> str:
        """The name of the model, such as "C"."""

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that it knows."""

    def predict(self, sentences: Sentences) -> PhraseCandidates:
        """The probabilities of the candidates of these sentences."""

    def values(self) -> dict[str, object]:
        """The parameters as they are saved in JSON."""


@dataclass(frozen=True, eq=False)
class SentenceModel:
    """A model of parses.

    Parameters
    ----------
    kind
        "S" or "Z".
    phrases
        The phrase model whose probabilities it starts from.
    """

    kind: str
    phrases: PhraseModel

    @property
    def name(self) -> str:
        """The name of the model, such as "S(C)"."""
        return f"{self.kind}({self.phrases.name})"

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that it knows."""
        return self.phrases.categories

    def predict(self, sentences: Sentences, min_probability: float = 0.0) -> PhraseCandidates:
        """The probability of each candidate to be in the parse; `marginals` explains `min_probability`."""
        return marginals(self.kind, self.phrases.predict(sentences), min_probability)

    def parse(self, sentences: Sentences) -> Chunks:
        """The most probable parse of each sentence."""
        return best_parses(self.kind, self.phrases.predict(sentences))

    def values(self) -> dict[str, object]:
        """The parameters as they are saved in JSON."""
        return {"phrases": {"model": self.phrases.name, **self.phrases.values()}}
