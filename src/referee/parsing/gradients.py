"""The gradients of a network for some sentences: how its weights would have to change for better tags and better moves.

Rounding to whole numbers is passed over, as is usual [1]_; a unit that is cut to 0 or to the largest value has no gradient.
Scores count as 1024ths. The gradients of an array have a scale of their own, which does not matter to `learning.Optimizer`:
those of weights and biases are for 2^13 (near), 2^11 (wide) or 2^10, those of embeddings for 64, those of codes for 8.

References
----------
.. [1] Bengio, Léonard and Courville (2013), Estimating or propagating gradients through stochastic neurons for conditional
   computation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, arange
from referee.parsing.learning import LARGEST_SEEN, Random, of_seen, of_weights, probabilities, summed_by
from referee.parsing.network import (
    EMBEDDINGS,
    EXACT,
    LARGEST,
    SHIFTS,
    WINDOW,
    Weights,
    embedded,
    hidden,
    largest_sums,
    places_in_windows,
    windows,
)

OF_SUM = 1 / 1024


class Examples(NamedTuple):
    """Sentences to learn from.

    Parameters
    ----------
    columns : int64, shape (words, pieces)
        As `spelling.columns` gives them.
    first : int64, shape (sentences + 1,)
    tag : int64, shape (words,)
        The right tags.
    places, details : int64, shape (states, ...)
        What states show; words are numbered from 1.
    lossless : bool, shape (states, 3)
        Which moves lose nothing; at least one.
    label : int64, shape (states,)
        The right relation of the word on top, from 1; of no meaning where there is none.
    """

    columns: Ints
    first: Ints
    tag: Ints
    places: Ints
    details: Ints
    lossless: Bools
    label: Ints


class Activations(NamedTuple):
    """A hidden layer for some rows: its values after dropout, and what its gradients are multiplied by."""

    values: Floats
    slope: Floats


def layer(sums: Floats, name: str, random: Random) -> Activations:
    """The values of a layer; a fifth of the units is dropped."""
    slope = random.kept(*sums.shape)
    inside = (sums > 0) & (sums < float((LARGEST + 1) << SHIFTS[name]))
    values = hidden(sums, name)
    values *= slope
    slope *= inside
    return Activations(np.floor(values, out=values), slope)


def gradients(weights: Weights, lesson: Examples, random: Random) -> dict[str, Floats]:
    """The gradient of each array of weights, of the sum of the losses of all tags and moves."""
    if max(largest_sums(weights, LARGEST_SEEN).values()) >= EXACT:  # rare, if ever
        weights = {name: array.astype(np.float64) for name, array in weights.items()}
    columns, words = lesson.columns, len(lesson.columns)
    neighbours = places_in_windows(lesson.first)
    inputs = embedded(weights, columns)
    kept = random.kept(*inputs.shape)
    seen = windows(np.rint(inputs * kept), neighbours)
    near = layer(seen @ weights["near"] + weights["near bias"], "near", random)
    seen_near = windows(near.values, neighbours)
    wide = layer(seen_near @ weights["wide"] + weights["wide bias"], "wide", random)

    slope = probabilities((wide.values @ weights["tag"] + weights["tag bias"]) * np.float32(OF_SUM))
    slope[arange(words), lesson.tag] -= 1
    gradients: dict[str, Floats] = {}
    gradients["tag"], gradients["tag bias"] = of_weights(wide.values, slope)
    of_wide = of_seen(slope, weights["tag"])
    if len(lesson.label):
        of_states, of_parser = _of_states(weights, wide.values, lesson, random)
        gradients |= of_parser
        of_wide += of_states
    of_wide *= wide.slope
    gradients["wide"], gradients["wide bias"] = of_weights(seen_near, of_wide)
    of_near = _of_middle(of_seen(of_wide, weights["wide"]), neighbours)
    of_near *= near.slope
    gradients["near"], gradients["near bias"] = of_weights(seen, of_near)
    of_inputs = _of_middle(of_seen(of_near, weights["near"]), neighbours)
    of_inputs *= kept
    return gradients | _of_pieces(weights, columns, of_inputs)


def _of_middle(slope: Floats, neighbours: Ints) -> Floats:
    """The gradients of rows, from those of the windows in which they are seen."""
    parts = slope.reshape(len(slope), 2 * WINDOW + 1, -1)
    total = np.zeros((int(neighbours[-1, -1]) + 1, parts.shape[2]), dtype=slope.dtype)
    for column in range(2 * WINDOW + 1):
        total[neighbours[:, column]] += parts[:, column]
    rows: Floats = total[neighbours[:, WINDOW]]
    return rows


def _of_states(weights: Weights, vectors: Floats, lesson: Examples, random: Random) -> tuple[Floats, dict[str, Floats]]:
    """The gradient of the vectors, and those of the weights of the parser."""
    places, details, states = lesson.places, lesson.details, len(lesson.label)
    rows = np.concatenate([np.zeros((1, vectors.shape[1]), dtype=vectors.dtype), vectors])
    shown = rows.take(places, axis=0).reshape(states, -1)
    details_sum = weights["detail"].take(details, axis=0).reshape(states, -1)
    units = layer(shown @ weights["state"] + details_sum @ weights["state details"] + weights["state bias"], "state", random)
    slope = _of_moves((units.values @ weights["move"] + weights["move bias"]) * np.float32(OF_SUM), lesson)
    gradients: dict[str, Floats] = {}
    gradients["move"], gradients["move bias"] = of_weights(units.values, slope)
    of_units = of_seen(slope, weights["move"])
    of_units *= units.slope
    gradients["state"], gradients["state bias"] = of_weights(shown, of_units)
    gradients["state details"], _ = of_weights(details_sum, of_units)
    of_rows = of_seen(of_units, weights["state"]).reshape(-1, vectors.shape[1])
    of_details = of_seen(of_units, weights["state details"]).reshape(details.size, -1)
    gradients["detail"] = summed_by(details.ravel(), of_details, len(weights["detail"]))
    return summed_by(places.ravel(), of_rows, len(rows))[1:], gradients


def _of_moves(scores: Floats, lesson: Examples) -> Floats:
    """The gradient of the scores: the better a lossless move is already, the more it is wanted among these."""
    labels, row = scores.shape[1] // 2, arange(len(scores))
    chances = probabilities(scores)
    right = np.stack([np.zeros_like(lesson.label), lesson.label, lesson.label + labels])
    share = np.where(lesson.lossless.T, np.maximum(chances[row, right], np.float32(1e-12)), np.float32(0))
    share /= share[0] + share[1] + share[2]
    for column, part in zip(right, share, strict=True):
        chances[row, column] -= part
    return chances


def _of_pieces(weights: Weights, columns: Ints, of_inputs: Floats) -> dict[str, Floats]:
    edges = np.cumsum([weights[piece].shape[1] for piece in EMBEDDINGS])[:-1]
    parts = np.split(of_inputs, edges, axis=1)
    return {
        piece: summed_by(columns[:, n], part, len(weights[piece]))
        for n, (piece, part) in enumerate(zip(EMBEDDINGS, parts, strict=True))
    }
