"""The words of documents, kept lazily: scoring compares fingerprints, and reads words only when these differ.

The text that the words are from may be kept with them: `RawText`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import OptionError

PENN = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
    "\\/": "/", "\\*": "*",
}  # fmt: skip
"""Tokens of the Penn treebank, and the characters that they stand for."""


@dataclass(frozen=True, slots=True, eq=False)
class RawText:
    r"""The text of a document as its file has it, and the place of each token there.

    Formats with offsets of characters write this text and these places. Nothing else needs them, and corpora with equal tokens
    are equal whatever their texts are.

    Parameters
    ----------
    text : str
        The text, its line ends as they are.
    start, end : int, shape (tokens,)
        The characters of each token (Unicode code points), half-open. Tokens are in order and do not overlap, but several may
        have one place, as *de* and *le* that French writes *du*. What is there may differ from the token.

    Raises
    ------
    OptionError
        If these are no such places.

    Examples
    --------
    >>> words = Words(["Ann", "saw", "it", "."], [0], RawText("Ann  saw\nit.", [0, 5, 9, 11], [3, 8, 11, 12]))
    >>> words.raw.text[words.raw.start[1] : words.raw.end[2]]
    'saw\nit'
    """

    text: str
    start: Ints
    end: Ints

    def __post_init__(self) -> None:
        start, end = (np.asarray(side, dtype=np.int64) for side in (self.start, self.end))
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)
        if start.ndim != 1 or start.shape != end.shape:
            raise OptionError(
                f"found {start.shape} starts and {end.shape} ends of tokens; expected a start and an end for each"
            )
        wrong = (start < 0) | (start > end) | (end > len(self.text))
        wrong[1:] |= (start[1:] < end[:-1]) & ((start[1:] != start[:-1]) | (end[1:] != end[:-1]))
        if wrong.any():
            n = int(wrong.argmax())
            expected = f"expected tokens in order, within the {len(self.text)} characters of the text"
            raise OptionError(f"found token {n} at {start[n]} to {end[n]}; {expected}")


class Words(NamedTuple):
    """The words of a document.

    Parameters
    ----------
    tokens : sequence of str
        All tokens, empty nodes included.
    sentences : sequence of int
        The token offsets at which sentences start: 0 first; none if there are no tokens.
    raw : RawText, optional
        The text that the tokens are from, where it is known.
    parts_of_speech : sequence of str, optional
        The tag of each token, as the file has it.
    speakers : sequence of str, optional
        Who says each sentence; empty where that is unknown.
    """

    tokens: Sequence[str]
    sentences: Sequence[int]
    raw: RawText | None = None
    parts_of_speech: Sequence[str] | None = None
    speakers: Sequence[str] | None = None


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
    sizes : int, shape (documents,), optional
        How many tokens each document has, if it is known before words are read.
    """

    def __init__(
        self,
        load: Callable[[], Sequence[Words]],
        fingerprints: Sequence[bytes] | None = None,
        kind: str = "",
        sizes: Ints | None = None,
    ) -> None:
        self.load = load
        self.fingerprints = fingerprints
        self.kind = kind
        self.sizes = sizes

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the words, and not how they are read: the file may be elsewhere."""
        return _in_memory, (list(self.words), self.fingerprints, self.kind)

    @cached_property
    def words(self) -> Sequence[Words]:
        """The words of every document, in order."""
        return self.load()

    @property
    def token_counts(self) -> Ints:
        """How many tokens each document has, shape (documents,)."""
        return np.array([len(document.tokens) for document in self.words], dtype=np.int64) if self.sizes is None else self.sizes

    def select(self, documents: Ints) -> Text:
        """The text of some of the documents, in this order."""
        fingerprints = self.fingerprints and [self.fingerprints[d] for d in documents]
        sizes = None if self.sizes is None else self.sizes[documents]
        return Text(lambda: [self.words[d] for d in documents], fingerprints, self.kind, sizes)

    def on_documents(self, documents: int, place: Ints) -> Text:
        """The text in a list of so many documents, where `place` is the index of each of its own; the others are empty."""
        where = {p: d for d, p in enumerate(place.tolist())}
        nothing = Words((), ())
        fingerprints = self.fingerprints
        if fingerprints is not None:
            fingerprints = [fingerprints[where[d]] if d in where else b"" for d in range(documents)]
        sizes = None
        if self.sizes is not None:
            sizes = np.zeros(documents, dtype=np.int64)
            sizes[place] = self.sizes
        return Text(
            lambda: [self.words[where[d]] if d in where else nothing for d in range(documents)], fingerprints, self.kind, sizes
        )

    def with_raw(self, raw: Sequence[RawText | None]) -> Text:
        """The same words, each document with the text that its tokens are from."""
        return Text(
            lambda: [words._replace(raw=of) for words, of in zip(self.words, raw, strict=True)], self.fingerprints, self.kind
        )

    @classmethod
    def concatenated(cls, texts: Sequence[Text]) -> Text:
        """The documents of one text after another."""
        kinds, digests = {text.kind for text in texts}, [text.fingerprints for text in texts if text.fingerprints is not None]
        kind = kinds.pop() if len(kinds) == 1 else ""
        fingerprints = list(chain(*digests)) if kind and len(digests) == len(texts) else None
        return cls(lambda: list(chain(*(text.words for text in texts))), fingerprints, kind)

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
