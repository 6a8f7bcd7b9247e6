"""Places in a text that is JSON, so that values are replaced and all else stays as it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

Stretch: TypeAlias = tuple[int, int]
"""Where a value begins and ends."""

BETWEEN = re.compile(r"[\s,:]*")
_decode = json.JSONDecoder().raw_decode


def objects(text: str) -> Iterator[Stretch]:
    """The objects of a text: its values, or the elements of those that are lists."""
    place = BETWEEN.match(text).end()  # type: ignore[union-attr]  # it may be empty
    while place < len(text):
        end = _decode(text, place)[1]
        yield from elements(text, place) if text[place] == "[" else [(place, end)]
        place = BETWEEN.match(text, end).end()  # type: ignore[union-attr]


def elements(text: str, start: int) -> list[Stretch]:
    """The elements of a list that begins here."""
    return list(_values(text, start, "]"))


def members(text: str, start: int) -> dict[str, Stretch]:
    """The values of an object that begins here, by their keys."""
    pairs = list(_values(text, start, "}"))
    return {json.loads(text[slice(*key)]): value for key, value in zip(pairs[::2], pairs[1::2], strict=True)}


def _values(text: str, start: int, end: str) -> Iterator[Stretch]:
    place = BETWEEN.match(text, start + 1).end()  # type: ignore[union-attr]
    while text[place] != end:
        after = _decode(text, place)[1]
        yield place, after
        place = BETWEEN.match(text, after).end()  # type: ignore[union-attr]


def relisted(text: str, stretch: Stretch, values: Sequence[str]) -> str:
    """A list with other elements, and what was between them.

    >>> relisted("[1,  2]", (0, 7), ["1", "3", "4"])
    '[1,  3,  4]'
    """
    old = elements(text, stretch[0])
    if not values or not old:
        return f"[{', '.join(values)}]"
    joint = text[old[0][1] : old[1][0]] if len(old) > 1 else ", "
    return text[stretch[0] : old[0][0]] + joint.join(values) + text[old[-1][1] : stretch[1]]


def replaced(text: str, edits: Iterable[tuple[Stretch, str]]) -> str:
    """The text with other values in some places."""
    pieces, place = [], 0
    for (start, end), value in sorted(edits):
        pieces += [text[place:start], value]
        place = end
    return "".join([*pieces, text[place:]])
