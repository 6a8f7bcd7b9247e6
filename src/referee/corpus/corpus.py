"""A corpus of annotated documents, as columns: integer arrays over all mentions of all documents.

Conventions, which every reader converts to and nothing past the readers leaves:

* Spans are token offsets of the document, 0-based and half-open: ``[start, end)``. Empty nodes are tokens, too.
* Mentions are sorted by document, then by start, as `referee.corpus.reading_order` has it.
* Entities are numbered through the corpus, document by document, in the order of their first mentions. So the numbers
  depend on the annotation alone, not on the ids or the order that a file happens to use.
* A mention of several parts has the start of its first and the end of its last, and `fragments` that list them.
* A corpus whose mentions are not spans of tokens but named things (records, phrases) has `items`, their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import starmap
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import inverse, locations, order_by
from referee.corpus.layers import Bridging, EmptyNodes, Links, Places, SplitAntecedents
from referee.corpus.reading_order import reading_order, whole_documents
from referee.corpus.text import Text, same_words
from referee.exceptions import OptionError

Spans: TypeAlias = tuple[tuple[int, int], ...]
"""The parts of a mention, half-open spans in order; empty for a mention of one part."""

MENTION_TYPES = ("", "zero", "pronoun", "name", "nominal", "other")
"""Types of mentions, by their numbers in `Corpus.mention_types`; the first is unknown."""

MENTION_COLUMNS = ("head", "minimum_span", "mention_types", "fragments")


@dataclass(frozen=True, eq=False)
class Corpus:
    """Mentions grouped into entities, for any number of documents. Made by `Corpus.build`, which sorts and numbers.

    doc_ids    : document names, shape (documents,)
    document : int32, shape (mentions,), the document of each mention
    start, end : int32, shape (mentions,), token offsets in the document, half-open; position among `items` if there are any
    entity   : int32, shape (mentions,), the entity of each mention
    entity_document : int32, shape (entities,)
    file_order   : int32, shape (entities,), the order in which the file names the entities. Only profiles that
               reproduce another program depend on it
    entity_ids   : what the file calls each entity, shape (entities,)
    entity_types    : type of each entity, shape (entities,), where the file has types
    items    : names of the mentions, shape (mentions,), where these are not spans

    What only some annotation has; None where there is none of it:

    head     : int32, shape (mentions,), token offset of the head in the document, -1 where unknown
    minimum_span  : int32, shape (mentions, 2), the least span that a response may give (MIN), half-open; -1 where there is none
    mention_types  : int8, shape (mentions,), numbers of `MENTION_TYPES`
    fragments    : int32, shape (mentions,), index of `fragment_lists`: which parts a mention has; 0 for one part
    fragment_lists   : lists of parts in sorted order, the first of them empty
    referring: bool, shape (entities,), False for what is no referent ("it rains"): takes no part in coreference
    links, bridging, split_antecedents, empty_nodes : see `referee.corpus.layers`
    deixis   : discourse deixis, a layer of its own over the same documents

    source, format : where it comes from: a file, and one of `referee.formats.FORMATS`
    """

    doc_ids: tuple[str, ...]
    document: Ints
    start: Ints
    end: Ints
    entity: Ints
    entity_document: Ints
    file_order: Ints
    entity_ids: Sequence[str]
    entity_types: Sequence[str] | None = None
    items: Sequence[str] | None = None
    text: Text | None = None
    source: str = "<memory>"
    format: str = ""
    head: Ints | None = None
    minimum_span: Ints | None = None
    mention_types: Ints | None = None
    fragments: Ints | None = None
    fragment_lists: tuple[Spans, ...] = ((),)
    referring: NDArray[np.bool_] | None = None
    links: Links | None = None
    bridging: Bridging | None = None
    split_antecedents: SplitAntecedents | None = None
    empty_nodes: EmptyNodes | None = None
    deixis: Corpus | None = None

    @classmethod
    def build(
        cls,
        doc_ids: Sequence[str],
        document: Ints,
        start: Ints,
        end: Ints,
        entity: Ints,
        entity_ids: Sequence[str],
        *,
        entity_types: Sequence[str] | None = None,
        items: Sequence[str] | None = None,
        text: Text | None = None,
        source: str = "<memory>",
        head: Ints | None = None,
        minimum_span: Ints | None = None,
        mention_types: Ints | None = None,
        fragments: Ints | None = None,
        fragment_lists: tuple[Spans, ...] = ((),),
        referring: NDArray[np.bool_] | None = None,
        links: Links | None = None,
        bridging: Bridging | None = None,
        split_antecedents: SplitAntecedents | None = None,
        empty_nodes: EmptyNodes | None = None,
        deixis: Corpus | None = None,
    ) -> Corpus:
        """The corpus of mentions given in any order.

        entity : a number for each mention, in the order of the file, an index of `entity_ids` (and `entity_types`, and
                 `referring`); none spans documents
        items  : when given, `start` and `end` are ignored: a mention's place is that of its name in sorted order
        links, bridging, split_antecedents : refer to mentions and entities in the order of the arguments
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
        details = [] if head is None else [head + 1]
        details += [] if mention_types is None else [mention_types.astype(np.int64)]
        details += [] if minimum_span is None else list(minimum_span.T + 1)
        orders, entities = [], []
        for part in whole_documents(document):
            ties = [column[part] for column in details]
            order, numbers = reading_order(
                document[part], start[part], end[part], entity[part], None if fragments is None else fragments[part], ties
            )
            orders.append((order + part.start).astype(np.int32))
            entities.append(numbers)
        order, numbers = np.concatenate(orders), np.concatenate(entities)
        rank = np.full(len(entity_ids), -1, dtype=np.int32)
        rank[numbers] = np.arange(len(numbers))
        entity_document = np.empty(len(numbers), dtype=np.int32)
        entity_document[rank[entity]] = document
        places = Places(inverse(order), rank, np.arange(len(doc_ids))) if links or bridging or split_antecedents else None
        return cls(
            doc_ids=tuple(doc_ids),
            document=document[order].astype(np.int32),
            start=start[order].astype(np.int32),
            end=end[order].astype(np.int32),
            entity=rank[entity[order]],
            entity_document=entity_document,
            file_order=numbers.astype(np.int32),
            entity_ids=Picked(entity_ids, numbers),
            entity_types=None if entity_types is None else Picked(entity_types, numbers),
            items=items,
            text=text,
            source=source,
            head=None if head is None else head[order].astype(np.int32),
            minimum_span=None if minimum_span is None else minimum_span[order].astype(np.int32),
            mention_types=None if mention_types is None else mention_types[order].astype(np.int8),
            fragments=None if fragments is None else fragments[order].astype(np.int32),
            fragment_lists=fragment_lists,
            referring=None if referring is None else referring[numbers],
            links=links and places and links.moved(places),
            bridging=bridging and places and bridging.moved(places),
            split_antecedents=split_antecedents and places and split_antecedents.moved(places),
            empty_nodes=empty_nodes,
            deixis=deixis,
        )

    def select(self, mentions: NDArray[np.bool_]) -> Corpus:
        """The corpus with only these mentions; entities that lose all of theirs are gone, documents stay."""
        kept = np.flatnonzero(mentions)
        selected = Corpus.build(
            self.doc_ids, self.document[kept], self.start[kept], self.end[kept], self.entity[kept], self.entity_ids,
            entity_types=self.entity_types, items=None if self.items is None else [self.items[m] for m in kept.tolist()],
            text=self.text, source=self.source, fragment_lists=self.fragment_lists, referring=self.referring,
            empty_nodes=self.empty_nodes, deixis=self.deixis, **self.mention_columns(kept),
            **self._layers(
                Places(
                    np.where(mentions, np.cumsum(mentions) - 1, -1),
                    np.arange(len(self.entity_ids)),
                    np.arange(len(self.doc_ids)),
                ),
                ("links", "bridging", "split_antecedents"),
            ),
        )  # fmt: skip
        return replace(selected, file_order=self.file_order[selected.file_order], format=self.format)

    def select_documents(self, documents: Ints) -> Corpus:
        """The corpus of some of its documents, in the order of the corpus."""
        number = np.full(len(self.doc_ids), -1, dtype=np.int32)
        number[documents] = np.arange(len(documents))
        kept = replace(self, empty_nodes=None, deixis=None).select(number[self.document] >= 0)
        return replace(
            kept,
            doc_ids=tuple(self.doc_ids[d] for d in documents),
            document=number[kept.document],
            entity_document=number[kept.entity_document],
            text=self.text and self.text.select(documents),
            links=kept.links and kept.links._replace(document=number[kept.links.document]),
            empty_nodes=self.empty_nodes and self.empty_nodes.moved(Places(number, number, number)),
            deixis=self.deixis and self.deixis.select_documents(documents),
        )

    def on_documents(self, names: tuple[str, ...], place: Ints) -> Corpus:
        """The same annotation among the documents `names`, of which `place` gives the one that each of its own is."""
        if len(names) == len(self.doc_ids) and (np.diff(place) > 0).all():
            return (
                self
                if names == self.doc_ids
                else replace(self, doc_ids=names, deixis=self.deixis and self.deixis.on_documents(names, place))
            )
        mentions, entities = order_by(place[self.document]), order_by(place[self.entity_document])
        entity = inverse(entities)
        return replace(
            self,
            doc_ids=names,
            document=place[self.document[mentions]],
            start=self.start[mentions],
            end=self.end[mentions],
            entity=entity[self.entity[mentions]],
            entity_document=place[self.entity_document[entities]],
            file_order=self.file_order[entities],
            entity_ids=Picked(self.entity_ids, entities),
            entity_types=self.entity_types and Picked(self.entity_types, entities),
            items=self.items and [self.items[m] for m in mentions.tolist()],
            text=self.text and self.text.on_documents(len(names), place),
            referring=None if self.referring is None else self.referring[entities],
            deixis=self.deixis and self.deixis.on_documents(names, place),
            **self.mention_columns(mentions),
            **self._layers(Places(inverse(mentions), entity, place)),
        )

    def block(self, first: int, after: int) -> Corpus:
        """The documents from `first` up to `after`, without their text; arrays are views."""
        m = slice(*np.searchsorted(self.document, [first, after]))
        e = slice(*np.searchsorted(self.entity_document, [first, after]))
        entities = np.arange(e.start, e.stop)
        layers = {}
        if self.links or self.bridging or self.split_antecedents or self.empty_nodes:
            layers = self._layers(
                Places(
                    *(
                        _moved(s, n)
                        for s, n in (
                            (m, len(self.document)),
                            (e, len(self.entity_ids)),
                            (slice(first, after), len(self.doc_ids)),
                        )
                    )
                )
            )
        return Corpus(
            self.doc_ids[first:after], self.document[m] - first, self.start[m], self.end[m], self.entity[m] - e.start,
            self.entity_document[e] - first, self.file_order[e], Picked(self.entity_ids, entities),
            self.entity_types and Picked(self.entity_types, entities), self.items and self.items[m], None, self.source,
            self.format, fragment_lists=self.fragment_lists, referring=None if self.referring is None else self.referring[e],
            deixis=self.deixis and self.deixis.block(first, after), **self.mention_columns(m), **layers,
        )  # fmt: skip

    def mention_columns(self, mentions: Any) -> dict[str, Any]:
        """The columns that only some corpora have, of some mentions."""
        columns = {name: getattr(self, name) for name in MENTION_COLUMNS}
        return {name: None if column is None else column[mentions] for name, column in columns.items()}

    def _layers(
        self, places: Places, names: Iterable[str] = ("links", "bridging", "split_antecedents", "empty_nodes")
    ) -> dict[str, Any]:
        layers = {name: getattr(self, name) for name in names}
        return {name: None if layer is None else layer.moved(places) for name, layer in layers.items()}

    @cached_property
    def entity_size(self) -> Ints:
        return np.bincount(self.entity, minlength=len(self.entity_document))

    @cached_property
    def documents(self) -> Documents:
        return Documents(self)

    def words(self, document: int) -> list[str]:
        """The words of a document: its tokens without empty nodes; none if the corpus has no text."""
        if self.text is None:
            return []
        tokens = list(self.text.words[document].tokens)
        if self.empty_nodes is not None:
            first, last = np.searchsorted(self.empty_nodes.document, [document, document + 1])
            for node in self.empty_nodes.node[first:last][::-1].tolist():
                del tokens[node]
        return tokens

    def spans(self, mention: int) -> Spans:
        """The parts of a mention as half-open spans, at least one."""
        shape = () if self.fragments is None else self.fragment_lists[self.fragments[mention]]
        return shape or ((int(self.start[mention]), int(self.end[mention])),)

    @cached_property
    def zero(self) -> NDArray[np.bool_]:
        """Which mentions are zeros: those whose head (or only token) is an empty node. Shape (mentions,)."""
        if self.empty_nodes is None or not len(self.empty_nodes.node):
            return np.zeros(len(self.document), dtype=bool)
        nodes = locations(self.empty_nodes.document, self.empty_nodes.node)
        return np.isin(locations(self.document, self.heads), nodes) & (self.heads >= 0)

    @cached_property
    def heads(self) -> Ints:
        """The head of each mention; of one token, that token, even if no head is given. -1 where unknown. Shape (mentions,)."""
        alone = np.where(self.end - self.start == 1, self.start, -1)
        return alone if self.head is None else np.where(self.head < 0, alone, self.head)

    @cached_property
    def mention_types_with_zeros(self) -> Ints:
        """The class of each mention, int8: zeros are told by their heads, the rest by `classes`."""
        classes = np.zeros(len(self.document), dtype=np.int8) if self.mention_types is None else self.mention_types
        return np.where(self.zero, np.int8(MENTION_TYPES.index("zero")), classes)

    @cached_property
    def features(self) -> frozenset[str]:
        """Which of `FEATURES` the annotation makes use of, that of the deixis layer included."""
        return self.own_features | (
            self.deixis.features if self.deixis and "discourse deixis" in self.own_features else frozenset()
        )

    @cached_property
    def own_features(self) -> frozenset[str]:
        """Which of `FEATURES` the annotation makes use of; "discourse deixis", but not what only the deixis layer has."""
        return frozenset(name for name, used in FEATURES.items() if used(self))

    def __eq__(self, other: object) -> bool:
        """The same documents, words, mentions and entities; labels, types and listed links are left out."""
        if not isinstance(other, Corpus):
            return NotImplemented
        return (
            self.doc_ids == other.doc_ids
            and (self.items is None) == (other.items is None)
            and (self.items is None or tuple(self.items) == tuple(other.items or ()))
            and len(self.document) == len(other.document)
            and len(self.entity_ids) == len(other.entity_ids)
            and all(starmap(np.array_equal, zip(self._rows, other._rows, strict=True)))
            and self._what_some_have == other._what_some_have
            and (self.text is None) == (other.text is None)
            and (self.text is None or same_words(self.text.words, other.text.words if other.text else ()))
        )

    @property
    def _rows(self) -> list[Any]:
        """What every corpus has."""
        return [self.document, self.start, self.end, self.entity]

    @property
    def _what_some_have(self) -> list[Any]:
        """The columns that only some have as lists, those that say nothing as if there were none."""
        rows = [
            [] if column is None or (column == nothing).all() else column.tolist()
            for column, nothing in ((self.head, -1), (self.minimum_span, -1), (self.mention_types, 0), (self.referring, True))
        ]
        shapes = (
            []
            if self.fragments is None or not self.fragments.any()
            else [self.fragment_lists[n] for n in self.fragments.tolist()]
        )
        layers = [
            [] if layer is None else list(zip(*(list(column) for column in layer), strict=True))
            for layer in (self.bridging, self.split_antecedents, self.empty_nodes)
        ]
        deixis = self.deixis if self.deixis is not None and len(self.deixis.document) else None
        return [*rows, shapes, *layers, deixis]

    __hash__ = None  # type: ignore[assignment]  # equal corpora may differ in labels and source

    def __repr__(self) -> str:
        return (
            f"Corpus({self.source}: {len(self.doc_ids)} documents, "
            f"{len(self.document)} mentions, {len(self.entity_document)} entities)"
        )


