"""Scorers for spaCy: `referee.coref.v1` for coreference, `referee.spans.v1` for groups of labelled spans.

They are registered as `spacy_scorers`, so a config names them, as in ``scorer = {"@scorers": "referee.coref.v1"}``.

Notes
-----
The two may have different tokens: mentions and labelled spans are aligned by their characters. 0/0 is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from referee.formats import docbin
from referee.formats.shared.shapes import Foreign
from referee.phrases.annotation import Chunks, Sentences, aligned
from referee.phrases.one_best import MATCHES, match_chunks
from referee.training.scorer import Scorer

if TYPE_CHECKING:
    from referee.basics.libraries import SpacySpan

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
    """
    return partial(score_coref, span_cluster_prefix=span_cluster_prefix, metrics=metrics)


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
    annotated = [_AlignedExample(example) for example in examples if spans_key in example.reference.spans]
    lengths = Sentences.numbered([example.length for example in annotated])
    gold = _chunks(lengths, [map(e.in_key, e.example.reference.spans[spans_key]) for e in annotated])
    guesses = [(e, e.example.predicted.spans.get(spans_key, ())) for e in annotated]
    key, response = aligned(gold, _chunks(lengths, [map(e.in_response, guess) for e, guess in guesses]))
    whole = _chunks(lengths, [[e.in_response(span) for span in guess if e.of_tokens(span)] for e, guess in guesses])
    scores: dict[str, object] = {}
    for name, match in [*((f"_{match}".removesuffix("_exact"), match) for match in MATCHES), ("_spacy", "exact")]:
        prefix, found = f"spans_{spans_key}{name}", whole if name == "_spacy" else response
        scores |= _prf(prefix, key, found, match) if annotated else dict.fromkeys(_sides(prefix, 0, 0, 0))
    per_type = {
        label: _prf("", key.where(key.category == number), response.where(response.category == number))
        for number, label in enumerate(key.categories)
    }
    return {**scores, f"spans_{spans_key}_per_type": per_type if annotated else None}


class _AlignedExample:
    """An example whose spans are counted in characters without blanks, as spaCy compares texts; a token of blanks is one."""

    def __init__(self, example: Foreign) -> None:
        sizes, own_sizes = (
            [len("".join(token.text.lower().split())) for token in doc] for doc in (example.reference, example.predicted)
        )
        self.example = example
        self.starts = [0, *accumulate(max(size, 1) for size in sizes)]
        self.characters = [start + n for start, size in zip(self.starts, sizes, strict=False) for n in range(size)]
        self.own_starts = [0, *accumulate(own_sizes)]
        self.length = self.starts[-1] + len(own_sizes)

    def in_key(self, span: SpacySpan) -> _Labelled:
        """A span of the reference."""
        return self.starts[span.start], self.starts[span.end], span.label_

    def of_tokens(self, span: SpacySpan) -> list[SpacySpan]:
        """The same span in tokens of the reference, if it begins and ends with one."""
        found: list[Foreign] = self.example.get_aligned_spans_x2y([span], True)
        return found

    def in_response(self, span: SpacySpan) -> _Labelled:
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
