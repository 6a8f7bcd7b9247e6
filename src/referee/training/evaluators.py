"""`CorefEvaluator` and `MentionEvaluator`: the classes of that name in coreference code, with the same methods.

Fractions are Python floats, and 0/0 is 0, as there.

References
----------
``metrics.py`` of e2e-coref (Lee et al. 2017), which most systems have copied; ``maverick/common/metrics.py``
(Martinelli et al. 2024), which also takes the name of a metric; ``src/coref_utils/metrics.py`` of shtoshni/fast-coref.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from referee.basics.exceptions import OptionError, check_name
from referee.formats.shared.shapes import shown
from referee.metrics.registry import metric_named
from referee.training.scorer import Scorer

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from referee.basics.options.types import ScoreOptions

PRF: TypeAlias = "tuple[float, float, float]"
"""Precision, recall and F1: the order of the field."""

CONLL = "conll2012"
"""The mean of MUC, B³ and CEAFe, by maverick's name."""

METRICS = ("muc", "b_cubed", "ceafe")


class Evaluator:
    """One metric of a `CorefEvaluator`."""

    def __init__(self, scorer: Scorer, metric: str) -> None:
        self._scorer = scorer
        self._metric = metric_named(metric).id

    def get_precision(self) -> float:
        """Precision of all documents so far."""
        return self._scorer[self._metric].precision or 0.0

    def get_recall(self) -> float:
        """Recall of all documents so far."""
        return self._scorer[self._metric].recall or 0.0

    def get_f1(self) -> float:
        """F1 of all documents so far."""
        return self._scorer[self._metric].value

    def get_prf(self) -> PRF:
        """Precision, recall and F1."""
        return self.get_precision(), self.get_recall(), self.get_f1()

    def get_prf_str(self) -> str:
        """The three in percent as a line of text, as fast-coref prints them."""
        precision, recall, f1 = (100 * side for side in self.get_prf())
        return f"Recall: {recall:.1f}, Precision: {precision:.1f}, F-score: {f1: .1f}\n"

    def get_counts(self) -> tuple[float, float, float, float]:
        """Numerator and denominator of precision, then those of recall."""
        columns = self._scorer.compute().counts_of(self._metric).total().columns
        pn, pd, rn, rd = (
            columns[f"{side}_{part}"].item() for side in ("precision", "recall") for part in ("numerator", "denominator")
        )
        return pn, pd, rn, rd


class CorefEvaluator:
    """MUC, B³, CEAFe and their mean, document by document.

    Parameters
    ----------
    **options
        Fields of `Options`. ``singletons="drop"`` is for corpora that annotate no singletons, such as OntoNotes.

    Notes
    -----
    Singletons count on both sides unless they are dropped. The evaluators that most systems have copied drop the singletons
    of the response, and not those of the key, in CEAFe. Where the key has singletons, they print other numbers.

    Examples
    --------
    >>> evaluator = CorefEvaluator()
    >>> evaluator.update([[(0, 1), (4, 5)]], [[(0, 1), (4, 5), (7, 9)]])
    >>> [round(number, 3) for number in evaluator.get_prf()]
    [0.933, 0.581, 0.694]
    >>> list(evaluator.get_scores())
    ['muc', 'b_cubed', 'ceafe', 'conll2012']
    """

    def __init__(self, **options: Unpack[ScoreOptions]) -> None:
        options.setdefault("zero_division", 0.0)
        self._scorer = Scorer(METRICS, **options)
        self.evaluators = [Evaluator(self._scorer, metric) for metric in METRICS]

    def update(
        self,
        predicted: object,
        gold: object,
        mention_to_predicted: object = None,  # noqa: ARG002  # the signature of the field
        mention_to_gold: object = None,  # noqa: ARG002
    ) -> None:
        """Add a document, see `Scorer.update`; the two mappings are accepted and not needed."""
        self._scorer.update(predicted, gold)

    def get_precision(self, metric: str = CONLL) -> float:
        """Precision by ``muc``, ``b_cubed`` or ``ceafe``; of ``conll2012``, the mean of the three."""
        return _mean([e.get_precision() for e in self._named(metric)])

    def get_recall(self, metric: str = CONLL) -> float:
        """Recall, as precision."""
        return _mean([e.get_recall() for e in self._named(metric)])

    def get_f1(self, metric: str = CONLL) -> float:
        """F1, as precision; of ``conll2012``, the CoNLL score."""
        return _mean([e.get_f1() for e in self._named(metric)])

    def get_prf(self, metric: str = CONLL) -> PRF:
        """Precision, recall and F1."""
        return self.get_precision(metric), self.get_recall(metric), self.get_f1(metric)

    def get_scores(self) -> dict[str, PRF]:
        """Precision, recall and F1 of each metric, and of their mean under ``conll2012``."""
        return {metric: self.get_prf(metric) for metric in (*METRICS, CONLL)}

    def _named(self, metric: str) -> list[Evaluator]:
        check_name("metric", metric, (*METRICS, CONLL))
        return self.evaluators if metric == CONLL else [self.evaluators[METRICS.index(metric)]]


class MentionEvaluator:
    """Precision, recall and F1 of mentions, document by document.

    Examples
    --------
    >>> evaluator = MentionEvaluator()
    >>> evaluator.update([(0, 1), (4, 5)], [(0, 1), (4, 5), (7, 9), (8, 9)])
    >>> evaluator.get_prf()
    (1.0, 0.5, 0.6666666666666666)
    """

    def __init__(self) -> None:
        self._scorer = Scorer(("mentions",), zero_division=0.0)
        self._evaluator = Evaluator(self._scorer, "mentions")

    def update(self, predicted_mentions: Iterable[Any], gold_mentions: Iterable[Any]) -> None:
        """Add the mentions of a document; one that is given twice counts once."""
        self._scorer.update(
            *([{mention} for mention in set(map(_mention, side))] for side in (predicted_mentions, gold_mentions))
        )

    def get_precision(self) -> float:
        """Precision of all documents so far."""
        return self._evaluator.get_precision()

    def get_recall(self) -> float:
        """Recall of all documents so far."""
        return self._evaluator.get_recall()

    def get_f1(self) -> float:
        """F1 of all documents so far."""
        return self._evaluator.get_f1()

    def get_prf(self) -> PRF:
        """Precision, recall and F1."""
        return self._evaluator.get_prf()


def _mention(value: Any) -> Hashable:  # noqa: ANN401
    """A mention that sets can have: spans may be lists, arrays or tensors."""
    span = value if isinstance(value, str | int) else tuple(value)
    if isinstance(span, tuple) and any(isinstance(end, list | tuple | set) for end in span):
        raise OptionError(f"found {shown(value)} among mentions; expected spans, not clusters of them")
    return span


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
