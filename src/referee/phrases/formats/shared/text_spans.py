"""Spans of characters as programs and tools write them: `text_item`, `TextItem`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from referee.formats.shared.json_values import shown

STARTS = ("start", "start_offset", "start_pos", "start_char")
ENDS = ("end", "end_offset", "end_pos", "end_char")
LABELS = ("entity_group", "entity", "label", "type", "value")
PROBABILITIES = ("score", "confidence", "probability", "p")
LISTS = ("ents", "spans", "entities", "label", "labels", "predictions")
"""Where an object with a text has its spans."""

PIECES = re.compile(r"^##|[\s▁Ġ]+|\[UNK\]")
"""What tokenizers add to the text of a span."""

PREFIXED = re.compile(r"([BIESLU])-(.+)", re.DOTALL)


class TextSpanError(ValueError):
    """Something else stands where a span is expected."""


class TextSpan(NamedTuple):
    """A span of characters; `piece` is its number among the pieces of words, None if it is a phrase."""

    start: int
    end: int
    label: str
    probability: float | None
    text: str | None
    piece: int | None


class TextItem(NamedTuple):
    """The spans of one text; it, and the words in it (start and end), are None where only the spans are given."""

    text: str | None
    words: Sequence[tuple[int, int]] | None
    spans: Sequence[TextSpan]


def is_span(value: object) -> TypeGuard[Mapping[str, object]]:
    """Whether it is an object with a start and an end."""
    return isinstance(value, Mapping) and any(key in value for key in STARTS) and any(key in value for key in ENDS)


def have_offsets(value: object) -> bool:
    """Whether these are spans of characters that say their text, lists of them for several texts, or Doc objects of spaCy."""
    if isinstance(value, list | tuple):
        members = [each for each in value if not (isinstance(each, list | tuple) and not each)]
        return bool(members) and all(_says_its_text(each) or have_offsets(each) for each in members)
    return hasattr(value, "ents") and hasattr(value, "text")


def _says_its_text(value: object) -> bool:
    return is_span(value) and not {"word", "text"}.isdisjoint(value)


def text_items(value: object) -> Iterator[TextItem]:
    """The texts of a value: one text, the spans of one, or a list of these.

    Raises
    ------
    TextSpanError
        If it is neither.
    """
    if isinstance(value, Sequence) and not isinstance(value, str):
        if all(map(is_span, value)):
            yield TextItem(None, None, _joined([_span(each) for each in value]))
        elif len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], Mapping):
            yield _with_text({"text": value[0], **value[1]})
        else:
            for each in value:
                yield from text_items(each)
    elif isinstance(value, Mapping) and isinstance(value.get("text"), str) and not is_span(value):
        yield _with_text(value)
    elif hasattr(value, "ents") and hasattr(value, "text"):
        yield _of_doc(value)
    else:
        raise TextSpanError(
            f"found {shown(value)}; expected a text with its spans, or a list of spans with start, end and label"
        )


def _of_doc(doc: Any) -> TextItem:  # noqa: ANN401
    """The entities of a Doc of spaCy."""
    spans = [TextSpan(e.start_char, e.end_char, e.label_, None, None, None) for e in doc.ents]
    words = [(token.idx, token.idx + len(token)) for token in doc if not token.is_space]
    return TextItem(doc.text, words, spans)


def list_of(value: object) -> str:
    """The key of an object under which its spans are; empty if there is none."""
    return next((key for key in LISTS if isinstance(value, Mapping) and isinstance(value.get(key), list)), "")


def _with_text(value: Mapping[str, object]) -> TextItem:
    rows: Any = value.get(list_of(value))
    if rows is None:
        raise TextSpanError(f"found a text with {shown(sorted(value))}; expected its spans in one of {', '.join(LISTS)}")
    tokens = value.get("tokens")
    words = None
    if isinstance(tokens, list) and tokens and all(map(is_span, tokens)):
        words = [_bounds(token) for token in tokens]
    return TextItem(str(value["text"]), words, _joined([_span(row) for row in rows]))


def _span(row: object) -> TextSpan:
    if isinstance(row, list | tuple) and len(row) == 3:
        row = dict(zip(("start", "end", "label"), row, strict=True))
    if not is_span(row):
        raise TextSpanError(f"found the span {shown(row)}; expected start, end and label")
    start, end = _bounds(row)
    labels = row.get("labels")
    best: Mapping[str, Any] = {}
    if isinstance(labels, list) and labels and all(isinstance(label, Mapping) for label in labels):  # Flair
        best = max(labels, key=lambda label: float(label.get("confidence", 0)))
    merged = {**row, **best}
    label: Any = next((merged[key] for key in LABELS if isinstance(merged.get(key), str)), None)
    if label is None:
        raise TextSpanError(f"found the span {shown(row)}; expected a label")
    p: Any = next((merged[key] for key in PROBABILITIES if merged.get(key) is not None), None)
    if p is not None and not (isinstance(p, int | float | np.floating) and 0 <= p <= 1):
        raise TextSpanError(f"found the span {shown(row)}; expected a score from 0 to 1")
    text: Any = next((row[key] for key in ("word", "text") if isinstance(row.get(key), str)), None)
    index = row.get("index") if "entity" in row else None
    piece = index if type(index) is int else None
    return TextSpan(start, end, label, p if p is None else float(p), text, piece)


def _bounds(row: Mapping[str, object]) -> tuple[int, int]:
    start, end = (next(row[key] for key in keys if key in row) for keys in (STARTS, ENDS))
    if not (type(start) is type(end) is int and 0 <= start < end):
        raise TextSpanError(f"found the span {shown(row)}; expected 0 <= start < end, counted in characters")
    return start, end


def _joined(spans: Sequence[TextSpan]) -> Sequence[TextSpan]:
    """The spans; where they are pieces of words with tags, as transformers gives without aggregation, those of phrases.

    As with ``aggregation_strategy="simple"``: a phrase ends where the label changes, a word is skipped, or the tag is B. Its
    probability is the mean of its pieces.
    """
    if not spans or any(span.piece is None for span in spans):
        return spans
    groups: list[list[TextSpan]] = []
    labels: list[str] = []
    for span in spans:
        prefix, label = matched.groups() if (matched := PREFIXED.fullmatch(span.label)) else ("I", span.label)
        follows = bool(groups) and labels[-1] == label and (groups[-1][-1].piece or 0) + 1 == span.piece
        if follows and prefix not in ("B", "S", "U"):
            groups[-1].append(span)
        else:
            groups.append([span])
            labels.append(label)
    return [_phrase(group, label) for group, label in zip(groups, labels, strict=True)]


def _phrase(group: Sequence[TextSpan], label: str) -> TextSpan:
    p = [span.probability for span in group if span.probability is not None]
    return TextSpan(group[0].start, group[-1].end, label, sum(p) / len(p) if p else None, None, None)


def has_its_text(span: TextSpan, text: str) -> bool:
    """Whether the text of a span is what it says, whatever a tokenizer did to blanks, case and accents."""
    if span.text is None or "[UNK]" in span.text:
        return True
    ours, theirs = (_bare(piece) for piece in (text[span.start : span.end], span.text))
    return ours == theirs


def _bare(text: str) -> str:
    plain = unicodedata.normalize("NFKD", PIECES.sub("", text).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))
