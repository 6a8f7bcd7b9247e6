"""Exact sums of floats, as whole numbers that add in any order.

A number is written in base 2³² with a fixed point: `DIGITS` digits, the first one worth 2³². The digits of a sum are the sums
of the digits, without a carry, so sums over documents, batches or machines are the same whatever the order. A sum is rounded
once, when it is read, as `math.fsum` rounds.
"""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Floats, Ints

BITS = 32
DIGITS = 8
"""From 2⁶³ down to 2⁻¹⁹². Counts are made of whole numbers below 2⁶³, and of fractions far above 2⁻¹³⁸."""

POINT = BITS * (DIGITS - 2)
"""Bits behind the point."""


def digits_of(values: Floats) -> Ints:
    """Write numbers as digits.

    Parameters
    ----------
    values : float64
        Whole numbers below 2⁵³ are exact, too.

    Returns
    -------
    int64
        With one axis more, of length `DIGITS`.

    Examples
    --------
    >>> digits_of(np.array([5.5]))[0, :4].tolist()
    [0, 5, 2147483648, 0]
    """
    digits = np.empty((*values.shape, DIGITS), dtype=np.int64)
    rest = np.ldexp(values, -BITS)
    for place in range(DIGITS):
        whole = np.trunc(rest)
        digits[..., place] = whole
        rest = np.ldexp(rest - whole, BITS)
    return digits


def number_of(digits: Ints) -> int | float:
    """Read a sum: a whole number exactly, any other number as the nearest float.

    Examples
    --------
    >>> number_of(sum(digits_of(np.array([0.1] * 10))))
    1.0
    """
    total: int = sum(digit << BITS * (DIGITS - 1 - place) for place, digit in enumerate(digits.tolist()))
    whole, rest = divmod(total, 1 << POINT)
    return total / (1 << POINT) if rest else whole
