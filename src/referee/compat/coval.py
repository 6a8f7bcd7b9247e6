"""The functions of coval that people call: `get_coref_infos` and `evaluate_documents`, and the names of the metrics.

Examples
--------
>>> from referee.compat.coval import evaluate_documents, get_coref_infos, muc
>>> infos = get_coref_infos("examples/key.conll", "examples/response.conll")
>>> recall, precision, f1 = evaluate_documents(infos, muc)
>>> round(recall, 4), round(precision, 4), round(f1, 4)
(0.7391, 0.8095, 0.7727)
>>> key, response = [[(0, 0), (3, 3), (5, 6)]], [[(0, 0), (3, 3)]]
>>> evaluate_documents({"d": (key, response, {}, {})}, muc)
(0.5, 1.0, 0.6666666666666666)

Notes
-----
In coval, these are `coval.conll.reader.get_coref_infos`, and names in `coval.eval.evaluator`. Repeated mentions count as there.
`ceafm` is divided by mentions, as it is defined; that of coval is divided by entities, and may be above 1. `coval_ua` and
`coval_arrau` have the readers of other formats, `coval.ua.reader` and `coval.arrau.reader`.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

from referee.basics.exceptions import OptionError
from referee.compat.coval_files import AsRead, as_coval_reads, unchanged
from referee.compat.coval_infos import UaInfos
from referee.compat.coval_phrases import noun_phrases
from referee.corpus import Corpus
from referee.corpus.builder import CorpusBuilder
from referee.formats.shared.shapes import Foreign, shown
from referee.formats.shared.source import Source
from referee.inputs.load import read_both
from referee.metrics.b_cubed import b_cubed
from referee.metrics.blanc import blanc
from referee.metrics.ceaf import ceaf_e as ceafe
from referee.metrics.ceaf import ceaf_m as ceafm
from referee.metrics.lea import lea
from referee.metrics.links import mentions
from referee.metrics.metric import Metric
from referee.metrics.muc import muc
from referee.scoring.evaluation import Evaluation
from referee.scoring.other_scorers.ua_layers import LAYERS
from referee.scoring.score import score
from referee.stats.counts import Counts

__all__ = [
    "Evaluator", "b_cubed", "blanc", "ceafe", "ceafm", "evaluate_bridgings", "evaluate_documents", "evaluate_non_referrings",
    "get_coref_infos", "get_document_evaluations", "lea", "mentions", "muc",
]  # fmt: skip

Clusters: TypeAlias = "Iterable[Iterable[Hashable]]"
PRF: TypeAlias = tuple[float, float, float]
Infos: TypeAlias = "Evaluation | UaInfos | Mapping[Hashable, Sequence[Clusters]]"
"""What a reader gives; or the clusters of the key and of the response of each document."""

PRINTED = {"mentions": mentions, "muc": muc, "bcub": b_cubed, "ceafe": ceafe, "lea": lea}
"""The metrics that coval prints, by the names that it prints."""
EXPECTED = "what get_coref_infos returns, or {document: (key clusters, response clusters, ...)} with hashable mentions"
AVERAGED = ("muc", "bcub", "ceafe")
"""Those whose mean is the CoNLL score."""


def get_coref_infos(
    key_file: object,
    sys_file: object,
    NP_only: bool = False,  # noqa: N803  # as coval calls it
    remove_nested: bool = False,
    keep_singletons: bool = True,
    min_span: bool = False,
) -> Evaluation:
    """Read a key and a response, and score them.

    Parameters
    ----------
    key_file, sys_file : path
        The key and the response: whatever `referee.score` takes.
    NP_only : bool
        Leave out mentions that are verb phrases by the parses in the key, which must be a file of CoNLL-2012.
    remove_nested, min_span : bool
        Not possible here.
    keep_singletons : bool
        Whether to score entities of one mention.

    Raises
    ------
    OptionError
        For an option that is not possible.
    """
    refuse(remove_nested, min_span)
    sides = as_read(key_file, sys_file)
    if NP_only:
        sides = noun_phrases(sides, key_file)
    return evaluated(sides, keep_singletons)


def refuse(remove_nested: bool, min_span: bool) -> None:
    """Raise OptionError for an option of coval that has no counterpart here."""
    asked = {"remove_nested": remove_nested, "min_span": min_span}
    if names := [name for name, value in asked.items() if value]:
        raise OptionError(f"{names[0]} of coval is not possible here; expected files that were changed before")


def as_read(key_file: object, sys_file: object) -> list[AsRead]:
    """Key and response; files of CoNLL as coval reads them."""
    corpora = read_both(key_file, sys_file)
    return [
        as_coval_reads(corpus, Source(file))
        if corpus.format == "conll" and isinstance(file, (str, os.PathLike)) and os.path.isfile(file)
        else unchanged(corpus)
        for corpus, file in zip(corpora, (key_file, sys_file), strict=True)
    ]


def evaluated(
    sides: Sequence[AsRead], keep_singletons: bool, metrics: Iterable[Metric] = (*PRINTED.values(), ceafm)
) -> Evaluation:
    """Score what was read by metrics of coval."""
    return score(
        *(side.corpus for side in sides),
        metrics=tuple(metrics),
        singletons="keep" if keep_singletons else "drop-annotated",
        repeated_mentions="ua",
        zero_division=0.0,
        tokens="warn",
        extra_documents="ignore",
    )


def evaluate_documents(
    doc_coref_infos: Infos,
    metric: Metric,
    beta: float = 1,
    lea_split_antecedent_importance: float = 1,
    only_split_antecedent: bool = False,
) -> PRF:
    """Return recall, precision and F of all documents together.

    Parameters
    ----------
    doc_coref_infos : infos or dict
        From `get_coref_infos`; or, as in coval, the clusters of the key and of the response of each document. The two mappings
        that follow them in coval may be there, and are not read: the clusters say the same. A mention is anything hashable.
    metric : Metric
        One of those named here.
    beta : float
        Recall counts beta times as much as precision in F.
    lea_split_antecedent_importance : float
        Only 1 is possible.
    only_split_antecedent : bool
        Score the alignment of split antecedents alone, of what `coval_ua` has read.

    Raises
    ------
    OptionError
        If a document has no such clusters; for a value that is not possible.
    """
    if lea_split_antecedent_importance != 1:
        raise OptionError(f"found lea_split_antecedent_importance={lea_split_antecedent_importance}; expected 1")
    s = _counts(doc_coref_infos, metric, only_split_antecedent).total().score(0.0, beta)[0]
    return s.recall or 0.0, s.precision or 0.0, s.value


def get_document_evaluations(doc_coref_infos: Infos, metric: Metric, beta: float = 1) -> tuple[list[float], ...]:
    """Return numerators and denominators of precision, then those of recall, of each document."""
    columns = _counts(doc_coref_infos, metric).columns
    return tuple(
        columns[f"{side}_{part}"].tolist() for side in ("precision", "recall") for part in ("numerator", "denominator")
    )


class CovalEvaluator:
    """One metric, document by document, as `coval.eval.evaluator.Evaluator`.

    Parameters
    ----------
    metric : Metric
        One of those named here.
    beta : float
        Recall counts beta times as much as precision in F.
    keep_aggregated_values : bool
        Not needed: they are kept.

    Examples
    --------
    >>> evaluator = CovalEvaluator(muc)
    >>> evaluator.update(([["a", "b", "c"]], [["a", "b"]], {}, {}))
    >>> evaluator.get_prf(), evaluator.get_counts()
    ((1.0, 0.5, 0.6666666666666666), (1, 1, 1, 2))
    """

    def __init__(self, metric: Metric, beta: float = 1, keep_aggregated_values: bool = False) -> None:  # noqa: ARG002
        self.metric = metric
        self.beta = beta
        self._infos: dict[Hashable, Sequence[Clusters]] = {}

    def update(self, coref_info: Sequence[Clusters]) -> None:
        """Add a document: the clusters of the key, those of the response, and what may follow."""
        self._infos[len(self._infos)] = coref_info

    def get_recall(self) -> float:
        """Recall of all documents so far."""
        return evaluate_documents(self._infos, self.metric, self.beta)[0]

    def get_precision(self) -> float:
        """Precision of all documents so far."""
        return evaluate_documents(self._infos, self.metric, self.beta)[1]

    def get_f1(self) -> float:
        """F of all documents so far."""
        return evaluate_documents(self._infos, self.metric, self.beta)[2]

    def get_prf(self) -> PRF:
        """Precision, recall and F."""
        recall, precision, f1 = evaluate_documents(self._infos, self.metric, self.beta)
        return precision, recall, f1

    def get_counts(self) -> tuple[float, ...]:
        """Numerator and denominator of precision, then those of recall."""
        return tuple(sum(values) for values in self.get_aggregated_values())

    def get_aggregated_values(self) -> tuple[list[float], ...]:
        """The same of each document."""
        return get_document_evaluations(self._infos, self.metric)


Evaluator = CovalEvaluator


def evaluate_non_referrings(doc_non_referring_infos: Foreign) -> PRF:
    """Return recall, precision and F of non-referring expressions.

    Parameters
    ----------
    doc_non_referring_infos : infos or dict
        From `get_coref_infos` of `coval_ua` or `coval_arrau`; or the mentions of the key and of the response of each document.
    """
    if isinstance(doc_non_referring_infos, Evaluation) or not isinstance(doc_non_referring_infos, Mapping):
        return evaluate_layer(doc_non_referring_infos, "non_referring")
    sides = [[*map(list, sides)] for sides in doc_non_referring_infos.values()]
    found = [sum(mention in response for mention in key) for key, response in sides]
    extra = sum(mention not in key for key, response in sides for mention in response)
    recall, precision = (sum(found) / n if n else 0.0 for n in (sum(len(key) for key, _ in sides), sum(found) + extra))
    return recall, precision, 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def evaluate_bridgings(doc_bridging_infos: Foreign) -> tuple[PRF, PRF, PRF]:
    """Return recall, precision and F of bridging anaphors, of their antecedents as mentions, and of these as entities."""
    anaphora, as_mentions, as_entities = (evaluate_layer(doc_bridging_infos, id_) for id_ in LAYERS["bridging"])
    return anaphora, as_mentions, as_entities


def evaluate_layer(infos: Foreign, metric: str) -> PRF:
    """Score another layer than coreference, of what a reader gives."""
    if isinstance(infos, UaInfos):
        infos = infos.evaluation()
    if not isinstance(infos, Evaluation):
        raise OptionError(f"found {shown(infos)}; expected what get_coref_infos of coval_ua or coval_arrau returns")
    s = infos.counts_of(metric).total().score(0.0)[0]
    return s.recall or 0.0, s.precision or 0.0, s.value


def _counts(infos: Infos, metric: Metric, only_split: bool = False) -> Counts:
    """The counts of one metric, one row a document."""
    if isinstance(infos, UaInfos):
        return infos.counts_of(metric, only_split)
    if only_split:
        raise OptionError("found only_split_antecedent=True; expected what get_coref_infos of coval_ua returns")
    if isinstance(infos, Evaluation):
        return infos.counts_of(metric.id)
    if isinstance(infos, Mapping):
        return evaluated([unchanged(side) for side in _corpora(infos)], True, [metric]).counts_of(metric.id)
    raise OptionError(f"found {shown(infos)}; expected {EXPECTED}")


def _corpora(infos: Mapping[Foreign, Foreign]) -> list[Corpus]:
    """Key and response, whose mentions are numbered: coval only compares them."""
    sides = [CorpusBuilder(source) for source in ("<key>", "<response>")]
    for place, (name, info) in enumerate(infos.items()):
        numbers: dict[Hashable, int] = {}
        try:
            clusters = [[[*cluster] for cluster in side] for side in info[:2]]
            for builder, side in zip(sides, clusters, strict=True):
                builder.document(f"{place} {name}")
                for entity, mentions_of in enumerate(side):
                    for mention in mentions_of:
                        number = numbers.setdefault(mention, len(numbers))
                        builder.mention(number, number + 1, str(entity))
        except (TypeError, ValueError):
            raise OptionError(f"document {name}: found {shown(info)}; expected {EXPECTED}") from None
    return [builder.corpus() for builder in sides]
