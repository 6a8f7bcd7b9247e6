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

import numpy as np
from numpy.typing import ArrayLike

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import OptionError
from referee.basics.options.options import Options
from referee.compat.labels import score_labels, table_of_labels
from referee.compat.sklearn_information import adjusted_mutual_info_score, contingency_matrix, normalized_mutual_info_score
from referee.metrics.average import conll
from referee.metrics.b_cubed import b_cubed
from referee.metrics.blanc import blanc, rand
from referee.metrics.ceaf import ceaf_e, ceaf_m
from referee.metrics.chance import ari, fowlkes_mallows
from referee.metrics.entropy import completeness, homogeneity
from referee.metrics.lea import lea
from referee.metrics.links import links
from referee.metrics.muc import muc
from referee.metrics.registry import metric_named
from referee.metrics.table import link

__all__ = [
    "adjusted_mutual_info_score", "adjusted_rand_score", "b_cubed_score", "blanc_score", "ceaf_e_score", "ceaf_m_score",
    "completeness_score", "conll_score", "contingency_matrix",
    "fowlkes_mallows_score", "homogeneity_completeness_v_measure", "homogeneity_score", "lea_score", "links_score", "muc_score",
    "normalized_mutual_info_score", "pair_confusion_matrix", "precision_recall_fscore", "rand_score",
    "v_measure_score",
]  # fmt: skip


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
    table = table_of_labels(labels_true, labels_pred)
    h, c = (metric.count(table).total().score(1.0)[0].value for metric in (homogeneity, completeness))
    return h, c, (1 + beta) * h * c / (beta * h + c) if h + c else 0.0


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
