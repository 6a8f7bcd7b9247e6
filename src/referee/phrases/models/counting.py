"""Counts of a training corpus that several models need, and the one way to smooth them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.algorithms.arrays import Floats
from referee.exceptions import OptionError
from referee.phrases.annotation import Chunks


def smoothed(true: ArrayLike, total: ArrayLike, prior: ArrayLike, weight: float) -> Floats:
    """The proportion of true among all candidates, as if `weight` more had been seen with the proportion `prior`.

    Examples
    --------
    >>> smoothed([0, 3], [4, 4], prior=0.5, weight=1).tolist()
    [0.1, 0.7]
    """
    t, c, q = (np.asarray(counts, dtype=np.float64) for counts in (true, total, prior))
    # Sums of probabilities may be a rounding error outside [0, 1].
    proportion: Floats = np.clip((t + weight * q) / (c + weight), 0.0, 1.0)
    return proportion


def base_rate(train: Chunks) -> float:
    """The proportion of true chunks among all candidates.

    Raises
    ------
    OptionError
        If the corpus has no chunks.
    """
    if not len(train):
        raise OptionError(f"{train.source} has no chunks; expected some to learn from")
    return len(train) / (len(train.categories) * int(train.sentences.span_counts.sum()))


def true_by_length(chunks: Chunks) -> NDArray[np.int64]:
    """True chunks of each category and length 1, 2, ..., up to the longest sentence; shape (categories, lengths)."""
    lengths = int(chunks.sentences.length.max(initial=0))
    cell = chunks.category.astype(np.int64) * lengths + chunks.length - 1
    return np.bincount(cell, minlength=len(chunks.categories) * lengths).reshape(-1, lengths)
