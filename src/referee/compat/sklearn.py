"""The clustering metrics of `sklearn.metrics`, and those of coreference in the same form, without scikit-learn.

A function takes the labels of items 0, 1, 2, ..., first those of the key, and returns a number. So `make_scorer` takes it.

Examples
--------
>>> from referee.compat.sklearn import adjusted_rand_score, b_cubed_score, precision_recall_fscore
>>> labels_true, labels_pred = [0, 0, 0, 1, 1, 2], ["a", "a", "b", "b", "b", "c"]
>>> round(adjusted_rand_score(labels_true, labels_pred), 4)
0.3182
>>> round(b_cubed_score(labels_true, labels_pred), 4)
0.7778
>>> precision_recall_fscore(labels_true, labels_pred, metric="links")
(0.5, 0.5, 0.5)

Notes
-----
As in scikit-learn, items are compared by position: the index of a Series is not looked at. 0/0 is 1 where scikit-learn says 1,
and 0 where it says 0. A label that is missing is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from referee.algorithms.arrays import Floats, Ints, Numbers
from referee.basics.exceptions import OptionError, check_name
from referee.compat.expected_information import expected_information
from referee.formats.inputs.plain import corpus_of_labels
from referee.formats.shared.shapes import Foreign
from referee.matching.pair import pair_of
from referee.metrics.average import conll
from referee.metrics.b_cubed import b_cubed
from referee.metrics.blanc import blanc, rand
from referee.metrics.ceaf import ceaf_e, ceaf_m
from referee.metrics.chance import ari, fowlkes_mallows
from referee.metrics.entropy import completeness, homogeneity, information
from referee.metrics.lea import lea
from referee.metrics.links import links
from referee.metrics.muc import muc
from referee.metrics.registry import metric_named
from referee.metrics.table import Table, link, table_of
from referee.options.options import Options
from referee.stats.counts import Counts, Score

__all__ = [
    "adjusted_mutual_info_score", "adjusted_rand_score", "b_cubed_score", "blanc_score", "ceaf_e_score", "ceaf_m_score",
    "completeness_score", "conll_score", "contingency_matrix", "entropy", "expected_mutual_information",
    "fowlkes_mallows_score", "homogeneity_completeness_v_measure", "homogeneity_score", "lea_score", "links_score", "muc_score",
    "mutual_info_score", "normalized_mutual_info_score", "pair_confusion_matrix", "precision_recall_fscore", "rand_score",
    "v_measure_score",
]  # fmt: skip

AverageMethod: TypeAlias = Literal["min", "geometric", "arithmetic", "max"]

MEANS: Mapping[str, Callable[[Floats], Floats]] = {
    "min": np.min,
    "geometric": lambda bits: np.sqrt(np.prod(bits)),
    "arithmetic": np.mean,
    "max": np.max,
}
"""Means of the entropies of key and response."""


def adjusted_rand_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return the adjusted Rand index; 1 where nothing can be adjusted."""
    return score_labels(ari.count, labels_true, labels_pred).value


def rand_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return the share of pairs of items on which both sides agree; 1 without pairs."""
    return score_labels(rand.count, labels_true, labels_pred).value


def pair_confusion_matrix(labels_true: ArrayLike, labels_pred: ArrayLike) -> Ints:
    """Count ordered pairs of items.

    Returns
    -------
    int64, shape (2, 2)
        Rows: apart and together in the key. Columns: the same in the response.
    """
    table = table_of_labels(labels_true, labels_pred)
    pairs, key, response, both = (
        int(link(sizes).sum()) for sizes in (table.key_mentions, table.key_size, table.response_size, table.shared)
    )
    return 2 * np.array([[pairs - key - response + both, response - both], [key - both, both]])


def fowlkes_mallows_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return the geometric mean of recall and precision of links; 0 without links."""
    return score_labels(fowlkes_mallows.count, labels_true, labels_pred, 0.0).value


def homogeneity_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return the share of the key's information that is in the response; 1 if the key has one entity."""
    return score_labels(homogeneity.count, labels_true, labels_pred).value


def completeness_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return the share of the response's information that is in the key; 1 if the response has one entity."""
    return score_labels(completeness.count, labels_true, labels_pred).value


def v_measure_score(labels_true: ArrayLike, labels_pred: ArrayLike, *, beta: float = 1.0) -> float:
    """Return the mean of homogeneity and completeness; see `homogeneity_completeness_v_measure`."""
    return homogeneity_completeness_v_measure(labels_true, labels_pred, beta=beta)[2]


def homogeneity_completeness_v_measure(
    labels_true: ArrayLike, labels_pred: ArrayLike, *, beta: float = 1.0
) -> tuple[float, float, float]:
    """Return homogeneity, completeness, and (1 + beta) h c / (beta h + c).

    Notes
    -----
    This beta weighs as the square of that of F-measures.
    """
    h, c = homogeneity_score(labels_true, labels_pred), completeness_score(labels_true, labels_pred)
    return h, c, (1 + beta) * h * c / (beta * h + c) if h + c else 0.0


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


def precision_recall_fscore(
    labels_true: ArrayLike, labels_pred: ArrayLike, *, metric: str = "b_cubed", beta: float = 1.0, zero_division: float = 0.0
) -> tuple[float, float, float]:
    """Return precision, recall and F by a metric of Referee: b_cubed, links, muc, ceaf_e, ceaf_m, lea, blanc, exact, ...

    Raises
    ------
    UnknownNameError
        If there is no such metric.
    OptionError
        If the metric has no precision and recall, or needs more than labels; if a value is not possible.
    """
    o, record = Options(beta=beta, zero_division=zero_division), metric_named(metric)
    if not record.of_entities:
        raise OptionError(f"{record.id} needs other annotation than labels; expected a metric of entities")
    score = score_labels(record.count, labels_true, labels_pred, o.zero_division, o.beta)
    if score.precision is None or score.recall is None:
        raise OptionError(f"{record.id} is one number; expected a metric with precision and recall")
    return score.precision, score.recall, score.value


def b_cubed_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return F1 of B³."""
    return score_labels(b_cubed.count, labels_true, labels_pred, 0.0).value


def links_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return F1 of links, the pairwise F1 of entity resolution."""
    return score_labels(links.count, labels_true, labels_pred, 0.0).value


def muc_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return F1 of MUC."""
    return score_labels(muc.count, labels_true, labels_pred, 0.0).value


def ceaf_e_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return F1 of CEAFe."""
    return score_labels(ceaf_e.count, labels_true, labels_pred, 0.0).value


def ceaf_m_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return F1 of CEAFm."""
    return score_labels(ceaf_m.count, labels_true, labels_pred, 0.0).value


def lea_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return F1 of LEA."""
    return score_labels(lea.count, labels_true, labels_pred, 0.0).value


def blanc_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return F1 of BLANC."""
    return score_labels(blanc.count, labels_true, labels_pred, 0.0).value


def conll_score(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return the CoNLL score, the mean F1 of MUC, B³ and CEAFe."""
    return score_labels(conll.count, labels_true, labels_pred, 0.0).value


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
