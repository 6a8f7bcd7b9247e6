"""The words of CoNLL files from blocks of bytes: the cells of each line are found at the blanks, for a whole block at once.

Bytes that are not UTF-8, NUL bytes, rows of ranges and empty cells raise `UnreadableError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Bools, Ints, arange, repeat, tally
from referee.corpus import Words
from referee.formats.conll.lines import NODE
from referee.formats.conll.scan import (
    HASH,
    MARGIN,
    NEWLINE,
    SPARE,
    UnreadableError,
    blocks,
    documents_of_files,
    ends_nothing,
    is_utf8,
)
from referee.formats.conll.unusual import may_have_empty_cells, may_have_ranges
from referee.formats.shared.byte_words import FIRST_BYTES, Bytes, words_at

TAB, BLANK = b"\t "


TABS, BLANKS, BOTH, ONE_CELL = range(4)
"""What is between the columns of a row."""


class MixedRowsError(Exception):
    """A document has tabs and blanks between columns, so that nothing tells what is one; `line` is the first such row."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def read_words(
    stream: BinaryIO,
    header: Callable[[str], str | bool | None],
    column: int | None = None,
    *,
    tabs: bool = False,
    mended: bool = False,
) -> list[Words]:
    """Return the words of each document; `header` tells what a line that begins with # says (see `conll/lines.py`).

    Where tabs are between the columns in all rows of a document, and nothing else in some, a blank belongs to the word.

    Parameters
    ----------
    stream, header
        The file, and what tells its headers.
    column : int or None
        The column of the words, from 0; None for the usual one of each row.
    tabs : bool
        Whether it is known that only tabs are between columns.
    mended : bool
        Whether there are no rows of ranges and no empty cells any more.

    Raises
    ------
    UnreadableError
        If there is a byte that is not UTF-8, or a NUL byte; a row that may be of a range, a cell that may be empty.
    MixedRowsError
        If rows of a document have tabs between columns and others blanks, so that a blank may be either.
    """
    start = stream.tell()
    reader = _WordReader(header, column, all_tabbed=tabs, mended=mended)
    for block in blocks(stream):
        reader.add(block)
    if not tabs and (tabbed := reader.tabbed_stretches()):
        stream.seek(start)
        reader = _WordReader(header, column, tabbed, mended=True)
        for block in blocks(stream):
            reader.add(block)
    return reader.documents()


class _MixedBlanks(NamedTuple):
    """Blanks between columns of rows that have tabs, too: the cells before them, and their lines."""

    cell: Ints
    line: Ints


