"""Text with mentions marked in it, as language models write it: the five `NOTATIONS`.

A notation is a regular expression for its marks. Marks open or close mentions; a closing mark may name the entity.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from referee.formats.answers.units import units_of

ZERO = "##"
"""The unit that stands for a zero: no word."""


BLANK = ("", " ", "\n", "\t", "]")
"""What follows a bracket of the text, and no opening mark."""


class Mark(NamedTuple):
    """A mark between units.

    Parameters
    ----------
    place : int
        The unit before which it stands.
    opens : bool
        Whether a mention begins here; else one ends.
    entity : str or None
        The entity that it names; None if it names none.
    alone : bool
        Whether an opening mark is not joined to a word, though it should be.
    """

    place: int
    opens: bool
    entity: str | None
    alone: bool = False


class Marked(NamedTuple):
    """A text and its marks.

    Parameters
    ----------
    units : list of str
        Those of the text without marks and brackets that may be marks.
    marks : list of Mark
        In the order of the text.
    completed : int
        How many closing marks are themselves cut off.
    """

    units: list[str]
    marks: list[Mark]
    completed: int = 0


NAME = r"[^\s\[\](){}<>|,]+"
ID = r"\w+(?:[-:./@]\w+)*"
"""An entity that a sign may follow, which is no part of it."""

_TAG = rf"(?:\[{NAME}\]?|{NAME}\])"
NOTATIONS = {
    "links": re.compile(r"(?P<open>\[)|\]\s?\(\s*#(?P<close>[^()\[\]\n]*(?=\))|[^()\[\]\s]*)\)?|(?P<bracket>\])"),
    "numbered": re.compile(
        rf"(?P<open><[mz]>)|</[mz]>\s?#\s?(?P<close>{ID})|</z>\s?@\s?(?P<zero>{ID})|(?P<bare></[mz]>)", re.IGNORECASE
    ),
    "columns": re.compile(rf"(?:(?<=\s)|^)##[^\s|]*|\|+(?P<tags>{_TAG}(?:,{_TAG})*)(?=\s|$)", re.MULTILINE),
    "actions": re.compile(rf"(?P<open><m>)|\|\s*(?P<close>{NAME})\s*(?:</m>|$)|(?P<bare></m>)", re.MULTILINE | re.IGNORECASE),
    "tanl": re.compile(
        r"(?P<open>\[)|\|(?P<close>(?:[^\[\]|]|\[[^\[\]|]*\]){1,300}(?=\])|[^\[\]|]{1,100}\Z)\]?|(?P<bracket>\])"
    ),
}
"""The notations by their names, as `referee formats tagged` shows them."""

SIGNS = {
    "links": re.compile(r"\]\s?\(\s*#"),
    "numbered": re.compile(rf"</m>\s?#\s?{ID}|</z>\s?@", re.IGNORECASE),
    "columns": re.compile(rf"\S\|{_TAG}(?:,{_TAG})*(?=\s|$)"),
    "actions": re.compile(rf"\|\s*{NAME}\s*</m>", re.IGNORECASE),
    "tanl": re.compile(r"\[[^\[\]|]+\|[^\[\]|]+\]"),
}
"""What only texts in a notation have."""

BRACKETS = ("links", "tanl")
"""The notations whose marks may be brackets of the text."""


def notation_of(text: str) -> str | None:
    """The notation with the most marks in a text; None without any.

    >>> notation_of("[Tom](#1) saw [his](#1) dog"), notation_of("no marks [sic] at all")
    ('links', None)
    """
    marks = {name: sum(1 for _ in sign.finditer(text)) for name, sign in SIGNS.items()}
    most = max(marks, key=marks.__getitem__)
    return most if marks[most] else None


@lru_cache(maxsize=4)  # a text is read once without a key, and once with it
def marked(text: str, notation: str) -> Marked:
    """Take the marks out of a text."""
    found = Marked([], [])
    if notation == "columns":
        _columns(text, found)
        return found
    return found._replace(completed=_tags(text, NOTATIONS[notation], found))


def _tags(text: str, pattern: re.Pattern[str], found: Marked) -> int:
    """Marks that stand between words; the number of those that are cut off."""
    done = completed = depth = 0
    for match in pattern.finditer(text):
        kind = match.lastgroup
        if kind == "close" and match[0][0] == "|" and not depth:  # a bar of the text
            continue
        depth += (kind == "open") - (kind != "open" and depth > 0)
        found.units.extend(units_of(text[done : match.start()]))
        done, place = match.end(), len(found.units)
        if kind == "open":
            found.marks.append(Mark(place, True, None, match[0] == "[" and text[done : done + 1] in BLANK))
        elif kind == "zero":
            found.units.append(ZERO)
            found.marks.extend((Mark(place, True, None), Mark(place + 1, False, match["zero"])))
        elif kind in ("bracket", "bare"):
            found.marks.append(Mark(place, False, None))
        elif kind == "close":
            found.marks.append(Mark(place, False, match["close"].strip()))
            completed += match[0][0] in "]|" and match[0][-1] not in ")>]"
    found.units.extend(units_of(text[done:]))
    return completed


def _columns(text: str, found: Marked) -> None:
    """Tags behind the word to which they belong: `[e1` before it, `e1]` after it."""
    done = 0
    for match in NOTATIONS["columns"].finditer(text):
        *before, word = re.split(r"(?<=\s)(?=\S+\Z)", text[done : match.start()])
        found.units.extend(units_of("".join(before)))
        start = len(found.units)
        found.units.extend(units_of(word))
        done = match.end()
        if not match["tags"]:
            found.units.append(ZERO)
            continue
        if found.units and start == len(found.units) and found.units[-1] == ZERO:
            start -= 1
        tags = match["tags"].split(",")
        found.marks.extend(Mark(start, True, tag.strip("[]")) for tag in tags if tag[0] == "[")
        found.marks.extend(Mark(len(found.units), False, tag.strip("[]")) for tag in tags if tag[-1] == "]")
    found.units.extend(units_of(text[done:]))
