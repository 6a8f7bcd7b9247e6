"""Tab-separated values, otherwise as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from referee.reports.csv import separated
from referee.reports.listing import Listing


def render(listings: Sequence[Listing]) -> str:
    """Write tables in this form."""
    return separated(listings, "\t")
