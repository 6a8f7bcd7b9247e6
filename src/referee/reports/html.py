"""A table for browsers and notebooks, with notes and the signature: plain HTML that takes its fonts from where it is."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TextIO

from referee.messages import one_line
from referee.reports import Results
from referee.reports.grid import Grid, grid


def render(results: Results, out: TextIO) -> None:
    write(grid(results), out, title=one_line(results.evaluations[0].name))


def write(table: Grid, out: TextIO, *, title: str = "referee") -> None:
    out.write(f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n')
    out.write('<meta name="color-scheme" content="light dark">\n<style>body { font-family: system-ui, sans-serif }</style>\n')
    out.write(fragment(table) + "\n</html>\n")


def fragment(table: Grid) -> str:
    """The table and its notes, to be put into a page."""
    labels = [c < table.labels or not title for c, title in enumerate(table.header)]

    def row(cells: Iterable[str], tag: str) -> str:
        written = (
            f'<{tag} style="text-align: {"left" if label else "right"}; padding: 0 0.6em">{escape(cell)}</{tag}>'
            for cell, label in zip(cells, labels, strict=True)
        )
        return f"<tr>{''.join(written)}</tr>"

    head, body = row(table.header, "th"), "\n".join(row(cells, "td") for cells in table.rows)
    notes = "".join(f"\n<p><small>{escape(note)}</small></p>" for note in table.notes)
    return (
        '<table style="border-collapse: collapse; font-variant-numeric: tabular-nums">'
        f"\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table>{notes}"
    )
