"""Text with mentions marked in it, as language models write it: the `NOTATIONS`.

A notation is a regular expression for its marks, or a family of them, whose `Style` is found in the text. Marks open or close
mentions; one of the two names the entity.
"""

from __future__ import annotations

import re
from functools import lru_cache

from referee.answers import elements, labelled
from referee.answers.marked import ZERO, Mark, Marked, Style

BLANK = ("", " ", "\n", "\t", "]")
"""What follows a bracket of the text, and no opening mark."""


NAME = r"[^\s\[\](){}<>|,]+"
ID = r"\w+(?:[-:./@]\w+)*"
"""An entity that a sign may follow, which is no part of it."""

_TAG = rf"(?:\[{NAME}\]?|{NAME}\])"
PATTERNS = {
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
"""The marks of the notations that have one style each."""

SIGNS = {
    "links": re.compile(r"\]\s?\(\s*#"),
    "numbered": re.compile(rf"</m>\s?#\s?{ID}|</z>\s?@", re.IGNORECASE),
    "columns": re.compile(rf"\S\|(?:{NAME}\],)*\[{NAME}\]?(?:,{_TAG})*(?=\s|$)"),
    "actions": re.compile(rf"\|\s*{NAME}\s*</m>", re.IGNORECASE),
    "tanl": re.compile(rf"\[(?!{labelled.LABEL_FIRST})[^\[\]|]+\|[^\[\]|]+\]"),
}
"""What only texts in a notation have."""

FAMILIES = ("behind", "last", "first", "elements", "words")
NOTATIONS = (*PATTERNS, *FAMILIES)
"""The names of the notations, as `referee formats tagged` shows them."""

BRACKETS = {"links": Style("links", "[", "]"), "tanl": Style("tanl", "[", "]")}
"""The styles of those notations of one style whose marks may be brackets of the text."""


@lru_cache(maxsize=4)  # a text is read once without a key, and once with it
def marked(text: str, style: Style) -> Marked:
    """Take the marks out of a text."""
    if style.notation == "elements":
        return elements.marked_elements(text, style)
    if style.notation == "words":
        return labelled.marked_words(text, style)
    if style.notation in FAMILIES:
        return labelled.marked_brackets(text, style)
    marked_text = Marked([], [], [])
    if style.notation == "columns":
        _columns(text, marked_text)
        return marked_text
    return marked_text._replace(completed=_tags(text, PATTERNS[style.notation], marked_text))


def _tags(text: str, pattern: re.Pattern[str], marked_text: Marked) -> int:
    """Marks that stand between words; the number of those that are cut off."""
    done = completed = depth = 0
    for match in pattern.finditer(text):
        kind = match.lastgroup
        if kind == "close" and match[0][0] == "|" and not depth:  # a bar of the text
            continue
        depth += (kind == "open") - (kind != "open" and depth > 0)
        marked_text.add(text[done : match.start()])
        done, place = match.end(), len(marked_text.units)
        if kind == "open":
            marked_text.marks.append(Mark(place, True, None, match[0] == "[" and text[done : done + 1] in BLANK))
        elif kind == "zero":
            marked_text.units.append(ZERO)
            marked_text.marks.extend((Mark(place, True, None), Mark(place + 1, False, match["zero"])))
        elif kind in ("bracket", "bare"):
            marked_text.marks.append(Mark(place, False, None))
        elif kind == "close":
            marked_text.marks.append(Mark(place, False, match["close"].strip()))
            completed += match[0][0] in "]|" and match[0][-1] not in ")>]"
    marked_text.add(text[done:])
    return completed


def _columns(text: str, marked_text: Marked) -> None:
    """Tags behind the word to which they belong: `[e1` before it, `e1]` after it."""
    done = 0
    for match in PATTERNS["columns"].finditer(text):
        *before, word = re.split(r"(?<=\s)(?=\S+\Z)", text[done : match.start()])
        marked_text.add("".join(before))
        start = len(marked_text.units)
        marked_text.add(word)
        done = match.end()
        if not match["tags"]:
            marked_text.units.append(ZERO)
            continue
        if marked_text.units and start == len(marked_text.units) and marked_text.units[-1] == ZERO:
            start -= 1
        tags = match["tags"].split(",")
        marked_text.marks.extend(Mark(start, True, tag.strip("[]")) for tag in tags if tag[0] == "[")
        marked_text.marks.extend(Mark(len(marked_text.units), False, tag.strip("[]")) for tag in tags if tag[-1] == "]")
    marked_text.add(text[done:])
