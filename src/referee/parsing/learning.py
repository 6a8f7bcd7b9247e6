"""Exact arithmetic for training a network: the same weights to the last bit on any machine.

Libraries add in whatever order is fast, and so round in ways of their own. Here nothing is rounded by a sum: what is multiplied
and summed lies on a grid so coarse that 53 bits hold every sum. Only single operations round, which IEEE 754 does in one way.
Random numbers are raw bits of PCG64, which NumPy keeps from version to version.
"""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, numbers
from referee.algorithms.exponential import exponential

GRID = float(1 << 20)
"""Gradients are multiples of 1/GRID, and at most `STEEPEST`."""

STEEPEST = 64.0
FIRST_DECAY, SECOND_DECAY, TINY = 0.9, 0.999, 1e-8
AVERAGED = 0.999
"""What an average of the weights keeps at each step."""


class Random:
    """Random numbers by a seed."""

    def __init__(self, seed: int) -> None:
        self.bits = np.random.PCG64(np.random.SeedSequence(seed))

    def shares(self, *shape: int) -> Floats:
        """Numbers from 0 up to 1."""
        raw = self.bits.random_raw(int(np.prod(shape))) >> np.uint64(11)
        return raw.astype(np.float64).reshape(shape) * 2.0**-53

    def order(self, size: int) -> Ints:
        """The numbers below `size` in random order."""
        return np.argsort(self.bits.random_raw(size), kind="stable")

    def kept(self, *shape: int) -> Floats:
        """Dropout: 0 for 51 of 256, and 5/4 for the others, of which products stay on a grid."""
        size = int(np.prod(shape))
        raw = self.bits.random_raw(-(-size // 8)).astype("<u8").view(np.uint8)[:size]
        return np.where(raw.reshape(shape) < 51, 0.0, 1.25)


def on_grid(values: Floats) -> Floats:
    """The values on the grid of gradients, in place."""
    values *= GRID
    np.rint(values, out=values)
    np.clip(values, -STEEPEST * GRID, STEEPEST * GRID, out=values)
    values *= 1 / GRID
    return values


def probabilities(scores: Floats, among: Bools | None = None) -> Floats:
    """The softmax of each row, among those that are allowed."""
    if among is not None:
        scores = np.where(among, scores, -np.inf)
    shifted = scores - scores.max(axis=1, keepdims=True)
    odds = np.rint(exponential(shifted.reshape(-1)).reshape(shifted.shape) * 2.0**40)
    share: Floats = odds / odds.sum(axis=1, keepdims=True)  # whole numbers: their sum is exact
    return share


def summed_by(row: Ints, values: Floats, rows: int) -> tuple[Ints, Floats]:
    """The rows that occur, and the sum of the values of each: values on a grid, shape (values, columns)."""
    order = np.argsort(row, kind="stable")
    row = row[order]
    starts = np.flatnonzero(np.diff(row, prepend=-1))
    if not len(starts):
        return row, values
    return row[starts], np.add.reduceat(values[order], starts, axis=0)


class Adam:
    """An array of weights, its moments, and its average over the steps.

    References
    ----------
    Kingma and Ba (2015), Adam: a method for stochastic optimization.
    """

    def __init__(self, start: Floats, largest: float, unit: float) -> None:
        self.value, self.largest, self.unit = start, largest, unit
        self.mean, self.square, self.average = np.zeros_like(start), np.zeros_like(start), start.copy()
        self.scratch = np.zeros_like(start)

    def whole(self) -> Floats:
        """The weights as the network uses them."""
        return np.clip(np.rint(self.value), -self.largest, self.largest)

    def step(self, gradient: Floats, rate: float, first: float, second: float, weight: float) -> None:
        """Go one step against a gradient; `first` and `second` are what correct the moments."""
        scratch = self.scratch
        self.mean *= FIRST_DECAY
        self.mean += np.multiply(gradient, 1 - FIRST_DECAY, out=scratch)
        self.square *= SECOND_DECAY
        np.multiply(gradient, gradient, out=scratch)
        scratch *= 1 - SECOND_DECAY
        self.square += scratch
        np.multiply(self.square, second, out=scratch)
        np.sqrt(scratch, out=scratch)
        scratch += TINY
        np.divide(self.mean, scratch, out=scratch)
        scratch *= rate * self.unit * first
        self.value -= scratch
        np.clip(self.value, -self.largest, self.largest, out=self.value)
        np.subtract(self.value, self.average, out=scratch)
        scratch *= weight
        self.average += scratch
