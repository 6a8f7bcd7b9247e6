"""How pages write what tables hold. Text has the names that people type; pages have those that papers print.

Pages also have a dash for what is undefined.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.reports.cells import Written, written
from referee.reports.listing import Column, Listing, Title, as_cell


def title(name: str | Title) -> str:
    """A name. A plain word begins with a capital.

    >>> title(Title("b_cubed", "B³")), title(Title("F1")), title("recall"), title("p")
    ('B³', 'F1', 'Recall', 'p')
    """
    if isinstance(name, Title):
        return name.paper or name.text
    return name[:1].upper() + name[1:] if name[1:2].isalpha() else name


def below(listing: Listing) -> list[str]:
    """The lines below a table."""
    return [*(line.paper or line.text if isinstance(line, Title) else line for line in listing.legend), *listing.notes]


def heads(columns: Sequence[Column]) -> list[str]:
    """The headers of columns, with their units."""
    return [f"{title(c.title)} ({c.unit})" if c.unit else title(c.title) for c in columns]


def number(text: str) -> str:
    """A number that was written for text.

    >>> number("−0.12"), number("-")
    ('−0.12', '–')
    """
    return "–" if text == "-" else text


def cells(listing: Listing) -> list[list[Written]]:
    """The cells of all rows."""
    return [
        [_cell(cell, value, column) for cell, value, column in zip(*row, listing.columns, strict=True)]
        for row in zip(written(listing), listing.rows, strict=True)
    ]


def _cell(cell: Written, value: object, column: Column) -> Written:
    if column.is_text:
        name = as_cell(value).value
        return cell._replace(value=title(name)) if isinstance(name, Title) else cell
    return cell._replace(value=number(cell.value))
