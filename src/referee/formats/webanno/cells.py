"""The rows below one header of WebAnno TSV as columns, and the annotations in their cells. The format is that of `webanno`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain
from itertools import repeat as constantly
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints, repeat

UNIT = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(\.[0-9]{1,9})?")
OFFSETS = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")
STACKED = re.compile(r"(?:^|\|)((?:\\.|[^|])*)")
OF_NO_CHARACTER = "found an annotation of no character; expected mentions of at least one"


class WebannoCells(NamedTuple):
    """Rows below one header.

    Parameters
    ----------
    first : int
        The number of the first of them in the file.
    lines
        Of each row.
    columns
        The cells.
    places : int64, shape (rows, 4)
        Where each row begins and ends: a token, and a character in it.
    problems : dict
        What is wrong in some rows. What stands before a problem in its row is read, and what stands behind it is not.
    """

    first: int
    lines: Sequence[int]
    columns: Sequence[Sequence[str]]
    places: Ints
    problems: dict[int, str]

    @property
    def is_empty(self) -> Bools:
        """Which rows have no character."""
        is_empty: Bools = (self.places[:, :2] == self.places[:, 2:]).all(axis=1)
        return is_empty

    def filled(self, column: int) -> list[int]:
        """The rows with an annotation in a column."""
        rows = [n for n, cell in enumerate(self.columns[column]) if cell != "_"]
        return [n for n in rows if n not in self.problems] if self.problems else rows

    def stacks(self, rows: Sequence[int], column: int) -> list[list[str]]:
        """The annotations in a column of some rows."""
        cells = self.columns[column]
        return [stacked(cells[n]) for n in rows]

    def annotations(self, rows: Sequence[int], column: int) -> tuple[list[str], Sequence[int]]:
        """The annotations in a column of some rows, which have one each at least, one after another; and the row of each."""
        cells = [*map(self.columns[column].__getitem__, rows)]
        joined = "|".join(cells)
        if "\\" in joined:
            return flat(rows, [*map(stacked, cells)])
        values = joined.split("|") if cells else []
        if len(values) == len(cells):
            return values, rows
        bars = np.fromiter(map(str.count, cells, constantly("|")), np.int64, len(cells))
        return values, repeat(np.array(rows, dtype=np.int64), bars + 1).tolist()

    def stop(self, rows: Sequence[int], stacks: Sequence[list[str]], problem_of: Callable[[str], str | None]) -> None:
        """Take annotations that have a problem out of stacks, with those behind them."""
        is_empty = self.is_empty
        for n, stack in zip(rows, stacks, strict=True):
            for place, value in enumerate(stack):
                problem = problem_of(value) or (OF_NO_CHARACTER if is_empty[n] else None)
                if problem:
                    self.problems[n] = problem
                    del stack[place:]
                    break


def plain_columns(texts: Sequence[str], least: int) -> tuple[list[list[str]], Ints, Ints] | None:
    """The columns of rows that are all as they should be and no parts of tokens, and the numbers of the first two as pairs.

    None if some rows are not so.

    Parameters
    ----------
    texts : sequence of str
        The rows.
    least : int
        How many columns they must have; more may be there, if they are empty.
    """
    width = texts[0].count("\t") + 1
    cells = "\n\t".join(texts).split("\t")
    last = "".join(cells[width - 1 :: width]).split("\n")
    if width < least or len(cells) != width * len(texts) or len(last) != len(texts):  # a row has more cells, or fewer
        return None
    columns = [*(cells[n::width] for n in range(width - 1)), last]
    more = columns[least:]
    are_empty = {"_"}.issuperset(chain(*more[:-1])) and {"_", ""}.issuperset(chain(*more[-1:]))
    if not are_empty or (not more and "" in last) or (pairs := number_pairs(columns[0] + columns[1])) is None:
        return None
    return columns[:least], pairs[: len(texts)], pairs[len(texts) :]


def number_pairs(cells: Sequence[str]) -> Ints | None:
    """The numbers of cells that are two numbers of at most nine digits, such as 1-12, shape (cells, 2); None if one is not.

    Examples
    --------
    >>> number_pairs(["1-12", "0-345"]).tolist()
    [[1, 12], [0, 345]]
    >>> number_pairs(["1-12", "1-3.1"])
    """
    text = "\n".join([*cells, ""])
    codes = np.frombuffer(text.encode(), dtype=np.uint8)
    after = np.flatnonzero((codes < ord("0")) | (codes > ord("9")))
    signs = codes[after]
    sizes = after - 1
    sizes[1:] -= after[:-1]
    sizes[:1] += 1
    if len(after) != 2 * len(cells) or (signs[::2] != ord("-")).any() or (signs[1::2] != ord("\n")).any():
        return None
    if len(cells) and not 1 <= sizes.min() <= sizes.max() <= 9:
        return None
    values = np.zeros(len(after), dtype=np.int64)
    for digit in range(sizes.max(initial=0)):
        here = sizes > digit
        values[here] += (codes[after[here] - 1 - digit] - np.int64(ord("0"))) * 10**digit
    return values.reshape(-1, 2)


def flat(rows: Sequence[int], stacks: Sequence[Sequence[str]]) -> tuple[list[str], Sequence[int]]:
    """The annotations of stacks one after another, and the row of each."""
    of = repeat(np.array(rows, dtype=np.int64), np.array([*map(len, stacks)], dtype=np.int64))
    return list(chain.from_iterable(stacks)), of.tolist()


def stacked(cell: str) -> list[str]:
    """The annotations in a cell."""
    if "\\" in cell:
        return STACKED.findall(cell)
    return [] if cell == "_" else cell.split("|")