class _WordReader:
    """The text of the words so far, each with a newline after it, and where documents and sentences begin.

    Blanks belong to words in the stretches `tabbed`, or in all.
    """

    def __init__(
        self,
        header: Callable[[str], str | bool | None],
        column: int | None,
        tabbed: Sequence[int] = (),
        *,
        all_tabbed: bool = False,
        mended: bool = False,
    ) -> None:
        self.header = header
        self.mended = mended
        self.column = column
        self.tabbed, self.all_tabbed = np.array(tabbed, dtype=np.int64), all_tabbed
        self.lines = self.tokens = 0
        self.names: list[str | None] = [None]  # of each stretch between two headers; None outside of documents
        self.first_token = [0]
        self.text: list[str] = []
        self.sentences: list[Ints] = []
        self.breaks = True  # a sentence begins with the next token
        self.between: list[NDArray[np.int8]] = []  # what is between the columns of the row of each token
        self.both: list[tuple[Ints, Ints]] = []  # lines with tabs and blanks, and their tabs

    def add(self, data: Bytes) -> None:
        """Read a block."""
        newline = np.flatnonzero(data[:-SPARE] == NEWLINE)[MARGIN - 1 :]
        if not is_utf8(data[:-SPARE]):  # all of the file must be, whatever is a word
            raise UnreadableError
        if not self.mended and (may_have_empty_cells(data[:-SPARE]) or may_have_ranges(data, newline[:-1] + 1)):
            raise UnreadableError
        solid = data[: newline[-1] + 1] > ord(" ")
        edges = np.flatnonzero(solid[1:] != solid[:-1]) + 1  # a block is between newlines
        first, after = edges[::2], edges[1::2]
        cell = np.searchsorted(first, newline)  # the first one of each line; of the last, the number of all
        cells = np.diff(cell)
        is_token = cells > 0
        breaks = ~is_token
        stretch = len(self.names) - 1
        before = self._headers(data, newline, is_token, breaks)
        lines = np.flatnonzero(is_token)
        gaps = self._gaps(data, newline, first, after, cells, is_token)
        if gaps is not None and (self.all_tabbed or len(self.tabbed)):
            tabbed = self.all_tabbed | np.isin(stretch + np.searchsorted(before, gaps.line, side="right"), self.tabbed)
            glued = gaps.cell[tabbed]
            first, after = np.delete(first, glued + 1), np.delete(after, glued)
            cell = np.searchsorted(first, newline)
            cells = np.diff(cell)
        self._sentences(breaks, lines)
        self.first_token += (self.tokens + np.searchsorted(lines, np.array(before, dtype=np.int64))).tolist()
        self.tokens += len(lines)
        self.lines += len(cells)
        if self.column is None:
            column = _columns(data, first, after, cell[lines], cells[lines])
        else:
            column = np.minimum(self.column, np.maximum(cells[lines] - 2, 0))
        word = cell[lines] + column
        length = after[word] - first[word] + 1
        offset = np.cumsum(length) - length
        place = repeat(first[word] - offset, length)
        text = data[place + arange(len(place))]
        text[offset + length - 1] = NEWLINE
        self.text.append(text.tobytes().decode())

    def _gaps(self, data: Bytes, newline: Ints, first: Ints, after: Ints, cells: Ints, is_token: Bools) -> _MixedBlanks | None:
        """Note what is between the columns of each token; return the blanks of rows that have tabs, too."""
        is_tab = data[: newline[-1] + 1] == TAB
        kinds = np.full(len(cells), TABS if is_tab.any() else BLANKS, dtype=np.int8)
        kinds[cells < 2] = ONE_CELL
        gaps = None
        if is_tab.any():
            blanks = np.flatnonzero(data[: newline[-1]] == BLANK)
            if is_token[np.searchsorted(newline, blanks) - 1].any():
                line = repeat(arange(len(cells)), cells)[:-1]
                tabs_before = np.cumsum(is_tab, dtype=np.int32)
                inside = line == repeat(arange(len(cells)), cells)[1:]
                with_tab = tabs_before[first[1:] - 1] > tabs_before[after[:-1] - 1]
                tabs, others = (tally(line[inside & which], minlength=len(cells)) for which in (with_tab, ~with_tab))
                both = (tabs > 0) & (others > 0) & is_token
                kinds[(others > 0) & (tabs == 0)] = BLANKS
                kinds[both] = BOTH
                cell = np.flatnonzero(inside & ~with_tab & both[line])
                gaps = _MixedBlanks(cell, line[cell])
                self.both.append((self.lines + np.flatnonzero(both) + 1, tabs[both]))
        self.between.append(kinds[is_token])
        return gaps

    def tabbed_stretches(self) -> list[int]:
        """The stretches in which there are blanks, and only tabs are between columns.

        These are in all rows; and in one row there is nothing else, or there are enough.
        """
        if not sum(len(lines) for lines, _ in self.both):
            return []
        between = np.concatenate(self.between)
        place = np.flatnonzero(between == BOTH)
        lines, tabs = (np.concatenate(columns) for columns in zip(*self.both, strict=True))
        stretches = np.searchsorted(self.first_token, place, side="right") - 1
        edges = [*self.first_token, self.tokens]
        tabbed = []
        for stretch in np.unique(stretches).tolist():
            kinds = between[edges[stretch] : edges[stretch + 1]]
            here = stretches == stretch
            if (kinds == BLANKS).any():
                raise MixedRowsError(int(lines[here][0]))
            if (kinds == TABS).any() or int(tabs[here].min()) > 2:
                tabbed.append(stretch)
        return tabbed

    def _headers(self, data: Bytes, newline: Ints, is_token: Bools, breaks: Bools) -> list[int]:
        """The lines at which stretches begin; they and comments are no tokens."""
        lines = []
        for line in np.flatnonzero(data[newline[:-1] + 1] == HASH).tolist():
            says = self.header(data[newline[line] + 1 : newline[line + 1]].tobytes().decode().rstrip("\r"))
            is_token[line] = says is True
            if not isinstance(says, bool) and not ends_nothing(says, self.names):
                lines.append(line)
                self.names.append(says)
                breaks[line] = says is not None
        return lines

    def _sentences(self, breaks: Bools, lines: Ints) -> None:
        """Note the tokens before which there is a break, given the lines of all tokens."""
        number = np.cumsum(breaks)
        at = np.concatenate([[-1 if self.breaks else 0], number[lines]])
        self.sentences.append(self.tokens + np.flatnonzero(np.diff(at)))
        self.breaks = bool(number[-1] > at[-1])

    def documents(self) -> list[Words]:
        """The words of all documents."""
        _, names = documents_of_files(self.names)
        tokens = "".join(self.text).split("\n")
        sentences = np.concatenate([np.empty(0, dtype=np.int64), *self.sentences])
        limits = [*self.first_token, self.tokens]
        edges = np.searchsorted(sentences, limits)
        starts = (sentences - repeat(np.array(self.first_token), np.diff(edges))).tolist()
        return [
            Words(tokens[limits[n] : limits[n + 1]], starts[edges[n] : edges[n + 1]])
            for n, name in enumerate(names)
            if name is not None
        ]


