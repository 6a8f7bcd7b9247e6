"""A corpus of annotated documents, as columns: integer arrays over all mentions of all documents.

Conventions, which every reader converts to and nothing past the readers leaves:

* Spans are token offsets of the document, 0-based and half-open: ``[start, end)``.
* Mentions are sorted by document, then by start; at one start one-token mentions come first, then longer before shorter
  (the order in which the CoNLL reference scorer meets them).
* Entities are numbered through the corpus, document by document, in the order of their first mentions. So the numbers
  depend on the annotation alone, not on the ids or the order that a file happens to use.
* A corpus whose mentions are not spans of tokens but named things (records, phrases) has `items`, their names.

Text is kept lazily: scoring compares fingerprints and reads tokens only when those differ.

`Document`, `Entity` and `Mention` are views for people, reports and small formats; the fast path never builds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from markable.errors import FormatError, OptionError
from markable.rows import Ints, order_by, starts_of_runs

PART = 1 << 16
"""Mentions that are sorted together, at least."""


class Words(NamedTuple):
    """One document's tokens and the token offset at which each of its sentences starts (0 first; none if no tokens)."""

    tokens: Sequence[str]
    sentences: Sequence[int]


class Text:
    """The words of each document of a corpus, read when first asked for.

    size        : int64, shape (documents,), tokens in each document
    load        : gives the `Words` of every document, in order
    fingerprints: one digest a document, made by the reader named in `kind`: two equal digests of one kind mean equal
                  tokens, two different ones mean nothing
    """

    def __init__(
        self,
        size: Ints,
        load: Callable[[], Sequence[Words]],
        fingerprints: Sequence[bytes] | None = None,
        kind: str = "",
    ) -> None:
        self.size = size
        self.load = load
        self.fingerprints = fingerprints
        self.kind = kind

    @cached_property
    def words(self) -> Sequence[Words]:
        return self.load()

    def select(self, documents: Ints) -> Text:
        """The text of some of the documents, in this order."""
        fingerprints = self.fingerprints and [self.fingerprints[d] for d in documents]
        return Text(self.size[documents], lambda: [self.words[d] for d in documents], fingerprints, self.kind)

    def placed(self, documents: int, place: Ints) -> Text:
        """The text among other documents, which are empty."""
        size = np.zeros(documents, dtype=np.int64)
        size[place] = self.size
        where = {p: d for d, p in enumerate(place.tolist())}
        nothing = Words((), ())
        fingerprints = self.fingerprints
        if fingerprints is not None:
            fingerprints = [fingerprints[where[d]] if d in where else b"" for d in range(documents)]
        return Text(
            size, lambda: [self.words[where[d]] if d in where else nothing for d in range(documents)], fingerprints, self.kind
        )

    @classmethod
    def of(cls, words: Sequence[Words]) -> Text:
        """A text that is already in memory."""
        return cls(np.array([len(w.tokens) for w in words], dtype=np.int64), lambda: words)


class Links(NamedTuple):
    """The links that a file lists one by one, before any closure: pairs of mentions of one document.

    document : int64, shape (links,), in which document
    first, second : int64, shape (links,), numbers of the two mentions in the corpus
    """

    document: Ints
    first: Ints
    second: Ints


