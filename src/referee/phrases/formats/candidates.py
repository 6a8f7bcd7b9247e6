"""Candidates with probabilities: JSON lines, a header and then one object per sentence.

::

    {"format": "phrase-candidates", "version": 1, "categories": ["NP", "VP"], "default": {"type": "const", "p": 1e-7}}
    {"id": "a.txt:0", "n": 17, "c": [["NP", 0, 2, 0.98], ["VP", 2, 3, 0.75]]}

``categories``
    all of them, also those without candidates: with the sentences they define the candidate space
``default``
    the probability of candidates that are not listed: `{"type": "const", "p": 1e-7}`, or `{"type": "category_length", "p":
    {"NP": [0.01, 0.003]}, "beyond": 0.0}` for 1, 2, ... words. Without it they have probability 0
``n``
    the number of words. Every sentence has an object, even with an empty `c`
``c``
    category, start, end and probability of each candidate: words from 0, half-open. No candidate is repeated
``words``, ``tags``, ``uncovered``
    optional: the words and their tags, of all sentences or none; the positions in `c` of candidates that no rule covers

A key has the same format, with probabilities of 1 and the default 0. Offsets are half-open here; ends are inclusive in seqeval
and nervaluate.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TypeGuard

import numpy as np

from referee.basics.exceptions import FormatError
from referee.basics.files import output
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import are_words, shown
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks, DefaultProbabilities, PhraseCandidates
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.json_sentences import JsonObject, SentenceCollector, objects

EXPECTED = '{"id": ..., "n": ..., "c": [[category, start, end, probability], ...]}'

EXPECTED_DEFAULT = (
    '{"type": "const", "p": ...} or {"type": "category_length", "p": {category: [...]}, "beyond": ...}, with probabilities '
    "from 0 to 1"
)


def sniff(head: str) -> bool:
    """Whether the header names the format."""
    return head.lstrip().startswith("{") and '"phrase-candidates"' in head.lstrip().partition("\n")[0]


def read(source: Source, options: PhraseOptions) -> PhraseCandidates:
    """Read candidates."""
    lines = objects(source, EXPECTED)
    number, header = next(lines, (1, {}))
    categories, default = parse_header(header, number, source)
    collector = SentenceCollector(source, categories)
    for line, value in lines:
        refuse = collector.begin(line, value)
        rows, uncovered = value.get("c"), value.get("uncovered", [])
        if not isinstance(rows, list):
            refuse(f"found `c` {shown(rows)}; expected a list of candidates")
        if not isinstance(uncovered, list):
            refuse(f"found `uncovered` {shown(uncovered)}; expected a list of positions in `c`, from 0")
        first = len(collector.rows)
        collector.add_candidates(rows, refuse)
        for position in uncovered:
            if type(position) is not int or not 0 <= position < len(rows):
                refuse(f"found {shown(position)} in `uncovered`; expected positions in `c`, from 0")
            collector.covered[first + position] = False
    return collector.candidates(default)


def parse_header(header: JsonObject, line: int | None, source: Source) -> tuple[list[str], DefaultProbabilities | None]:
    """The categories and the default of a header."""
    if header.get("format") != "phrase-candidates" or header.get("version") != 1:
        problem = f'found {shown(header)}; expected a header with "format": "phrase-candidates" and "version": 1'
        source.raise_error(line, problem)
    names = header.get("categories")
    if not are_words(names) or len(set(names)) < len(names):
        source.raise_error(line, f"found `categories` {shown(names)}; expected a list of names, each once")
    match header.get("default"):
        case None:
            return names, None
        case {"type": "const", "p": p} if _is_probability(p):
            return names, DefaultProbabilities.constant(p)
        case {"type": "category_length", "p": dict(rows), **others} if (
            _is_probability(beyond := others.get("beyond", 0.0))
            and set(rows) <= set(names)
            and all(isinstance(row, list) and all(map(_is_probability, row)) for row in rows.values())
        ):
            table = np.full((len(names), max(map(len, rows.values()), default=0)), float(beyond))
            for name, row in rows.items():
                table[names.index(name), : len(row)] = row
            return names, DefaultProbabilities.by_length(table, beyond)
    raise FormatError(source.name, line, f"found the default {shown(header['default'])}; expected {EXPECTED_DEFAULT}")


def make_header(candidates: PhraseCandidates) -> JsonObject:
    """The header: categories and default."""
    header: JsonObject = {"format": "phrase-candidates", "version": 1, "categories": list(candidates.categories)}
    default = candidates.default
    if default is not None and default.is_constant:
        header["default"] = {"type": "const", "p": default.beyond}
    elif default is not None:
        lists = dict(zip(candidates.categories, default.table.tolist(), strict=False))
        header["default"] = {"type": "category_length", "p": lists, "beyond": default.beyond}
    return header


def write(phrases: Chunks | PhraseCandidates, path: str) -> None:
    """Write candidates; chunks as candidates of probability 1."""
    candidates = PhraseCandidates.from_chunks(phrases) if isinstance(phrases, Chunks) else phrases
    sentences = candidates.sentences
    offsets = np.searchsorted(candidates.sentence, np.arange(len(sentences) + 1)).tolist()
    rows = [
        [candidates.categories[category], start, end, p]
        for (_, start, end, category), p in zip(candidates.columns.rows(), candidates.probability.tolist(), strict=True)
    ]
    with output(path) as out:
        out.write(json.dumps(make_header(candidates), ensure_ascii=False) + "\n")
        for number, (first, after) in enumerate(pairwise(offsets)):
            value: JsonObject = {"id": sentences.ids[number], "n": int(sentences.length[number])}
            for key, texts in (("words", sentences.words), ("tags", sentences.tags)):
                if texts is not None:
                    value[key] = list(texts[number])
            value["c"] = rows[first:after]
            if candidates.covered is not None and not candidates.covered[first:after].all():
                value["uncovered"] = np.flatnonzero(~candidates.covered[first:after]).tolist()
            out.write(json.dumps(value, ensure_ascii=False) + "\n")


def _is_probability(value: object) -> TypeGuard[float]:
    return type(value) in (int, float) and 0 <= value <= 1  # type: ignore[operator]


FORMAT = Format("candidates", __doc__, (), sniff, read, write, endings=(".jsonl",))
