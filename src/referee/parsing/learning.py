"""Exact arithmetic for training a network: the same weights to the last bit on any machine.

Libraries add in whatever order is fast, and so round in ways of their own. Here no sum rounds: what is multiplied and summed
are whole numbers, small enough for their sums to be exact. Gradients become such numbers by units that are powers of two. Only
single operations round, which IEEE 754 does in one way.

Random numbers are raw bits of PCG64, which NumPy keeps from version to version.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.exponential import exponential
from referee.parsing.network import EXACT, LARGEST, LARGEST_BIAS

FINE = np.float32(1 << 20)
LARGEST_SEEN = LARGEST * 5 // 4
"""The largest value of a unit, after dropout."""

LEAST = np.float32(2.0**-106)
"""Gradients that are much smaller count as 0: their units would not be float32."""

SCALE = 1 / 64
MEAN_KEPT, SQUARE_KEPT, TINY = 0.9, 0.999, 1e-8
AVERAGE_KEPT = 0.999
"""What the moments, and the averages of the weights, keep at each step."""

UNITS = {
    "word": 64.0, "prefix": 64.0, "suffix": 64.0, "ending": 64.0, "shape": 64.0, "detail": 32.0,
    "near bias": 8192.0, "wide bias": 2048.0, "tag bias": 1024.0, "state bias": 1024.0, "move bias": 1024.0,
}  # fmt: skip
"""What is 1 for the steps of learning: 128 for weights of sums, else so much."""


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
        """Dropout: 0 for 51 of 256, and 5/4 for the others, in float32."""
        size = int(np.prod(shape))
        raw = self.bits.random_raw(-(-size // 8)).astype("<u8").view(np.uint8)[:size]
        return np.where(raw.reshape(shape) < 51, np.float32(0), np.float32(1.25))


def power_above(values: Floats) -> Floats:
    """The least power of two that is larger than each value; 1 for 0."""
    _, exponent = np.frexp(values)
    return np.ldexp(np.ones(values.shape, dtype=np.float32), np.where(values > 0, exponent, 0).astype(np.int32))


def rounded(slope: Floats, axis: int, largest: int) -> tuple[Floats, Floats]:
    """Gradients as whole numbers, and their units, one of each column or row.

    The sum of each column (axis 0) or row (axis 1) is exact in float32 even if each number is multiplied by one of up to
    `largest`, in absolute value.
    """
    absolute = np.abs(slope)
    top = np.maximum(power_above(absolute.max(axis=axis, keepdims=True)), LEAST)
    # The sums are of whole numbers again, as those of others would depend on their order.
    total = np.rint(absolute * (FINE / top)).sum(axis=axis, keepdims=True, dtype=np.float64) + slope.shape[axis]
    unit = power_above(((total / FINE) * (top * (largest / EXACT))).astype(np.float32)) * np.float32(2)
    return np.rint(slope / unit), unit


def of_weights(seen: Floats, slope: Floats) -> tuple[Floats, Floats]:
    """The gradients of the weights and of the biases of a layer that saw whole numbers, from those of its sums."""
    whole, unit = rounded(slope, 0, LARGEST_SEEN)
    weights: Floats = (seen.T @ whole) * unit
    biases: Floats = whole.sum(axis=0) * unit[0]
    return weights, biases


def of_seen(slope: Floats, weights: Floats) -> Floats:
    """The gradients of what a layer saw, from those of its sums; weights count as 128ths."""
    whole, unit = rounded(slope, 1, LARGEST)
    sums: Floats = whole @ weights.T
    sums *= unit * np.float32(1 / 128)
    return sums


def probabilities(scores: Floats) -> Floats:
    """The softmax of each row."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    odds = np.rint(exponential(shifted.reshape(-1).astype(np.float64)).reshape(shifted.shape) * 2.0**40)
    share: Floats = (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)  # whole numbers: their sum is exact
    return share


def summed_by(row: Ints, values: Floats, rows: int) -> Floats:
    """The sum of the values of each row, shape (rows, columns)."""
    unit = np.maximum(power_above(np.abs(values).max(initial=0, keepdims=True)[0]), LEAST) / FINE
    whole = np.rint(values / unit).astype(np.float64)
    order = np.argsort(row, kind="stable")
    row = row[order]
    starts = np.flatnonzero(np.diff(row, prepend=-1))
    total: Floats = np.zeros((rows, values.shape[1]), dtype=np.float32)
    if len(starts):
        total[row[starts]] = np.add.reduceat(whole[order], starts, axis=0) * unit
    return total


class Optimizer:
    """The weights of a network while it learns, by Adam [1]_, and their averages over the steps.

    All is float32, of which only single operations round.

    References
    ----------
    .. [1] Kingma and Ba (2015), Adam: a method for stochastic optimization.
    """

    def __init__(self, beginning: Mapping[str, Floats]) -> None:
        self.value = {name: array.astype(np.float32) for name, array in beginning.items()}
        self.average = {name: array.copy() for name, array in self.value.items()}
        self.mean = {name: np.zeros_like(array) for name, array in self.value.items()}
        self.square = {name: np.zeros_like(array) for name, array in self.value.items()}
        self.steps = 0
        self.kept = [1.0, 1.0]  # of the moments with which it began

    def weights(self) -> dict[str, Floats]:
        """The weights as a network uses them."""
        return {name: np.rint(array) for name, array in self.value.items()}

    def averages(self) -> dict[str, Floats]:
        """The averages of the weights as a network uses them, in float32."""
        return {name: np.rint(array) for name, array in self.average.items()}

    def step(self, gradients: Mapping[str, Floats], rate: float) -> None:
        """Go one step against the gradients."""
        self.steps += 1
        self.kept = [self.kept[0] * MEAN_KEPT, self.kept[1] * SQUARE_KEPT]
        first, second = rate / (1 - self.kept[0]), 1 / (1 - self.kept[1])
        weight = np.float32(max(1 - AVERAGE_KEPT, 9 / (9 + self.steps)))
        for name, exact in gradients.items():
            gradient = exact * np.float32(SCALE)
            value, mean, square, average = self.value[name], self.mean[name], self.square[name], self.average[name]
            mean *= np.float32(MEAN_KEPT)
            mean += gradient * np.float32(1 - MEAN_KEPT)
            square *= np.float32(SQUARE_KEPT)
            gradient *= gradient
            gradient *= np.float32(1 - SQUARE_KEPT)
            square += gradient
            np.multiply(square, np.float32(second), out=gradient)
            np.sqrt(gradient, out=gradient)
            gradient += np.float32(TINY)
            np.divide(mean, gradient, out=gradient)
            gradient *= np.float32(first * UNITS.get(name, 128.0))
            value -= gradient
            largest = np.float32(LARGEST_BIAS if name.endswith("bias") else LARGEST)
            np.clip(value, -largest, largest, out=value)
            np.subtract(value, average, out=gradient)
            gradient *= weight
            average += gradient
