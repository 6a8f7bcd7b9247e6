"""Entities as plain JSON: lists of mentions, without text.

::

    {"type": "clusters", "clusters": {"0": ["0.0-0", "0.1-1"]}}
    {"type": "graph", "mentions": ["a", "b", "c"], "links": [["a", "b"]]}
    [["a", "b"], ["c"]]
    {"0": [[0, 2], [4, 5]]}
    {"documents": {"name": any of the above, ...}}

A mention is a name (a string or a number, taken as a string) or a span `[start, end]` of HALF-OPEN token offsets, as
everywhere in Referee: `[4, 5]` is one token. One file has names or spans, never both. Of a graph, the entities are the
connected components: a mention without a link is an entity of its own, and the links are kept as listed. `clusters` may be
an object, whose keys become the entities' labels, or a list.

References
----------
Scorch (Grobol) for `clusters` and `graph`, resolvers' Python
output for the bare list; `documents` is ours, for there is no common form for many documents.

Notes
-----
Where programs disagree:

* scorch keeps one document a file and pairs files by name; we write `documents` unless it is a single document without a name.
* Spans in Python output are as often inclusive. Those of one token are told by their equal ends, which we refuse; `jsonlines`
  is the format with inclusive ends.
* `{mention: entity}` is not guessed: it looks like `{entity: mention}`. Rows with item and entity say it clearly.
* An object of lists of strings is taken for the strings of a text (`quotes`), if no format is named.

Words, types and listed links are not written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, TextIO, TypeAlias

from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.documents import LONGEST, add_linked, is_unnamed, labelled
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import parse, shown
from referee.formats.shared.source import OnError, Source

EXPECTED = (
    '{"type": "clusters", "clusters": ...}, {"type": "graph", "mentions": ..., "links": ...}, a list of lists of mentions, '
    'an object of these, or all of this by name in {"documents": {...}}'
)
LISTS = re.compile(r"\s*\[\s*(?:\]\s*$|(?=\[\s*(?:[\"\d\[\]{-]|null\b|$)))")
"""How a list of lists begins; `[[Paris|the city]]` of a wiki is none."""
OBJECT = re.compile(r'\s*\{\s*("|\}\s*$|$)')
KEYS = {"type", "clusters", "mentions", "links"}
EXPECTED_MENTION = "a name or a span [start, end] with 0 <= start < end"

Mention: TypeAlias = str | tuple[int, int]


def sniff(head: str) -> bool:
    """A list of lists of one kind, or an object that is one of those above; or JSON with an error, which may be any."""
    if (start := LISTS.match(head)) is not None:
        try:
            first, _ = json.JSONDecoder().raw_decode(head, start.end())
        except (ValueError, RecursionError):
            return True
        return len(set(map(type, first))) < 2
    if not OBJECT.match(head):
        return False
    try:
        value, _ = json.JSONDecoder().raw_decode(head.lstrip())
    except (ValueError, RecursionError):
        return True
    of_clusters = "clusters" in value and value.keys() <= KEYS
    documents = isinstance(value.get("documents"), dict) and len(value) == 1
    plain = all(isinstance(label, str | int) for label in value.values())  # which the reader refuses, and says why
    return of_clusters or documents or plain or "links" in value or all(map(_is_cluster, value.values()))


def _is_cluster(value: object) -> bool:
    return isinstance(value, list) and not any(_expected(mention) == EXPECTED_MENTION for mention in value)


def read(source: Source, on_error: OnError) -> Corpus:
    """Read entities as JSON."""
    builder = CorpusBuilder(source.name)
    text = source.text(on_error)
    value = parse(text, on_error) if text.strip() else {"documents": {}}
    documents = value["documents"] if isinstance(value, dict) and "documents" in value else {"": value}
    if not isinstance(documents, dict):
        on_error(None, f"`documents` is {shown(documents)}; expected an object with the documents' names as keys")
    elif value is not None:
        reader = _ClusterReader(builder, on_error)
        for name, content in documents.items():
            builder.document(name)
            reader.document(name, content)
    return builder.corpus()


def write(corpus: Corpus, out: TextIO) -> None:
    """Write one JSON object: the clusters of the document, or those of each document by its name."""
    start, end = corpus.start.tolist(), corpus.end.tolist()

    def mention(number: int) -> str | list[int]:
        return [start[number], end[number]] if corpus.items is None else corpus.items[number]

    documents = {}
    for name, clusters in labelled(corpus):
        documents[name] = {"type": "clusters", "clusters": {label: list(map(mention, c)) for label, c in clusters.items()}}
    value = documents["#1"] if is_unnamed(corpus) else {"documents": documents}
    out.write(json.dumps(value, ensure_ascii=False) + "\n")


class _ClusterReader:
    """Fills a builder, and sees to it that the mentions of a file are all names or all spans."""

    def __init__(self, builder: CorpusBuilder, on_error: OnError) -> None:
        self.builder = builder
        self.on_error = on_error
        self.kind: type | None = None
        self.place = ""

    def document(self, name: str, value: object) -> None:
        self.place = f"document {shortened(name)!r}: " if name else ""
        form = value.get("type") if isinstance(value, dict) else None
        match value:
            case {"links": links, **others} if form in ("graph", None):
                self.graph(others.get("mentions"), links)
            case {"clusters": dict(clusters)} if form in ("clusters", None):
                self.clusters(clusters.items())
            case {"clusters": list(clusters)} if form in ("clusters", None):
                self.clusters((str(number), cluster) for number, cluster in enumerate(clusters))
            case list():
                self.clusters((str(number), cluster) for number, cluster in enumerate(value))
            case dict() if form is None and value and all(isinstance(label, str | int) for label in value.values()):
                remedy = 'a list of rows such as {"item": "a", "entity": 1}, or a CSV file with these columns'
                self.report(
                    f"found {shown(value)}, which could be items with their entities, or the other way; expected {remedy}"
                )
            case dict() if form is None and value and all(isinstance(cluster, list) for cluster in value.values()):
                self.clusters(value.items())
            case _:
                self.report(f"found {shown(value)}; expected {EXPECTED}")

    def clusters(self, clusters: Iterable[tuple[str, Any]]) -> None:
        for label, cluster in clusters:
            if not isinstance(cluster, list):
                self.report(f"cluster {shortened(label)}: found {shown(cluster)}; expected a list of mentions")
                continue
            for value in cluster:
                mention = self.mention(value, f"cluster {shortened(label)}")
                if mention is not None:
                    self.add(mention, label)

    def graph(self, mentions: object, links: object) -> None:
        if not isinstance(links, list) or not isinstance(mentions, list | None):
            self.report("`mentions` and `links` are not what they should be; expected two lists")
            return
        listed = [m for value in mentions or () if (m := self.mention(value, "mentions")) is not None]
        first: dict[Mention, int] = {}
        for number, mention in enumerate(listed):
            first.setdefault(mention, number)
        pairs = []
        for link in links:
            if not (isinstance(link, list) and len(link) == 2 and link[0] != link[1]):
                self.report(f"links: found {shown(link)}; expected two different mentions")
                continue
            ends = [m for value in link if (m := self.mention(value, "links")) is not None]
            unknown = [m for m in ends if m not in first]
            if mentions is None:
                for mention in unknown:
                    first[mention] = len(listed)
                    listed.append(mention)
            elif unknown:
                self.report(f"links: found {shown(unknown[0])} in {shown(link)}; expected one of the `mentions`")
                continue
            if len(ends) == 2:
                pairs.append((first[ends[0]], first[ends[1]]))
        same = [
            (first[mention], number) for number, mention in enumerate(listed)
        ]  # a repeated mention is two mentions of one entity
        numbers = list(map(str, range(len(listed))))
        add_linked(self.builder, numbers, pairs, lambda n, label: self.add(listed[n], label), ties=same)

    def mention(self, value: object, place: str) -> Mention | None:
        """The name or the half-open span; None after an error."""
        expected = _expected(value)
        if expected is None:
            mention = (value[0], value[1]) if isinstance(value, list) else str(value)
            self.kind = self.kind or type(mention)
            if type(mention) is self.kind:
                return mention
            expected = f"a {'name' if self.kind is str else 'span'}, like the mentions before it"
        self.report(f"{place}: found the mention {shown(value)}; expected {expected}")
        return None

    def add(self, mention: Mention, label: str) -> int:
        if isinstance(mention, str):
            return self.builder.item(mention, label)
        return self.builder.mention(*mention, label)

    def report(self, problem: str) -> None:
        self.on_error(None, self.place + problem)


def _expected(value: object) -> str | None:
    """What a mention should be, if this is none."""
    match value:
        case bool():
            return "a name or a span"
        case str() | int() | float():
            return None
        case [int(start), int(end)] if type(start) is type(end) is int and 0 <= start < end <= LONGEST:
            return None
        case [int(start), int(end)] if start == end:
            return f"[{start}, {end + 1}] for one token, as ends are exclusive; jsonlines is the format with inclusive ends"
    return EXPECTED_MENTION


FORMAT = Format("clusters", __doc__, ("spans", "items"), sniff, read, write, endings=(".json",))
