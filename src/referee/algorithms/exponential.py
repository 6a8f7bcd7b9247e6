"""The exponential function with the same digits on any machine: libraries differ in the last one."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Floats


def exponential(x: Floats) -> Floats:
    """The exponential function of numbers that are not positive, by IEEE operations alone: the same digits on any machine.

    >>> bool(abs(exponential(np.array([-1.0]))[0] - np.exp(-1)) < 1e-15)
    True
    """
    x = np.maximum(x, -700.0)
    power = np.rint(x * 1.4426950408889634)
    rest = (x - power * 0.693145751953125) - power * 1.42860682030941723e-6  # ln 2 in two parts
    series = np.ones(len(x))
    for n in range(14, 0, -1):
        series = 1.0 + series * rest / n
    return np.ldexp(series, power.astype(np.int32))
