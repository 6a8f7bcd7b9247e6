"""The functions of `sklearn.metrics` about information, in nats for each item; and the contingency matrix.

Examples
--------
>>> round(adjusted_mutual_info_score([0, 0, 0, 1, 1, 2], ["a", "a", "b", "b", "b", "c"]), 4)
0.4118
>>> contingency_matrix([0, 0, 0, 1, 1, 2], ["a", "a", "b", "b", "b", "c"]).tolist()
[[2, 1, 0], [0, 2, 0], [0, 0, 1]]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from referee.algorithms.arrays import Floats, Numbers
from referee.basics.exceptions import OptionError, check_name
from referee.compat.expected_information import expected_information
from referee.compat.labels import table_of_labels
from referee.formats.shared.shapes import Foreign
from referee.metrics.entropy import information
from referee.metrics.table import Table

AverageMethod: TypeAlias = Literal["min", "geometric", "arithmetic", "max"]

MEANS: Mapping[str, Callable[[Floats], Floats]] = {
    "min": np.min,
    "geometric": lambda bits: np.sqrt(np.prod(bits)),
    "arithmetic": np.mean,
    "max": np.max,
}
"""Means of the entropies of key and response."""


def mutual_info_score(labels_true: ArrayLike, labels_pred: ArrayLike, *, contingency: Foreign = None) -> float:
    """Return the information that key and response share, in nats for each item; that of a contingency matrix, if given."""
    if contingency is not None:
        return _shared_in(_dense(contingency))
    table = table_of_labels(labels_true, labels_pred)
    return float(information(table).shared.sum() * np.log(2) / max(1, table.key_mentions.sum()))


def normalized_mutual_info_score(
    labels_true: ArrayLike, labels_pred: ArrayLike, *, average_method: AverageMethod = "arithmetic"
) -> float:
    """Return the shared information as a fraction of a mean of that of key and response; 1 if both have one entity."""
    key, response, shared = _bits(table_of_labels(labels_true, labels_pred), average_method)
    if key == response == 0:
        return 1.0
    return shared / float(MEANS[average_method](np.array([key, response]))) if shared else 0.0


def adjusted_mutual_info_score(
    labels_true: ArrayLike, labels_pred: ArrayLike, *, average_method: AverageMethod = "arithmetic"
) -> float:
    """Return the shared information above that of chance, as a fraction of what it can be above that.

    0 if one side has a single entity and the other has not, 1 if both have, or there are no items.
    """
    table = table_of_labels(labels_true, labels_pred)
    key, response, shared = _bits(table, average_method)
    if key == response == 0:
        return 1.0
    if not (key and response):
        return 0.0
    by_chance = expected_information(table.key_size, table.response_size) * int(table.key_mentions.sum()) / np.log(2)
    most = float(MEANS[average_method](np.array([key, response])))
    # If both sides are all singletons, everything is shared by chance, too: that is 1 there, and differences are rounding.
    above, possible = (_away_from_0(value - by_chance) for value in (shared, most))
    return float(above / possible)


def expected_mutual_information(contingency: Foreign, n_samples: int) -> float:
    """Return the information that the entities of a contingency matrix share by chance, in nats for each item.

    Raises
    ------
    OptionError
        If there are not as many items in the matrix.
    """
    cells = _dense(contingency)
    sides = [cells.sum(axis=axis).astype(np.int64) for axis in (1, 0)]
    if sides[0].sum() != n_samples or (cells != cells.astype(np.int64)).any():
        raise OptionError(f"found {cells.sum():g} items in the contingency matrix; expected {n_samples}, and whole numbers")
    return expected_information(*(side[side > 0] for side in sides)) if n_samples else 0.0


def entropy(labels: ArrayLike) -> float:
    """Return the entropy of labels in nats for each item; 1 for no items, as scikit-learn has it."""
    table = table_of_labels(labels, labels)
    items = int(table.key_mentions.sum())
    return float(information(table).key.sum() * np.log(2) / items) if items else 1.0


def contingency_matrix(
    labels_true: ArrayLike,
    labels_pred: ArrayLike,
    *,
    eps: float | None = None,
    sparse: bool = False,
    dtype: DTypeLike = np.int64,
) -> Foreign:
    """Count the items of each label of the key, in rows, that have each label of the response, in columns.

    Parameters
    ----------
    labels_true, labels_pred : array
        Labels of the items, by position.
    eps : float or None
        What is added to all cells.
    sparse : bool
        Whether to return a matrix of SciPy in rows (CSR).
    dtype : dtype
        The type of the counts.

    Returns
    -------
    array or sparse matrix, shape (labels of the key, labels of the response)
        In the order of the labels.

    Raises
    ------
    OptionError
        With both `eps` and `sparse`; without SciPy, if the matrix shall be sparse.
    """
    if eps is not None and sparse:
        raise OptionError("found eps with sparse=True; expected one of them")
    table_of_labels(labels_true, labels_pred)  # raises for labels that cannot be compared
    (rows, row), (columns, column) = (
        np.unique(np.asarray(labels), return_inverse=True) for labels in (labels_true, labels_pred)
    )
    if sparse:
        try:
            matrix = import_module("scipy.sparse").coo_matrix
        except ImportError:
            raise OptionError("found sparse=True without SciPy; expected it: pip install scipy") from None
        return matrix((np.ones(len(row)), (row, column)), shape=(len(rows), len(columns)), dtype=dtype).tocsr()
    counts = np.zeros((len(rows), len(columns)), dtype=dtype)
    np.add.at(counts, (row, column), 1)
    return counts if eps is None else counts + eps


def _bits(table: Table, average_method: str) -> tuple[float, float, float]:
    """The information of the key, of the response, and what they share."""
    check_name("average_method", average_method, MEANS)
    bits = information(table)
    return float(bits.key.sum()), float(bits.response.sum()), float(bits.shared.sum())


def _away_from_0(value: float) -> float:
    least = float(np.finfo(np.float64).eps)
    return min(value, -least) if value < 0 else max(value, least)


def _dense(contingency: Foreign) -> Numbers:
    return np.asarray(contingency.toarray() if hasattr(contingency, "toarray") else contingency)


def _shared_in(cells: Numbers) -> float:
    """The information that rows and columns of a matrix of counts share, in nats."""
    total = cells.sum()
    row, column = np.nonzero(cells)
    joint = cells[row, column] / total
    apart = (cells.sum(axis=1) / total)[row] * (cells.sum(axis=0) / total)[column]
    return max(0.0, float((joint * np.log(joint / apart)).sum())) if len(row) else 0.0
