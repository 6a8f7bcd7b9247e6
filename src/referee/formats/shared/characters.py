"""Character offsets into token offsets: what the readers of texts with offsets of characters share.

Such a file has a text and no tokens, so we make some: runs of letters, digits and underscores, and every other character that
is no white space by itself. A token is cut wherever a mention begins or ends inside it, so that every mention is a span of
whole tokens. Key and response may so be cut differently; they are scored on the tokens that both make together, see
`referee.corpus.common_tokens`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from referee.corpus import RawText

TOKEN = re.compile(r"\w+|[^\w\s]")

BLANK = "left out {} that are empty or white space alone"
"""What a reader says of mentions that cover no word."""


@dataclass(frozen=True)
class Characters:
    """A text as tokens that know their characters.

    Parameters
    ----------
    tokens : sequence of str
        The words.
    starts, ends : sequence of int
        Offset of the first character of each token, and of the one after its last.
    sentences : sequence of int
        Token offsets at which sentences start; each line is one.
    text : str
        The text.
    """

    tokens: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    sentences: Sequence[int]
    text: str

    @property
    def raw(self) -> RawText:
        """The text with the places of the tokens, as a corpus keeps it."""
        return RawText(self.text, np.array(self.starts, dtype=np.int64), np.array(self.ends, dtype=np.int64))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The tokens, half-open, that have a character in the half-open span of characters; white space does not count.

        Raises
        ------
        ValueError
            If there are none, or the span is not within the text. Its words go behind "found ...; ".

        Examples
        --------
        >>> tokenised("Ann saw her.").span(7, 12)
        (2, 4)
        """
        if not 0 <= start < end <= len(self.text):
            raise ValueError(f"expected two character offsets with 0 <= start < end <= {len(self.text)}")
        first, after = bisect_right(self.ends, start), bisect_left(self.starts, end)
        if first >= after:
            raise ValueError("expected a span of more than white space")
        return first, after


def is_blank(text: str, start: int, end: int) -> bool:
    """Whether two offsets are within the text, in their order, and nothing is between them but white space.

    Examples
    --------
    >>> is_blank("a b", 1, 1), is_blank("a b", 1, 2), is_blank("a b", 1, 3), is_blank("a b", 3, 9)
    (True, True, False, False)
    """
    return 0 <= start <= end <= len(text) and not text[start:end].strip()


def tokenised(text: str, boundaries: Iterable[int] = ()) -> Characters:
    """The tokens of a text, cut at the boundaries, too. Boundaries outside of the text do not matter.

    Examples
    --------
    >>> tokenised("Ann's dog", [2]).tokens
    ['An', 'n', "'", 's', 'dog']
    """
    lines = (newline.end() for newline in re.finditer("\n", text))
    return cut(text, (token.span() for token in TOKEN.finditer(text)), lines, boundaries)


def cut(text: str, tokens: Iterable[tuple[int, int]], sentences: Iterable[int], boundaries: Iterable[int]) -> Characters:
    """The tokens of a text, cut at the boundaries.

    Parameters
    ----------
    text : str
        The text.
    tokens : iterable of pairs
        Half-open spans of characters in their order; of those that overlap the first counts.
    sentences : iterable of int
        The characters at which sentences start; one starts with the text.
    boundaries : iterable of int
        The characters at which mentions begin or end.
    """
    cuts = sorted(set(boundaries))
    starts: list[int] = []
    ends = [0]
    for start, end in tokens:
        if start >= ends[-1]:
            edges = [start, *cuts[bisect_right(cuts, start) : bisect_left(cuts, end)], end]
            starts += edges[:-1]
            ends += edges[1:]
    first = {bisect_left(starts, sentence) for sentence in (0, *sentences)} - {len(starts)}
    words = [text[a:b] for a, b in zip(starts, ends[1:], strict=True)]
    return Characters(words, starts, ends[1:], sorted(first), text)


def utf16_lengths(text: str) -> Sequence[int]:
    """The offset in UTF-16 units of each character, the end included.

    Examples
    --------
    >>> list(utf16_lengths("a😀b"))
    [0, 1, 3, 4]
    """
    if text.isascii() or max(text) <= "\uffff":
        return range(len(text) + 1)
    return list(accumulate((1 + (character > "\uffff") for character in text), initial=0))


def utf16_offsets(text: str) -> Sequence[int]:
    """The character offset of each offset in UTF-16 units, the end included; UIMA, Java and JavaScript count those.

    An offset inside of a character is that of the character.

    Examples
    --------
    >>> list(utf16_offsets("a😀b"))
    [0, 1, 1, 2, 3]
    """
    if text.isascii() or max(text) <= "\uffff":
        return range(len(text) + 1)
    return [n for n, character in enumerate(text) for _ in range(1 + (character > "\uffff"))] + [len(text)]
