"""The words of documents, kept lazily: scoring compares fingerprints and reads words only when those differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from referee.algorithms.arrays import Ints


class Words(NamedTuple):
    """One document's tokens and the token offset at which each of its sentences starts (0 first; none if no tokens)."""

    tokens: Sequence[str]
    sentences: Sequence[int]


class Text:
    """The words of each document of a corpus, read when first asked for.

    load        : gives the `Words` of every document, in order
    fingerprints: one digest a document, made by the reader named in `kind`: two equal digests of one kind mean equal
                  tokens, two different ones mean nothing
    """

    def __init__(
        self,
        load: Callable[[], Sequence[Words]],
        fingerprints: Sequence[bytes] | None = None,
        kind: str = "",
    ) -> None:
        self.load = load
        self.fingerprints = fingerprints
        self.kind = kind

    @cached_property
    def words(self) -> Sequence[Words]:
        return self.load()

    def select(self, documents: Ints) -> Text:
        """The text of some of the documents, in this order."""
        fingerprints = self.fingerprints and [self.fingerprints[d] for d in documents]
        return Text(lambda: [self.words[d] for d in documents], fingerprints, self.kind)

    def on_documents(self, documents: int, place: Ints) -> Text:
        """The text among other documents, which are empty."""
        where = {p: d for d, p in enumerate(place.tolist())}
        nothing = Words((), ())
        fingerprints = self.fingerprints
        if fingerprints is not None:
            fingerprints = [fingerprints[where[d]] if d in where else b"" for d in range(documents)]
        return Text(
            lambda: [self.words[where[d]] if d in where else nothing for d in range(documents)], fingerprints, self.kind
        )

    @classmethod
    def of(cls, words: Sequence[Words]) -> Text:
        """A text that is already in memory."""
        return cls(lambda: words)


def same_words(a: Sequence[Words], b: Sequence[Words]) -> bool:
    return len(a) == len(b) and all(
        list(x.tokens) == list(y.tokens) and list(x.sentences) == list(y.sentences) for x, y in zip(a, b, strict=True)
    )
