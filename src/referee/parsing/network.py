"""A network of whole numbers: from words to vectors, from vectors to tags, and from vectors to moves of a parser.

A word is embedded by its pieces (see `spelling`). Two layers with a window of two words to each side make a vector of it, so
it knows four words to each side. Tags are read off it [1]_. The parser sees the vectors of some words of its state, and
codes [2]_; all of it is one hidden layer.

Notes
-----
All values are whole numbers, held in floats, so that fast libraries multiply them. Each sum is exact in any order, as it is
less than 2²⁴ in absolute value (`largest_sums`): so the same model gives the same trees on any machine. A hidden unit is
⌊sum / 2ᵏ⌋, cut to what is from 0 to 127 (so that quantised training [3]_ has little to round).

References
----------
.. [1] Zhang and Weiss (2016), Stack-propagation: improved representation learning for syntax.
.. [2] Chen and Manning (2014), A fast and accurate dependency parser using neural networks.
.. [3] Jacob et al. (2018), Quantization and training of neural networks for efficient integer-arithmetic-only inference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Ints, arange, repeat
from referee.parsing.spelling import SHAPES
from referee.parsing.transitions import DETAILS, PLACES, detail_codes

Weights: TypeAlias = Mapping[str, Floats]
"""Each array of `shapes`, of whole numbers."""

WINDOW = 2
"""Words to each side that a layer sees."""

LARGEST = 127
"""The largest weight but for biases, and the largest value of a hidden unit."""

LARGEST_BIAS = 32767
EXACT = 1 << 24
"""Whole numbers below are exact in float32."""

SHIFTS = {"near": 9, "wide": 8, "state": 7}
"""The power of two by which each hidden layer divides its sums."""


class Widths(NamedTuple):
    """The numbers of columns of the arrays."""

    word: int = 48
    prefix: int = 16
    suffix: int = 24
    ending: int = 16
    shape: int = 8
    near: int = 160
    wide: int = 160
    detail: int = 12
    state: int = 256


def shapes(size: Widths, seen: Mapping[str, int], tags: int, labels: int) -> dict[str, tuple[int, ...]]:
    """The shape of each array; `seen` is the number of strings of each list of `spelling`."""
    embedded = size.word + size.prefix + size.suffix + size.ending + size.shape
    window = 2 * WINDOW + 1
    return {
        "word": (seen["word"] + 1, size.word),
        "prefix": (seen["prefix"] + 1, size.prefix),
        "suffix": (seen["suffix"] + 1, size.suffix),
        "ending": (seen["ending"] + 1, size.ending),
        "shape": (SHAPES, size.shape),
        "near": (window * embedded, size.near),
        "near bias": (size.near,),
        "wide": (window * size.near, size.wide),
        "wide bias": (size.wide,),
        "tag": (size.wide, tags),
        "tag bias": (tags,),
        "detail": (detail_codes(labels), size.detail),
        "state": (PLACES * size.wide, size.state),
        "state details": (DETAILS * size.detail, size.state),
        "state bias": (size.state,),
        "move": (size.state, 1 + 2 * labels),
        "move bias": (1 + 2 * labels,),
    }


EMBEDDINGS = ("word", "prefix", "suffix", "ending", "shape")
"""The arrays with a row for each number of a column of `spelling.columns`, in their order."""


def largest_sums(weights: Weights, seen: int = LARGEST) -> dict[str, float]:
    """The largest sum that each layer may meet, in absolute value, whatever it sees; `seen` is the largest value of a unit."""

    def largest(layer: str, parts: tuple[str, ...] = ()) -> float:
        total = np.abs(weights[f"{layer} bias"])
        for part in (layer, *parts):
            total = total + seen * np.abs(weights[part]).sum(axis=0)
        return float(total.max())

    names = ("near", "wide", "tag", "move")
    return {"state": largest("state", ("state details",)), **{name: largest(name) for name in names}}


def hidden(sums: Floats, layer: str) -> Floats:
    """The values of the units of a hidden layer, in place."""
    sums *= 0.5 ** SHIFTS[layer]
    np.floor(sums, out=sums)
    return np.clip(sums, 0, LARGEST, out=sums)


def places_in_windows(first: Ints) -> Ints:
    """Where each word and its neighbours stand, with `WINDOW` blanks before and behind each sentence: shape (words, window)."""
    size = np.diff(first)
    place = arange(int(first[-1])) + WINDOW * (repeat(arange(len(size)), size) + 1)
    neighbours: Ints = place[:, None] + np.arange(-WINDOW, WINDOW + 1)
    return neighbours


def windows(rows: Floats, places: Ints) -> Floats:
    """Each row with its neighbours in one row; beyond a sentence there are zeros."""
    blanks = int(places[-1, -1]) + 1
    spread = np.zeros((blanks, rows.shape[1]), dtype=rows.dtype)
    spread[places[:, WINDOW]] = rows
    return spread.take(places, axis=0).reshape(len(rows), -1)


def embedded(weights: Weights, columns: Ints) -> Floats:
    """The embeddings of the pieces of words side by side."""
    return np.concatenate([weights[piece].take(columns[:, n], axis=0) for n, piece in enumerate(EMBEDDINGS)], axis=1)


def vectors(weights: Weights, columns: Ints, first: Ints) -> Floats:
    """The vectors of words, of whole sentences.

    Parameters
    ----------
    columns : int64, shape (words, pieces)
        As `spelling.columns` gives them.
    first : int64, shape (sentences + 1,)
        The first word of each sentence, and the number of all words.
    """
    places = places_in_windows(first)
    near = hidden(windows(embedded(weights, columns), places) @ weights["near"] + weights["near bias"], "near")
    return hidden(windows(near, places) @ weights["wide"] + weights["wide bias"], "wide")


def products(weights: Weights, rows: Floats) -> Floats:
    """What each word adds to the sums of the parser in each place: shape (places, words + 1, columns).

    It is made once [2]_: a word is seen in more states than there are places. Row 0 of the vectors is of no word.
    """
    sums: Floats = np.matmul(rows, weights["state"].reshape(PLACES, rows.shape[1], -1))
    return sums


def state_sums(weights: Weights, of_words: Floats, places: Ints, details: Ints) -> Floats:
    """The sums of the hidden layer of the parser, from the `products` of the words."""
    sums: Floats = of_words[0].take(places[:, 0], axis=0)
    for place in range(1, PLACES):
        sums += of_words[place].take(places[:, place], axis=0)
    sums += weights["detail"].take(details, axis=0).reshape(len(places), -1) @ weights["state details"]
    sums += weights["state bias"]
    return sums
