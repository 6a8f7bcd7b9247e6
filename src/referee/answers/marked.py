"""A text whose mentions are marked, its marks, and the style of the marks."""

from __future__ import annotations

import re
from typing import NamedTuple
from unicodedata import normalize

from referee.answers.units import units_of

ZERO = "##"
"""The unit that stands for a zero: no word."""


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
    lines : list of int
        The units with which lines begin.
    completed : int
        How many closing marks are themselves cut off.
    """

    units: list[str]
    marks: list[Mark]
    lines: list[int]
    completed: int = 0

    def add(self, text: str) -> None:
        """Add the units of some text, as it is between marks."""
        first, *others = text.split("\n")
        self.units.extend(units_of(first))
        for line in others:
            self.lines.append(len(self.units))
            self.units.extend(units_of(line))


class Style(NamedTuple):
    """How the marks of a text are written.

    Parameters
    ----------
    notation : str
        One of `NOTATIONS`.
    opening, closing : str
        What encloses a mention, as "[" and "]", or "<m>" and "</m>".
    before, after : str
        What encloses a label, as "(" and ")", or divides it from the mention, as "" and ":". For elements with attributes, the
        attribute that says the entity, and the one that says an earlier mention.
    label : {"number", "code", "name"}
        What labels are: 1, perhaps with letters before it; always with some; or any words.
    """

    notation: str
    opening: str = ""
    closing: str = ""
    before: str = ""
    after: str = ""
    label: str = "name"

    @property
    def brackets(self) -> tuple[str, str] | None:
        """The two signs that may be brackets of the text, too."""
        signs = self.opening, self.closing
        return signs if self.notation != "elements" and self.opening != self.closing and max(map(len, signs)) == 1 else None


def entity_of(label: str, kind: str) -> str:
    """The entity that a label says: without `#`, with plain digits; names in any case.

    >>> entity_of(" #e₁ ", "code"), entity_of("The  car", "name")
    ('e1', 'the car')
    """
    entity = re.sub(r"\s+", " ", normalize("NFKC", label).strip().lstrip("#").strip("\"'“”").strip())
    return entity.casefold() if kind == "name" else entity
