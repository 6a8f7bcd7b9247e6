"""Sums over runs of rows that do not depend on the order of the rows, or on how they are cut into blocks.

A float is rounded by itself to a whole multiple of 2⁻⁶⁰ and kept in three integers, its limbs. Limbs are added as integers,
and only their sum becomes a float. So every order and every partition of the terms gives the same bits. The rounding is
exact for terms from 2⁻⁸, and off by at most 2⁻⁶¹ for smaller ones.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from referee.algorithms.arrays import Floats, Ints, Numbers

BITS = 30
"""Bits of the second and of the third limb; the first one has the whole part."""

SMALLEST, LARGEST = 2.0**-60, 2.0**62

_LOW = (1 << BITS) - 1


def sum_runs(values: Numbers, offsets: Ints, fold: Callable[[Numbers], Numbers] | None = None) -> Numbers:
    """Return the sums of values[offsets[i]:offsets[i + 1]].

    Parameters
    ----------
    values : int64 or float64, shape (rows,)
        Floats whose magnitudes add to 0, or to `SMALLEST` or more and less than `LARGEST`.
    offsets : int64, shape (runs + 1,)
    fold : callable, optional
        Adds sums of runs further: it maps integers of shape (..., runs) to integers of shape (..., sums), linearly.

    Returns
    -------
    int64 or float64, shape (runs,) or (sums,)

    Examples
    --------
    >>> sum_runs(np.array([0.5, 0.25, 1.0]), np.array([0, 2, 2, 3])).tolist()
    [0.75, 0.0, 1.0]
    """
    if values.dtype.kind in "iub":
        sums = _runs(values, offsets)
        return sums if fold is None else fold(sums).astype(np.int64)
    sums = np.stack([_runs(limb, offsets) for limb in _limbs(values)])
    return _joined(sums if fold is None else fold(sums))


def _runs(values: Numbers, offsets: Ints) -> Ints:
    return np.diff(np.concatenate([[0], np.cumsum(values, dtype=np.int64)])[offsets])


def _limbs(values: Floats) -> tuple[Ints, Ints, Ints]:
    """The whole part, and twice the next 30 bits."""
    whole = np.floor(values)
    rest = (values - whole) * (1 << BITS)
    high = np.floor(rest)
    low = np.rint((rest - high) * (1 << BITS))
    return whole.astype(np.int64), high.astype(np.int64), low.astype(np.int64)


def _joined(limbs: Numbers) -> Floats:
    """Floats of sums of limbs; limbs may be Python integers, where weights have made them large."""
    whole, high, low = limbs
    high = high + (low >> BITS)
    whole, high, low = whole + (high >> BITS), high & _LOW, low & _LOW
    joined: Floats = whole.astype(np.float64) + ((high << BITS) + low).astype(np.float64) * 2.0 ** (-2 * BITS)
    return joined