@dataclass(frozen=True, eq=False)
class Corpus:
    """Mentions grouped into entities, for any number of documents. Made by `Corpus.build`, which sorts and numbers.

    names    : document names, shape (documents,)
    document : int32, shape (mentions,), the document of each mention
    start, end : int32, shape (mentions,), token offsets in the document, half-open; position among `items` if there are any
    entity   : int32, shape (mentions,), the entity of each mention
    entity_document : int32, shape (entities,)
    listed   : int32, shape (entities,), the order in which the file names the entities; no score but that of the profile that
               imitates a program which goes by it depends on it
    labels   : what the file calls each entity, shape (entities,)
    types    : type of each entity, shape (entities,), where the file has types
    items    : names of the mentions, shape (mentions,), where these are not spans
    """

    names: tuple[str, ...]
    document: Ints
    start: Ints
    end: Ints
    entity: Ints
    entity_document: Ints
    listed: Ints
    labels: Sequence[str]
    types: Sequence[str] | None = None
    items: Sequence[str] | None = None
    text: Text | None = None
    links: Links | None = None
    source: str = "<memory>"

    @classmethod
    def build(
        cls,
        names: Sequence[str],
        document: Ints,
        start: Ints,
        end: Ints,
        entity: Ints,
        labels: Sequence[str],
        *,
        types: Sequence[str] | None = None,
        items: Sequence[str] | None = None,
        text: Text | None = None,
        links: tuple[Ints, Ints] | None = None,
        source: str = "<memory>",
    ) -> Corpus:
        """The corpus of mentions given in any order.

        entity : a number for each mention, in the order of the file, an index of `labels` (and `types`); none spans documents
        items  : when given, `start` and `end` are ignored: a mention's place is that of its name in sorted order
        links  : two arrays of mention numbers, in the order of the arguments
        """
        if items is not None:
            by_name = sorted(range(len(items)), key=items.__getitem__)
            by_name.sort(key=document.tolist().__getitem__)  # stable; twice as fast as one sort by pairs
            items = tuple(items[m] for m in by_name)
            start = np.empty(len(items), dtype=np.int64)
            start[by_name] = np.cumsum([0] + [a != b for a, b in zip(items[1:], items, strict=False)])[: len(items)]
            end = start + 1
        if len(end) and int(end.max()) > np.iinfo(np.int32).max:
            raise OptionError(f"{source}: found the token offset {end.max()}; expected less than 2³¹ tokens in a document")
        orders, entities = [], []
        for part in _whole_documents(document):
            order, numbers = _reading_order(document[part], start[part], end[part], entity[part])
            orders.append((order + part.start).astype(np.int32))
            entities.append(numbers)
        order, numbers = np.concatenate(orders), np.concatenate(entities)
        rank = np.full(len(labels), -1, dtype=np.int32)
        rank[numbers] = np.arange(len(numbers))
        entity_document = np.empty(len(numbers), dtype=np.int32)
        entity_document[rank[entity]] = document
        place = None if links is None else _inverse(order)
        return cls(
            names=tuple(names),
            document=document[order].astype(np.int32),
            start=start[order].astype(np.int32),
            end=end[order].astype(np.int32),
            entity=rank[entity[order]],
            entity_document=entity_document,
            listed=numbers.astype(np.int32),
            labels=Picked(labels, numbers),
            types=None if types is None else Picked(types, numbers),
            items=items,
            text=text,
            links=None if links is None or place is None else Links(document[links[0]], place[links[0]], place[links[1]]),
            source=source,
        )

    def select(self, mentions: NDArray[np.bool_]) -> Corpus:
        """The corpus with only these mentions; entities that lose all of theirs are gone, documents stay."""
        kept = np.flatnonzero(mentions)
        links = None
        if self.links is not None:
            place = np.cumsum(mentions) - 1
            whole = mentions[self.links.first] & mentions[self.links.second]
            links = place[self.links.first[whole]], place[self.links.second[whole]]
        selected = Corpus.build(
            self.names, self.document[kept], self.start[kept], self.end[kept], self.entity[kept], self.labels,
            types=self.types, items=None if self.items is None else [self.items[m] for m in kept.tolist()],
            text=self.text, links=links, source=self.source,
        )  # fmt: skip
        return replace(selected, listed=self.listed[selected.listed])

    def select_documents(self, documents: Ints) -> Corpus:
        """The corpus of some of its documents, in the order of the corpus."""
        number = np.full(len(self.names), -1, dtype=np.int32)
        number[documents] = np.arange(len(documents))
        kept = self.select(number[self.document] >= 0)
        return replace(
            kept,
            names=tuple(self.names[d] for d in documents),
            document=number[kept.document],
            entity_document=number[kept.entity_document],
            text=self.text and self.text.select(documents),
            links=kept.links and kept.links._replace(document=number[kept.links.document]),
        )

    def placed(self, names: tuple[str, ...], place: Ints) -> Corpus:
        """The same annotation among the documents `names`, of which `place` gives the one that each of its own is."""
        if len(names) == len(self.names) and (np.diff(place) > 0).all():
            return self if names == self.names else replace(self, names=names)
        mentions, entities = order_by(place[self.document]), order_by(place[self.entity_document])
        entity, mention = _inverse(entities), _inverse(mentions)
        return replace(
            self,
            names=names,
            document=place[self.document[mentions]],
            start=self.start[mentions],
            end=self.end[mentions],
            entity=entity[self.entity[mentions]],
            entity_document=place[self.entity_document[entities]],
            listed=self.listed[entities],
            labels=Picked(self.labels, entities),
            types=self.types and Picked(self.types, entities),
            items=self.items and [self.items[m] for m in mentions.tolist()],
            text=self.text and self.text.placed(len(names), place),
            links=self.links and Links(place[self.links.document], mention[self.links.first], mention[self.links.second]),
        )

    def block(self, first: int, after: int) -> Corpus:
        """The documents from `first` up to `after`, without their text; arrays are views."""
        m = slice(*np.searchsorted(self.document, [first, after]))
        e = slice(*np.searchsorted(self.entity_document, [first, after]))
        entities = np.arange(e.start, e.stop)
        links = self.links
        if links is not None:
            inside = (links.document >= first) & (links.document < after)
            links = Links(links.document[inside] - first, links.first[inside] - m.start, links.second[inside] - m.start)
        return Corpus(
            self.names[first:after], self.document[m] - first, self.start[m], self.end[m], self.entity[m] - e.start,
            self.entity_document[e] - first, self.listed[e], Picked(self.labels, entities),
            self.types and Picked(self.types, entities), self.items and self.items[m], None, links, self.source,
        )  # fmt: skip

    def named(self, source: str) -> Corpus:
        """The same corpus under another name, the one that messages and reports use."""
        return replace(self, source=source)

    @cached_property
    def entity_size(self) -> Ints:
        return np.bincount(self.entity, minlength=len(self.entity_document))

    @cached_property
    def documents(self) -> Documents:
        return Documents(self)

    def __eq__(self, other: object) -> bool:
        """The same documents with the same words, mentions and entities; what a file calls the entities is left out."""
        if not isinstance(other, Corpus):
            return NotImplemented
        return (
            self.names == other.names
            and (self.items is None) == (other.items is None)
            and (self.items is None or tuple(self.items) == tuple(other.items or ()))
            and all(
                np.array_equal(a, b)
                for a, b in zip(
                    (self.document, self.start, self.end, self.entity),
                    (other.document, other.start, other.end, other.entity),
                    strict=True,
                )
            )
            and (self.text is None) == (other.text is None)
            and (self.text is None or _same_words(self.text.words, other.text.words if other.text else ()))
        )

    __hash__ = None  # type: ignore[assignment]  # equal corpora may differ in labels and source

    def __repr__(self) -> str:
        return (
            f"Corpus({self.source}: {len(self.names)} documents, "
            f"{len(self.document)} mentions, {len(self.entity_document)} entities)"
        )


