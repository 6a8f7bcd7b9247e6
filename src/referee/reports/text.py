"""For people at a terminal: aligned columns, then notes and the signature."""

from __future__ import annotations

from typing import TextIO

from referee.reports import Results
from referee.reports.grid import Grid, grid


def render(results: Results, out: TextIO) -> None:
    write(grid(results), out, colour=results.colour)


def write(table: Grid, out: TextIO, *, colour: bool = False) -> None:
    rows = [table.header, *table.rows]
    widths = [max(len(row[c]) for row in rows) for c in range(len(table.header))]
    remarks = [c for c, title in enumerate(table.header) if not title]
    for number, row in enumerate(rows):
        cells = [
            cell.ljust(width) if c < table.labels or c in remarks else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        out.write(f"\033[1m{line}\033[0m\n" if colour and not number else line + "\n")
    out.write("\n" + "".join(f"{note}\n" for note in table.notes))
