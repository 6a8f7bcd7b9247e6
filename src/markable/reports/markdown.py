"""A Markdown table (GitHub's dialect), then the signature."""

from __future__ import annotations

from typing import TextIO

from markable.reports import Results
from markable.reports.grid import Grid, grid


def render(results: Results, out: TextIO) -> None:
    write(grid(results), out)


def write(table: Grid, out: TextIO) -> None:
    rule = [":---" if c < table.labels or not title else "---:" for c, title in enumerate(table.header)]
    for row in (table.header, rule, *table.rows):
        cells = [cell.replace("|", "\\|") for cell in row]
        out.write(f"| {' | '.join(cells)} |\n")
    out.writelines(f"\n`{note}`\n" for note in table.notes)