class CorpusBuilder:
    """For readers that go mention by mention.

    >>> b = CorpusBuilder("notes")
    >>> b.document("d1", ["Ann", "saw", "her", "dog"], [0])
    >>> b.mention(0, 1, "ann"); b.mention(2, 3, "ann"); b.mention(2, 4, "dog")
    0
    1
    2
    >>> b.corpus()
    Corpus(notes: 1 documents, 3 mentions, 2 entities)
    """

    def __init__(self, source: str = "<memory>") -> None:
        self.source = source
        self.names: list[str] = []
        self.words: list[Words | None] = []
        self.labels: list[str] = []
        self.types: list[str] = []
        self.items: list[str] = []
        self.links: list[tuple[int, int]] | None = None
        self._entities: dict[str, int] = {}
        self._known: set[str] = set()
        self._rows: list[tuple[int, int, int, int]] = []

    def document(
        self,
        name: str,
        tokens: Sequence[str] | None = None,
        sentences: Sequence[int] | None = None,
        *,
        line: int | None = None,
    ) -> None:
        """Begin a document; without a name it gets its number. FormatError if the name was used before."""
        name = name or f"#{len(self.names) + 1}"
        if name in self._known:
            raise FormatError(
                self.source, line, f"document {name!r} appears twice; expected each name once: rename or remove one"
            )
        self._known.add(name)
        self.names.append(name)
        self.words.append(None if tokens is None else Words(tokens, sentences or ([0] if tokens else [])))
        self._entities = {}

    def entity(self, label: str, type_: str = "") -> int:
        """The number of the entity of this label in the current document, made when new."""
        number = self._entities.get(label)
        if number is None:
            number = self._entities[label] = len(self.labels)
            self.labels.append(label)
            self.types.append(type_)
        return number

    def mention(self, start: int, end: int, label: str, type_: str = "") -> int:
        """Add a mention of the entity of this label to the current document; gives the mention's number."""
        self._rows.append((len(self.names) - 1, start, end, self.entity(label, type_)))
        return len(self._rows) - 1

    def item(self, name: str, label: str, type_: str = "") -> int:
        """Add a mention that is no span but a named thing."""
        self.items.append(name)
        return self.mention(0, 1, label, type_)

    def link(self, first: int, second: int) -> None:
        """Record a link between two mentions as the file lists it."""
        if self.links is None:
            self.links = []
        self.links.append((first, second))

    def corpus(self) -> Corpus:
        rows = np.array(self._rows, dtype=np.int64).reshape(-1, 4)
        words = [w for w in self.words if w is not None]
        return Corpus.build(
            self.names, rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3], self.labels,
            types=self.types if any(self.types) else None,
            items=self.items or None,
            text=Text.of(words) if words and len(words) == len(self.words) else None,
            links=None if self.links is None else _pairs(self.links),
            source=self.source,
        )  # fmt: skip


