"""Scorers for spaCy: `referee.coref.v1` for coreference, `referee.spans.v1` for labelled spans, `referee.ents.v1` for entities.

They are registered as `spacy_scorers`, so a config names them, as in ``scorer = {"@scorers": "referee.coref.v1"}``.
`score_docs` scores the entities of lists of documents.

Notes
-----
The two may have different tokens: mentions and labelled spans are aligned by their characters. 0/0 is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import TypeAlias

from referee.basics.exceptions import MismatchError, OptionError
from referee.basics.extras import spacy_scorer, spacy_tokens, spacy_training
from referee.formats import docbin
from referee.formats.shared.shapes import Foreign, shown
from referee.metrics.registry import metrics_named
from referee.phrases.annotation import Chunks, Sentences, aligned
from referee.phrases.one_best import MATCHES, match_chunks
from referee.training.scorer import Scorer

Sides: TypeAlias = "dict[str, float | None]"
"""Scores under the keys p, r and f, with a prefix or without."""

_Labelled: TypeAlias = "tuple[int, int, str]"
"""Start, end and label of a span."""


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

    Raises
    ------
    UnknownNameError
        If a metric is not known.
    """
    named = list(metrics_named(metrics))
    return partial(score_coref, span_cluster_prefix=span_cluster_prefix, metrics=named)


