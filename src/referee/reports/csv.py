"""Comma-separated values, for programs: numbers at full precision, nothing for what is undefined.

Several listings stand one after the other, with an empty line between them. Text that a spreadsheet would take for a formula
begins with an apostrophe, as in the exports of the page.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from referee.reports.listing import Listing

FORMULA = re.compile(r"(?!-$)[\s\x00-\x1f\x7f-\x9f]*[-=+@\uff0d\uff1d\uff0b\uff20]|[\t\r\n]")


def render(listings: Sequence[Listing]) -> str:
    """Write tables in this form."""
    return separated(listings, ",")


def separated(listings: Sequence[Listing], delimiter: str) -> str:
    """The values with a delimiter between them."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    for number, listing in enumerate(listings):
        header, columns = listing.by_column()
        if number:
            out.write("\n")
        writer.writerow(_as_texts(header))
        writer.writerows(zip(*map(_as_texts, columns), strict=True))  # nothing for None
    return out.getvalue()


def _as_texts(column: Sequence[object]) -> Iterator[object]:
    """The cells of a column as texts, each different cell once; floats not if there are whole numbers, as 1.0 is 1."""
    once = (str, float) if {int, bool}.isdisjoint(map(type, column)) else str
    different = (cell for cell in set(column) if cell and isinstance(cell, once))  # not 0.0, which may be -0.0
    texts: dict[object, object] = {cell: guarded(cell) if isinstance(cell, str) else str(cell) for cell in different}
    return map(texts.get, column, column)


def guarded(text: str) -> str:
    """Return a text so that no spreadsheet takes it for a formula."""
    return f"'{text}" if FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """Return what was `guarded`."""
    return text[1:] if text.startswith("'") and FORMULA.match(text[1:]) else text
