"""Models S and Z as models of sentences: a phrase model's probabilities, and the constraint that chunks partition the sentence.

How the probabilities are made is told in `referee.phrases.models.sequence`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from referee.algorithms.arrays import Floats
from referee.phrases.candidates import Candidates, Chunks, Sentences
from referee.phrases.models.sequence import marginals, sentence_bits, viterbi


class Phrases(Protocol):
    """A model of single candidates."""

    @property
    def name(self) -> str: ...

    @property
    def categories(self) -> tuple[str, ...]: ...

    def predict(self, sentences: Sentences) -> Candidates: ...

    def values(self) -> dict[str, Any]: ...


@dataclass(frozen=True, eq=False)
class SentenceModel:
    """kind : "S" or "Z"
    phrases : the model whose probabilities it starts from
    """

    kind: str
    phrases: Phrases

    @property
    def name(self) -> str:
        return f"{self.kind}({self.phrases.name})"

    @property
    def categories(self) -> tuple[str, ...]:
        return self.phrases.categories

    def predict(self, sentences: Sentences, least: float = 0.0) -> Candidates:
        """The probability of each candidate to be in the parse; see `sequence.marginals` for `least`."""
        return marginals(self.kind, self.phrases.predict(sentences), least)

    def bits(self, key: Chunks) -> Floats:
        """-lg P(true parse) of each sentence."""
        return sentence_bits(self.kind, self.phrases.predict(key.sentences), key)

    def parse(self, sentences: Sentences) -> Chunks:
        """The most probable parse of each sentence."""
        return viterbi(self.kind, self.phrases.predict(sentences))

    def values(self) -> dict[str, Any]:
        return {"phrases": {"model": self.phrases.name, **self.phrases.values()}}