def score_coref(examples: Iterable[Foreign], *, span_cluster_prefix: str, metrics: Sequence[str], **config: object) -> Sides:
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
        From examples to ``spans_sc_p``, ``spans_sc_r``, ``spans_sc_f`` and ``spans_sc_per_type``; and ``spans_sc_span_f``,
        ``spans_sc_category_f``, ``spans_sc_partial_f`` with their p and r, where only the span or only the label must be the
        same, or neither: see `referee.phrases.one_best`. None if no reference has such spans.

    Notes
    -----
    A predicted span that begins or ends within a token of the reference is wrong. spaCy's own scorer leaves it out, so its
    precision is higher where there are such spans: ``spans_sc_spacy_p``, ``spans_sc_spacy_r`` and ``spans_sc_spacy_f``.
    """
    return partial(score_spans, spans_key=spans_key)


def score_spans(examples: Iterable[Foreign], *, spans_key: str, **config: object) -> dict[str, object]:
    """Score the labelled spans of examples whose reference has any; `config` is that of the component, which spaCy passes."""
    annotated = [
        _AlignedExample(example, example.reference.spans[spans_key], example.predicted.spans.get(spans_key, ()))
        for example in examples
        if spans_key in example.reference.spans
    ]
    prefix = f"spans_{spans_key}"
    scores = _scored(prefix, annotated)
    sentences = Sentences.numbered([e.length for e in annotated])
    key = _chunks(sentences, [map(e.in_key, e.key) for e in annotated])
    whole = _chunks(sentences, [[e.in_response(span) for span in e.response if e.of_tokens(span)] for e in annotated])
    of_spacy = _prf(f"{prefix}_spacy", *aligned(key, whole))
    return scores | (of_spacy if annotated else dict.fromkeys(of_spacy))


def make_ents_scorer() -> Callable[..., dict[str, object]]:
    """Make the scorer of entities, ``doc.ents``.

    Returns
    -------
    callable
        From examples to ``ents_p``, ``ents_r``, ``ents_f`` and ``ents_per_type``; and ``ents_span_f``, ``ents_category_f`` and
        ``ents_partial_f`` with their p and r, as `make_spans_scorer`. None if no reference has entities.

    Notes
    -----
    A predicted entity that begins or ends within a token of the reference is wrong. spaCy's own scorer widens it to whole
    tokens, and leaves out what has no token there: ``ents_spacy_p``, ``ents_spacy_r`` and ``ents_spacy_f``. As there,
    predictions over tokens without annotation are left out, and so are documents without any.
    """
    return score_ents


def score_ents(examples: Iterable[Foreign], **config: object) -> dict[str, object]:
    """Score the entities of examples whose reference has annotation; `config` is that of the component, which spaCy passes."""
    pairs = list(examples)
    annotated = [
        _AlignedExample(example, example.reference.ents, [ent for ent in example.predicted.ents if _is_annotated(example, ent)])
        for example in pairs
        if example.reference.has_annotation("ENT_IOB")
    ]
    theirs = spacy_scorer.get_ner_prf(pairs)
    return _scored("ents", annotated) | {f"ents_spacy_{side}": theirs[f"ents_{side}"] for side in "prf"}


def score_docs(references: Iterable[Foreign], predicted: Iterable[Foreign]) -> dict[str, object]:
    """Score the entities of documents, ``doc.ents``, without a pipeline.

    Parameters
    ----------
    references, predicted : list of Doc, or Doc
        As many on both sides, with the same texts; tokens may differ.

    Returns
    -------
    dict
        As from the scorer that `make_ents_scorer` makes.

    Raises
    ------
    MismatchError
        If the documents differ in number or text.
    OptionError
        If a value is no Doc.
    """
    sides = _docs(references), _docs(predicted)
    if len(sides[0]) != len(sides[1]):
        raise MismatchError(f"found {len(sides[1])} predicted documents; expected {len(sides[0])}, as of the reference")
    for number, (key, response) in enumerate(zip(*sides, strict=True)):
        texts = ["".join(side.text.lower().split()) for side in (key, response)]
        if texts[0] != texts[1]:
            raise MismatchError(
                f"document {number}: found {shown(response.text)}; expected {shown(key.text)}, as in the reference"
            )
    return score_ents([spacy_training.Example(response, key) for key, response in zip(*sides, strict=True)])


def _docs(values: Iterable[Foreign]) -> list[Foreign]:
    """Documents, of which there may be one alone."""
    docs = [values] if isinstance(values, spacy_tokens.Doc) else list(values)
    if wrong := [doc for doc in docs if not isinstance(doc, spacy_tokens.Doc)]:
        raise OptionError(f"found {shown(wrong[0])}; expected a Doc, or a list of them")
    return docs


def _is_annotated(example: Foreign, span: spacy_tokens.Span) -> bool:
    """Whether the reference says of all tokens of a predicted span whether they are in an entity."""
    tokens = example.alignment.x2y[span.start : span.end]
    return all(token.ent_iob for token in example.reference[tokens[0] : tokens[-1] + 1]) if len(tokens) else True


def _scored(prefix: str, annotated: Sequence[_AlignedExample]) -> dict[str, object]:
    """The scores of spans in each way of matching, and by category; None without examples."""
    sentences = Sentences.numbered([e.length for e in annotated])
    key, response = aligned(
        _chunks(sentences, [map(e.in_key, e.key) for e in annotated]),
        _chunks(sentences, [map(e.in_response, e.response) for e in annotated]),
    )
    scores: dict[str, object] = {}
    for match in MATCHES:
        name = f"{prefix}_{match}".removesuffix("_exact")
        scores |= _prf(name, key, response, match) if annotated else dict.fromkeys(_sides(name, 0, 0, 0))
    per_type = {
        label: _prf("", key.where(key.category == number), response.where(response.category == number))
        for number, label in enumerate(key.categories)
    }
    return {**scores, f"{prefix}_per_type": per_type if annotated else None}


class _AlignedExample:
    """An example whose spans are counted in characters without blanks, as spaCy compares texts; a token of blanks is one."""

    def __init__(self, example: Foreign, key: Iterable[spacy_tokens.Span], response: Iterable[spacy_tokens.Span]) -> None:
        sizes, own_sizes = (
            [len("".join(token.text.lower().split())) for token in doc] for doc in (example.reference, example.predicted)
        )
        self.example = example
        self.key, self.response = list(key), list(response)
        self.starts = [0, *accumulate(max(size, 1) for size in sizes)]
        self.characters = [start + n for start, size in zip(self.starts, sizes, strict=False) for n in range(size)]
        self.own_starts = [0, *accumulate(own_sizes)]
        self.length = self.starts[-1] + len(own_sizes)

    def in_key(self, span: spacy_tokens.Span) -> _Labelled:
        """A span of the reference."""
        return self.starts[span.start], self.starts[span.end], span.label_

    def of_tokens(self, span: spacy_tokens.Span) -> list[spacy_tokens.Span]:
        """The same span in tokens of the reference, if it begins and ends with one."""
        spans: list[Foreign] = self.example.get_aligned_spans_x2y([span], True)
        return spans

    def in_response(self, span: spacy_tokens.Span) -> _Labelled:
        """A predicted span; one of blanks that the reference does not have stands behind all others."""
        for same in self.of_tokens(span):
            return self.in_key(same)
        start, end = self.own_starts[span.start], self.own_starts[span.end]
        if start == end:
            return self.starts[-1] + span.start, self.starts[-1] + span.end, span.label_
        return self.characters[start], self.characters[end - 1] + 1, span.label_


def _chunks(sentences: Sentences, groups: Sequence[Iterable[_Labelled]]) -> Chunks:
    """The spans of each document, each once."""
    spans = [(n, *span) for n, group in enumerate(groups) for span in set(group)]
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
