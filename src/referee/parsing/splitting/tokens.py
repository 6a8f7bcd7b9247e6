"""Pieces of text without white space, divided into words.

How a piece is divided depends on nothing outside it, but for an initial (*J.*), so that the answer for a piece is kept:
most pieces of a text are repeated ones.

Patterns take time in proportion to their text. Each repetition that may fail late is bounded.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from referee.parsing.splitting.learnt import Splitting

LONGEST = 64
"""Characters of pieces whose answers are kept."""

KEPT = 1 << 17
"""How many answers are kept."""

TOKEN = re.compile(
    r"""
    (?P<url>(?:(?:https?|ftp|file)://|mailto:|www\.)[^\s<>"“”«»]*[^\s<>"“”«».,;:!?)\]}'*])
    | (?P<mail>(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8})
    | (?P<face>[:;=]['^]?-?[()DPpO|/\\]{1,8}(?!\w) | \([;:=] | <3(?!\d) | \^_+\^ | -_+-)
    | (?P<number>[+]?\d+(?:[.,:/]\d+){1,12}(?!\w) | (?<![\w.])[.]\d+(?!\w) | \d*0's\b)
    | (?P<tag>(?<!\w)[\#@](?=\w*[^\W\d])\w+)
    | (?P<slash>(?<!\w)[^\W\d_]/[^\W\d_](?![\w/]))
    | (?P<word>\w+(?:['.&@-]\w+)*)
    | (?P<elided>(?<!\w)'(?:n'(?!\w)|\w+))
    | (?P<etc>&c\b\.?)
    | (?P<dots>[.!?]{2,} | …+)
    | (?P<run>''|``|(?P<same>[^\w\s()\[\]{}"“”„«»'‘’,])(?P=same)*)
    | (?P<one>\S)
    """,
    re.VERBOSE,
)
"""What a token is, tried in this order at each place. Apostrophes and hyphens are plain ones here."""

LETTERS_AND_PERIODS = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")
CLOSING = frozenset("\"'”’»)]}")
NO_END = frozenset(",([{“„‘«$#%&+/=@`¡¿£€<\\")
"""What a sentence does not end in, apart from letters and digits."""


class WordPieces(NamedTuple):
    """A piece of text divided into words.

    Parameters
    ----------
    words : tuple of (str, int, int)
        Each word with its place in the piece.
    marks : tuple of int
        The words after which a sentence might end, and quotes and brackets: as numbers in the piece.
    needs : str
        What must follow lest the period of the last word be a word of its own: `A` a capital after a letter (*J.*), `0` a digit
        after a word that is also a frequent one (*No.*); else empty.
    """

    words: tuple[tuple[str, int, int], ...]
    marks: tuple[int, ...]
    needs: str


class _PlainLetters(dict[int, int]):
    """Apostrophes and hyphens as plain ones, and combining characters as letters; for `str.translate`."""

    def __missing__(self, code: int) -> int:
        self[code] = ord("a") if unicodedata.category(chr(code)) in ("Mn", "Mc", "Me") else code
        return self[code]


_PLAIN = _PlainLetters({ord(c): ord("'") for c in "’ʼ＇′"} | {ord(c): ord("-") for c in "\u2010\u2011"} | {ord("ʻ"): ord("a")})


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


_AFTER_ABBREVIATION = frozenset(",;:")
"""Marks that follow a period only if it is that of an abbreviation."""

_BRACKETS_AND_QUOTES = frozenset('()[]{}"“”„«»') | {"''", "``"}


class Tokenizer:
    """Divides pieces of text as a language does. It keeps the answers."""

    def __init__(self, splitting: Splitting) -> None:
        self.splitting = splitting
        self.frequent = frozenset(splitting.frequent)
        self._kept: dict[str, WordPieces] = {}

    def divide(self, piece: str) -> WordPieces:
        """The words of a piece, which has at least one character, and no white space."""
        division = self._kept.get(piece)
        if division is None:
            division = self._divide(piece)
            if len(piece) <= LONGEST:
                if len(self._kept) >= KEPT:
                    self._kept.clear()
                self._kept[piece] = division
        return division

    def _divide(self, piece: str) -> WordPieces:
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
                stop = stop if self._is_elided(piece[at:stop]) else at + 1
                words.append((piece[at:stop], at, stop))
            else:
                words.append((piece[at:stop], at, stop))
            at = stop
        size = len(words)
        marks = tuple(n for n, word in enumerate(words) if is_mark(word[0], last=n + 1 == size))
        last = words[-1][0]
        needs = ""
        if last[-1] == "." and len(last) > 1:
            if len(last) == 2:
                needs = "A" if last[0].isupper() else ""
            elif last[:-1].lower() in self.frequent:
                needs = "0"
        return WordPieces(tuple(words), marks, needs)

    def _is_elided(self, form: str) -> bool:
        """Whether an apostrophe that begins a form is part of it, and no quote: *'tis*, *'90s*; *’s* alone."""
        learnt = self.splitting
        return form[0] == "’" or form[1:].rstrip("s").isdigit() or key(form) in learnt.whole or key(form) in learnt.enclitics

    def _word(self, piece: str, plain: str, start: int, stop: int, words: list[tuple[str, int, int]]) -> int:
        """Add the words of a token that begins with a letter or digit; where the next token begins."""
        learnt = self.splitting
        token = key(plain[start:stop])
        after = plain[stop : stop + 2]
        if after[:1] == "." and (after != ".." or plain[stop + 2 : stop + 3] != "."):
            known = self._is_abbreviation(piece[start : stop + 1]) or LETTERS_AND_PERIODS.fullmatch(token)
            letter = stop - start == 1 and token not in self.frequent and plain[start].islower()
            if known or (after != ".." and (letter or (after[1:] in _AFTER_ABBREVIATION and token.isalpha()))):
                words.append((piece[start : stop + 1], start, stop + 1))
                return stop + 1
            if stop - start == 1 and plain[start].isupper() and plain[start] != "I" and after != "..":
                words.append((piece[start : stop + 1], start, stop + 1))
                return stop + 1
        if after[:1] == "'":
            if token + "'" in learnt.proclitics or token + "'" in learnt.whole:
                words.append((piece[start : stop + 1], start, stop + 1))
                return stop + 1
            short = stop - start < 5 and stop + 1 == len(plain) and token.isalpha() and token[-1] != "s"
            if (short and token not in learnt.vocabulary) or (
                stop - start > 4 and token[-2:] + "'" in learnt.endings and not after[1:].isalnum()
            ):
                words.append((piece[start : stop + 1], start, stop + 1))
                return stop + 1
        if after == "-" and "-" in learnt.joints and token not in learnt.vocabulary:
            stop += 1
            words.append((piece[start:stop], start, stop))
            return stop
        if token.isalpha() and token not in learnt.contractions:  # the common case
            words.append((piece[start:stop], start, stop))
            return stop
        self._parts(piece, plain, start, stop, words)
        return stop

    def _is_abbreviation(self, form: str) -> bool:
        """As it was learnt, but for capitals of the whole word or of its first letter: `Etc.` and `MR.`, but not `sat.`."""
        known = self.splitting.abbreviations
        return form in known or form.lower() in known or (form.isupper() and form.capitalize() in known)

    def _parts(self, piece: str, plain: str, start: int, stop: int, words: list[tuple[str, int, int]]) -> None:
        learnt = self.splitting
        token = key(plain[start:stop])
        if stop - start > 2 * LONGEST or token in learnt.whole:
            words.append((piece[start:stop], start, stop))
            return
        parts = learnt.contractions.get(token)
        if parts is not None and len(token) == stop - start:
            _share(piece, start, token, parts, words)
            return
        for cut in range(1, len(token)):
            if token[:cut] in learnt.proclitics and token[cut:] not in learnt.enclitics and stop - start == len(token):
                words.append((piece[start : start + cut], start, start + cut))
                self._parts(piece, plain, start + cut, stop, words)
                return
        for cut in range(1, len(token)):
            if self._is_enclitic(token[cut:], token[:cut]) and stop - start == len(token):
                self._parts(piece, plain, start, start + cut, words)
                words.append((piece[start + cut : stop], start + cut, stop))
                return
        if "-" in token:
            self._hyphens(piece, plain, start, stop, words)
            return
        left, period, right = token.partition(".")
        if period and len(left) > 2 and len(right) > 1 and right in learnt.vocabulary and len(token) == stop - start:
            at = start + len(left)  # no white space after a sentence
            words += [(piece[start:at], start, at), (".", at, at + 1), (piece[at + 1 : stop], at + 1, stop)]
            return
        words.append((piece[start:stop], start, stop))

    def _is_enclitic(self, word: str, host: str) -> bool:
        hosts = self.splitting.hosts.get(word)
        return word in self.splitting.enclitics and (hosts is None or host in hosts)

    def _hyphens(self, piece: str, plain: str, start: int, stop: int, words: list[tuple[str, int, int]]) -> None:
        learnt = self.splitting
        parts = plain[start:stop].split("-")
        begin = at = start
        for n, (before, following) in enumerate(pairwise(parts)):
            at += len(before)
            divides = joint(before, following, len(parts) - 1) in learnt.joints
            if divides and not (n == 0 and key(before) in learnt.prefixes):
                words.append((piece[begin:at], begin, at))
                words.append((piece[at : at + 1], at, at + 1))
                begin = at + 1
            at += 1
        words.append((piece[begin:stop], begin, stop))


def joint(before: str, after: str, hyphens: int) -> str:
    """What a hyphen stands between, and how many the token has: see `Splitting.joints`.

    >>> joint("well", "known", 1), joint("1969", "1970", 1), joint("713", "6401", 2), joint("F", "16", 1)
    ('aa1', '0<1', '0>2', 'A01')
    """
    kinds = _kind(before) + _kind(after)
    if kinds == "00":
        rises = len(before) <= len(after) <= len(before) + (len(after) < 3) and int(before) < int(after)
        kinds = "0<" if rises else "0>"
    return kinds + str(min(hyphens, 3))


def _kind(part: str) -> str:
    if part.isdecimal():
        return "0"
    if part.isalpha():
        return "a" if part.islower() else "A"
    return "x"


def _share(piece: str, start: int, token: str, parts: tuple[str, ...], words: list[tuple[str, int, int]]) -> None:
    """Add the words a token stands for: with places of their own if they are its letters, else with that of the token."""
    stop = start + len(token)
    if "".join(parts) == token:
        at = start
        for word in parts:
            words.append((piece[at : at + len(word)], at, at + len(word)))
            at += len(word)
        return
    first = parts[0].capitalize() if piece[start].isupper() else parts[0]
    words.extend((word, start, stop) for word in (first, *parts[1:]))
