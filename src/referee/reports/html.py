"""Tables for browsers and notebooks, with legend, notes and signature: plain HTML that takes its fonts from where it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from referee.reports.cells import Written, groups, titles, written
from referee.reports.listing import Column, Listing


def render(listings: Sequence[Listing]) -> str:
    """A page."""
    title = next((listing.title for listing in listings if listing.title), "Referee")
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="color-scheme" content="light dark">\n<style>body { font-family: system-ui, sans-serif }</style>\n'
        + "\n".join(map(fragment, listings))
        + "\n</html>\n"
    )


def fragment(listing: Listing) -> str:
    """The table and what stands below it, to be put into a page."""
    columns = listing.columns
    spans = "".join(_tag("th", str(group), "center", span) for group, span in groups(columns))
    heads = "".join(_tag("th", head, _side(column)) for column, head in zip(columns, titles(listing), strict=True))
    header = f"<tr>{spans}</tr>\n<tr>{heads}</tr>" if spans else f"<tr>{heads}</tr>"
    body = "\n".join(_row(row, columns) for row in written(listing))
    caption = f"<caption>{escape(listing.caption)}</caption>\n" if listing.caption else ""
    below = "".join(f"\n<p><small>{escape(note)}</small></p>" for note in (*listing.legend, *listing.notes))
    return (
        '<table style="border-collapse: collapse; font-variant-numeric: tabular-nums">\n'
        f"{caption}<thead>{header}</thead>\n<tbody>\n{body}\n</tbody>\n</table>{below}"
    )


def _row(row: Iterable[Written], columns: Sequence[Column]) -> str:
    cells = (
        _tag("td", cell.text + cell.mark, _side(column) + ("; font-weight: bold" if cell.best else ""))
        for cell, column in zip(row, columns, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"


def _side(column: Column) -> str:
    return "left" if column.is_text else "right"


def _tag(tag: str, text: str, align: str, span: int = 1) -> str:
    spans = f' colspan="{span}"' if span > 1 else ""
    return f'<{tag}{spans} style="text-align: {align}; padding: 0 0.6em">{escape(text)}</{tag}>'
