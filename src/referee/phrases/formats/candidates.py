"""Candidates with probabilities: JSON lines, a header and then one object a sentence.

::

    {"format": "phrase-candidates", "version": 1, "categories": ["NP", "VP"], "default": {"type": "const", "p": 1e-7}}
    {"id": "a.txt:0", "n": 17, "c": [["NP", 0, 2, 0.98], ["VP", 2, 3, 0.75]]}

``categories``
    all of them, those without candidates too: with the sentences they make the universe
``default``
    the probability of candidates that are not listed: `{"type": "const", "p": 1e-7}`, or `{"type": "category_length", "p":
    {"NP": [0.01, 0.003]}, "beyond": 0.0}` for 1, 2, ... words. Without it they count as 0, a true one among them as impossible
``n``
    words in the sentence. Every sentence is there, even with an empty `c`
``c``
    category, start, end and probability: words from 0, half-open. None twice
``words``, ``tags``, ``uncovered``
    optional: the words and their tags, of all sentences or none; the places in `c` of candidates that are listed though no rule
    covers them

A key is the same with probabilities of 1 and the default 0. Offsets are half-open here; in seqeval and nervaluate ends are
inclusive.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from referee.files import output
from referee.formats.shared.json_values import shown
from referee.formats.shared.source import Fault, Source
from referee.phrases.candidates import Candidates, Chunks, Default
from referee.phrases.formats.reading import Reading
from referee.phrases.formats.sentences import Collected, objects

EXPECTED = '{"id": ..., "n": ..., "c": [[category, start, end, probability], ...]}'


def sniff(head: str) -> bool:
    """The header says it."""
    return head.lstrip().startswith("{") and '"phrase-candidates"' in head.lstrip().partition("\n")[0]


def read(source: Source, fault: Fault, reading: Reading) -> Candidates:
    lines = objects(source, fault, EXPECTED)
    number, header = next(lines, (1, {}))
    categories, default = header_of(header, number, fault)
    collected = Collected(source, fault, categories)
    uncovered: list[tuple[int, int, int, int]] = []
    for line, value in lines:
        if report := collected.sentence(line, value):
            rows = value.get("c")
            if not isinstance(rows, list):
                report(f"found `c` {shown(rows)}; expected a list of candidates")
                continue
            collected.candidates(rows, report)
            places = value.get("uncovered", [])
            if not isinstance(places, list):
                report(f"found `uncovered` {shown(places)}; expected a list of the places of candidates, from 0")
                continue
            for place in places:
                if type(place) is int and 0 <= place < len(rows):
                    name, start, end, _ = rows[place]
                    uncovered.append((len(collected.lengths) - 1, start, end, collected.number[name]))
                else:
                    report(f"found {shown(place)} in `uncovered`; expected the places of candidates, from 0")
    candidates = collected.build(default)
    if not uncovered:
        return candidates
    outside = set(uncovered)
    rows = zip(*(c.tolist() for c in (candidates.sentence, candidates.start, candidates.end, candidates.category)), strict=True)
    covered = [row not in outside for row in rows]
    columns = (candidates.sentence, candidates.start, candidates.end, candidates.category, candidates.p)
    return Candidates.build(candidates.sentences, candidates.categories, *columns, default, covered=covered, source=source.name)


def header_of(header: dict[str, Any], line: int | None, fault: Fault) -> tuple[list[str], Default | None]:
    """The categories and the default of a header."""
    if header.get("format") != "phrase-candidates" or header.get("version") != 1:
        fault(line, f'found {shown(header)}; expected a header with "format": "phrase-candidates" and "version": 1')
    names = header.get("categories")
    if not (isinstance(names, list) and all(type(name) is str for name in names) and len(set(names)) == len(names)):
        fault(line, f"found `categories` {shown(names)}; expected a list of names, each once")
        names = []
    default = header.get("default")
    if default is None:
        return names, None
    kind = default.get("type") if isinstance(default, dict) else None
    if kind == "const" and _is_probability(default.get("p")):
        return names, Default.constant(default["p"])
    if kind == "category_length" and _is_probability(default.get("beyond", 0.0)) and isinstance(default.get("p"), dict):
        lists, beyond = default["p"], default.get("beyond", 0.0)
        if set(lists) <= set(names) and all(isinstance(p, list) and all(map(_is_probability, p)) for p in lists.values()):
            table = np.full((len(names), max(map(len, lists.values()), default=0)), float(beyond))
            for name, p in lists.items():
                table[names.index(name), : len(p)] = p
            return names, Default.by_length(table, beyond)
    fault(
        line,
        f'found the default {shown(default)}; expected {{"type": "const", "p": ...}} or {{"type": "category_length", "p": '
        '{category: [...]}, "beyond": ...}, with probabilities from 0 to 1',
    )
    return names, None


def header_for(candidates: Candidates) -> dict[str, Any]:
    """The header that says of candidates what their rows do not."""
    header: dict[str, Any] = {"format": "phrase-candidates", "version": 1, "categories": list(candidates.categories)}
    default = candidates.default
    if default is not None and not default.table.shape[1]:
        header["default"] = {"type": "const", "p": default.beyond}
    elif default is not None:
        lists = dict(zip(candidates.categories, default.table.tolist(), strict=False))
        header["default"] = {"type": "category_length", "p": lists, "beyond": default.beyond}
    return header


def write(phrases: Chunks | Candidates, path: str) -> None:
    """Also of chunks, as candidates of probability 1."""
    candidates = phrases.candidates if isinstance(phrases, Chunks) else phrases
    s = candidates.sentences
    names = candidates.categories
    offsets = np.searchsorted(candidates.sentence, np.arange(len(s) + 1)).tolist()
    columns: list[Sequence[Any]] = [c.tolist() for c in (candidates.category, candidates.start, candidates.end, candidates.p)]
    with output(path) as out:
        out.write(json.dumps(header_for(candidates), ensure_ascii=False) + "\n")
        for number, (a, b) in enumerate(pairwise(offsets)):
            value: dict[str, Any] = {"id": s.ids[number], "n": int(s.length[number])}
            for key, lists in (("words", s.words), ("tags", s.tags)):
                if lists is not None:
                    value[key] = list(lists[number])
            value["c"] = [[names[x], i, j, p] for x, i, j, p in zip(*(column[a:b] for column in columns), strict=True)]
            if candidates.covered is not None and not candidates.covered[a:b].all():
                value["uncovered"] = np.flatnonzero(~candidates.covered[a:b]).tolist()
            out.write(json.dumps(value, ensure_ascii=False) + "\n")


def _is_probability(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1
