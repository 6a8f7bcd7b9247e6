"""Where sentences end: at which marks, by a sum of whole numbers.

Each mark (a period, a quote, an abbreviation …) that white space follows has features: what it is, what stands before it and
after it, whether quotes or brackets are open. `Splitting.weights` has a whole number for each; the sentence ends where they add
up to more than 0. Sums of whole numbers are the same on all machines. Some things are said by rule: in a text whose sentences
begin with capitals, none begins with a small letter after a period; after an abbreviation one begins with a frequent word that
has a capital (*in the U.S. The …*); a mark of a footnote goes with the sentence before it, and a dash with what follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import NamedTuple

from referee.parsing.splitting.tokens import key

LOOKED_AT = 200_000
"""How many characters of a text tell whether its sentences begin with capitals."""

BEGINNING = re.compile(r"[^\W\d_]{3}\.\s+([^\W\d_])")
OPENING = frozenset("([{“„«")
CLOSING = frozenset(")]}”»")
QUOTES = {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "''": '"', "``": '"', '"': '"', "‘": "'", "’": "'"}
STRAIGHT = frozenset({'"', "``", "''"})
STOPS = frozenset(".?!…")


TITLES = frozenset(f"{title}." for title in (
    "mr", "mrs", "ms", "messrs", "dr", "prof", "rev", "hon", "capt", "col", "gen", "lieut", "lt", "maj", "sgt", "sergt", "gov",
    "sen", "rep", "mm", "mme", "mmes", "mlle", "mlles", "mgr",
))  # fmt: skip
"""Abbreviations that stand before names, and end no sentence: *Mrs. Long*."""


class StretchWords(NamedTuple):
    """The words of a stretch of text around its marks.

    Parameters
    ----------
    form : sequence of str
    start, end : sequence of int
        Their characters.
    begin, stop : int
        Which of them are the words of the stretch.
    """

    form: Sequence[str]
    start: Sequence[int]
    end: Sequence[int]
    begin: int
    stop: int


def cased(text: str) -> str:
    """How sentences of a text begin: "A" with capitals, "a" often not, "" without a sentence to tell.

    >>> cased("Hello. She left. He stayed."), cased("he ran. she left")
    ('A', 'a')
    """
    letters = BEGINNING.findall(text[:LOOKED_AT])
    return "" if not letters else "a" if 20 * sum(map(str.islower, letters)) > len(letters) else "A"


def shape(form: str) -> str:
    """What a word looks like: `a` letters, `A` with a capital, `AA` capitals, `I.` an initial, `0` digits; else itself."""
    first = form[0]
    if first.isalpha():
        if len(form) == 2 and form[1] == ".":
            return "I."
        if form.isupper() and len(form) > 1:
            return "AA"
        return "A" if first.isupper() else "a"
    if first.isdigit():
        return "0"
    if len(form) > 1 and first in "'’":
        return "'a"
    return QUOTES.get(form) or form[:3]


def marked(form: str) -> str:
    """A mark as features know it."""
    return key(form) if form[0].isalnum() else QUOTES.get(form) or form[:3]


def features(
    place: StretchWords, at: int, beyond: int, last: int, depth: int, quotes: int, casing: str, frequent: Container[str]
) -> list[str]:
    """What is seen at the mark `at` before the word `beyond`, where the sentence began with the word `last`."""
    form, start, end = place.form, place.start, place.end
    this = marked(form[at])
    glued = at > place.begin and end[at - 1] == start[at]
    following = form[beyond]
    after = shape(following)
    if after == "A" and key(following) in frequent:
        after = "The"
    tight = "+" if end[beyond - 1] == start[beyond] else "-"
    if after in "'\"":
        after += "+" if beyond + 1 < place.stop and end[beyond] == start[beyond + 1] else "-"
    mark = ("+" if glued else "-") + this + tight
    length = at - last
    size = str(min(length, 3) if length < 4 else 4 if length < 8 else 5)
    state = ("(" if depth > 0 else "") + ('"' if quotes else "")
    kind = "s" if this[0] in STOPS else "p" if not this[0].isalnum() else "d" if "." in this[:-1] else "w"
    return [
        "m" + mark,
        f"a{mark} {after}",
        f"c{mark} {after} {casing}",
        f"s{mark} {after} {state}",
        f"l{mark} {after} {size}",
        f"n{kind} {key(following)}",
        f"w{kind} {key(form[at - 1]) if at > place.begin else '^'}",
        f"k{kind} {after} {casing}",
    ]


def sentences(
    place: StretchWords, marks: Sequence[int], casing: str, frequent: Container[str], decide: Callable[[int, list[str]], bool]
) -> list[int]:
    """The words with which the sentences of a stretch begin, but for the first one.

    Parameters
    ----------
    place : StretchWords
    marks : sequence of int
        The words after which a sentence might end, and quotes and brackets.
    casing : str
        How sentences of the text begin, as `cased` says.
    frequent : collection of str
        The frequent words of the language.
    decide : callable
        Takes the last word of what might be a sentence, and the features of its mark; says whether it is one.
    """
    form, start, end = place.form, place.start, place.end
    ends: list[int] = []
    begun, depth, quotes = place.begin, 0, 0
    checked, has_word = place.begin, False
    for at in marks:
        if at < checked:  # a footnote, which was looked through
            continue
        mark = form[at]
        if mark.lower() in TITLES:
            continue
        has_word = has_word or any(word[0].isalnum() or word[-1].isalnum() for word in form[checked : at + 1])
        checked = at + 1
        if mark in OPENING:
            depth += mark in "([{"
            quotes = 1 if mark in "“„«" else quotes
            continue
        if mark in CLOSING:
            depth = max(depth - (mark in ")]}"), 0)
            quotes = 0 if mark in "”»" else quotes
        elif mark in STRAIGHT:
            quotes = 1 - quotes
            if quotes:
                continue
        beyond = checked = at + 1 + _footnote(place, at + 1)
        if beyond >= place.stop or not (has_word or mark[0] in STOPS):  # a dash, stars: they go with what follows
            continue
        following = form[beyond][0]
        if casing == "A" and mark[-1] in STOPS and following.islower():
            continue
        if end[beyond - 1] == start[beyond] and (mark[0] not in STOPS or not following.isupper()):
            continue
        # What trees have too few of: a sentence that ends in an abbreviation, before one that begins with a frequent word.
        begins = mark[0].isalnum() and depth == 0 and shape(form[beyond]) == "A" and key(form[beyond]) in frequent
        if begins or decide(beyond - 1, features(place, at, beyond, begun, depth, quotes, casing, frequent)):
            ends.append(beyond)
            begun = beyond
            depth, has_word = 0, False
    return ends


def _footnote(place: StretchWords, at: int) -> int:
    """How many words a mark of a footnote (`[12]`) or of an omission (`[…]`) has, which belongs to the sentence before it."""
    if at >= place.stop or place.form[at] != "[":
        return 0
    inner = place.form[at + 1 : at + 3]
    return 3 if len(inner) == 2 and inner[1] == "]" and (inner[0].isdecimal() or inner[0] in ("...", "…")) else 0


def ends(
    place: StretchWords, marks: Sequence[int], casing: str, weights: Mapping[str, int], frequent: Container[str]
) -> list[int]:
    """The words with which the sentences of a stretch begin, but for the first one, as `Splitting.weights` has it."""
    return sentences(place, marks, casing, frequent, lambda _, seen: sum([weights.get(name, 0) for name in seen]) > 0)
