"""Rows that are values: of JSON, and of Python."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

from referee.basics.exceptions import shortened
from referee.formats.shared.asked import Asked
from referee.formats.shared.shapes import is_whole
from referee.formats.shared.source import Fault
from referee.formats.tabular.roles import UnclearError, taken
from referee.formats.tabular.text import Row, TextTable

IDS = ("item", "entity", "document", "source", "left", "right", "left_source", "right_source")


def value_table(
    name: str,
    rows: Sequence[Mapping[Any, Any]],
    asked: Asked,
    role: str,
    fault: Fault,
    *,
    lines: Sequence[int | None] = (),
    probable: bool = False,
) -> TextTable | None:
    """Return the table of rows that have a value for each column; None if there are none, or after a fault.

    Parameters
    ----------
    name : str
        What messages call it.
    rows : sequence of mapping
        Name of a column -> value; one that a row does not have is missing.
    asked, role, fault, probable
        As for a table of text.
    lines : sequence of int
        The line of each row; the numbers of rows, from 1, if there are none.
    """
    columns = list(dict.fromkeys(str(column) for row in rows for column in row))
    if not columns:
        return None
    cells = [{str(column): value for column, value in row.items()} for row in rows]

    try:
        means = taken(columns, asked, role, probable=probable)
    except UnclearError as problem:
        fault(lines[0] if lines else None, str(problem))
        return None
    ids = [(role, columns[place]) for role, place in means.places.items() if role in IDS]

    def texts() -> Iterator[Row]:
        for number, row in enumerate(cells, start=1):
            line = (lines[number - 1] or 0) if lines else number
            wrong = next(((r, row[c]) for r, c in ids if not names_something(row.get(c))), None)
            if wrong:
                expected = f"text or a whole number for the {wrong[0]}"
                fault(line or None, f"found {shortened(repr(wrong[1]))} as {wrong[0]}; expected {expected}")
            else:
                yield line, [cell_of(row.get(column)) for column in columns]

    return TextTable(name, columns, means, texts)


def names_something(value: object) -> bool:
    """Whether a value may be the name of a record or of an entity, or is missing; truth values and fractions are no names."""
    if value is None or isinstance(value, str) or value != value:  # noqa: PLR0124  # NaN
        return True
    return isinstance(value, Real) and not isinstance(value, bool) and (isinstance(value, Integral) or is_whole(float(value)))


def cell_of(value: object) -> str:
    """A value as the cell of a table: nothing for what is missing; whole numbers without a point.

    >>> cell_of(2.0), cell_of(float("nan")), cell_of(True), cell_of(0.5), cell_of("NA")
    ('2', '', 'true', '0.5', 'NA')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Real) and not isinstance(value, Integral):
        number = float(value)
        return "" if math.isnan(number) else str(int(number)) if number.is_integer() else repr(number)
    return str(value)
