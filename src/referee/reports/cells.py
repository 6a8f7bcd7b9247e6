"""The cells of a listing as people read them: `Written`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from referee.basics.exceptions import one_line
from referee.reports.listing import Cell, Column, Listing, Title, as_cell, item
from referee.reports.numbers import cost, cost_decimals, formatted, minus, number, probability


class Written(NamedTuple):
    """The text of a cell.

    Attributes
    ----------
    value : str
        Empty for nothing, `-` for undefined.
    interval : str
        "±0.33" or "[0.12, 0.78]"; empty without one.
    mark : str
        A sign behind it.
    best : bool
        Whether it is emphasized.
    """

    value: str
    interval: str = ""
    mark: str = ""
    best: bool = False

    @property
    def text(self) -> str:
        """All of it but the mark."""
        return f"{self.value} {self.interval}" if self.interval else self.value


def written(listing: Listing, *, aligned: bool = False) -> list[list[Written]]:
    """The cells of all rows.

    Parameters
    ----------
    listing
        What is written.
    aligned
        Whether all numbers of a column with a unit have the same decimals; otherwise zeros at their ends are left off.
    """
    return list(map(list, zip(*by_column(listing, aligned=aligned), strict=True)))


def by_column(listing: Listing, *, aligned: bool = False) -> list[list[Written]]:
    """The cells of all columns."""
    return [list(_column(listing, place, aligned=aligned)) for place in range(len(listing.columns))]


def _column(listing: Listing, place: int, *, aligned: bool) -> Iterator[Written]:
    """The cells of a column. Equal texts and fractions are written once; 1 and True, and 0.0 and -0.0, are equal as well."""
    write = _writer(listing, place, aligned=aligned)
    known: dict[Cell, Written] = {}
    for cell in map(as_cell, map(itemgetter(place), listing.rows)):
        if type(cell.value) in (str, float) and cell.value and not cell.interval:
            yield known.get(cell) or known.setdefault(cell, _written(cell, write, listing))
        else:
            yield _written(cell, write, listing)


def titles(listing: Listing) -> list[str]:
    """The headers of the columns, with their units."""
    return [f"{c.title} ({c.unit})" if c.unit else str(c.title) for c in listing.columns]


def groups(columns: Sequence[Column]) -> list[tuple[str | Title, int]]:
    """The header above the header: a group, or nothing, and how many columns it spans; empty if no column has a group."""
    spans: list[tuple[str | Title, int]] = []
    for number_, column in enumerate(columns):
        if number_ and column.group and column.group == columns[number_ - 1].group:
            spans[-1] = (column.group, spans[-1][1] + 1)
        else:
            spans.append((column.group, 1))
    return spans if any(group for group, _ in spans) else []


Writer: TypeAlias = Callable[[object, str | None], str]
"""(value, its unit if it is not the column's) -> text."""


def _written(cell: Cell, write: Writer, listing: Listing) -> Written:
    ends = ""
    if cell.interval is not None and not math.isnan(cell.interval.low):
        low, high, margin = (write(x, cell.unit) for x in (*cell.interval[:2], cell.interval.margin))
        ends = f"±{margin}" if listing.margins else f"[{low}, {high}]"
    return Written(write(cell.value, cell.unit), ends, cell.mark, cell.best)


def _writer(listing: Listing, place: int, *, aligned: bool) -> Writer:
    """How the numbers of a column are written. Text stands as it is, whatever the kind."""
    column = listing.columns[place]
    numbers = [*_numbers(listing, place)] if aligned and column.unit else []
    places = None if not numbers else 0 if all(float(n).is_integer() for n in numbers) else 4
    decimals = _decimals(listing) if column.kind == "cost" else 2

    def write(value: object, unit: str | None) -> str:
        value, unit = item(value), column.unit if unit is None else unit
        if value is None:
            return ""
        if column.is_text or not isinstance(value, (int, float)):
            return one_line(value)
        if places is not None:
            return minus(formatted(value, f"{'+' * (column.kind == 'cost')}.{places}f"))
        return minus(_number(value, column, unit, decimals, truncate=listing.truncate))

    return write


def _number(value: float, column: Column, unit: str, decimals: int, *, truncate: bool) -> str:
    match column.kind:
        case "score":
            return number(value, unit, truncate)
        case "cost":
            return cost(value, unit, truncate, decimals)
        case "p":
            return probability(value)
        case "count":
            return formatted(value, "d" if isinstance(value, int) else ".15g")
        case _:
            return formatted(value, column.form)


def _decimals(listing: Listing) -> int:
    """The decimals of all costs that are percentages."""
    costs = [n for n, column in enumerate(listing.columns) if column.kind == "cost" and not column.unit]
    return cost_decimals(number for n in costs for number in _numbers(listing, n))


def _numbers(listing: Listing, column: int) -> Iterator[float]:
    """The numbers of a column and of its intervals."""
    for row in listing.rows:
        cell = as_cell(row[column])
        ends = () if cell.interval is None else (cell.interval.margin,) if listing.margins else cell.interval[:2]
        for value in map(item, (cell.value, *ends)):
            if isinstance(value, (int, float)) and not math.isnan(value):
                yield value
