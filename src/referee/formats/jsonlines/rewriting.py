"""Jsonlines written again with other clusters: of each document, only the clusters that change, and the list of their types.

Spans that stay are as they are written, also those of word pieces; new ones are in their place if the others are in order.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from referee.basics.exceptions import FormatError
from referee.formats.jsonlines.reading import ClusterEnds, pieces_in, words_in
from referee.formats.shared.changes import Changes
from referee.formats.shared.documents import distinct, names_in_folder
from referee.formats.shared.json_edits import Stretch, elements, members, objects, relisted, replaced
from referee.formats.shared.json_values import name_of
from referee.formats.shared.source import Source

MARK = re.compile(r"\[(CLS|SEP)\]|</?s>")
"""Pieces that are no part of a word."""


def rewrite(source: Source, changes: Changes, ends: str = "") -> str:
    """The text of a file with other clusters; those that do not change, and all else, stay as they are written."""
    how, text = ClusterEnds(source.role, ends), source.raw().decode()
    edits = (_edits(how, changes, number, text, stretch) for number, stretch in enumerate(objects(text)))
    return replaced(text, chain.from_iterable(edits))


def named(source: Source, stem: str) -> str:
    """A file as a part of another one: a line for each document, which is called like the file if it has no name."""
    text = source.raw().decode()
    documents = [(text[start:end], json.loads(text[start:end])) for start, end in objects(text)]
    olds = [name_of(document) for _, document in documents]
    names = names_in_folder(stem, [name or f"#{n}" for n, name in enumerate(olds, start=1)])
    lines = []
    for (whole, document), old, name in zip(documents, olds, names, strict=True):
        line = json.dumps(document, ensure_ascii=False) if "\n" in whole else whole
        lines.append(line if old else f'{line[:-1]}, "doc_key": {json.dumps(name, ensure_ascii=False)}}}')
    return "\n".join(lines)


def _edits(how: ClusterEnds, changes: Changes, number: int, text: str, stretch: Stretch) -> Iterator[tuple[Stretch, str]]:
    """What changes in a document."""
    document, places = json.loads(text[slice(*stretch)]), members(text, stretch[0])
    key = how.clusterings.key_of(document, print) or "clusters"
    clusters, is_named = document[key], key == "characters"
    tokens = words_in(document, print)[0]
    spans = _ClusterSpans(pieces_in(document, tokens, print), tokens, how.inclusive(document, key))
    before, after = changes.before, changes.after
    entities_before, entities_after = (corpus.entities_in(number, number + 1) for corpus in (before, after))
    number_of = {before.entity_ids[e]: e for e in range(entities_before.start, entities_before.stop)}
    labels = distinct(str(c.get("name", "")) for c in clusters) if is_named else list(map(str, range(len(clusters))))
    written: list[tuple[str, str]] = []  # each cluster and its type
    types = document.get("entity_types") or [""] * len(clusters)
    for label, cluster, (start, end), entity_type in zip(labels, clusters, elements(text, places[key][0]), types, strict=True):
        old = cluster["cluster"] if is_named else cluster
        entity = changes.new_entity.get(number_of.get(label, -1))
        if old and entity is None:
            continue
        new = old if entity is None else spans.of_entity(changes, entity, old)
        whole = text[start:end]
        inner = members(whole, 0)["cluster"] if is_named else (0, len(whole))
        cluster_text = whole if new == old else replaced(whole, [(inner, json.dumps(new))])
        written.append((cluster_text, entity_type if entity is None else changes.type_of(entity)))
    for entity in range(entities_after.start, entities_after.stop):
        if changes.entity[entity] < 0:
            new = spans.of_entity(changes, entity, [])
            value = {"name": after.entity_ids[entity], "cluster": new} if is_named else new
            written.append((json.dumps(value, ensure_ascii=False), changes.type_of(entity)))
    texts = [cluster_text for cluster_text, _ in written]
    if texts != [text[slice(*place)] for place in elements(text, places[key][0])]:
        yield places[key], relisted(text, places[key], texts)
    if document.get("entity_types") is not None and [entity_type for _, entity_type in written] != types:
        values = [json.dumps(entity_type, ensure_ascii=False) for _, entity_type in written]
        yield places["entity_types"], relisted(text, places["entity_types"], values)


class _ClusterSpans(NamedTuple):
    """How a document writes spans: the words of its pieces, the pieces, and whether ends are inclusive."""

    pieces: list[int] | None
    tokens: list[str] | None
    inclusive: bool

    def words(self, span: Sequence[int]) -> tuple[int, int]:
        """The words of a span, half-open."""
        start, end = span[0], span[1] + self.inclusive
        return (self.pieces[start], self.pieces[end - 1] + 1) if self.pieces else (start, end)

    def of_entity(self, changes: Changes, entity: int, old: Sequence[list[int]]) -> list[list[int]]:
        """The spans of an entity that had some: those that stay are as they were, and where they were."""
        there = defaultdict(list)
        for n, span in enumerate(old):
            there[self.words(span)].append(n)
        kept, new = [], []
        for m in changes.after.mentions_of(entity):
            words = int(changes.after.start[m]), int(changes.after.end[m])
            if changes.stays(m) and there[words]:
                kept.append(there[words].pop(0))
            elif span := self.span(*words):
                new.append(span)
            else:
                problem = f"the mention {words[0]}-{words[1]} has no word pieces in the file"
                raise FormatError(changes.after.source, None, f"{problem}; expected words that have some")
        spans = [*(old[n] for n in sorted(kept)), *new]
        return sorted(spans) if new and list(old) == sorted(old) else spans

    def span(self, start: int, end: int) -> list[int]:
        """How words are written; empty if some have no pieces."""
        if self.pieces is not None:
            marks = {n for n, token in enumerate(self.tokens or ()) if MARK.fullmatch(token)}
            pieces = [n for n, word in enumerate(self.pieces) if start <= word < end and n not in marks]
            if {start, end - 1} - {self.pieces[n] for n in pieces}:
                return []
            start, end = pieces[0], pieces[-1] + 1
        return [start, end - self.inclusive]
