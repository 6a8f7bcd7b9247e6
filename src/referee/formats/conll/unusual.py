"""Rows of CoNLL files that few have, as usual ones: ranges such as `2-3`, and empty cells between tabs.

The fast readers only find that there may be such rows (`may_have_ranges`, `may_have_empty_cells`), and raise. Then the text is
rewritten: `without_ranges`, `without_empty_cells`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from referee.algorithms.arrays import Ints
from referee.formats.conll.lines import COLUMN, EMPTY, usual
from referee.formats.shared.byte_words import Bytes
from referee.formats.shared.source import OnError

RANGE = re.compile(r"([0-9]{1,9})-[0-9]{1,9}[\t ]")
"""How the row of a range begins: in CoNLL-U, several words that are written as one, as French *au* for *à le*."""

ZERO, DASH, TAB, BLANK, NEWLINE = (np.uint8(byte) for byte in b"0-\t \n")


def may_have_ranges(data: Bytes, start: Ints) -> bool:
    """Whether a line that starts at one of these places begins as the row of a range."""
    if not (data[start] - ZERO <= 9).any():  # as in most files
        return False
    dashes = np.flatnonzero((data[:-1] == DASH) & (data[1:] - ZERO <= 9))
    line = start[np.maximum(np.searchsorted(start, dashes) - 1, 0)]
    first = line[(line < dashes) & (dashes < line + 10)]
    return any(RANGE.match(data[place : place + 20].tobytes().decode("latin-1")) for place in first.tolist())


def may_have_empty_cells(data: Bytes) -> bool:
    """Whether a cell before a tab may be empty or blank."""
    if not (data == TAB).any():
        return False
    is_blank = data <= BLANK
    place = np.flatnonzero(is_blank[:-1] & is_blank[1:])  # where sentences end, and little else
    one, next_one = data[place], data[place + 1]
    within = (one == TAB) & ((next_one == TAB) | (next_one == BLANK))
    return bool((within | ((one == NEWLINE) & (next_one == TAB))).any())


def without_ranges(text: str, on_error: OnError) -> str:
    r"""The text with a comment for each row of a range: it is no token, as its words have rows of their own.

    A row is one of a range if the first word of the range comes next, or the word before it came last. It has no brackets.

    Examples
    --------
    >>> without_ranges("1 Ann (1)\n2-3 au _\n2 à _\n3 le _", print).split("\n")
    ['1 Ann (1)', '#', '2 à _', '3 le _']
    """
    lines = text.split("\n")
    rows = [n for n, line in enumerate(lines) if line[:1] != "#" and line.strip()]
    first = [cells[0] if (cells := COLUMN.findall(lines[n][:100])) else "" for n in rows]
    for place, n in enumerate(rows):
        found = RANGE.match(lines[n])
        if not found or len(cells := COLUMN.findall(lines[n])) < 3:
            continue
        begins = first[place + 1 : place + 2] == [found[1]]
        if begins or (place and first[place - 1] == str(int(found[1]) - 1)):
            if cells[-1] not in EMPTY and re.search("[()]", cells[-1]):
                on_error(n + 1, f"found {cells[-1][:80]!r} at the range {cells[0]}; expected brackets at its words")
            lines[n] = "#"
    return "\n".join(lines)


def without_empty_cells(text: str, column: int | None) -> tuple[str, int]:
    r"""The text with `_` in empty cells between tabs, and the number of words that are such cells.

    Several tabs may also stand for one, as between columns of a table that is aligned. So a cell is empty only where another
    row of as many cells has something in it, and in all others that this row has something in.

    Parameters
    ----------
    text : str
        A whole file.
    column : int or None
        The column of the words, from 0; None for the usual one of each row.

    Examples
    --------
    >>> without_empty_cells("d\t0\t1\tAnn\t-\nd\t0\t2\t \t-\n", None)
    ('d\t0\t1\tAnn\t-\nd\t0\t2\t_\t-\n', 1)
    """
    lines = text.split("\n")
    rows = {n: line.rstrip().split("\t") for n, line in enumerate(lines) if line[:1] != "#" and "\t" in line.strip()}
    empty = {n: {place for place, cell in enumerate(cells) if not cell.strip()} for n, cells in rows.items()}
    always: dict[int, set[int]] = {}
    least: dict[int, int] = {}
    for n, cells in rows.items():
        always[len(cells)] = always.get(len(cells), empty[n]) & empty[n]
        least[len(cells)] = min(least.get(len(cells), len(cells)), len(empty[n]))
    words = 0
    for n, cells in rows.items():
        if len(empty[n]) > least[len(cells)]:
            filled = empty[n] - always[len(cells)]
            kept = ["_" if place in filled else cell for place, cell in enumerate(cells)]
            lines[n] = "\t".join(kept)
            words += _is_word(kept, filled, column)
    return "\n".join(lines), words


def _is_word(cells: Sequence[str], filled: set[int], column: int | None) -> bool:
    """Whether one of the cells that are filled is in the column of the word, counted without cells that are empty."""
    places = [place for place, cell in enumerate(cells) if cell.strip()]
    if column is None:
        return places[usual([cells[place] for place in places])] in filled
    return places[min(column, max(len(places) - 2, 0))] in filled
