"""The words of CoNLL files from blocks of bytes: the cells of each line are found at the blanks, for a whole block at once.

Bytes that are not UTF-8, and NUL bytes, raise `UnreadableError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

import numpy as np

from referee.algorithms.arrays import Bools, Ints, numbers, repeat
from referee.corpus import Words
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
from referee.formats.shared.byte_words import FIRST_BYTES, Bytes, words_at


def read_words(stream: BinaryIO, header: Callable[[str], str | bool | None]) -> list[Words]:
    """Return the words of each document; `header` tells what a line that begins with # says (see `conll/lines.py`).

    Raises
    ------
    UnreadableError
        If there is a byte that is not UTF-8, or a NUL byte.
    """
    reader = _WordReader(header)
    for block in blocks(stream):
        reader.add(block)
    return reader.documents()


class _WordReader:
    """The text of the words so far, each with a newline after it, and where documents and sentences begin."""

    def __init__(self, header: Callable[[str], str | bool | None]) -> None:
        self.header = header
        self.tokens = 0
        self.names: list[str | None] = [None]  # of each stretch between two headers; None outside of documents
        self.first_token = [0]
        self.text: list[str] = []
        self.sentences: list[Ints] = []
        self.breaks = True  # a sentence begins with the next token

    def add(self, data: Bytes) -> None:
        """Read a block."""
        newline = np.flatnonzero(data[:-SPARE] == NEWLINE)[MARGIN - 1 :]
        if not is_utf8(data[:-SPARE]):  # all of the file must be, whatever is a word
            raise UnreadableError
        solid = data[: newline[-1] + 1] > ord(" ")
        edges = np.flatnonzero(solid[1:] != solid[:-1]) + 1  # a block is between newlines
        first, after = edges[::2], edges[1::2]
        cell = np.searchsorted(first, newline)  # the first one of each line; of the last, the number of all
        cells = np.diff(cell)
        is_token = cells > 0
        breaks = ~is_token
        before = self._headers(data, newline, is_token, breaks)
        lines = np.flatnonzero(is_token)
        self._sentences(breaks, lines)
        self.first_token += (self.tokens + np.searchsorted(lines, np.array(before, dtype=np.int64))).tolist()
        self.tokens += len(lines)
        word = cell[lines] + _columns(data, first, after, cell[lines], cells[lines])
        length = after[word] - first[word] + 1
        offset = np.cumsum(length) - length
        place = repeat(first[word] - offset, length)
        text = data[place + numbers(len(place))]
        text[offset + length - 1] = NEWLINE
        self.text.append(text.tobytes().decode())

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
    numbered = numbered[_are_digits(data, first, after, cell[numbered])]
    both = _are_digits(data, first, after, cell[numbered] + 1) & _are_digits(data, first, after, cell[numbered] + 2)
    column[numbered[~both]] = 1
    return column


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
