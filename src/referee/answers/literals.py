"""Lists, mappings and strings as language models write them: JSON, Python, or something like it, in any state of repair."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

TOKEN = re.compile(
    r"\"(?P<double>(?:[^\"\\\n]|\\.)*)\"|'(?P<single>(?:[^'\\\n]|\\.|(?<=\w)'(?=\w))*)'|“(?P<curly>[^”\n]*)”|„(?P<low>[^“”\n]{0,500})[“”]"
    r"|「(?P<corner>[^」\n]{0,500})」|«(?P<guillemet>[^»\n]{0,500})»|‘(?P<apostrophe>(?:[^’\n]|(?<=\w)’(?=\w)){0,500})’"
    r"|(?P<remark>//[^\n]*|/\*.{0,1000}?\*/|\#[^\n\[\]{}]{0,300}$)"
    r"|(?P<sign>[\[\]{}(),:]|=>)|(?P<bare>[^\s\[\]{}(),:\"“„「«](?:(?!=>)[^\[\]{}(),:\n\"“])*)|(?P<open>[\"“][^\n]*)",
    re.DOTALL | re.MULTILINE,
)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
CLOSING = {"[": "]", "{": "}", "(": ")"}
COLON, COMMA = object(), object()
DEEPEST = 50

NOTHING = ("null", "none", "None", "nil", "undefined")
"""Words without quotes that stand for no value."""


class Parsed(NamedTuple):
    """Values, and how many brackets have no end."""

    values: list[object]
    unclosed: int


class Bare(str):
    """A word without quotes."""

    __slots__ = ()


def parsed(text: str) -> Parsed:
    """The values of a text: strings, numbers, lists and mappings. What is none of these is skipped, and nothing is an error.

    >>> parsed('Sure! {"Tom": ["Tom", "he"], "dog": ["his dog')
    Parsed(values=[{'Tom': ['Tom', 'he'], 'dog': ['his dog']}], unclosed=2)
    """
    top: list[object] = []
    stack: list[tuple[str, list[object]]] = [("", top)]
    for token in TOKEN.finditer(text):
        kind, sign = token.lastgroup, token[token.lastgroup or 0]
        inside = stack[-1][1]
        if kind == "remark":
            continue
        if kind == "sign" and sign in CLOSING and len(stack) < DEEPEST:
            stack.append((sign, []))
        elif kind == "sign" and sign in CLOSING.values():
            if any(CLOSING.get(opening) == sign for opening, _ in stack):
                while _close(stack) != sign:
                    pass
        elif kind == "sign":
            inside.append(COLON if sign in (":", "=>") else COMMA)  # or a bracket that is too deep
        elif kind == "bare":
            inside.append(_bare(sign.strip()))
        elif sign.strip():
            inside.append(_unescaped(sign if kind != "open" else sign[1:]))
    unclosed = len(stack) - 1
    while len(stack) > 1:
        _close(stack)
    return Parsed([value for value in _items(_without_remarks(top)) if not isinstance(value, Bare)], unclosed)


class Region(NamedTuple):
    """A list or a mapping in a text: where its brackets are, and whether the outer one has its end."""

    start: int
    end: int
    closed: bool


OPENING = re.compile(r"[\[{]|\((?=\s*[\"'“\[({])|^\((?=[^()\n]*\)[ \t]*(?:[,;][ \t]*\(|$))|(?<=\)[,;][ ])\(", re.MULTILINE)


def regions(text: str) -> Iterator[Region]:
    """The outermost brackets of a text; those within strings count for none.

    >>> list(regions('{"a": ["]"]}, and [b].'))
    [Region(start=0, end=12, closed=True), Region(start=18, end=21, closed=True)]
    """
    place = 0
    while opening := OPENING.search(text, place):
        end, closed = _end(text, opening.start())
        yield Region(opening.start(), end, closed)
        place = end


def _end(text: str, start: int) -> tuple[int, bool]:
    """Where a bracket ends; the end of the text if it does not."""
    stack: list[str] = []
    for token in TOKEN.finditer(text, start):
        sign = token["sign"]
        if sign in CLOSING:
            stack.append(CLOSING[sign])
        elif sign and sign in stack:
            while stack.pop() != sign:
                pass
            if not stack:
                return token.end(), True
    return len(text), False


def _without_remarks(top: Sequence[object]) -> list[object]:
    """The values and names of a text without the words that stand behind a list, as in "I hope that this helps!"."""
    kept: list[object] = []
    for value, after in pairwise([*(value for value in top if value is not COMMA), None]):
        if not (isinstance(value, Bare) and after is not COLON and kept and isinstance(kept[-1], (list, dict))):
            kept.append(value)
    return kept


def _bare(text: str) -> object:
    if re.fullmatch(r"-?\d{1,9}", text):
        return int(text)
    return None if text in NOTHING else Bare(text.strip("-*# \t").removesuffix("'"))


def _unescaped(text: str) -> str:
    plain = ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else {"n": "\n", "t": "\t"}.get(m[2], m[2]), text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _close(stack: list[tuple[str, list[object]]]) -> str:
    """End the innermost bracket; what would have ended it."""
    opening, inside = stack.pop()
    stack[-1][1].append(_mapping(inside) if opening == "{" else _items(inside))
    return CLOSING[opening]


def _items(inside: list[object]) -> list[object]:
    """The values of a list; pairs of a name, a colon and a value are mappings, as between braces."""
    if COLON in inside:
        mapping = _mapping(inside)
        return [mapping] if mapping else []
    return [value for value in inside if value is not COMMA]


def _mapping(inside: list[object]) -> object:
    """The pairs of a name and what follows the colon: one value, or several as a list; a set without colons is a list."""
    if inside and COLON not in inside:
        return [value for value in inside if value is not COMMA]
    members: dict[str, list[object]] = {}
    name = ""
    for n, value in enumerate(inside):
        if value is COMMA or value is COLON:
            continue
        after = inside[n + 1] if n + 1 < len(inside) else None
        if after is COLON and not isinstance(value, (list, dict)):
            name = str(value)
            members.setdefault(name, [])
        else:
            members.setdefault(name, []).append(value)
    return {name: item[0] if len(item) == 1 else item for name, item in members.items()}
