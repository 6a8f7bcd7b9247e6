"""Counts of a training corpus that every model needs, and the one smoother."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.algorithms.arrays import Floats
from referee.exceptions import OptionError
from referee.phrases.candidates import Chunks


def smoothed(true: ArrayLike, all_: ArrayLike, prior: ArrayLike, weight: float) -> Floats:
    """The proportion true of all, as if `weight` more had been seen, with the proportion `prior`: never 0 or 1.

    >>> smoothed([0, 3], [4, 4], 0.5, 1).tolist()
    [0.1, 0.7]
    """
    t, c, q = (np.asarray(x, dtype=np.float64) for x in (true, all_, prior))
    # Proportions of probabilities may be a rounding error outside [0, 1].
    result: Floats = np.clip((t + weight * q) / (c + weight), 0.0, 1.0)
    return result


def base_rate(train: Chunks) -> float:
    """True chunks among all candidates. OptionError if there is nothing to learn from."""
    candidates = len(train.categories) * int(train.sentences.spans.sum())
    if not len(train):
        raise OptionError(f"{train.source} has no chunks; expected something to learn from")
    return len(train) / candidates


def true_by_length(chunks: Chunks) -> NDArray[np.int64]:
    """True chunks of each category and length 1, 2, ..., up to the longest sentence. (categories, lengths)"""
    lengths = int(chunks.sentences.length.max(initial=0))
    cell = chunks.category.astype(np.int64) * lengths + chunks.length - 1
    return np.bincount(cell, minlength=len(chunks.categories) * lengths).reshape(-1, lengths)
