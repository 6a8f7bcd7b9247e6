"""Lists of spans: JSON lines, one object per sentence, as written by named-entity taggers and annotation tools.

::

    {"tokens": ["Obama", "was", "born"], "spans": [{"label": "PER", "start": 0, "end": 1}]}
    {"tokens": ["Ann", "saw", "Rome"], "spans": [{"label": "LOC", "start": 2, "end": 3, "p": 0.7}, ["PER", 0, 1]]}
    {"tokenized_text": ["Ann", "saw", "Rome"], "ner": [[0, 0, "PER"], [2, 2, "LOC"]]}

The last is what GLiNER is trained on, in a list as well: start, last word and category. Otherwise offsets count words from 0
and are half-open. A span is an object, or a list of category, start, end and, optionally, a probability. If any span has a
probability (`p`, `probability` or `score`), the file is one of candidates: spans without a probability are certain, and the
probability of unlisted candidates is unknown. A sentence may have an `id`; otherwise sentences are numbered from 1. It may have
the number of its words, `n`, instead of the words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from re import search

from referee.basics.files import output
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import first_keys, shown, values
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks, PhraseCandidates
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.json_sentences import JsonObject, SentenceCollector, fields_of_sides, objects

LABEL_KEYS = ("label", "type", "category")
PROBABILITY_KEYS = ("p", "probability", "score", "confidence")
EXPECTED = '{"label": ..., "start": ..., "end": ...} or [category, start, end], optionally with a probability'


def sniff(head: str) -> bool:
    """Whether the first line is an object with `spans`, or the first object is one of GLiNER."""
    return bool(search(r'^\s*\{.*"spans"\s*:', head.lstrip().partition("\n")[0])) or "tokenized_text" in first_keys(head)


def read(source: Source, options: PhraseOptions) -> Chunks | PhraseCandidates:
    """Read spans; candidates if any span has a probability, else chunks."""
    collector = SentenceCollector(source)
    has_probabilities = False
    unread: dict[str, None] = {}
    for line, value in _objects(source):
        refuse = collector.begin(line, value)
        spans = value.get("spans")
        unread |= dict.fromkeys(fields_of_sides(value))
        if not isinstance(spans, list):
            refuse(f"found `spans` {shown(spans)}; expected a list of spans")
        rows = [_row(span) for span in spans]
        has_probabilities |= any(len(row) == 4 for row in rows)
        rows = [[*row, 1.0] if len(row) == 3 else row for row in rows]
        collector.add_candidates(rows, refuse, written=spans, expected=EXPECTED)
    phrases = collector.candidates(None) if has_probabilities else collector.chunks()
    return replace(phrases, unread=tuple(unread))


def _objects(source: Source) -> Iterator[tuple[int | None, JsonObject]]:
    """The objects of a file, with their line numbers; those of GLiNER with the fields and the offsets of others."""
    if not source.head.lstrip().startswith(b"["):
        yield from ((line, _usual(value)) for line, value in objects(source, '{"tokens": [...], "spans": [...]}'))
        return
    for line, several in values(source, source.raise_error):
        for value in several:
            if not isinstance(value, dict):
                source.raise_error(line, f"found {shown(value)}; expected objects with `tokenized_text` and `ner`")
            yield line, _usual(value)


def _usual(value: JsonObject) -> JsonObject:
    """An object with `tokens` and `spans`, whose ends are half-open.

    >>> _usual({"tokenized_text": ["Ann", "saw"], "ner": [[0, 0, "PER"]]})["spans"]
    [['PER', 0, 1]]
    """
    spans = value.get("ner")
    if "tokenized_text" not in value or not isinstance(spans, list):
        return value
    ends = [
        [span[2], span[0], span[1] + 1] if isinstance(span, list) and len(span) == 3 and type(span[1]) is int else span
        for span in spans
    ]
    return {**value, "tokens": value["tokenized_text"], "spans": ends}


def _row(span: object) -> list[object]:
    """Category, start, end, and the probability if there is one."""
    if isinstance(span, dict):
        probabilities = [span[key] for key in PROBABILITY_KEYS if key in span]
        label = next((span[key] for key in LABEL_KEYS if key in span), None)
        return [label, span.get("start"), span.get("end"), *probabilities[:1]]
    return span if isinstance(span, list) else [span]


def write(phrases: Chunks | PhraseCandidates, path: str) -> None:
    """Write chunks, or candidates with their probabilities but without their default, which this format cannot hold."""
    spans: list[list[JsonObject]] = [[] for _ in phrases.sentences.ids]
    probabilities = phrases.probability.tolist() if isinstance(phrases, PhraseCandidates) else [None] * len(phrases)
    for (sentence, start, end, category), p in zip(phrases.columns.rows(), probabilities, strict=True):
        span: JsonObject = {"label": phrases.categories[category], "start": start, "end": end}
        spans[sentence].append(span if p is None else {**span, "p": p})
    sentences = phrases.sentences
    with output(path) as out:
        for number, name in enumerate(sentences.ids):
            words = sentences.words
            text = {"n": int(sentences.length[number])} if words is None else {"tokens": list(words[number])}
            out.write(json.dumps({"id": name, **text, "spans": spans[number]}, ensure_ascii=False) + "\n")


FORMAT = Format("spans", __doc__, (), sniff, read, write)