def _columns(data: Bytes, first: Ints, after: Ints, cell: Ints, cells: Ints) -> Ints:
    """The column of the word of each token: the fourth (CoNLL-2012), or, of up to four, the one before the brackets."""
    column = np.where(cells < 5, np.maximum(cells - 2, 0), 3)
    # SemEval-2010: the first cell is a number, and the second and third one are not both numbers.
    numbered = np.flatnonzero(cells >= 5)
    numbered = numbered[_are_numbers(data, first, after, cell[numbered])]
    both = _are_digits(data, first, after, cell[numbered] + 1) & _are_digits(data, first, after, cell[numbered] + 2)
    column[numbered[~both]] = 1
    return column


def _are_numbers(data: Bytes, first: Ints, after: Ints, cell: Ints) -> Bools:
    """Whether cells are digits only, or the number of an empty node, as 3.1."""
    found = _are_digits(data, first, after, cell)
    if found.any():  # an empty node is beside words with numbers
        for n in np.flatnonzero(~found & (data[first[cell]] - np.uint8(ord("0")) <= 9)).tolist():
            found[n] = NODE.fullmatch(data[first[cell[n]] : after[cell[n]]].tobytes().decode()) is not None
    return found


def _are_digits(data: Bytes, first: Ints, after: Ints, cell: Ints) -> Bools:
    """Whether cells are digits only, as `str.isdigit` has it."""
    start, size = first[cell], after[cell] - first[cell]
    given = FIRST_BYTES[np.minimum(size, 8)]
    value = (words_at(data, start) & given | ~given & np.uint64(0x3030303030303030)) ^ np.uint64(0x3030303030303030)
    above_nine = (((value & 0x7F7F7F7F7F7F7F7F) + 0x7676767676767676) | value) & np.uint64(0x8080808080808080)
    digits: Bools = above_nine == 0
    for n in np.flatnonzero((digits & (size > 8)) | (value & np.uint64(0x8080808080808080) != 0)).tolist():
        digits[n] = data[start[n] : after[cell[n]]].tobytes().decode().isdigit()
    return digits