class Mention(NamedTuple):
    """A view of one mention."""

    corpus: Corpus
    number: int

    @property
    def start(self) -> int:
        return int(self.corpus.start[self.number])

    @property
    def end(self) -> int:
        return int(self.corpus.end[self.number])

    @property
    def entity(self) -> Entity:
        return Entity(self.corpus, int(self.corpus.entity[self.number]))

    @property
    def text(self) -> str:
        """The words of the mention, joined by blanks; its name if it is no span; empty if the corpus has no words."""
        if self.corpus.items is not None:
            return self.corpus.items[self.number]
        if self.corpus.text is None:
            return ""
        return " ".join(self.corpus.text.words[self.corpus.document[self.number]].tokens[self.start : self.end])


class Entity(NamedTuple):
    """A view of one entity."""

    corpus: Corpus
    number: int

    @property
    def label(self) -> str:
        return self.corpus.labels[self.number]

    @property
    def mentions(self) -> list[Mention]:
        return [Mention(self.corpus, int(m)) for m in np.flatnonzero(self.corpus.entity == self.number)]


class Document(NamedTuple):
    """A view of one document."""

    corpus: Corpus
    number: int

    @property
    def name(self) -> str:
        return self.corpus.names[self.number]

    @property
    def tokens(self) -> Sequence[str]:
        return self.corpus.text.words[self.number].tokens if self.corpus.text else ()

    @property
    def sentences(self) -> Sequence[int]:
        return self.corpus.text.words[self.number].sentences if self.corpus.text else ()

    @property
    def mentions(self) -> list[Mention]:
        first, last = np.searchsorted(self.corpus.document, [self.number, self.number + 1])
        return [Mention(self.corpus, m) for m in range(first, last)]

    @property
    def entities(self) -> list[Entity]:
        first, last = np.searchsorted(self.corpus.entity_document, [self.number, self.number + 1])
        return [Entity(self.corpus, e) for e in range(first, last)]


