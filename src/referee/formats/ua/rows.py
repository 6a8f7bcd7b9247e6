"""The rows of CoNLL-UA, a block of lines at a time: which of them are plain, and what stands in their columns.

Most rows are words with a number and no blanks. All of a block are looked at together, in a few NumPy calls. Other rows, and
lines with # that say something, are left to the reader (`referee.formats.ua`), which takes them one by one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import repeat
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.formats.shared.byte_words import cut
from referee.formats.shared.possessive import compiled

TAB, NEWLINE, SPACE, HASH = b"\t\n #"
RETURNS = compiled(rb"(?<!\r)\r++(?=\n)")
SAYING = (b"newdoc", b"global.columns")
"""One of these is in a line with # that says something."""
LONGEST_NUMBER = 9
EMPTY_CELL = np.isin(np.arange(256), list(b"_-"))
"""What says, alone in a cell, that there is no annotation."""


UaCell: TypeAlias = tuple[int, int, int, str]
"""A cell with annotation: its row in the block, the place of its column in `UaLayout.annotation`, its line, its text."""


class UaLayout(NamedTuple):
    """Where the columns stand that are read, and how many there are.

    Parameters
    ----------
    place : mapping
        Columns, counted from 0, by their names: ID, FORM and IDENTITY at least.
    last : str
        The last column that a row must have: ID, FORM or IDENTITY.
    width : int
        How many columns a row may have.
    annotation : tuple of str
        The names of columns with annotation, in the order in which the cells of a row are read.
    """

    place: Mapping[str, int]
    last: str
    width: int
    annotation: tuple[str, ...]


class UaStretch(NamedTuple):
    """Plain rows one after another.

    Parameters
    ----------
    line : int
        The line of the first.
    row : int
        Its number in the block.
    ids, forms : list
        The numbers and the words of the rows.
    new : list of int
        The rows, counted in the block, that begin a sentence behind another row.
    cells : list of UaCell
        Their annotation.
    blank_before, blank_after : bool
        Whether blank lines stand before and behind the rows.
    """

    line: int
    row: int
    ids: list[int]
    forms: list[str]
    new: list[int]
    cells: list[UaCell]
    blank_before: bool
    blank_after: bool


