"""Text with mentions marked in it, as language models write it: the `NOTATIONS`.

A notation is a regular expression for its marks, or a family of them, whose `Style` is found in the text. Marks open or close
mentions; one of the two names the entity.
"""

from __future__ import annotations

import re
from functools import lru_cache

from referee.answers.elements import marked_elements
from referee.answers.labelled import LABEL_FIRST, pattern_of
from referee.answers.marked import ZERO, Mark, Marked, Style, entity_of

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
    "tanl": re.compile(rf"\[(?!{LABEL_FIRST})[^\[\]|]+\|[^\[\]|]+\]"),
}
"""What only texts in a notation have."""

FAMILIES = ("behind", "last", "first", "elements")
NOTATIONS = (*PATTERNS, *FAMILIES)
"""The names of the notations, as `referee formats tagged` shows them."""

BRACKETS = {"links": Style("links", "[", "]"), "tanl": Style("tanl", "[", "]")}
"""The styles of those notations of one style whose marks may be brackets of the text."""


@lru_cache(maxsize=4)  # a text is read once without a key, and once with it
def marked(text: str, style: Style) -> Marked:
    """Take the marks out of a text: those that stand between words, or in columns."""
    if style.notation == "elements":
        return marked_elements(text, style)
    marked_text = Marked([], [], [])
    if style.notation == "columns":
        _columns(text, marked_text)
        return marked_text
    done = completed = depth = 0
    ending = (
        ""
        if style.notation == "numbered"
        else ")>]"
        if style.notation in PATTERNS
        else style.after[-1:]
        if style.notation == "behind"
        else style.closing[-1:]
    )
    blank = ("", " ", "\n", "\t", (style.closing or "]")[:1])  # behind a bracket of the text, and no opening mark
    for match in (PATTERNS.get(style.notation) or pattern_of(style)).finditer(text):
        kind = match.lastgroup or ""
        if style.notation in PATTERNS and match[0][0] == "|" and not depth:  # a bar of the text
            continue
        opens = kind in ("open", "named")
        depth += 1 if opens else -(depth > 0)
        marked_text.add(text[done : match.start()])
        done, place = match.end(), len(marked_text.units)
        if kind == "zero":
            marked_text.units.append(ZERO)
            marked_text.marks.extend((Mark(place, True, None), Mark(place + 1, False, match["zero"])))
            continue
        label = match[kind] if kind in ("close", "named") else None
        entity = label if label is None else label.strip() if style.notation in PATTERNS else entity_of(label, style.label)
        alone = kind == "open" and match[0] != "<m>" and text[done : done + 1] in blank
        marked_text.marks.append(Mark(place, opens, entity, alone))
        completed += kind == "close" and bool(ending) and match[0][-1] not in ending
    marked_text.add(text[done:])
    return marked_text._replace(completed=completed)


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
