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
from typing import TypeAlias
from unicodedata import category

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus import RawText

TOKEN = re.compile(r"\w+|[^\w\s]")

Places: TypeAlias = Ints
"""Half-open spans of characters, shape (places, 2)."""

WHITE = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""The characters that are white space for `str.isspace`."""

BLANK = "left out {} that are empty or white space alone"
"""What a reader says of mentions that cover no word."""


@dataclass(frozen=True)
class Characters:
    """A text as tokens that know their characters.

    Parameters
    ----------
    tokens : sequence of str
        The words.
    starts, ends : int64, shape (tokens,)
        Offset of the first character of each token, and of the one after its last.
    sentences : sequence of int
        Token offsets at which sentences start; each line is one.
    text : str
        The text.
    """

    tokens: Sequence[str]
    starts: Ints
    ends: Ints
    sentences: Sequence[int]
    text: str

    @property
    def raw(self) -> RawText:
        """The text with the places of the tokens, as a corpus keeps it."""
        return RawText(self.text, self.starts, self.ends)

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
        first, after = bisect_right(self.ends.data, start), bisect_left(self.starts.data, end)
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


def tokenised(text: str, boundaries: Iterable[int] | Ints = ()) -> Characters:
    """The tokens of a text, cut at the boundaries, too. Boundaries outside of the text do not matter.

    Examples
    --------
    >>> tokenised("Ann's dog", [2]).tokens
    ['An', 'n', "'", 's', 'dog']
    """
    return cut(text, with_marks(text, [token.span() for token in TOKEN.finditer(text)]), line_starts(text), boundaries)


def with_marks(text: str, spans: list[tuple[int, int]], alone: re.Pattern[str] | None = None) -> list[tuple[int, int]]:
    """The spans of words, to which combining marks belong that stand behind a letter, with the letters that follow them.

    Those of which a pattern says that they stand alone do not belong to what is before them.

    >>> with_marks("cafe\u0301s!", [(0, 4), (4, 5), (5, 6), (6, 7)])
    [(0, 6), (6, 7)]
    """
    if text.isascii() or not any(start + 1 == end and _is_mark(text[start]) for start, end in spans):
        return spans
    words: list[tuple[int, int]] = []
    for start, end in spans:
        last = text[start - 1] if words and words[-1][1] == start else " "
        follows = _is_mark(last) and text[start].isalnum() and not (alone and alone.match(text, start))
        if last != " " and text[words[-1][0]].isalnum() and (_is_mark(text[start]) or follows):
            words[-1] = words[-1][0], end
        else:
            words.append((start, end))
    return words


def _is_mark(character: str) -> bool:
    """Whether a character is a combining mark, or joins those beside it."""
    return character >= "\u0300" and (category(character)[0] == "M" or character in "\u200c\u200d")


def line_starts(text: str) -> list[int]:
    """The character after each line end."""
    return [newline.end() for newline in re.finditer("\n", text)]


def cut(
    text: str, tokens: Places | Sequence[tuple[int, int]], sentences: Sequence[int] | Ints, boundaries: Iterable[int] | Ints
) -> Characters:
    """The tokens of a text, cut at the boundaries.

    Parameters
    ----------
    text : str
        The text.
    tokens : sequence of pairs
        Half-open spans of characters in their order; of those that overlap the first counts.
    sentences : sequence of int
        The characters at which sentences start; one starts with the text.
    boundaries : iterable of int
        The characters at which mentions begin or end. Those outside of the text do not matter.
    """
    starts, ends = _without_overlaps(np.asarray(tokens, dtype=np.int64).reshape(-1, 2)).T
    if not isinstance(boundaries, np.ndarray):
        boundaries = np.array([edge for edge in boundaries if 0 <= edge <= len(text)], dtype=np.int64)
    cuts = np.unique(boundaries)
    token = starts.searchsorted(cuts) - 1
    inside = cuts[(token >= 0) & (cuts < ends[token])] if len(ends) else cuts[:0]
    starts, ends = (np.sort(np.concatenate((edges, inside))) for edges in (starts, ends))
    first = np.unique(starts.searchsorted([0, *sentences]))
    words = [*map(text.__getitem__, map(slice, starts.tolist(), ends.tolist()))]
    return Characters(words, starts, ends, first[first < len(starts)].tolist(), text)


def _without_overlaps(tokens: Places) -> Places:
    """The tokens without those that begin before one that counts has ended."""
    if (tokens[1:, 0] >= tokens[:-1, 1]).all() and (tokens[:1] >= 0).all():
        return tokens
    rows, after = [], 0
    for n, (start, end) in enumerate(tokens.tolist()):
        if start >= after:
            rows.append(n)
            after = end
    return tokens[rows]


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
