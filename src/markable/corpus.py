"""A corpus of annotated documents, as columns: integer arrays over all mentions of all documents.

Conventions, which every reader converts to and nothing past the readers leaves:

* Spans are token offsets of the document, 0-based and half-open: ``[start, end)``.
* Mentions are sorted by document, then by start, as `markable.reading_order` has it.
* Entities are numbered through the corpus, document by document, in the order of their first mentions. So the numbers
  depend on the annotation alone, not on the ids or the order that a file happens to use.
* A corpus whose mentions are not spans of tokens but named things (records, phrases) has `items`, their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from markable.errors import OptionError
from markable.reading_order import reading_order, whole_documents
from markable.rows import Ints, inverse, order_by
from markable.text import Text, same_words
from markable.views import Documents


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
        for part in whole_documents(document):
            order, numbers = reading_order(document[part], start[part], end[part], entity[part])
            orders.append((order + part.start).astype(np.int32))
            entities.append(numbers)
        order, numbers = np.concatenate(orders), np.concatenate(entities)
        rank = np.full(len(labels), -1, dtype=np.int32)
        rank[numbers] = np.arange(len(numbers))
        entity_document = np.empty(len(numbers), dtype=np.int32)
        entity_document[rank[entity]] = document
        place = None if links is None else inverse(order)
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
        entity, mention = inverse(entities), inverse(mentions)
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
            and (self.text is None or same_words(self.text.words, other.text.words if other.text else ()))
        )

    __hash__ = None  # type: ignore[assignment]  # equal corpora may differ in labels and source

    def __repr__(self) -> str:
        return (
            f"Corpus({self.source}: {len(self.names)} documents, "
            f"{len(self.document)} mentions, {len(self.entity_document)} entities)"
        )


class Picked(Sequence[str]):
    """Values in another order, looked up one at a time, so that labels nobody reads are never decoded."""

    def __init__(self, values: Sequence[str], numbers: Ints) -> None:
        self.values = values
        self.numbers = numbers

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]  # slices are not needed
        return self.values[int(self.numbers[index])]
