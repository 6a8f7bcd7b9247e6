"""Tables for people at a terminal: aligned columns, then the legend, notes and the signature."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple, TextIO

from referee.basics.exceptions import terminal_width
from referee.reports.blocks import blocks
from referee.reports.cells import Written, by_column, groups, titles
from referee.reports.listing import Column, Listing

GAP = "  "
"""Between columns."""

NARROWEST = 12
"""To which a column of labels is wrapped at most, where the table is too wide."""


class Screen(NamedTuple):
    """What a text is shown on: its width in characters, None for one without end, and whether it shows headers in bold."""

    width: int | None = None
    bold: bool = False


def screen(out: TextIO) -> Screen:
    """The width of a terminal, and bold unless NO_COLOR is set; of anything else neither."""
    return Screen(terminal_width(out), "NO_COLOR" not in os.environ) if out.isatty() else Screen()


def render(listings: Sequence[Listing], screen: Screen) -> str:
    """Write tables in this form."""
    return "\n".join(_listing(listing, screen) for listing in listings)


def _listing(listing: Listing, screen: Screen) -> str:
    table, limit = _PrintedTable.from_listing(listing, screen.width), None if screen.width is None else screen.width + len(GAP)
    parts = ["".join(table.lines(block, screen.bold)) for block in blocks(listing.columns, table.room, limit)]
    caption = "".join(f"{line}\n" for line in wrapped(listing.caption, screen.width)) if listing.caption else ""
    below = [line for note in (*map(str, listing.legend), *listing.notes) for line in wrapped(note, screen.width)]
    return caption + "\n".join(parts) + "".join(f"{line}\n" for line in ([""] if below else []) + below)


class _PrintedTable(NamedTuple):
    """Cells, and the widths of the columns and of the three parts of their cells: value, interval, mark."""

    columns: Sequence[Column]
    heads: Sequence[str]
    cells: Sequence[Sequence[Written]]
    parts: Sequence[tuple[int, int, int]]
    widths: Sequence[int]
    margins: bool

    @classmethod
    def from_listing(cls, listing: Listing, limit: int | None) -> _PrintedTable:
        heads, cells = titles(listing), by_column(listing)
        parts = [_parts(_once(column).values()) for column in cells]
        widths = [max(length(head), sum(part)) for head, part in zip(heads, parts, strict=True)]
        first = 0
        for group, span in groups(listing.columns):  # a group may be wider than what it spans
            missing = max(0, length(str(group)) - sum(widths[first : first + span]) - len(GAP) * (span - 1))
            for column in range(span):
                widths[first + column] += (missing + column) // span
            first += span
        if limit is not None and sum(widths) + len(GAP) * (len(widths) - 1) > limit:
            _narrow(widths, heads, listing.labels, limit // 2)
        return cls(listing.columns, heads, cells, parts, widths, listing.margins)

    @property
    def room(self) -> list[int]:
        """What each column takes, with the gap behind it."""
        return [width + len(GAP) for width in self.widths]

    def lines(self, block: Sequence[int], bold: bool) -> list[str]:
        """Some columns: one or two lines of headers, and the rows."""
        header = [_padded(self.heads[c], self.widths[c], left=self.columns[c].is_text) for c in block]
        heads = [self._groups(block), GAP.join(header).rstrip()]
        rows = zip(*map(self._column, block), strict=True)
        return [
            *(f"\033[1m{line}\033[0m\n" if bold else f"{line}\n" for line in heads if line),
            *(f"{line}\n" for row in rows for line in self._row(row, block)),
        ]

    def _column(self, column: int) -> Iterator[list[str]]:
        """The lines of each cell of a column; a cell that occurs again is padded once."""
        lines = {place: self._cell(cell, column) for place, cell in _once(self.cells[column]).items()}
        return map(lines.__getitem__, map(id, self.cells[column]))

    def _groups(self, block: Sequence[int]) -> str:
        cells, first = [], 0
        for group, span in groups([self.columns[c] for c in block]):
            width = sum(self.widths[c] for c in block[first : first + span]) + len(GAP) * (span - 1)
            space = width - length(str(group))
            cells.append(" " * (space - space // 2) + str(group) + " " * (space // 2))
            first += span
        return GAP.join(cells).rstrip()

    def _row(self, cells: Sequence[Sequence[str]], block: Sequence[int]) -> list[str]:
        """The lines of a row: more than one where a label is wrapped."""
        height = max(map(len, cells), default=1)
        if height == 1:
            return [GAP.join([line for (line,) in cells]).rstrip()]
        filled = [[*cell, *[" " * self.widths[c]] * (height - len(cell))] for c, cell in zip(block, cells, strict=True)]
        return [GAP.join(line).rstrip() for line in zip(*filled, strict=True)]

    def _cell(self, cell: Written, column: int) -> list[str]:
        width = self.widths[column]
        if self.columns[column].is_text:
            lines = [cell.value] if length(cell.value) <= width else wrap(cell.value, width)
            return [_padded(line, width, left=True) for line in lines]
        value, interval, mark = self.parts[column]
        before = " " * (width - value - interval - mark)
        behind = _padded(f" {cell.interval}" if cell.interval else "", interval, left=not self.margins)
        return [before + _padded(cell.value, value) + behind + cell.mark.ljust(mark)]


def _once(cells: Sequence[Written]) -> dict[int, Written]:
    """Each object among cells, by its identity: equal cells are mostly one object, and it is found sooner than its content."""
    return dict(zip(map(id, cells), cells, strict=True))


def _parts(cells: Collection[Written]) -> tuple[int, int, int]:
    """The widths of the parts of a column's cells; an interval has a space before it."""
    value = max((length(cell.value) for cell in cells), default=0)
    interval = max((length(cell.interval) + 1 for cell in cells if cell.interval), default=0)
    return value, interval, max((len(cell.mark) for cell in cells), default=0)


def _narrow(widths: list[int], heads: Sequence[str], labels: int, limit: int) -> None:
    """Narrow the widest labels until all of them fit: what is longer is wrapped."""
    while labels and sum(widths[:labels]) > limit:
        widest = max(range(labels), key=widths.__getitem__)
        if widths[widest] <= max(NARROWEST, length(heads[widest])):
            return
        widths[widest] -= 1


def wrapped(note: str, width: int | None) -> list[str]:
    """A note on as many lines as it needs; nothing in it is divided but at spaces."""
    if width is None or len(note) <= width:
        return [note]
    lines = wrap(note.replace(" | ", "\xa0| "), width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [line.replace("\xa0| ", " | ").replace("\xa0|", " |") for line in lines]


def _padded(text: str, width: int, *, left: bool = False) -> str:
    space = " " * (width - length(text))
    return text + space if left else space + text


def length(text: str) -> int:
    """The width of a text in a terminal: 2 for East Asian wide characters, 0 for combining ones.

    >>> length("abc"), length("灯塔")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # rarely needed, and a large module

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
