"""Tables for browsers and notebooks, with legend, notes and signature.

A report is a page that looks like all others. A fragment, for notebooks, takes its fonts and colours from where it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from referee.reports import on_pages
from referee.reports.cells import Written, groups, titles, written
from referee.reports.listing import Column, Listing
from referee.reports.shell import HEADER, page, style_of, text


def render(listings: Sequence[Listing]) -> str:
    """A page."""
    title = next((listing.title for listing in listings if listing.title), "Report")
    body = "\n".join(map(_section, listings))
    main = f"<main>\n<h1>{text(title)}</h1>\n{body}\n</main>"
    return page(f"{title} · Referee", f"{HEADER.format(buttons='')}\n{main}", style=style_of(files(__package__) / "report.css"))


def _section(listing: Listing) -> str:
    """A table, which scrolls by itself where the page is narrow, and what stands below it."""
    columns, caption = listing.columns, escape(listing.caption)
    named = [(on_pages.title(group), n, "th" if group else "td") for group, n in groups(columns)]  # nothing is no header
    spans = "".join(f'<{tag} colspan="{n}">{escape(title)}</{tag}>' for title, n, tag in named)
    heads = zip(columns, on_pages.heads(columns), strict=True)
    head = "".join(f'<th scope="col"{_class(column)}>{escape(text)}</th>' for column, text in heads)
    rows = "\n".join(_cells(row, columns) for row in on_pages.cells(listing))
    below = "\n".join(f'<p class="note">{escape(note)}</p>' for note in on_pages.below(listing))
    return f"""\
<div class="wide" tabindex="0" role="region" aria-label="{caption or "Table"}">
<table>
{caption and f"<caption>{caption}</caption>"}
<thead>{spans and f"<tr>{spans}</tr>"}<tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
</div>
{below}"""


def _cells(row: Iterable[Written], columns: Sequence[Column]) -> str:
    """A row of a page: labels are headers, and intervals are small."""
    cells = []
    for cell, column in zip(row, columns, strict=True):
        value = f"<strong>{escape(cell.value)}</strong>" if cell.best else escape(cell.value)
        value += f' <span class="interval">{escape(cell.interval)}</span>' if cell.interval else ""
        is_head = column.kind == "label" and cell.value
        mark = cell.mark and f'<span class="mark">{escape(cell.mark)}</span>'
        cells.append(f'<th scope="row">{value}</th>' if is_head else f"<td{_class(column)}>{value}{mark}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def _class(column: Column) -> str:
    return ' class="left"' if column.is_text else ""


def fragment(listing: Listing) -> str:
    """The table and what stands below it, to be put into a page of anybody's."""
    columns = listing.columns
    sides = ["left" if column.is_text else "right" for column in columns]
    spans = "".join(_tag("th", str(group), "center", span) for group, span in groups(columns))
    heads = "".join(_tag("th", head, side) for side, head in zip(sides, titles(listing), strict=True))
    header = f"<tr>{spans}</tr>\n<tr>{heads}</tr>" if spans else f"<tr>{heads}</tr>"
    bold = ("", "; font-weight: bold")
    rows = (
        "".join(_tag("td", cell.text, side + bold[cell.best], mark=cell.mark) for cell, side in zip(row, sides, strict=True))
        for row in written(listing)
    )
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    caption = f"<caption>{escape(listing.caption)}</caption>\n" if listing.caption else ""
    below = "".join(f"\n<p><small>{escape(note)}</small></p>" for note in (*map(str, listing.legend), *listing.notes))
    return (
        '<table style="border-collapse: collapse; font-variant-numeric: tabular-nums">\n'
        f"{caption}<thead>{header}</thead>\n<tbody>\n{body}\n</tbody>\n</table>{below}"
    )


def _tag(tag: str, text: str, align: str, span: int = 1, mark: str = "") -> str:
    spans = f' colspan="{span}"' if span > 1 else ""
    behind = mark and f'<span style="display: inline-block; width: 0">{escape(mark)}</span>'  # so that digits stay in line
    return f'<{tag}{spans} style="text-align: {align}; padding: 0 0.6em">{escape(text)}{behind}</{tag}>'
