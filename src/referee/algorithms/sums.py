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
    whole = values.dtype.kind in "iub"
    limbs = values if whole else _limbs(values)
    totals = np.zeros((*limbs.shape[:-1], len(values) + 1), dtype=np.int64)
    np.cumsum(limbs, axis=-1, out=totals[..., 1:])
    ends = totals[..., offsets]
    sums = ends[..., 1:] - ends[..., :-1]
    if fold is not None:
        sums = fold(sums)
    return sums.astype(np.int64, copy=False) if whole else _joined(sums)


def _limbs(values: Floats) -> Ints:
    """The whole part, and twice the next 30 bits: shape (3, rows)."""
    limbs = np.empty((3, len(values)), dtype=np.int64)
    limbs[0] = whole = np.trunc(values)
    rest = np.subtract(values, whole, out=whole)  # in place: new memory takes longer than the arithmetic
    rest *= 1 << BITS
    limbs[1] = high = np.trunc(rest)
    rest -= high
    rest *= 1 << BITS
    limbs[2] = np.rint(rest, out=rest)
    return limbs


def _joined(limbs: Numbers) -> Floats:
    """Floats of sums of limbs; limbs may be Python integers, where weights have made them large."""
    whole, high, low = limbs
    high = high + (low >> BITS)
    whole, high, low = whole + (high >> BITS), high & _LOW, low & _LOW
    below = (whole < 0).astype(np.int64)  # there the fraction is below 0, too: -1 and almost 1 would cancel
    fraction = (high << BITS) + low - (below << 2 * BITS)
    joined: Floats = (whole + below).astype(np.float64) + fraction.astype(np.float64) * 2.0 ** (-2 * BITS)
    return joined
