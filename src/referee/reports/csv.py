"""Comma-separated values, for programs: numbers at full precision, nothing for what is undefined.

Several listings stand one after the other, with an empty line between them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from referee.reports.listing import Listing


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
        writer.writerow(header)
        writer.writerows(rows)  # nothing for None
    return out.getvalue()
