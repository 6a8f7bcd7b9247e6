"""Logistic regressions on codes: the probability of a row from the weights of the values of its features.

Weights are whole hundredths, so that their sums are exact: the same on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, tally
from referee.algorithms.exponential import exponential
from referee.resolver.syntax import Coded

UNIT = 100
ITERATIONS, RATE, SMALL, PENALTY = 200, 0.5, 1e-6, 0.1
SEEN = 3
"""How often a value must be seen to have a weight of its own."""

Weights: TypeAlias = Mapping[str, Mapping[str, int]]
"""For each feature, the weight of each of its values in hundredths; "" is any other value."""


def joined(*columns: Coded) -> Coded:
    """Several columns as one, with blanks between their values."""
    code = np.zeros(len(columns[0].code), dtype=np.int64)
    for column in columns:
        code = code * len(column.texts) + column.code
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    texts = [" ".join(c.texts[c.code[n]] for c in columns) for n in first.tolist()]
    return Coded(inverse.reshape(-1), texts)


def sums(weights: Weights, features: Mapping[str, Coded], rows: int) -> Ints:
    """The sum of the weights of each row, in hundredths; a feature without weights counts nothing."""
    total = np.zeros(rows, dtype=np.int64)
    for name, of_values in weights.items():
        total += features[name].numbers(dict(of_values), of_values.get("", 0))
    return total


def probabilities(total: Ints) -> Floats:
    """The probabilities that sums of weights stand for."""
    odds = exponential(-np.abs(total) / UNIT)
    probability: Floats = np.where(total >= 0, 1, odds) / (1 + odds)
    return probability


def regression(features: Mapping[str, Coded], wanted: Bools) -> dict[str, dict[str, int]]:
    """Fit the weights; each different combination of values is counted once."""
    if not len(wanted):
        return {}
    columns, texts = [], []
    for column in features.values():
        count = tally(column.code, minlength=len(column.texts))
        frequent = np.flatnonzero(count >= SEEN)
        number = np.zeros(len(count), dtype=np.int64)  # 0 is any other value
        number[frequent] = np.arange(1, len(frequent) + 1)
        columns.append(number[column.code])
        texts.append(["", *(column.texts[n] for n in frequent.tolist())])
    rows, inverse = np.unique(np.stack(columns), axis=1, return_inverse=True)
    inverse = inverse.reshape(-1)
    total = tally(inverse).astype(np.float64)
    right = tally(inverse, wanted)
    weights = [np.zeros(len(values)) for values in texts]
    squares = [np.full(len(values), SMALL) for values in texts]
    for _ in range(ITERATIONS):
        score = np.zeros(len(total))
        for weight, row in zip(weights, rows, strict=True):
            score += weight[row]
        small = exponential(-np.abs(score))
        slope = total * (np.where(score >= 0, 1, small) / (1 + small)) - right
        for n, row in enumerate(rows):
            gradient = tally(row, slope, minlength=len(weights[n])) + PENALTY * weights[n]
            squares[n] += gradient * gradient
            weights[n] -= RATE * gradient / np.sqrt(squares[n])
    return {
        name: {text: value for text, value in sorted(zip(values, np.rint(w * UNIT).astype(int).tolist(), strict=True)) if value}
        for name, values, w in zip(features, texts, weights, strict=True)
    }
