"""Columns of values: of JSON, and of Python."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain
from numbers import Integral, Real
from typing import Any

from referee.basics.exceptions import shortened
from referee.basics.options.reading import ReadOptions
from referee.corpus.strings import Names
from referee.formats.shared.shapes import is_missing, is_whole
from referee.formats.shared.source import OnError
from referee.tabular.numbers import cells_as_numbers
from referee.tabular.roles import IDS, UnclearError, infer_schema
from referee.tabular.text import Row, TextTable, names_of, records_as_numbers

WRITTEN = frozenset({str, int})
"""Types whose values are written as they are, without a further look."""


class ColumnsOfRows(Mapping[str, list[Any]]):
    """The columns of rows that have a value for each column, made when they are asked for; None is what a row lacks."""

    def __init__(self, rows: Sequence[Mapping[str, Any]]) -> None:
        self.rows = rows
        self.names = dict.fromkeys(chain.from_iterable(rows))

    def __getitem__(self, name: str) -> list[Any]:
        return [row.get(name) for row in self.rows]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def value_table(
    name: str,
    columns: Mapping[str, Sequence[Any]],
    options: ReadOptions,
    role: str,
    on_error: OnError,
    *,
    lines: Sequence[int | None] = (),
    probable: bool = False,
) -> TextTable | None:
    """Return the table of some columns; None if there are none, or after a fault.

    Parameters
    ----------
    name : str
        What messages call it.
    columns : mapping
        The name of each column, and its values, one for each row.
    options, role, on_error, probable
        As for a table of text.
    lines : sequence of int
        The line of each row; the numbers of rows, from 1, if there are none.
    """
    if not columns:
        return None
    try:
        means = infer_schema(list(columns), options, role, probable=probable)
    except UnclearError as problem:
        on_error(lines[0] if lines else None, str(problem))
        return None
    names = list(columns)
    used = list(dict.fromkeys([*means.places.values(), *means.span]))
    values = [columns[names[place]] for place in used]
    places = {what: used.index(place) for what, place in means.places.items()}
    ids = {what: place for what, place in places.items() if what in IDS}
    numbers = records_as_numbers(means._replace(places=places), options)

    def texts() -> Iterator[Row]:
        for number, row in enumerate(zip(*values, strict=True), start=1):
            line = (lines[number - 1] or 0) if lines else number
            wrong = next(((what, row[place]) for what, place in ids.items() if not names_something(row[place])), None)
            if wrong:
                expected = f"text or a whole number for the {wrong[0]}"
                on_error(line or None, f"found {shortened(repr(wrong[1]))} as {wrong[0]}; expected {expected}")
            else:
                cells = list(map(cell_of, row))
                yield line, cells_as_numbers(cells, numbers) if numbers else cells

    def column(place: int) -> Names | None:
        if place in numbers:
            return None
        types = set(map(type, values[place]))
        if types <= WRITTEN:
            return names_of(list(map(str.strip, map(str, values[place]))))
        return None if place in ids.values() else names_of(list(map(cell_of, values[place])))

    schema = means._replace(places=places, span=tuple(map(used.index, means.span)))
    return TextTable(name, [names[place] for place in used], schema, texts, column=column)


def names_something(value: object) -> bool:
    """Whether a value may be the name of a record or of an entity, or is missing; truth values and fractions are no names."""
    if isinstance(value, str) or _is_nothing(value):
        return True
    return isinstance(value, Real) and not isinstance(value, bool) and (isinstance(value, Integral) or is_whole(float(value)))


def cell_of(value: object) -> str:
    """A value as the cell of a table: nothing for what is missing; whole numbers without a point.

    >>> cell_of(2.0), cell_of(float("nan")), cell_of(True), cell_of(0.5), cell_of("NA")
    ('2', '', 'true', '0.5', 'NA')
    """
    if isinstance(value, str):
        return str(value).strip()
    if _is_nothing(value):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Real) and not isinstance(value, Integral):
        number = float(value)
        return str(int(number)) if number.is_integer() else repr(number)
    return str(value)


def _is_nothing(value: object) -> bool:
    """Whether a value is None, NaN, or a missing value of a library; collections are none."""
    return isinstance(value, Hashable) and is_missing(value)
