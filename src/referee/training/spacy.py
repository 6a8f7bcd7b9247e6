"""Scorers for spaCy: `referee.coref.v1` for coreference, `referee.spans.v1` for groups of labelled spans.

They are registered as `spacy_scorers`, so a config names them, as in ``scorer = {"@scorers": "referee.coref.v1"}``.

Notes
-----
The two may have different tokens: mentions are aligned by their characters, and labelled spans as spaCy aligns them. 0/0 is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeAlias

from referee.formats import docbin
from referee.formats.shared.untyped import Untyped
from referee.phrases.annotation import Chunks, Sentences, aligned
from referee.phrases.one_best import MATCHES, match_chunks
from referee.training.scorer import Scorer

Sides: TypeAlias = "dict[str, float | None]"
"""Scores under the keys p, r and f, with a prefix or without."""


def make_coref_scorer(span_cluster_prefix: str = docbin.PREFIX, metrics: Sequence[str] = ("conll",)) -> Callable[..., Sides]:
    """Make the scorer of coreference in span groups, ``doc.spans["coref_clusters_1"]`` and so on.

    Parameters
    ----------
    span_cluster_prefix : str
        The names of the span groups, without the underscore and the number at the end.
    metrics : sequence of str
        Metrics beside LEA.

    Returns
    -------
    callable
        From examples to ``coref_p``, ``coref_r`` and ``coref_f``, which are LEA, as in spacy-experimental; and ``coref_muc_p``,
        ``coref_muc_r``, ``coref_muc_f`` for another metric, ``coref_conll_f`` for one of one number.
    """
    return partial(score_coref, span_cluster_prefix=span_cluster_prefix, metrics=metrics)


def score_coref(examples: Iterable[Untyped], *, span_cluster_prefix: str, metrics: Sequence[str], **config: object) -> Sides:
    """Score the coreference of examples; `config` is that of the component, which spaCy passes."""
    pairs = [(example.reference, example.predicted) for example in examples]
    key, response = (
        docbin.corpus((pair[side] for pair in pairs), prefix=span_cluster_prefix, source=source, strict=False)
        for side, source in enumerate(("reference", "predicted"))
    )
    scores: Sides = {}
    for name, s in Scorer(["lea", *metrics], tokens="align", zero_division=0.0).add(key, response).items():
        prefix = "coref" if name == "lea" else f"coref_{name}"
        scores |= {f"{prefix}_f": s.value} if s.recall is None else _sides(prefix, s.precision, s.recall, s.value)
    return scores


def make_spans_scorer(spans_key: str = "sc") -> Callable[..., dict[str, object]]:
    """Make the scorer of labelled spans, ``doc.spans[spans_key]``.

    Returns
    -------
    callable
        From examples to ``spans_sc_p``, ``spans_sc_r``, ``spans_sc_f`` and ``spans_sc_per_type``, as spaCy's own scorer; and
        ``spans_sc_span_f``, ``spans_sc_category_f``, ``spans_sc_partial_f`` with their p and r, where only the span or only the
        label must be the same, or neither: see `referee.phrases.one_best`. None if no reference has such spans.
    """
    return partial(score_spans, spans_key=spans_key)


def score_spans(examples: Iterable[Untyped], *, spans_key: str, **config: object) -> dict[str, object]:
    """Score the labelled spans of examples whose reference has any; `config` is that of the component, which spaCy passes."""
    annotated = [example for example in examples if spans_key in example.reference.spans]
    spans = [(e.reference.spans[spans_key], e.predicted.spans.get(spans_key, ())) for e in annotated]
    lengths = Sentences.numbered([len(example.reference) for example in annotated])
    key, response = aligned(
        _chunks(lengths, [gold for gold, _ in spans]),
        _chunks(lengths, [e.get_aligned_spans_x2y(guess, True) for e, (_, guess) in zip(annotated, spans, strict=True)]),
    )
    scores: dict[str, object] = {}
    for match in MATCHES:
        name = f"spans_{spans_key}" if match == "exact" else f"spans_{spans_key}_{match}"
        scores |= _prf(name, key, response, match) if annotated else dict.fromkeys(_sides(name, 0, 0, 0))
    per_type = {
        label: _prf("", key.where(key.category == number), response.where(response.category == number))
        for number, label in enumerate(key.categories)
    }
    return {**scores, f"spans_{spans_key}_per_type": per_type if annotated else None}


def _chunks(sentences: Sentences, groups: Sequence[Iterable[Untyped]]) -> Chunks:
    """The spans of each document, each once."""
    spans = [(n, *span) for n, group in enumerate(groups) for span in {(s.start, s.end, s.label_) for s in group}]
    labels = sorted({label for *_, label in spans})
    sentence, start, end, category = zip(*spans, strict=True) if spans else ((), (), (), ())
    return Chunks.build(
        sentences, labels, sentence=sentence, start=start, end=end, category=[labels.index(label) for label in category]
    )


def _prf(prefix: str, key: Chunks, response: Chunks, match: str = "exact") -> Sides:
    counts = match_chunks(key, response, match)
    precision, recall, f1 = (
        0.0 if side != side else side  # noqa: PLR0124  # nan, 0/0
        for side in (counts.precision, counts.recall, counts.f1)
    )
    return _sides(prefix, precision, recall, f1)


def _sides(prefix: str, precision: float | None, recall: float | None, f1: float) -> Sides:
    return {f"{prefix}_{side}".strip("_"): value for side, value in zip("prf", (precision, recall, f1), strict=True)}
