"""Labels of items by position, first those of the key: their table, and their scores."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from referee.formats.inputs.plain import corpus_of_labels
from referee.matching.pair import pair_of
from referee.metrics.table import Table, table_of
from referee.options.options import Options
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
    key, response = (
        corpus_of_labels(np.asarray(labels), name)
        for labels, name in ((labels_true, "labels_true"), (labels_pred, "labels_pred"))
    )
    return table_of(pair_of(key, response, Options()))
