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
`ceafm` is divided by mentions, as it is defined; that of coval is divided by entities, and may be above 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from referee.basics.exceptions import OptionError
from referee.corpus import Corpus
from referee.corpus.builder import CorpusBuilder
from referee.formats.shared.shapes import Foreign, shown
from referee.inputs.load import read_both
from referee.metrics.b_cubed import b_cubed
from referee.metrics.blanc import blanc
from referee.metrics.ceaf import ceaf_e as ceafe, ceaf_m as ceafm
from referee.metrics.lea import lea
from referee.metrics.links import mentions
from referee.metrics.metric import Metric
from referee.metrics.muc import muc
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score

__all__ = ["b_cubed", "blanc", "ceafe", "ceafm", "evaluate_documents", "get_coref_infos", "lea", "mentions", "muc"]

Clusters: TypeAlias = "Iterable[Iterable[Hashable]]"
PRF: TypeAlias = tuple[float, float, float]
Infos: TypeAlias = "Evaluation | Mapping[Hashable, Sequence[Clusters]]"
"""What `get_coref_infos` returns; or the clusters of the key and of the response of each document."""

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
    NP_only, remove_nested, min_span : bool
        Not possible here.
    keep_singletons : bool
        Whether to score entities of one mention.

    Raises
    ------
    OptionError
        For an option that is not possible.
    """
    refuse(NP_only=NP_only, remove_nested=remove_nested, min_span=min_span)
    return evaluate_pair(read_both(key_file, sys_file), keep_singletons)


def in_order_of_closing(corpus: Corpus) -> Corpus:
    """A file of CoNLL with its entities by the end of the first mention, as coval has them: the last has a repeated mention."""
    if corpus.format != "conll":
        return corpus
    builder = CorpusBuilder(corpus.source)
    single, opening = corpus.end - corpus.start == 1, corpus.file_order[corpus.entity]
    order = np.lexsort((np.where(single, opening, -opening), -corpus.start, ~single, corpus.end, corpus.document))
    for document, name in enumerate(corpus.doc_ids):
        builder.document(name, corpus.words(document))
        rows = order[corpus.mentions_in(document, document + 1)]
        entities: dict[int, list[tuple[int, int]]] = {}
        columns = (column[rows].tolist() for column in (corpus.entity, corpus.start, corpus.end))
        for entity, start, end in zip(*columns, strict=True):
            entities.setdefault(entity, []).append((start, end))
        for entity, spans in entities.items():
            for start, end in spans:
                builder.mention(start, end, corpus.entity_ids[entity])
    return builder.corpus()


def refuse(**options: bool) -> None:
    """Raise OptionError for an option of coval that has no counterpart here."""
    for name, is_set in options.items():
        if is_set:
            raise OptionError(f"{name} of coval is not possible here; expected files that were changed before")


def evaluate_pair(
    sides: Iterable[Corpus], keep_singletons: bool, metrics: Iterable[Metric] = (*PRINTED.values(), ceafm)
) -> Evaluation:
    """Score key and response by metrics of coval, as it counts."""
    return score(
        *map(in_order_of_closing, sides),
        metrics=tuple(metrics),
        singletons="keep" if keep_singletons else "drop-annotated",
        repeated_mentions="ua",
        zero_division=0.0,
        tokens="warn",
        extra_documents="ignore",
    )


def evaluate_documents(doc_coref_infos: Infos, metric: Metric, beta: float = 1) -> PRF:
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

    Raises
    ------
    OptionError
        If a document has no such clusters.
    """
    if isinstance(doc_coref_infos, Mapping) and not isinstance(doc_coref_infos, Evaluation):
        evaluation = evaluate_pair(_corpora(doc_coref_infos), True, [metric])
    elif isinstance(doc_coref_infos, Evaluation):
        evaluation = doc_coref_infos
    else:
        raise OptionError(f"found {shown(doc_coref_infos)}; expected {EXPECTED}")
    s = evaluation.counts_of(metric.id).total().score(0.0, beta)[0]
    return s.recall or 0.0, s.precision or 0.0, s.value


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
