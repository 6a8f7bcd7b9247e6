"""What stands within words without being part of them: characters that show nothing, hyphens at the ends of lines, emphasis."""

from __future__ import annotations

import re

import numpy as np

from referee.algorithms.arrays import Ints
from referee.parsing.splitting.learnt import Splitting

INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff"
"""Characters that show nothing: soft hyphens, joiners, marks of direction and of byte order, variants of symbols."""

UNCLEAN = re.compile(rf"[_{INVISIBLE}]|[-\u2010\u00ac\u00ad][ \t]{{0,8}}[\r\n]")
CLEAN = re.compile(
    rf"""(?P<invisible>\u00ad[ \t]{{0,8}}(?:\r\n?|\n)[ \t]{{0,99}}(?=\w)|[{INVISIBLE}]+)
    |(?P<emphasis>(?<![^\s("“‘'\[—-])_(?=[^\s_])|(?<=[^\s_])_(?!\w))
    |(?P<divided>(?<=[^\W\d_])[-\u2010\u00ac][ \t]{{0,8}}(?:\r\n?|\n)[ \t]{{0,99}}(?=[^\W\d_]))""",
    re.VERBOSE,
)
BROKEN = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ac][ \t]{0,8}(?:\r\n?|\n)[ \t]{0,99}(?=[^\W\d_])")
LETTERS = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")


def is_unclean(raw: str) -> bool:
    """Whether there may be such a thing in a text."""
    return UNCLEAN.search(raw) is not None


def known_words(text: str) -> set[str]:
    """The words of a text, with and without hyphens within, but for those that are divided at the end of a line."""
    known: set[str] = set()
    parts = BROKEN.split(text.lower())
    for n, part in enumerate(parts):
        words = LETTERS.findall(part)
        known.update(words[n > 0 : len(words) - (n + 1 < len(parts))])
    return {word.replace("\u2010", "-") for word in known}


def cleaned(raw: str, known: set[str], splitting: Splitting) -> tuple[str, Ints]:
    """A stretch without what is no part of words, and the place of each of its characters before."""
    kept: list[str] = []
    ranges: list[tuple[int, int]] = []
    at = 0
    opened = -1
    drop: list[tuple[int, int]] = []
    for match in CLEAN.finditer(raw):
        kind = match.lastgroup
        if kind == "emphasis":
            place = match.start()
            if opened >= 0 and not raw[place - 1].isspace() and not raw[place + 1 : place + 2].isalnum():
                drop += [(opened, opened + 1), (place, place + 1)]
                opened = -1
            else:
                opened = place if raw[place + 1 : place + 2].strip() else -1
        elif kind == "invisible" or _divides_word(raw, match, known, splitting):
            drop.append(match.span())
        else:
            drop.append((match.start() + 1, match.end()))
    for begin, stop in sorted(drop):
        if at < begin:
            kept.append(raw[at:begin])
            ranges.append((at, begin))
        at = stop
    kept.append(raw[at:])
    ranges.append((at, len(raw)))
    return "".join(kept), np.concatenate([np.arange(*span, dtype=np.int64) for span in ranges])


def _divides_word(raw: str, match: re.Match[str], known: set[str], splitting: Splitting) -> bool:
    """Whether a hyphen at the end of a line divides a word that has none."""
    begin = match.start()
    before = re.search(r"[^\W\d_]{1,40}$", raw[max(begin - 40, 0) : begin])
    after = re.compile(r"[^\W\d_]{1,40}").match(raw, match.end())
    if before is None or after is None or after[0][0].isupper():
        return False
    left, right = before[0].lower(), after[0].lower()
    if f"{left}-{right}" in known or f"{left}-{right}" in splitting.whole:
        return False
    vocabulary = splitting.vocabulary
    return left + right in known or left + right in vocabulary or (right not in vocabulary and right not in known)
