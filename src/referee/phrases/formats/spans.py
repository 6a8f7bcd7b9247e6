"""Lists of spans: JSON lines, one object a sentence, as named-entity taggers and annotation tools write them.

::

    {"tokens": ["Obama", "was", "born"], "spans": [{"label": "PER", "start": 0, "end": 1}]}
    {"tokens": ["Ann", "saw", "Rome"], "spans": [{"label": "LOC", "start": 2, "end": 3, "p": 0.7}, ["PER", 0, 1]]}

Offsets count words from 0 and are half-open. A span is an object, or a list of category, start, end, and perhaps probability.
If any span has a probability (`p`, `probability` or `score`), the file is one of candidates, those without it being certain,
and nothing is known of those not listed. Sentences may have an `id`, otherwise they are numbered from 1, and the number of
their words, `n`, instead of these.
"""

from __future__ import annotations

import json
from re import search
from typing import Any

from referee.files import output
from referee.formats.shared.json_values import shown
from referee.formats.shared.source import Fault, Source
from referee.phrases.candidates import Candidates, Chunks
from referee.phrases.formats.reading import Reading
from referee.phrases.formats.sentences import Collected, objects

PROBABILITIES = ("p", "probability", "score")
EXPECTED = '{"label": ..., "start": ..., "end": ...} or [category, start, end], perhaps with a probability'


def sniff(head: str) -> bool:
    """An object with `spans`."""
    return bool(search(r'^\s*\{.*"spans"\s*:', head.lstrip().partition("\n")[0]))


def read(source: Source, fault: Fault, reading: Reading) -> Chunks | Candidates:
    collected = Collected(source, fault)
    uncertain = False
    for line, value in objects(source, fault, '{"tokens": [...], "spans": [...]}'):
        if report := collected.sentence(line, value):
            spans = value.get("spans")
            if not isinstance(spans, list):
                report(f"found `spans` {shown(spans)}; expected a list of spans")
                continue
            rows = [_row(span) for span in spans]
            uncertain |= any(len(row) == 4 for row in rows)
            collected.candidates([[*row, 1.0] if len(row) == 3 else row for row in rows], report, spans, EXPECTED)
    return collected.build(None) if uncertain else collected.chunks()


def _row(span: Any) -> list[Any]:
    """Category, start, end, and the probability if there is one."""
    if isinstance(span, dict):
        return [span.get("label"), span.get("start"), span.get("end"), *[span[key] for key in PROBABILITIES if key in span][:1]]
    return span if isinstance(span, list) else [span]


def write(phrases: Chunks | Candidates, path: str) -> None:
    """Chunks, or candidates with their probabilities (but not their default, which this format cannot hold)."""
    spans: list[list[dict[str, Any]]] = [[] for _ in phrases.sentences.ids]
    columns = [c.tolist() for c in (phrases.sentence, phrases.category, phrases.start, phrases.end)]
    p = phrases.p.tolist() if isinstance(phrases, Candidates) else [None] * len(phrases)
    for s, x, i, j, probability in zip(*columns, p, strict=True):
        span = {"label": phrases.categories[x], "start": i, "end": j}
        spans[s].append(span if probability is None else {**span, "p": probability})
    s = phrases.sentences
    with output(path) as out:
        for number, name in enumerate(s.ids):
            text = {"n": int(s.length[number])} if s.words is None else {"tokens": list(s.words[number])}
            out.write(json.dumps({"id": name, **text, "spans": spans[number]}, ensure_ascii=False) + "\n")
