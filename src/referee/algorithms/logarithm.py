"""Logarithms with the same digits everywhere: those of NumPy differ in the last one, between versions and processors."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Floats

TERMS = 12


def binary_logarithm(numbers: Floats) -> Floats:
    """The logarithms of positive numbers to base 2, with an error below 2⁻⁵¹ of the value; those of powers of 2 are exact.

    Only additions, multiplications and divisions are used, which IEEE 754 rounds in one way.

    References
    ----------
    log m = 2 artanh((m - 1)/(m + 1)), as a series; m is from √½ to √2.

    Examples
    --------
    >>> binary_logarithm(np.array([8, 1, 0.5, 3])).tolist() == [3, 0, -1, 1.5849625007211563]
    True
    """
    mantissa, exponent = np.frexp(numbers)
    low = mantissa < 0.5**0.5
    mantissa, exponent = np.where(low, 2 * mantissa, mantissa), exponent - low
    quotient = (mantissa - 1) / (mantissa + 1)
    square = quotient * quotient
    series = np.zeros_like(square)
    for n in range(2 * TERMS - 1, 1, -2):
        series = square * (series + 1 / n)
    whole: Floats = exponent + 2 / 0.6931471805599453 * (quotient + quotient * series)
    return whole
