"""`ClusterChecker`: the LEA of wl-coref and the systems made from it, with the same methods; and the scores that Stanza adds.

References
----------
``coref/cluster_checker.py`` of wl-coref (Dobrovolskii 2021); ``stanza/models/coref/cluster_checker.py`` of Stanza 1.15.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from referee.stats.counts import Score, f_measure
from referee.training.scorer import Scorer

FPR: TypeAlias = "tuple[float, float, float]"
"""F1, precision and recall: the order of wl-coref."""

AVERAGED = ("muc", "b_cubed", "ceaf_e")


class ClusterChecker:
    """LEA without singletons, document by document; MUC, B³ and CEAFe with singletons, as means over documents.

    Notes
    -----
    wl-coref and Stanza add 10⁻⁷ to denominators, so their numbers are smaller by about as much.

    Examples
    --------
    >>> checker = ClusterChecker()
    >>> checker.add_predictions([[(0, 1), (4, 5), (7, 9)]], [[(0, 1), (4, 5)], [(7, 9)]])
    (0.5, 1.0, 0.3333333333333333)
    >>> checker.total_lea
    (0.5, 1.0, 0.3333333333333333)
    >>> [round(f1, 3) for f1 in checker.mbc]
    [0.667, 0.714, 0.533]
    """

    def __init__(self) -> None:
        self._lea = Scorer(("lea",), singletons="drop", zero_division=0.0)
        self._others = Scorer(AVERAGED, rows=True, zero_division=0.0)

    def add_predictions(self, gold_clusters: object, pred_clusters: object) -> FPR:
        """Add a document, the key first; returns F1, precision and recall of the document."""
        self._others.update(pred_clusters, gold_clusters)
        return _fpr(self._lea.add(gold_clusters, pred_clusters)["lea"])

    @property
    def total_lea(self) -> FPR:
        """F1, precision and recall of all documents so far."""
        return _fpr(self._lea["lea"])

    @property
    def mbc(self) -> list[float]:
        """For MUC, B³ and CEAFe, the F1 of mean precision and mean recall of documents, as Stanza has it."""
        means = [self._others.compute().macro(metric)[0] for metric in AVERAGED]
        return [float(np.nan_to_num(f_measure(np.asarray(m.recall), np.asarray(m.precision), 0.0))) for m in means]

    @property
    def bakeoff(self) -> float:
        """The mean of these three, as Stanza has it. It is not the CoNLL score, which adds documents and divides last."""
        return sum(self.mbc) / len(AVERAGED)


def _fpr(score: Score) -> FPR:
    return score.value, score.precision or 0.0, score.recall or 0.0