class Picked(Sequence[str]):
    """Values in another order, looked up one at a time, so that labels nobody reads are never decoded."""

    def __init__(self, values: Sequence[str], numbers: Ints) -> None:
        # Not one behind the other: lookups would get slower with each, and at last too deep.
        self.values: Sequence[str] = values.values if isinstance(values, Picked) else values
        self.numbers: Ints = values.numbers[numbers] if isinstance(values, Picked) else numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]  # slices are not needed
        return self.values[int(self.numbers[index])]


def _moved(kept: slice, number: int) -> Ints:
    """Where each of so many rows goes when only a slice of them is kept."""
    place = np.full(number, -1, dtype=np.int64)
    place[kept] = np.arange(kept.stop - kept.start)
    return place


def _any(column: Any, nothing: Any) -> bool:
    return column is not None and bool((column != nothing).any())


FEATURES: Mapping[str, Callable[[Corpus], bool]] = {
    "spans": lambda c: c.items is None,
    "items": lambda c: c.items is not None,
    "words": lambda c: c.text is not None,
    "entity types": lambda c: c.entity_types is not None and any(c.entity_types),
    "links": lambda c: c.links is not None,
    "heads": lambda c: _any(c.head, -1),
    "minimum spans": lambda c: _any(c.minimum_span, -1),
    "mention types": lambda c: _any(c.mention_types, 0),
    "discontinuous mentions": lambda c: _any(c.fragments, 0),
    "empty nodes": lambda c: c.empty_nodes is not None and bool(len(c.empty_nodes.node)),
    "non-referring": lambda c: _any(c.referring, True),
    "bridging": lambda c: c.bridging is not None and bool(len(c.bridging.anaphor)),
    "split antecedents": lambda c: c.split_antecedents is not None and bool(len(c.split_antecedents.entity)),
    "discourse deixis": lambda c: c.deixis is not None and bool(len(c.deixis.document)),
}
"""What an annotation may make use of, and a format may be able to hold."""


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
    def id(self) -> str:
        return self.corpus.entity_ids[self.number]

    @property
    def mentions(self) -> list[Mention]:
        return [Mention(self.corpus, int(m)) for m in np.flatnonzero(self.corpus.entity == self.number)]


class Document(NamedTuple):
    """A view of one document."""

    corpus: Corpus
    number: int

    @property
    def name(self) -> str:
        return self.corpus.doc_ids[self.number]

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
        self.number = {name: n for n, name in enumerate(corpus.doc_ids)}

    def __getitem__(self, name: str) -> Document:
        return Document(self.corpus, self.number[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.corpus.doc_ids)

    def __len__(self) -> int:
        return len(self.corpus.doc_ids)
