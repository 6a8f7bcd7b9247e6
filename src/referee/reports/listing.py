"""A table of values, whatever form it is shown in: `Listing`, `Column`, `Cell`, `Title`.

A listing holds values at full precision, and scores as fractions of 1. Renderers round, escape and align; they know nothing of
scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from referee.basics.system_names import name_of
from referee.basics.version import VERSION

if TYPE_CHECKING:
    from referee.stats.intervals import Interval

Plain: TypeAlias = str | int | float | bool | None
"""What programs get: None for what is undefined."""

PLAIN = frozenset((str, int, float, bool, type(None)))
"""The classes of these values."""

Row: TypeAlias = Mapping[str, Plain]

KINDS = ("label", "count", "score", "cost", "number", "p", "remark")


class Title(NamedTuple):
    """A name that papers write in another way: as the title of a column, as a label, or in a line of a legend.

    Attributes
    ----------
    text : str
        What text, Markdown, HTML and programs get.
    paper : str
        What LaTeX gets, after special characters are escaped; the text if empty.
    latex : str
        The same in LaTeX already, where escaping is not enough.
    """

    text: str
    paper: str = ""
    latex: str = ""

    def __str__(self) -> str:
        return self.text


class Cell(NamedTuple):
    """A value with what belongs to it; a cell may be the bare value as well.

    Attributes
    ----------
    value : object
        A number or a text; None for nothing, nan for undefined.
    interval : Interval or None
        Where the value lies; shown as ± half its width or by its ends, as the listing says.
    mark : str
        A sign behind the number, which the legend of the listing explains.
    best : bool
        Whether it is emphasized, as the best of its column.
    unit : str or None
        Where it differs from the unit of the column.
    """

    value: object
    interval: Interval | None = None
    mark: str = ""
    best: bool = False
    unit: str | None = None


class Column(NamedTuple):
    """A column of values.

    Attributes
    ----------
    title : str or Title
        The header; a remark may have none.
    kind : str
        One of `KINDS`: "label", a text that names the row (labels come first); "count", a whole number; "score", a percentage
        if it has no unit; "cost", a difference of scores; "number", written as `form` says; "p", a probability with four
        decimals; "remark", a text that goes with the number before it.
    unit : str
        Of scores and costs that are not fractions of 1.
    group : str or Title
        The header above several adjacent columns.
    form : str
        How a "number" is formatted, as in ``format``.
    field : str
        What programs call the column; group and title if empty.
    """

    title: str | Title
    kind: str = "label"
    unit: str = ""
    group: str | Title = ""
    form: str = ".3f"
    field: str = ""

    @property
    def key(self) -> str:
        """What programs call the column; empty for a remark without a title, which they do not get."""
        return self.field or f"{self.group} {self.title}".strip()

    @property
    def is_text(self) -> bool:
        """Whether it holds text, not numbers."""
        return self.kind in ("label", "remark")


class Listing(NamedTuple):
    """Rows of cells, as many in each as there are columns.

    Attributes
    ----------
    columns, rows
        A row is a sequence of values, each bare or a `Cell`.
    notes : sequence of str
        What stands below, such as the signature.
    facts : mapping
        What goes with the rows in JSON.
    legend : sequence of str or Title
        What the signs in the table mean; stands before the notes.
    footnotes : sequence of str
        What a paper says below the table, where the notes are comments.
    caption : str
        What stands above, where a report has several listings.
    title : str
        Of a page that shows it.
    margins : bool
        Intervals are shown as ± half their width, not by their ends.
    truncate : bool
        Percentages are truncated, not rounded.
    sections : sequence of int
        The rows that stand below a rule in LaTeX.
    whole : bool
        LaTeX keeps it in one table, whose width is that of the text where it would be wider.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[object]]
    notes: Sequence[str] = ()
    facts: Mapping[str, object] = MappingProxyType({})
    legend: Sequence[str | Title] = ()
    footnotes: Sequence[str] = ()
    caption: str = ""
    title: str = ""
    margins: bool = False
    truncate: bool = False
    sections: Sequence[int] = ()
    whole: bool = False

    @property
    def labels(self) -> int:
        """The number of label columns, which are the first ones."""
        return sum(column.kind == "label" for column in self.columns)

    def by_column(self) -> tuple[list[str], list[list[object]]]:
        """The header and the columns for programs; one with intervals is followed by their ends, `_low` and `_high`."""
        header: list[str] = []
        columns: list[list[object]] = []
        for number, column in enumerate(self.columns):
            if not column.key:
                continue
            header.append(column.key)
            values = [row[number] for row in self.rows]
            if PLAIN.issuperset(map(type, values)):  # nearly all of the million numbers of a large report
                columns.append([None if value != value else value for value in values])  # noqa: PLR0124 -- nan
                continue
            cells = list(map(as_cell, values))
            columns.append([plain(cell.value) for cell in cells])
            if any(cell.interval for cell in cells):
                header += [f"{column.key}_low", f"{column.key}_high"]
                ends = [cell.interval or (None, None) for cell in cells]
                columns += [[plain(low) for low, *_ in ends], [plain(high) for _, high, *_ in ends]]
        return header, columns

    def to_rows(self) -> list[dict[str, Plain]]:
        """A flat dictionary a row, as pandas and polars take them."""
        header, columns = self.by_column()
        return [dict(zip(header, row, strict=True)) for row in zip(*columns, strict=True)]

    def to_dict(self) -> dict[str, object]:
        """The JSON report: the facts and the rows."""
        return headed(**self.facts, rows=self.to_rows())


def against(systems: Sequence[str], key: str) -> str:
    """The title of a page of systems and their key, which is named as they are.

    >>> against(["a", "b"], "dev/key.conll"), against(list("abcde"), "key")
    ('a, b against key', '5 systems against key')
    """
    return f"{', '.join(systems) if len(systems) < 5 else f'{len(systems)} systems'} against {name_of(key) or key}"


def headed(**content: object) -> dict[str, object]:
    """The content of a JSON report under its header: which version made it."""
    return {"referee": VERSION, **content}


def as_cell(value: object) -> Cell:
    """The cell that a bare value stands for."""
    return value if isinstance(value, Cell) else Cell(value)


def item(value: object) -> object:
    """A value without NumPy's types."""
    return value.item() if hasattr(value, "item") else value  # a number of NumPy


def plain(value: object) -> Plain:
    """A value as Python has it, without NumPy's types; None for what is undefined.

    >>> import numpy as np
    >>> plain(np.float64(0.5)), plain(float("nan")), plain(Title("b_cubed", "B³"))
    (0.5, None, 'b_cubed')
    """
    value = item(value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return value if isinstance(value, (str, bool, int, float)) else str(value)