class UaBlock:
    """A block of whole lines.

    Parameters
    ----------
    first : int
        The number of its first line.
    text : str
        The lines, the last one without its end.
    layout : UaLayout
        What the columns are.
    """

    def __init__(self, first: int, text: str, layout: UaLayout) -> None:
        self.first = first
        self.layout = layout
        raw = (text + "\n").encode()
        self.raw = RETURNS.sub(b"", raw) if b"\r" in raw else raw
        self.data = np.frombuffer(self.raw, dtype=np.uint8)
        self.ends = np.flatnonzero((self.data == TAB) | (self.data == NEWLINE))
        line_ends = np.flatnonzero(self.data[self.ends] == NEWLINE)
        self.line_end = self.ends[line_ends]
        self.line_start = np.concatenate([[0], self.line_end[:-1] + 1])
        self.tabs = np.diff(line_ends, prepend=-1) - 1
        is_blank = self.line_start == self.line_end
        self.blanks = np.concatenate([[0], np.cumsum(is_blank)])
        is_row = ~is_blank & (self.data[self.line_start] != HASH)
        even = is_row & (layout.place[layout.last] <= self.tabs) & (self.tabs < layout.width)
        even &= self.data[self.line_end - 1] != TAB
        even[np.searchsorted(self.line_end, np.flatnonzero(self.data == SPACE))] = False
        self.line = np.flatnonzero(even)
        self.first_end = line_ends[self.line] - self.tabs[self.line]
        self._numbers()
        is_row[self.line] = False
        self.others = is_row
        says = np.searchsorted(self.line_end, [place for word in SAYING for place in self._places(word)])
        self.others[says[self.data[self.line_start[says]] == HASH]] = True

    def _places(self, word: bytes) -> Iterator[int]:
        """Where a word stands; to look for each alone is faster than a pattern of both."""
        place = self.raw.find(word)
        while place >= 0:
            yield place
            place = self.raw.find(word, place + 1)

    def _numbers(self) -> None:
        """Keep the rows that have a number and a word."""
        start, end = self._column(self.layout.place["ID"])
        size = end - start
        is_plain = (size > 0) & (size <= LONGEST_NUMBER)
        number = np.zeros(len(size), dtype=np.int64)
        for place in range(int(size[is_plain].max(initial=0))):
            inside = place < size
            digit = self.data[np.where(inside, start + place, 0)] - np.uint8(48)
            is_plain &= ~inside | (digit < 10)
            number = np.where(inside, 10 * number + digit, number)
        start, end = self._column(self.layout.place["FORM"])
        is_plain &= start < end
        kept = np.flatnonzero(is_plain)
        self.line, self.first_end, self.number = self.line[kept], self.first_end[kept], number[kept]

    def _column(self, column: int, rows: Ints | slice = slice(None)) -> tuple[Ints, Ints]:
        """Where a column begins and ends in rows that have it."""
        first_end = self.first_end[rows]
        end = self.ends[first_end + column]
        return (self.ends[first_end + column - 1] + 1 if column else self.line_start[self.line[rows]]), end

    def _texts(self, begin: Ints, end: Ints) -> list[str]:
        """Cells, which end in a tab or in that of their line."""
        return cut(self.data, begin, end + 1).decode().replace("\t", "\n").split("\n")[:-1]

    def _cells(self) -> list[UaCell]:
        """The cells with annotation, those of a row in the order of the layout."""
        cells: list[UaCell] = []
        for column, name in enumerate(self.layout.annotation):
            place = self.layout.place[name]
            rows = np.flatnonzero(place <= self.tabs[self.line])
            begin, end = self._column(place, rows)
            filled = np.flatnonzero((begin < end) & ~((end - begin == 1) & EMPTY_CELL[self.data[begin]]))
            if len(filled):
                lines = (self.first + self.line[rows[filled]]).tolist()
                texts = self._texts(begin[filled], end[filled])
                cells += zip(rows[filled].tolist(), repeat(column), lines, texts, strict=False)
        cells.sort()
        return cells

    def parts(self) -> Iterator[UaStretch | tuple[int, str]]:
        """What the lines are, in their order: stretches of plain rows, and other lines with their numbers."""
        ids, lines, blanks, cells = self.number.tolist(), self.line.tolist(), self.blanks.tolist(), self._cells()
        forms = self._texts(*self._column(self.layout.place["FORM"]))
        is_new = (np.diff(self.number) <= 0) | (np.diff(self.blanks[self.line]) > 0)
        new = (np.flatnonzero(is_new) + 1).tolist()
        others = [*np.flatnonzero(self.others).tolist(), len(self.line_end)]
        line = row = 0
        for other, after in zip(others, np.searchsorted(self.line, others).tolist(), strict=True):
            first, last = (lines[row], lines[after - 1]) if row < after else (other, line)
            yield UaStretch(
                self.first + first,
                row,
                ids[row:after],
                forms[row:after],
                new[bisect_left(new, row + 1) : bisect_left(new, after)],
                cells[bisect_left(cells, (row,)) : bisect_left(cells, (after,))],
                blank_before=blanks[first] > blanks[line],
                blank_after=blanks[other] > blanks[last],
            )
            if other < len(self.line_end):
                yield self.first + other, self.raw[self.line_start[other] : self.line_end[other]].decode()
            line, row = other + 1, after

    def behind(self, line: int) -> str | None:
        """The lines behind one of them; None if it is the last."""
        end = int(self.line_end[line - self.first]) + 1
        return self.raw[end:-1].decode() if end < len(self.raw) else None
