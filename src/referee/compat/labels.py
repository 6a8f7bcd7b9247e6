"""Labels of items by position, first those of the key: their table, and their scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from referee.algorithms.arrays import tally
from referee.inputs.plain import entities_of_labels
from referee.matching.documents import check_labels
from referee.metrics.table import Table
from referee.stats.counts import Counts, Score


def score_labels(
    metric: Callable[[Table], Counts],
    labels_true: ArrayLike,
    labels_pred: ArrayLike,
    zero_division: float = 1.0,
    beta: float = 1.0,
) -> Score:
    """Score labels by what counts one metric."""
    return metric(table_of_labels(labels_true, labels_pred)).total().score(zero_division, beta)[0]


def table_of_labels(labels_true: ArrayLike, labels_pred: ArrayLike) -> Table:
    """Return the table of labels, as many on both sides.

    Raises
    ------
    OptionError
        If one side has more labels, labels are no array of one dimension, or one is missing.
    """
    key, response = (entities_of_labels(np.asarray(labels)) for labels in (labels_true, labels_pred))
    check_labels(len(key), len(response), "labels_true", "labels_pred")
    key_size, response_size = tally(key), tally(response)
    return Table.of(key, response, key_size, response_size, np.zeros_like(key_size), np.zeros_like(response_size), 1)
