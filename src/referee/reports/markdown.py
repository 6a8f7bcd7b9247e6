"""Tables in Markdown (GitHub's dialect), then the legend, the notes and the signature; the best values in bold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.reports.cells import Written, titles, written
from referee.reports.listing import Column, Listing


def render(listings: Sequence[Listing]) -> str:
    """Write tables in this form."""
    return "\n".join(_listing(listing) for listing in listings)


def _listing(listing: Listing) -> str:
    heads = [escaped(f"{column.group} {title}".strip()) for column, title in zip(listing.columns, titles(listing), strict=True)]
    rule = [":---" if column.is_text else "---:" for column in listing.columns]
    rows = [[_cell(cell, column) for cell, column in zip(row, listing.columns, strict=True)] for row in written(listing)]
    caption = f"**{escaped(listing.caption)}**\n\n" if listing.caption else ""
    below = [*(escaped(str(line)) for line in listing.legend), *map(code, listing.notes)]
    return (
        caption
        + "".join(f"| {' | '.join(cells)} |\n" for cells in (heads, rule, *rows))
        + "".join(f"\n{line}\n" for line in below)
    )


def _cell(cell: Written, column: Column) -> str:
    if column.is_text:
        return escaped(cell.value)
    return (f"**{cell.text}**" if cell.best else cell.text) + cell.mark


def escaped(text: str) -> str:
    r"""The text with Markdown's signs made harmless. An _ inside a word is no sign.

    >>> print(escaped("**best** b_cubed _x_ <b> a|b"))
    \*\*best\*\* b_cubed \_x\_ \<b> a\|b
    """
    return re.sub(r"[\\`*<|\[]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)


def code(text: str) -> str:
    """The text as code, whatever backticks it has."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " * (len(fence) > 1)
    return f"{fence}{space}{text}{space}{fence}"
