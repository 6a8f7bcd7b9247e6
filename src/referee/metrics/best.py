"""Which score is the best: the largest, or of a metric with a target, the nearest to it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from referee.algorithms.arrays import Bools, Floats
from referee.metrics.registry import METRICS
from referee.stats.significance import ROUNDING

TARGETS: Mapping[str, float] = {name: m.target for name, m in METRICS.items() if m.target is not None}
"""The best value of metrics that are worse on either side of it. Their distances from it are compared."""


def badness(metric: str, values: Floats) -> Floats:
    """How bad scores are: the worse, the larger; nan where undefined."""
    return np.abs(values - TARGETS[metric]) if metric in TARGETS else -values


def best(metric: str, values: Floats) -> Bools:
    """Which systems have the best score: several, if their scores are equal but for rounding.

    Parameters
    ----------
    metric
        What the scores are by.
    values : float64, shape (systems, rows)
        The scores, in each row of one part; nan where undefined, which is never the best.

    Examples
    --------
    >>> best("muc", np.array([[0.7, 0.5], [0.1 * 7, np.nan], [0.6, np.nan]])).T.tolist()
    [[True, True, False], [True, False, False]]
    """
    worse = badness(metric, values)
    return np.asarray(worse <= np.fmin.reduce(worse) + ROUNDING)


def in_order(metric: str, scores: ArrayLike, *, worst_first: bool = False) -> list[int]:
    """Return the places of scores from the best on, or from the worst; equal ones in their order, undefined ones last.

    >>> in_order("muc", [0.5, float("nan"), 0.75]), in_order("muc", [0.5, float("nan"), 0.75], worst_first=True)
    ([2, 0, 1], [0, 2, 1])
    """
    bad = badness(metric, np.asarray(scores, dtype=np.float64))
    places: list[int] = np.argsort(-bad if worst_first else bad, kind="stable").tolist()  # nan is sorted to the end
    return places
