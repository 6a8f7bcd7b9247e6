"""Texts as units: runs of letters and digits, single signs, and single characters of scripts that put no blanks between words.

Units are compared without case. Kinds of quotes, dashes and brackets are one kind each, as are characters that Unicode takes
for variants of each other (NFKC), and the names of signs in HTML: `&amp;` is `&`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import unescape
from itertools import chain
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from referee.algorithms.alignment import align
from referee.algorithms.arrays import Ints, arange, repeat
from referee.corpus.text import PENN
from referee.formats.shared.characters import with_marks

_ALONE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
_ALONE += "\uf900-\ufaff\U00020000-\U0003ffff"
ALONE = re.compile(f"[{_ALONE}]")
"""Thai to Khmer, kana and Chinese characters stand alone, with their combining marks."""
UNIT = re.compile(rf"[{_ALONE}]|[^\W{_ALONE}]+|[^\w\s]")

QUOTES = dict.fromkeys("\"'`´‘’‚‛“”„‟«»‹›″′「」『』", '"')
DASHES = dict.fromkeys("-‐‑‒–—―−", "-")
FOLDED = str.maketrans({**QUOTES, **DASHES})

ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")
"""A sign by its name or number in HTML."""
NO_CHARACTER = re.compile(r"&#(?=\w{20})")
"""Before a number that is no sign's; thousands of digits are no number to Python."""

SUBSTITUTED = 3
"""As many units, at most, stand for others that are not like them."""


class TextUnits(NamedTuple):
    """The units of a text.

    Parameters
    ----------
    texts : list of str
        Each as it is written.
    token : int64
        The token of each.
    """

    texts: list[str]
    token: Ints


def units_of(text: str) -> list[str]:
    """The units of a text as they are written.

    >>> units_of("Don't ``go'' &amp; stay")
    ['Don', "'", 't', '"', 'go', '"', '&', 'stay']
    """
    text = text.replace("``", '"').replace("''", '"')
    if "&" in text:
        text = unescape(NO_CHARACTER.sub("&amp;#", text))
    if text.isascii():
        return UNIT.findall(text)
    text = normalize("NFKC", text)
    spans = [unit.span() for unit in UNIT.finditer(text)]
    return [text[start:end] for start, end in with_marks(text, spans, ALONE)]


def units_of_tokens(tokens: Iterable[str]) -> TextUnits:
    """The units of tokens; a token without any is a unit itself."""
    tokens = list(tokens)
    of_token = {token: units_of(PENN.get(token, token)) or [token] for token in set(tokens)}
    units = [of_token[token] for token in tokens]
    return TextUnits(list(chain.from_iterable(units)), repeat(arange(len(units)), list(map(len, units))))


def folded(unit: str) -> str:
    """A unit as it is compared."""
    return unit.translate(FOLDED).casefold()


class Aligned(NamedTuple):
    """Where the units of an answer are in the text of the key.

    Parameters
    ----------
    start, end : int64, shape (units,)
        The units of the key that each stands for, half-open; -1 and -1 for a unit that the key does not have.
    changed : int
        How many units are written in another way.
    substituted : int
        How many of these only stand in the place of others.
    """

    start: Ints
    end: Ints
    changed: int
    substituted: int


def aligned(answer: Sequence[str], key: Sequence[str]) -> Aligned:
    """Align the units of an answer with those of the key.

    Examples
    --------
    >>> aligned(["the", "huge", "Dog"], ["See", "the", "dog"]).start.tolist()
    [1, -1, 2]
    """
    number: dict[str, int] = {}
    fold = {unit: number.setdefault(folded(unit), len(number)) for unit in dict.fromkeys(chain(key, answer))}
    a, b = (np.fromiter(map(fold.__getitem__, side), dtype=np.int64, count=len(side)) for side in (answer, key))
    start = align(a, b, _likeness(list(number)))
    end = np.where(start < 0, -1, start + 1)
    matched = np.flatnonzero(start >= 0)
    changed = sum(answer[i] != key[j] for i, j in zip(matched.tolist(), start[matched].tolist(), strict=True))
    substituted = 0
    first, second = (np.concatenate([[-1], place, [length]]) for place, length in ((matched, len(a)), (start[matched], len(b))))
    for n in np.flatnonzero((np.diff(first) > 1) & (np.diff(second) > 1)).tolist():
        i, j = int(first[n]) + 1, int(second[n]) + 1
        substituted += _substitute(answer[i : first[n + 1]], key[j : second[n + 1]], i, j, start, end)
    return Aligned(start, end, changed + substituted, substituted)


def _substitute(answer: Sequence[str], key: Sequence[str], i: int, j: int, start: Ints, end: Ints) -> int:
    """Align what stands in the same place: the same characters, cut otherwise, or a few units for a few.

    Returns
    -------
    int
        How many units of the answer are written in another way.
    """
    same = "".join(map(folded, answer)) == "".join(map(folded, key))
    if not same and max(len(answer), len(key)) > SUBSTITUTED:
        return 0
    edges, key_edges = (
        np.cumsum([0, *map(len, map(folded, side))]) if same else np.linspace(0, 1, len(side) + 1) for side in (answer, key)
    )
    slack = 1e-9
    start[i : i + len(answer)] = j + np.searchsorted(key_edges, edges[:-1] + slack, side="right") - 1
    end[i : i + len(answer)] = j + np.searchsorted(key_edges, edges[1:] - slack, side="left")
    return 0 if same else len(answer)


def _likeness(texts: Sequence[str]) -> Callable[[int, int], float]:
    """How alike two units are: more than half of the longer one is the beginning and the end of the other."""
    known: dict[tuple[int, int], float] = {}

    def likeness(a: int, b: int) -> float:
        pair = (a, b)
        if pair not in known:
            known[pair] = _alike(texts[a], texts[b])
        return known[pair]

    return likeness


def _alike(a: str, b: str) -> float:
    shorter, longer = sorted((a, b), key=len)
    if len(shorter) < 3 or not (shorter[0].isalnum() and longer[0].isalnum()):
        return 0.0
    begin = next((n for n, (x, y) in enumerate(zip(shorter, longer, strict=False)) if x != y), len(shorter))
    rest = shorter[begin:]
    finish = next((n for n, (x, y) in enumerate(zip(rest[::-1], longer[::-1], strict=False)) if x != y), len(rest))
    share = (begin + finish) / len(longer)
    return 0.9 * share if share > 0.5 else 0.0
