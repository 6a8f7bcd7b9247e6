"""What a network sees of a word: its lower-case form, its beginning, its endings, and its shape, as numbers.

Digits are all one digit. What was not seen, or too rarely, is number 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from referee.algorithms.arrays import Ints
from referee.parsing.splitting.ends import TITLES

DIGIT = re.compile(r"\d")
QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "—": "-", "–": "-"})
"""Marks that are printed in several ways."""

SHAPES = 12


def plain(form: str) -> str:
    """A word in lower case, with all digits, all quotes and all abbreviated titles alike.

    >>> plain("Mid-1980’s")
    "mid-0000's"
    """
    text = DIGIT.sub("0", form.lower().translate(QUOTES))
    return "mr." if text in TITLES else text


def shape(form: str) -> int:
    """The kind of letters of a word, as a number below `SHAPES`.

    >>> shape("word") == shape("more") != shape("Word"), shape("NATO") != shape("iPod")
    (True, True)
    """
    if form.isalpha():
        if form.islower():
            return 1
        if form.isupper():
            return 3 if len(form) > 1 else 2
        return 4 if form[1:].islower() else 5
    if not any(map(str.isalnum, form)):
        return 6
    if not any(map(str.isalpha, form)):
        return 7
    digits, first = any(map(str.isdigit, form)), form[0].isupper()
    return 8 + 2 * digits + first


PIECES: dict[str, Callable[[str], str]] = {
    "word": plain,
    "prefix": lambda form: plain(form)[:3],
    "suffix": lambda form: plain(form)[-3:],
    "ending": lambda form: plain(form)[-2:],
}
"""What each list of strings is of."""


def seen_often(forms: Iterable[str], often: Mapping[str, int]) -> dict[str, list[str]]:
    """For each of `PIECES`, those that the words have as often as asked for, the most frequent first."""
    counts = Counter(forms)
    lists = {}
    for name, piece in PIECES.items():
        count: Counter[str] = Counter()
        for form, number in counts.items():
            count[piece(form)] += number
        lists[name] = sorted((text for text, number in count.items() if number >= often[name]), key=lambda t: (-count[t], t))
    return lists


def columns(forms: Sequence[str], lists: Mapping[str, Sequence[str]]) -> Ints:
    """The numbers of the pieces of words, and of their shapes: int64, shape (forms, pieces + 1)."""
    numbered = [{text: number for number, text in enumerate(lists[name], start=1)} for name in PIECES]
    matches = [
        [*(number.get(piece(form), 0) for number, piece in zip(numbered, PIECES.values(), strict=True)), shape(form)]
        for form in forms
    ]
    return np.array(matches, dtype=np.int64).reshape(-1, len(PIECES) + 1)
