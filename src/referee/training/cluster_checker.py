"""`ClusterChecker`: the LEA of wl-coref and the systems made from it, with the same methods.

References
----------
``coref/cluster_checker.py`` of wl-coref (Dobrovolskii 2021).
"""

from __future__ import annotations

from referee.counts import Score
from referee.training.scorer import Scorer


class ClusterChecker:
    """LEA without singletons, document by document.

    Notes
    -----
    wl-coref adds 10⁻⁷ to its denominators, so its numbers are smaller by about as much.

    Examples
    --------
    >>> checker = ClusterChecker()
    >>> checker.add_predictions([[(0, 1), (4, 5), (7, 9)]], [[(0, 1), (4, 5)], [(7, 9)]])
    (0.5, 1.0, 0.3333333333333333)
    >>> checker.total_lea
    (0.5, 1.0, 0.3333333333333333)
    """

    def __init__(self) -> None:
        self._scorer = Scorer(("lea",), singletons="drop", zero_division=0.0)

    def add_predictions(self, gold_clusters: object, pred_clusters: object) -> tuple[float, float, float]:
        """Add a document, the key first; returns F1, precision and recall of the document."""
        return _fpr(self._scorer.add(gold_clusters, pred_clusters)["lea"])

    @property
    def total_lea(self) -> tuple[float, float, float]:
        """F1, precision and recall of all documents so far."""
        return _fpr(self._scorer["lea"])


def _fpr(score: Score) -> tuple[float, float, float]:
    return score.value, score.precision or 0.0, score.recall or 0.0
