"""Comma-separated values, for programs: numbers at full precision, nothing for what is undefined.

Several listings stand one after the other, with an empty line between them. Text that a spreadsheet would take for a formula
begins with an apostrophe, as in the exports of the page.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

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
        header, rows = listing.table()
        if number:
            out.write("\n")
        writer.writerow(map(_as_text, header))
        writer.writerows(map(_as_text, row) for row in rows)  # nothing for None
    return out.getvalue()


def _as_text(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and FORMULA.match(cell) else cell
