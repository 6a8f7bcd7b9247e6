r"""The text of a document in WebAnno TSV: lines `#Text=` before the rows of each sentence.

The lines of a sentence are joined by line ends. The rows tell where a sentence begins; what is between two sentences is read as
INCEpTION reads it, a line end and then blanks. So a sentence is written with all that follows it, unless it is just that. What
stands before the first sentence is read as blanks; anything else is written as ``#Before=``, a line of ours, which INCEpTION
skips. INCEpTION adds a line end behind the last sentence; we do not.

In these lines a backslash stands before a backslash and before control characters, and ``\t``, ``\n``, ``\f``, ``\r`` and
``\b`` are some of these.

References
----------
INCEpTION's Tsv3XSerializer, Tsv3XDeserializer and Escaping.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import add, le

from referee.basics.exceptions import shortened
from referee.formats.shared.characters import utf16_lengths

LETTERS = {"\t": "t", "\n": "n", "\f": "f", "\r": "r", "\b": "b"}
MEANT = {letter: character for character, letter in LETTERS.items()}
ESCAPED = re.compile(r"[\x01-\x0a\x0c-\x1f\\]")
ESCAPE = re.compile(r"\\([tnfrb\x01-\x07\x0e-\x1f\\])")
FILLED = re.compile(r"\n {0,999}\Z")
GAP = 1000
"""So much white space may be between sentences without standing in the file. Offsets that say more are not believed."""


def escaped(text: str) -> str:
    r"""A text as it stands in a line.

    >>> print(escaped("a\tb\\"))
    a\tb\\
    """
    return ESCAPED.sub(lambda match: "\\" + LETTERS.get(match[0], match[0]), text)


def unescaped(line: str) -> str:
    r"""The text that stands in a line.

    >>> unescaped(r"a\tb\\")
    'a\tb\\'
    """
    return ESCAPE.sub(lambda match: MEANT.get(match[1], match[1]), line) if "\\" in line else line


def texts_of_sentences(text: str, first: Sequence[int]) -> tuple[str, list[str]]:
    r"""The line before the first sentence, if it is needed, and the lines of each sentence.

    Parameters
    ----------
    text : str
        The text of a document.
    first : sequence of int
        The character at which each sentence begins.

    Examples
    --------
    >>> texts_of_sentences("Ann left. Why?\nShe\nsaid so.\n", [0, 10, 15])
    ('', ['#Text=Ann left. \n', '#Text=Why?\n', '#Text=She\n#Text=said so.\n#Text=\n'])
    """
    limits = [*first, len(text)]
    before = text[: limits[0]]
    lines = []
    for start, end in pairwise(limits):
        filled = FILLED.search(text, start, end) if end < len(text) else None
        whole = text[start : filled.start() if filled else end]
        lines.append("".join(f"#Text={escaped(line)}\n" for line in whole.split("\n")))
    needed = before.strip(" ") or len(before) > GAP or (before and not first)
    return f"#Before={escaped(before)}\n" if needed else "", lines


def difference(text: str, tokens: Sequence[str]) -> str:
    """How the text of a sentence contradicts its tokens: one is not there behind those before it, or words are left; or empty.

    >>> difference("Ann left.", ["Ann", "leaves", "."]), difference("Ann left.", ["Ann"])
    ("has no 'leaves' at its place", "has 'left.' behind the last row")
    """
    place = 0
    for token in tokens:
        place = text.find(token, place) + len(token)
        if place < len(token):
            return f"has no {shortened(token)!r} at its place"
    rest = text[place:].strip()
    return f"has {shortened(rest)!r} behind the last row" if any(map(str.isalnum, rest)) else ""  # signs may be no tokens


def assembled(
    before: str | None, texts: Sequence[tuple[int, str]], starts: list[int], ends: list[int], tokens: Sequence[str]
) -> tuple[str, list[int], list[int]] | None:
    """The text of a document, and where in it each token starts and ends; None if the file does not tell.

    Offsets are of UTF-16 units, as INCEpTION has them, or of characters, as GUM has them: whichever give the tokens.

    Parameters
    ----------
    before : str or None
        What stands before the first sentence.
    texts : sequence of pairs
        Where each sentence begins, and its text.
    starts, ends : list of int
        The offsets of each token.
    tokens : sequence of str
        The tokens.
    """
    for units in (_utf16, len):
        text = _joined(before or "", texts, units)
        if text is None:
            continue
        offsets = utf16_lengths(text) if units is _utf16 else range(len(text) + 1)
        first, after = starts, ends
        if isinstance(offsets, list):
            character = {offset: n for n, offset in enumerate(offsets)}
            first, after = ([character.get(offset, len(text) + 1) for offset in side] for side in (starts, ends))
        are_there = [*map(add, first, map(len, tokens))] == after and all(map(text.startswith, tokens, first))
        if are_there and all(map(le, after, first[1:])):
            return text, first, after
    return None


def _utf16(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _joined(before: str, texts: Sequence[tuple[int, str]], units: Callable[[str], int]) -> str | None:
    """The texts of sentences, with what is between them; None if one begins before another ends, or far behind it."""
    pieces = [before]
    length = units(before)
    for number, (begin, text) in enumerate(texts):
        gap = begin - length
        if not 0 <= gap <= GAP:
            return None
        pieces += [("\n" + " " * (gap - 1) if number else " " * gap) if gap else "", text]
        length = begin + units(text)
    return "".join(pieces)
