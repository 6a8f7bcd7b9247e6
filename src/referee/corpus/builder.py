"""A corpus made mention by mention, for readers that go that way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.corpus import MENTION_TYPES, Corpus, Spans
from referee.corpus.editing import fragment_columns, join
from referee.corpus.layers import Bridging, EmptyNodes, Links, SplitAntecedents
from referee.corpus.text import Text, Words
from referee.exceptions import FormatError, OptionError


class CorpusBuilder:
    """Takes documents, mentions and links one at a time.

    >>> b = CorpusBuilder("notes")
    >>> b.document("d1", ["Ann", "saw", "her", "dog"], [0])
    >>> b.mention(0, 1, "ann"); b.mention(2, 3, "ann"); b.mention(2, 4, "dog", head=3)
    0
    1
    2
    >>> b.corpus()
    Corpus(notes: 1 documents, 3 mentions, 2 entities)
    """

    def __init__(self, source: str = "<memory>") -> None:
        self.source = source
        self.doc_ids: list[str] = []
        self.words: list[Words | None] = []
        self.entity_ids: list[str] = []
        self.entity_types: list[str] = []
        self.items: list[str] = []
        self.links: list[tuple[int, int]] | None = None
        self.deixis: CorpusBuilder | None = None
        self._entities: dict[str, int] = {}
        self._known: set[str] = set()
        self._rows: list[tuple[int, int, int, int]] = []
        self._heads: dict[int, int] = {}
        self._minima: dict[int, tuple[int, int]] = {}
        self._classes: dict[int, int] = {}
        self._shapes: dict[int, Spans] = {}
        self._idle: set[int] = set()
        self._bridging: dict[tuple[int, int], str] = {}
        self._split: set[tuple[int, int]] = set()
        self._empty: list[tuple[int, int, int, int, str]] = []

    def document(
        self,
        name: str,
        tokens: Sequence[str] | None = None,
        sentences: Sequence[int] | None = None,
        *,
        line: int | None = None,
    ) -> None:
        """Begin a document; without a name it gets its number. FormatError if the name was used before.

        sentences : token offsets at which sentences start
        """
        name = name or f"#{len(self.doc_ids) + 1}"
        if name in self._known:
            raise FormatError(
                self.source, line, f"document {name!r} appears twice; expected each name once: rename or remove one"
            )
        self._known.add(name)
        self.doc_ids.append(name)
        self.words.append(None if tokens is None else Words(tokens, sentences or ([0] if tokens else [])))
        self._entities = {}

    def empty_node(self, node: int, minor: int, sentence: int, deps: str = "") -> None:
        """Say that the token `node` of the current document is an empty node; see `referee.corpus.layers.EmptyNodes`."""
        self._empty.append((len(self.doc_ids) - 1, node, minor, sentence, deps))

    def entity(self, entity_id: str, entity_type: str = "") -> int:
        """The number of the entity of this entity_id in the current document, made when new."""
        number = self._entities.get(entity_id)
        if number is None:
            number = self._entities[entity_id] = len(self.entity_ids)
            self.entity_ids.append(entity_id)
            self.entity_types.append(entity_type)
        return number

    def mention(
        self,
        start: int,
        end: int,
        entity_id: str,
        entity_type: str = "",
        *,
        spans: Sequence[tuple[int, int]] = (),
        head: int | None = None,
        minimum_span: tuple[int, int] | None = None,
        mention_type: str = "",
        referring: bool = True,
    ) -> int:
        """Add a mention of the entity of this entity_id to the current document; gives the mention's number.

        spans   : its spans, in any order, if it may have several; those that touch or overlap are joined; then `start` and
                  `end` are not looked at
        head    : token offset of its head
        minimum_span : the least span that a response may give (MIN), half-open
        mention_type  : one of `referee.corpus.corpus.MENTION_TYPES`
        referring : False if the entity of this entity_id is no referent
        """
        if not self.doc_ids:
            raise OptionError("expected a document before its mentions: call document() first")
        number = len(self._rows)
        if spans:
            joined = join(spans)
            start, end = joined[0][0], joined[-1][1]
            if len(joined) > 1:
                self._shapes[number] = joined
        if not 0 <= start <= end:
            raise OptionError(f"found the span {start} to {end}; expected 0 <= start <= end")
        entity = self.entity(entity_id, entity_type)
        self._rows.append((len(self.doc_ids) - 1, start, end, entity))
        if head is not None:
            self._heads[number] = head
        if minimum_span is not None:
            self._minima[number] = minimum_span
        if mention_type:
            self._classes[number] = MENTION_TYPES.index(mention_type)
        if not referring:
            self._idle.add(entity)
        return number

    def item(self, name: str, entity_id: str, entity_type: str = "") -> int:
        """Add a mention that is no span but a named thing."""
        self.items.append(name)
        return self.mention(0, 1, entity_id, entity_type)

    def link(self, first: int, second: int) -> None:
        """Record a link between two mentions as the file lists it."""
        if self.links is None:
            self.links = []
        self.links.append((first, second))

    def bridge(self, anaphor: int, antecedent: int, relation: str = "") -> None:
        """Record that a mention is associated with an antecedent without referring to the same."""
        self._bridging[anaphor, antecedent] = relation

    def split_antecedent(self, entity: int, element: int) -> None:
        """Record that an entity has another one (numbers from `entity`) among its split antecedents."""
        self._split.add((entity, element))

    def corpus(self) -> Corpus:
        if self.items and len(self.items) < len(self._rows):
            raise OptionError("expected mentions that are all spans or all named; found both")
        number = len(self._rows)
        rows = np.array(self._rows, dtype=np.int64).reshape(-1, 4)
        words = [w for w in self.words if w is not None]
        shape, shapes = fragment_columns(self._shapes, number)
        return Corpus.build(
            self.doc_ids, rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3], self.entity_ids,
            entity_types=self.entity_types if any(self.entity_types) else None,
            items=self.items or None,
            text=Text.of(words) if words and len(words) == len(self.words) else None,
            source=self.source,
            head=_column(number, self._heads, -1),
            minimum_span=_column(number, self._minima, (-1, -1)),
            mention_types=_column(number, self._classes, 0),
            fragments=shape,
            fragment_lists=shapes,
            referring=None if not self._idle else ~np.isin(np.arange(len(self.entity_ids)), list(self._idle)),
            links=None if self.links is None else Links(*_by_document(rows, self.links)),
            bridging=self._bridges(),
            split_antecedents=SplitAntecedents(*_columns(self._split, 2)) if self._split else None,
            empty_nodes=self._empties(),
            deixis=None if self.deixis is None else self.deixis.corpus(),
        )  # fmt: skip

    def _bridges(self) -> Bridging | None:
        anaphor, antecedent = _columns(self._bridging, 2)
        return Bridging(anaphor, antecedent, list(self._bridging.values())) if self._bridging else None

    def _empties(self) -> EmptyNodes | None:
        if not self._empty:
            return None
        self._empty.sort()
        document, node, minor, sentence = (c.astype(np.int32) for c in _columns((row[:4] for row in self._empty), 4))
        return EmptyNodes(document, node, minor, sentence, [row[4] for row in self._empty])


def _column(length: int, values: Mapping[int, Any], nothing: Any) -> Ints | None:
    """A column with the values of some rows; None if there are none."""
    if not values:
        return None
    column = np.full((length, *np.shape(nothing)), nothing, dtype=np.int64)
    column[list(values)] = list(values.values())
    return column


def _columns(rows: Iterable[tuple[int, ...]], number: int) -> Ints:
    return np.array(list(rows), dtype=np.int64).reshape(-1, number).T


def _by_document(rows: Ints, links: list[tuple[int, int]]) -> tuple[Ints, Ints, Ints]:
    first, second = _columns(links, 2)
    return rows[first, 0], first, second
