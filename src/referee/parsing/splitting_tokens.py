"""Pieces of text without white space, divided into words.

How a piece is divided depends on nothing outside it, but for an initial (*J.*), so that the answer for a piece is kept:
most pieces of a text are repeated ones.

Patterns take time in proportion to their text. Each repetition that may fail late is bounded.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from referee.parsing.splitting_learnt import Splitting

LONGEST = 64
"""Characters of pieces whose answers are kept."""

KEPT = 1 << 17
"""How many answers are kept."""

TOKEN = re.compile(
    r"""
    (?P<url>(?:(?:https?|ftp|file)://|mailto:|www\.)[^\s<>"“”«»]*[^\s<>"“”«».,;:!?)\]}'*])
    | (?P<mail>(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8})
    | (?P<face>[:;=8]['^]?-?[()DPpO|/\\\[\]*]{1,8}(?!\w) | \([;:=] | <3(?!\d) | \^_+\^ | -_+-)
    | (?P<number>[+]?\d+(?:[.,:/]\d+){1,12}(?!\w) | (?<![\w.])[.]\d+(?!\w) | \d*0's\b)
    | (?P<tag>(?<!\w)[\#@](?=\w*[^\W\d])\w+)
    | (?P<word>\w+(?:['.&@-]\w+)*)
    | (?P<elided>(?<!\w)'\w+)
    | (?P<dots>[.!?]{2,} | …+)
    | (?P<run>''|``|([^\w\s()\[\]{}"“”„«»'‘’,])\2*)
    | (?P<one>\S)
    """,
    re.VERBOSE,
)
"""What a token is, tried in this order at each place. Apostrophes and hyphens are plain ones here."""

LETTERS_AND_PERIODS = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")
CLOSING = frozenset("\"'”’»)]}")
NO_END = frozenset(",([{“„‘«$#%&+/=@`¡¿£€<\\")
"""What a sentence does not end in, apart from letters and digits."""


class Pieces(NamedTuple):
    """A piece of text divided into words.

    Parameters
    ----------
    words : tuple of (str, int, int)
        Each word with its place in the piece.
    marks : tuple of int
        The words after which a sentence might end, and quotes and brackets: as numbers in the piece.
    initial : bool
        Whether the last word is a letter with a period (*J.*), which is one word before a name only.
    """

    words: tuple[tuple[str, int, int], ...]
    marks: tuple[int, ...]
    initial: bool


class _Plain(dict[int, int]):
    """Apostrophes and hyphens as plain ones, and combining characters as letters; for `str.translate`."""

    def __missing__(self, code: int) -> int:
        self[code] = ord("a") if unicodedata.category(chr(code)) in ("Mn", "Mc", "Me") else code
        return self[code]


_PLAIN = _Plain({ord(c): ord("'") for c in "’ʼ＇′"} | {ord(c): ord("-") for c in "\u2010\u2011"} | {ord("ʻ"): ord("a")})


def key(word: str) -> str:
    """A word as `Splitting` knows it.

    >>> key("Don’t")
    "don't"
    """
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", word.lower()).replace("’", "'").replace("\u2010", "-").replace("\u2011", "-")


def is_mark(form: str, *, last: bool) -> bool:
    """Whether a sentence might end after a word, or it is a quote or bracket. `last`: white space follows, or nothing."""
    tail = form[-1]
    if tail.isalnum():
        return False
    if form in _BRACKETS_AND_QUOTES:
        return True
    if tail in NO_END or (not last and tail not in ".?!…" and tail not in CLOSING):
        return False
    return last or not form[0].isalnum()


_BRACKETS_AND_QUOTES = frozenset("()[]{}\"“”„«»") | {"''", "``"}


class Tokenizer:
    """Divides pieces of text as a language does. It keeps the answers."""

    def __init__(self, splitting: Splitting) -> None:
        self.splitting = splitting
        self._kept: dict[str, Pieces] = {}

    def divide(self, piece: str) -> Pieces:
        """The words of a piece, which has at least one character, and no white space."""
        found = self._kept.get(piece)
        if found is None:
            found = self._divide(piece)
            if len(piece) <= LONGEST:
                if len(self._kept) >= KEPT:
                    self._kept.clear()
                self._kept[piece] = found
        return found

    def _divide(self, piece: str) -> Pieces:
        plain = piece if piece.isascii() else piece.translate(_PLAIN)
        words: list[tuple[str, int, int]] = []
        at = 0
        while at < len(plain):
            match = TOKEN.match(plain, at)
            assert match is not None  # any character is a token
            kind, stop = match.lastgroup or "run", match.end()
            if kind == "word":
                stop = self._word(piece, plain, at, stop, words)
            elif kind == "elided":
                if key(plain[at:stop]) in self.splitting.whole or key(plain[at:stop]) in self.splitting.enclitics:
                    words.append((piece[at:stop], at, stop))
                elif plain[at + 1 : stop].rstrip("s").isdigit():
                    words.append((piece[at:stop], at, stop))
                else:
                    stop = at + 1
                    words.append((piece[at:stop], at, stop))
            else:
                words.append((piece[at:stop], at, stop))
            at = stop
        size = len(words)
        marks = tuple(n for n, word in enumerate(words) if is_mark(word[0], last=n + 1 == size))
        last = words[-1][0]
        initial = len(last) == 2 and last[1] == "." and last[0].isupper() and last.lower() not in self.splitting.abbreviations
        return Pieces(tuple(words), marks, initial)

    def _word(self, piece: str, plain: str, start: int, stop: int, words: list[tuple[str, int, int]]) -> int:
        """Add the words of a token that begins with a letter or digit; where the next token begins."""
        learnt = self.splitting
        token = key(plain[start:stop])
        after = plain[stop : stop + 2]
        if after[:1] == "." and after != "..":
            with_period = token + "."
            if with_period in learnt.abbreviations or LETTERS_AND_PERIODS.fullmatch(token):
                words.append((piece[start : stop + 1], start, stop + 1))
                return stop + 1
            if stop - start == 1 and plain[start].isupper() and plain[start] != "I":
                words.append((piece[start : stop + 1], start, stop + 1))
                return stop + 1
        if after[:1] == "'":
            if token + "'" in learnt.proclitics or token + "'" in learnt.whole:
                words.append((piece[start : stop + 1], start, stop + 1))
                return stop + 1
            if stop - start > 4 and token[-2:] + "'" in learnt.endings and not after[1:].isalnum():
                words.append((piece[start : stop + 1], start, stop + 1))
                return stop + 1
        if after == "-" and "-" in learnt.joints:
            stop += 1
            words.append((piece[start:stop], start, stop))
            return stop
        if token.isalpha() and token not in learnt.contractions:  # the common case
            words.append((piece[start:stop], start, stop))
            return stop
        self._parts(piece, plain, start, stop, words)
        return stop

    def _parts(self, piece: str, plain: str, start: int, stop: int, words: list[tuple[str, int, int]]) -> None:
        learnt = self.splitting
        token = key(plain[start:stop])
        if stop - start > 2 * LONGEST or token in learnt.whole:
            words.append((piece[start:stop], start, stop))
            return
        found = learnt.contractions.get(token)
        if found is not None:
            _share(piece, start, stop, found, words)
            return
        for cut in range(1, len(token)):
            if token[:cut] in learnt.proclitics and token[cut:] not in learnt.enclitics and stop - start == len(token):
                words.append((piece[start : start + cut], start, start + cut))
                self._parts(piece, plain, start + cut, stop, words)
                return
        for cut in range(1, len(token)):
            if token[cut:] in learnt.enclitics and stop - start == len(token):
                self._parts(piece, plain, start, start + cut, words)
                words.append((piece[start + cut : stop], start + cut, stop))
                return
        if "-" in token:
            self._hyphens(piece, plain, start, stop, words)
            return
        words.append((piece[start:stop], start, stop))

    def _hyphens(self, piece: str, plain: str, start: int, stop: int, words: list[tuple[str, int, int]]) -> None:
        learnt = self.splitting
        parts = plain[start:stop].split("-")
        count = str(min(len(parts) - 1, 3))
        begin = at = start
        for n, (before, following) in enumerate(zip(parts[:-1], parts[1:], strict=True)):
            at += len(before)
            divides = kind_of(before) + kind_of(following) + count in learnt.joints
            if divides and not (n == 0 and key(before) in learnt.prefixes):
                words.append((piece[begin:at], begin, at))
                words.append((piece[at : at + 1], at, at + 1))
                begin = at + 1
            at += 1
        words.append((piece[begin:stop], begin, stop))


def kind_of(part: str) -> str:
    """What a part of a token with hyphens is made of: `a` letters, `A` letters with a capital, `0` digits, `x` else.

    >>> [kind_of(part) for part in "well Known 15 x3".split()]
    ['a', 'A', '0', 'x']
    """
    if part.isdigit():
        return "0"
    if part.isalpha():
        return "a" if part.islower() else "A"
    return "x"


def _share(piece: str, start: int, stop: int, found: tuple[str, ...], words: list[tuple[str, int, int]]) -> None:
    """Add the words a token stands for: with places of their own if they are its letters, else with that of the token."""
    if sum(map(len, found)) == stop - start:
        at = start
        for word in found:
            words.append((piece[at : at + len(word)], at, at + len(word)))
            at += len(word)
        return
    first = found[0].capitalize() if piece[start].isupper() else found[0]
    words.extend((word, start, stop) for word in (first, *found[1:]))
