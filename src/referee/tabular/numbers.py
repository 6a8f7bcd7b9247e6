"""Columns of ids that are numbers: there 1.0 is 1, as programs write it that had a value missing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from referee.basics.exceptions import counted, shortened, warn

WHOLE = re.compile(r"-?\d+")
NUMBER = re.compile(r"(-?)0*([0-9]+?)(?:\.0+)?")
"""A whole number, as programs and people write it."""


def number_id(name: str) -> str:
    """An id as the whole number that it is, or as it is.

    >>> number_id("007"), number_id("7.0"), number_id("-0"), number_id("7.5"), number_id("x07")
    ('7', '7', '0', '7.5', 'x07')
    """
    match = NUMBER.fullmatch(name)
    return name if match is None else match[2] if match[2] == "0" else match[1] + match[2]


def cells_as_numbers(cells: Sequence[str], places: Collection[int]) -> list[str]:
    """The cells of a row, those in some columns as numbers."""
    return [number_id(cell) if place in places else cell for place, cell in enumerate(cells)]


def whole_columns(name: str, names: Sequence[str], rows: Sequence[Sequence[str]], places: Iterable[int]) -> frozenset[int]:
    """The columns whose cells are all whole numbers, some of them with .0; warns of .0 in others that has a twin without."""
    whole = set()
    for place in places:
        cells = {row[place].strip() for row in rows if len(row) > place}
        pointed = {cell for cell in cells if cell.endswith(".0")}
        if pointed and all(WHOLE.fullmatch(cell.removesuffix(".0")) for cell in cells if cell):
            whole.add(place)
        elif twins := sorted(cell for cell in pointed if cell.removesuffix(".0") in cells):
            both = f"{shortened(twins[0])} and {shortened(twins[0].removesuffix('.0'))}"
            wrong = f"{counted(len(twins), 'name')} in {names[place]} with and without .0"
            warn(f"{name} has {wrong} ({both}), taken for different ones")
    return frozenset(whole)