class Documents(Mapping[str, Document]):
    """The documents of a corpus by name, in order."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.number = {name: n for n, name in enumerate(corpus.names)}

    def __getitem__(self, name: str) -> Document:
        return Document(self.corpus, self.number[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.corpus.names)

    def __len__(self) -> int:
        return len(self.corpus.names)


def _whole_documents(document: Ints) -> Iterator[slice]:
    """Slices of whole documents, some PART mentions each: sorting many small parts takes less time and memory than one sort
    of everything. A single slice if the documents are not in order."""
    mentions = len(document)
    if mentions <= PART or (np.diff(document) < 0).any():
        return iter([slice(0, mentions)])
    starts = np.flatnonzero(starts_of_runs(document))
    cuts = np.searchsorted(starts, np.arange(PART, mentions, PART)).clip(max=len(starts) - 1)
    edges = np.unique([0, *starts[cuts], mentions]).tolist()
    return (slice(a, b) for a, b in pairwise(edges))


def _reading_order(document: Ints, start: Ints, end: Ints, entity: Ints) -> tuple[Ints, Ints]:
    """The order of the mentions, and the entities in the order of their first mentions.

    Mentions go by document, by start; at one start one-token mentions are first, then longer before shorter. Entities
    whose first mentions are one and the same span are ordered by what they contain, never by the file: the one with more
    mentions first. A repeated mention stands first in its first entity.
    """
    length = end - start
    columns = document, start, np.where(length == 1, 0, length.max(initial=0) + 1 - length)
    order = order_by(*columns)
    lowest = int(entity.min()) if len(entity) else 0
    entity = entity - lowest
    first = np.full(int(entity.max(initial=-1)) + 1, len(order), dtype=np.int64)
    np.minimum.at(first, entity[order], np.arange(len(order)))
    numbers = np.flatnonzero(first < len(order))
    numbers = numbers[order_by(first[numbers])]
    if not starts_of_runs(*(c[order] for c in columns)).all():
        opening = order[first[numbers]]
        alike = starts_of_runs(document[opening], start[opening], end[opening])
        numbers = _larger_first(np.split(numbers, np.flatnonzero(alike)[1:]), entity, start, end)
        rank = np.full(len(first), -1, dtype=np.int64)
        rank[numbers] = np.arange(len(numbers))
        order = order_by(*columns, rank[entity])
    return order, numbers + lowest


def _larger_first(groups: Sequence[Ints], entity: Ints, start: Ints, end: Ints) -> Ints:
    """The entities of all groups, each group sorted: the entity with more different mentions first, then the earlier ones."""
    spans: dict[int, list[tuple[int, int]]] = {e: [] for group in groups if len(group) > 1 for e in group.tolist()}
    for m in np.flatnonzero(np.isin(entity, list(spans))):
        spans[int(entity[m])].append((int(start[m]), int(end[m])))

    def key(e: int) -> tuple[int, list[tuple[int, int]], int, list[tuple[int, int]]]:
        different = sorted(set(spans[e]))
        return -len(different), different, -len(spans[e]), sorted(spans[e])

    return np.concatenate([group if len(group) == 1 else sorted(group.tolist(), key=key) for group in groups]).astype(np.int64)


def _inverse(order: Ints) -> Ints:
    """Where each row went."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


class Picked(Sequence[str]):
    """Values in another order, looked up one at a time, so that labels nobody reads are never decoded."""

    def __init__(self, values: Sequence[str], numbers: Ints) -> None:
        self.values = values
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]  # slices are not needed
        return self.values[int(self.numbers[index])]


def _pairs(links: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    array = np.array(links, dtype=np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def _same_words(a: Sequence[Words], b: Sequence[Words]) -> bool:
    return len(a) == len(b) and all(
        list(x.tokens) == list(y.tokens) and list(x.sentences) == list(y.sentences) for x, y in zip(a, b, strict=True)
    )
