"""The words of documents, kept lazily: scoring compares fingerprints, and reads words only when these differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from referee.algorithms.arrays import Ints

PENN = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
    "\\/": "/", "\\*": "*",
}  # fmt: skip
"""Tokens of the Penn treebank, and the characters that they stand for."""


class SourceText(NamedTuple):
    """The text as its author has it, and the characters of each token in it: offsets of its first one, and behind its last."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


class Words(NamedTuple):
    """The tokens of a document, and the token offsets at which its sentences start: 0 first; none if there are no tokens.

    The source text is kept where it is known, for formats with offsets of characters. It is never compared.
    """

    tokens: Sequence[str]
    sentences: Sequence[int]
    source: SourceText | None = None


class Text:
    """The words of each document of a corpus, read when first asked for.

    Parameters
    ----------
    load : function without arguments
        Gives the `Words` of every document, in order.
    fingerprints : sequence of bytes, optional
        A digest for each document. Two equal digests of one kind mean equal tokens; two different ones mean nothing.
    kind : str
        The reader that made the digests.
    """

    def __init__(
        self, load: Callable[[], Sequence[Words]], fingerprints: Sequence[bytes] | None = None, kind: str = ""
    ) -> None:
        self.load = load
        self.fingerprints = fingerprints
        self.kind = kind

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the words, and not how they are read: the file may be elsewhere."""
        return _in_memory, (list(self.words), self.fingerprints, self.kind)

    @cached_property
    def words(self) -> Sequence[Words]:
        """The words of every document, in order."""
        return self.load()

    def select(self, documents: Ints) -> Text:
        """The text of some of the documents, in this order."""
        fingerprints = self.fingerprints and [self.fingerprints[d] for d in documents]
        return Text(lambda: [self.words[d] for d in documents], fingerprints, self.kind)

    def on_documents(self, documents: int, place: Ints) -> Text:
        """The text in a list of so many documents, where `place` is the index of each of its own; the others are empty."""
        where = {p: d for d, p in enumerate(place.tolist())}
        nothing = Words((), ())
        fingerprints = self.fingerprints
        if fingerprints is not None:
            fingerprints = [fingerprints[where[d]] if d in where else b"" for d in range(documents)]
        return Text(
            lambda: [self.words[where[d]] if d in where else nothing for d in range(documents)], fingerprints, self.kind
        )

    @classmethod
    def concatenated(cls, texts: Sequence[Text]) -> Text:
        """The documents of one text after another."""
        kinds, digests = {text.kind for text in texts}, [text.fingerprints for text in texts if text.fingerprints is not None]
        known = len(kinds) == 1 and len(digests) == len(texts)
        fingerprints = list(chain(*digests)) if known else None
        return cls(lambda: list(chain(*(text.words for text in texts))), fingerprints, kinds.pop() if known else "")

    @classmethod
    def of(cls, words: Sequence[Words]) -> Text:
        """A text that is already in memory."""
        return cls(lambda: words)


def _in_memory(words: Sequence[Words], fingerprints: Sequence[bytes] | None, kind: str) -> Text:
    return Text(lambda: words, fingerprints, kind)


def same_text(a: Text | None, b: Text | None) -> bool:
    """Whether both have the same tokens and sentences, or both are unknown."""
    if a is None or b is None:
        return a is b
    return len(a.words) == len(b.words) and all(
        list(x.tokens) == list(y.tokens) and list(x.sentences) == list(y.sentences)
        for x, y in zip(a.words, b.words, strict=True)
    )
