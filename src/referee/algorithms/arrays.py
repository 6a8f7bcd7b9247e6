"""Types of arrays that say what they hold; and rows of columns: sorting them, runs of them, ranges.

A stable argsort over several columns is one unstable sort of packed integers: the columns and the row number share 63 bits,
and NumPy sorts plain int64 about ten times faster than it argsorts (specialised SIMD code). Columns that do not fit together
are sorted one after another, the last one first.

NumPy numbers rows with `intp`, which has 32 bits in a browser and on other small machines. `tally` and `repeat` take int64
there, too, and `tally`, `arange` and `lengths` give it: products of counts do not fit into 32 bits, and NumPy does not say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.signedinteger[Any]]
Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[Any]
"""int64 where whole things are counted, float64 where not."""
Weights: TypeAlias = NDArray[Any]
"""Either float64, or whole numbers of any size: Python integers in an array of objects."""

NARROW = np.dtype(np.intp).itemsize < 8
"""Whether NumPy numbers rows with fewer than 64 bits."""


DENSE = 4
"""Integers in a range of so many times their number are counted in an array, and need not be sorted."""


def tally(values: Ints, weights: Numbers | None = None, minlength: int = 0) -> Numbers:
    """Count how often each number occurs, as `np.bincount` does, with 32-bit addresses, too.

    Parameters
    ----------
    values : integers, shape (rows,)
        Not negative.
    weights : numbers, shape (rows,), optional
        What is added up; None: ones.
    minlength : int
        The least length of the result.

    Returns
    -------
    int64, or float64 with weights

    Raises
    ------
    MemoryError
        If a value is past the addresses of this machine.
    """
    if not NARROW:
        return np.bincount(values, weights, minlength)
    sums = np.bincount(_places(values), weights, minlength)
    return sums if weights is not None else sums.astype(np.int64)


def repeat(values: Numbers, times: Ints | Sequence[int] | int) -> Numbers:
    """Repeat each value so many times, as `np.repeat` does, with 32-bit addresses, too."""
    return np.repeat(values, _places(np.asarray(times)) if NARROW else times)


def arange(count: int) -> Ints:
    """Return 0, 1, ... as `np.arange` does, as int64 also with 32-bit addresses."""
    return np.arange(count, dtype=np.int64)


def lengths(first: Ints, end: int) -> Ints:
    """Return the length of each run, as int64, from the rows where runs begin and the number of all rows."""
    edges: Ints = np.append(first.astype(np.int64, copy=False), end)
    return edges[1:] - edges[:-1]


def _places(values: Ints) -> Ints:
    """Values as NumPy numbers rows. They must fit: NumPy would take them modulo 2³²."""
    if values.size and values.max() > np.iinfo(np.intp).max:
        raise MemoryError
    return values.astype(np.intp)


def argsort(*columns: Ints) -> Ints:
    """Return the stable order of the rows by the first column, then the second, ..., as `np.argsort` does by one column.

    Values must not be negative.

    Examples
    --------
    >>> argsort(np.array([1, 0, 1]), np.array([5, 9, 3])).tolist()
    [1, 2, 0]
    """
    rows = len(columns[0])
    if rows == 0:
        return np.empty(0, dtype=np.int64)
    packed = pack(*columns, arange(rows))
    if packed is None:
        if len(columns) == 1:
            return columns[0].argsort(kind="stable").astype(np.int64, copy=False)
        order = argsort(*columns[1:])
        return order[argsort(columns[0][order])]
    if (packed[1:] > packed[:-1]).all():  # a check takes a hundredth of the time of a sort
        return arange(rows)
    bits = (rows - 1).bit_length()
    if int(packed.max()) >> bits == rows - 1:  # perhaps ranks: each goes to its place
        order = np.full(rows, -1, dtype=np.int64)
        order[packed >> bits] = arange(rows)
        if order.min() == 0:
            return order
    packed.sort()
    return packed & ((1 << bits) - 1)


def pack(*columns: Ints, limits: tuple[int, ...] | None = None) -> Ints | None:
    """Return the columns of each row in one integer that sorts like the row; None if 63 bits are not enough.

    Parameters
    ----------
    *columns : integers, shape (rows,)
        Values must not be negative.
    limits : tuple of int, optional
        The largest value of each column, if two tables must be packed alike.

    Examples
    --------
    >>> pack(np.array([1, 0]), np.array([2, 3])).tolist()
    [6, 3]
    """
    if limits is None:
        limits = tuple(int(c.max(initial=0)) for c in columns)
    widths = [limit.bit_length() for limit in limits]
    if sum(widths) > 63:
        return None
    packed = columns[0].astype(np.int64)
    for column, width in zip(columns[1:], widths[1:], strict=True):
        packed <<= width
        packed |= column
    return packed


def locations(document: Ints, position: Ints | int) -> Ints:
    """Document and position in one number that sorts like the two.

    Parameters
    ----------
    document : integers, shape (locations,)
    position : integers below 2³², shape (locations,), or the same for all
        A position, or token offset, in the document.

    Returns
    -------
    int64, shape (locations,)

    Examples
    --------
    >>> locations(np.array([1, 0]), np.array([3, 7])).tolist()
    [4294967299, 7]
    """
    return document.astype(np.int64) << 32 | position


def starts_of_runs(*columns: Ints) -> Bools:
    """True where a row differs from the row before it; always true for the first row."""
    new = np.zeros(len(columns[0]), dtype=bool)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return new


def first_of_each(values: Ints) -> Bools:
    """Which places have a value that no place before them has."""
    first = np.zeros(len(values), dtype=bool)
    first[np.unique(values, return_index=True)[1]] = True
    return first


def inverse(order: Ints) -> Ints:
    """Return the place of each row in the order.

    Examples
    --------
    >>> inverse(np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    place = np.empty(len(order), dtype=np.int64)
    place[order] = arange(len(order))
    return place


def ranked(values: Ints) -> Ints:
    """Return the rank of each value among those that occur, from 0 on; the time is that of the range of values.

    Examples
    --------
    >>> ranked(np.array([7, 5, 9, 5])).tolist()
    [1, 0, 2, 0]
    """
    if not len(values):
        return values
    from_zero = values - values.min()
    there = np.zeros(int(from_zero.max()) + 1, dtype=np.int64)
    there[from_zero] = 1
    return np.asarray((np.cumsum(there) - 1)[from_zero])


def unique(values: Numbers) -> tuple[Numbers, Ints]:
    """Return the different values in order, and the number of each value's among them, as `np.unique` does.

    Integers in a range that is not much larger than their number are not sorted.

    Examples
    --------
    >>> [found.tolist() for found in unique(np.array([7, 5, 9, 5]))]
    [[5, 7, 9], [1, 0, 2, 0]]
    """
    if values.dtype.kind in "iu" and len(values):
        wide = values if values.dtype == np.uint64 else values.astype(np.int64, copy=False)
        low = wide.min()
        if int(wide.max()) - int(low) < DENSE * len(wide):
            from_zero = (wide - low).astype(np.int64, copy=False)
            there = np.zeros(int(from_zero.max()) + 1, dtype=bool)
            there[from_zero] = True
            values_there = np.flatnonzero(there).astype(wide.dtype) + low
            return values_there.astype(values.dtype, copy=False), (np.cumsum(there, dtype=np.int64) - 1)[from_zero]
    values_there, number = np.unique(values, return_inverse=True)
    return values_there, number.astype(np.int64, copy=False)


def ranges(first: Ints, after: Ints) -> tuple[Ints, Ints]:
    """Return each row with each number of its range, as two columns.

    Examples
    --------
    >>> ranges(np.array([5, 0, 7]), np.array([7, 0, 8]))
    (array([0, 0, 2]), array([5, 6, 7]))
    """
    length = np.maximum(after - first, 0)
    row = repeat(arange(len(first)), length)
    within = arange(len(row)) - repeat(np.cumsum(length) - length, length)
    return row, first[row] + within
