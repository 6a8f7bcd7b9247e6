"""A corpus made mention by mention, for readers that go that way."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from referee.algorithms.arrays import Bools, Ints, repeat
from referee.basics.exceptions import FormatError, OptionError
from referee.corpus.columns import MENTION_TYPES, Spans
from referee.corpus.corpus import Corpus
from referee.corpus.editing import fragment_columns, join
from referee.corpus.layers import Bridging, EmptyNodes, Links, SplitAntecedents
from referee.corpus.schema import Numbers, schema_of
from referee.corpus.text import RawText, Text, Words
from referee.corpus.undecided import UNDECIDED


class CorpusBuilder:
    """Takes documents, mentions and links one at a time, and makes a corpus of them.

    Parameters
    ----------
    source : str
        Where the annotation comes from, for messages.

    Examples
    --------
    >>> builder = CorpusBuilder("notes")
    >>> builder.document("d1", ["Ann", "saw", "her", "dog"], [0])
    >>> builder.mention(0, 1, "ann"); builder.mention(2, 3, "ann"); builder.mention(2, 4, "dog", head=3)
    0
    1
    2
    >>> builder.corpus()
    Corpus(notes: 1 document, 3 mentions, 2 entities)
    """

    def __init__(self, source: str = "<memory>") -> None:
        self.source = source
        self.doc_ids: list[str] = []
        self.words: list[Words | None] = []
        self.entity_ids: list[str] = []
        self.entity_types: list[str] = []
        self.items: list[str] = []
        self.links: array[int] | None = None  # two mentions a link
        self.deixis: CorpusBuilder | None = None
        self._entities: dict[str, int] = {}  # of the current document
        self._known: set[str] = set()
        self._rows = array("q")  # four a mention: document, start, end, entity
        self._optional: defaultdict[str, dict[int, int | tuple[int, int]]] = defaultdict(dict)  # column -> mention -> value
        self._fragments: dict[int, Spans] = {}
        self._notes: dict[int, str] = {}
        self._non_referring: set[int] = set()
        self._bridging: dict[tuple[int, int], str] = {}
        self._split_antecedents: set[tuple[int, int]] = set()
        self._empty_nodes: list[tuple[int, int, int, int, str]] = []

    def document(
        self,
        name: str,
        tokens: Sequence[str] | None = None,
        sentences: Sequence[int] | None = None,
        *,
        raw: RawText | None = None,
        speakers: Sequence[str] | None = None,
        line: int | None = None,
    ) -> None:
        """Begin a document; without a name it gets its number.

        Parameters
        ----------
        name : str
            A name that no other document of the corpus has.
        tokens : sequence of str, optional
            All tokens, empty nodes included; None if unknown.
        sentences : sequence of int, optional
            Token offsets at which sentences start; None for a single sentence.
        raw : RawText, optional
            The text that the tokens are from.
        speakers : sequence of str, optional
            Who says each sentence; empty where that is unknown.
        line : int, optional
            Where the document stands in the file, for messages.

        Raises
        ------
        FormatError
            If the name was used before, or the tokens are one text.
        """
        name = name or f"#{len(self.doc_ids) + 1}"
        if isinstance(tokens, str):
            raise FormatError(self.source, line, f"document {name!r} has a text as tokens; expected a list: text.split()")
        tokens, sentences = _listed(tokens), _listed(sentences)
        if name in self._known:
            raise FormatError(
                self.source, line, f"document {name!r} appears twice; expected each name once: rename or remove one"
            )
        self._known.add(name)
        self.doc_ids.append(name)
        starts = sentences or ([0] if tokens else [])
        self.words.append(None if tokens is None else Words(tokens, starts, raw, speakers=speakers))
        self._entities = {}

    def empty_node(self, node: int, minor: int, sentence: int, deps: str = "") -> None:
        """Say that the token `node` of the current document is an empty node; see `referee.corpus.layers.EmptyNodes`."""
        self._empty_nodes.append((len(self.doc_ids) - 1, node, minor, sentence, deps))

    def entity(self, entity_id: str, entity_type: str = "") -> int:
        """Give the number of the entity with this id in the current document, which is made when it is new."""
        number = self._entities.get(entity_id)
        if number is None:
            number = self._entities[entity_id] = len(self.entity_ids)
            self.entity_ids.append(entity_id)
            self.entity_types.append(entity_type)
        elif self.entity_types[number] == UNDECIDED:  # mentions that were decided may keep the type, and be the first
            self.entity_types[number] = entity_type
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
        note: str = "",
    ) -> int:
        """Add a mention to the current document.

        Parameters
        ----------
        start, end : int
            Token offsets, half-open. They are ignored if `spans` are given.
        entity_id, entity_type : str
            The entity that it is a mention of, and the type of that entity if it is new.
        spans : sequence of pairs
            The spans of a mention that may be discontinuous, in any order; those that touch or overlap are joined.
        head : int, optional
            Token offset of the head.
        minimum_span : pair, optional
            The minimum span (MIN) that a response must give, half-open.
        mention_type : str
            One of `referee.corpus.columns.MENTION_TYPES`.
        referring : bool
            False if the entity is non-referring.
        note : str
            What a person is to be told of it.

        Returns
        -------
        int
            The number of the mention, for `link` and `bridge`.

        Raises
        ------
        OptionError
            If there is no document yet, the span ends before it starts, or there is no such mention type.
        """
        if not self.doc_ids:
            raise OptionError("expected a document before its mentions: call document() first")
        number, joined = self._mentions, join(spans) if spans else ()
        if joined:
            start, end = joined[0][0], joined[-1][1]
        if not 0 <= start <= end:
            raise OptionError(f"found the span {start} to {end}; expected 0 <= start <= end")
        if mention_type not in MENTION_TYPES:
            raise OptionError(f"found the mention type {mention_type!r}; expected one of {', '.join(MENTION_TYPES[1:])}")
        start, end = array("q", (start, end))  # an error here, as of 0.5, leaves nothing behind
        entity = self.entity(entity_id, entity_type)
        self._rows.extend((len(self.doc_ids) - 1, start, end, entity))
        if len(joined) > 1:
            self._fragments[number] = joined
        if head is not None:
            self._optional["head"][number] = head
        if minimum_span is not None:
            self._optional["minimum_span"][number] = minimum_span
        if mention_type:
            self._optional["mention_types"][number] = MENTION_TYPES.index(mention_type)
        if not referring:
            self._non_referring.add(entity)
        if note:
            self._notes[number] = note
        return number

    def add_spans(
        self,
        start: Ints,
        end: Ints,
        entity_ids: Sequence[str],
        sizes: Sequence[int],
        *,
        entity_types: Sequence[str] = (),
        fragments: Mapping[int, Spans] | None = None,
        minimum_spans: Mapping[int, tuple[int, int]] | None = None,
        non_referring: Collection[str] = (),
    ) -> int:
        """Add all mentions of entities to the current document, as `mention` adds one.

        Parameters
        ----------
        start, end : int64, shape (mentions,)
            Token offsets, half-open; those of an entity are together.
        entity_ids : sequence of str
            The entities.
        sizes : sequence of int
            How many mentions each of them has.
        entity_types : sequence of str, optional
            The type of each of the entities, of which the first counts.
        fragments : mapping, optional
            The spans of discontinuous mentions, by their rows in these columns, as `join` gives them.
        minimum_spans : mapping, optional
            The minimum spans of mentions that have one, by their rows.
        non_referring : collection of str, optional
            The entities that are non-referring.

        Returns
        -------
        int
            The number of the first mention.

        Raises
        ------
        OptionError
            If there is no document yet, a span ends before it starts, or the numbers of mentions differ.
        """
        if not self.doc_ids:
            raise OptionError("expected a document before its mentions: call document() first")
        if not len(start) == len(end) == sum(sizes):
            raise OptionError(f"found {len(start)} starts, {len(end)} ends, and entities of {sum(sizes)}; expected one number")
        if len(wrong := np.flatnonzero((start < 0) | (start > end))):
            first = wrong[0]
            raise OptionError(f"found the span {start[first]} to {end[first]}; expected 0 <= start <= end")
        first = self._mentions
        types = dict(zip(reversed(entity_ids), reversed(entity_types), strict=True)) if entity_types else {}
        self._add_rows(start, end, entity_ids, sizes, types)
        self._fragments |= {first + row: spans for row, spans in (fragments or {}).items() if len(spans) > 1}
        if minimum_spans:
            self._optional["minimum_span"].update((first + row, span) for row, span in minimum_spans.items())
        self._non_referring.update(self._entities[entity_id] for entity_id in non_referring)
        return first

    @property
    def _mentions(self) -> int:
        return len(self._rows) // 4

    def _add_rows(
        self,
        start: Ints | int,
        end: Ints | int,
        entity_ids: Sequence[str],
        sizes: Sequence[int] | int,
        types: Mapping[str, str],
    ) -> None:
        different = dict.fromkeys(entity_ids)
        for entity_id in [entity_id for entity_id in different if entity_id in self._entities]:
            self.entity(entity_id, types.get(entity_id, ""))
        new = [entity_id for entity_id in different if entity_id not in self._entities]
        self._entities.update(zip(new, range(len(self.entity_ids), len(self.entity_ids) + len(new)), strict=True))
        self.entity_ids.extend(new)
        self.entity_types.extend([types.get(entity_id, "") for entity_id in new])
        entity = repeat(np.fromiter(map(self._entities.__getitem__, entity_ids), np.int64, len(entity_ids)), sizes)
        rows = np.broadcast_arrays(len(self.doc_ids) - 1, start, end, entity)
        self._rows.frombytes(np.stack(rows, axis=1, dtype=np.int64).tobytes())

    def item(self, item: str, entity_id: str, entity_type: str = "") -> int:
        """Add a mention that is not a span but an item, such as a record; gives its number."""
        self.items.append(item)
        return self.mention(0, 1, entity_id, entity_type)

    def add_items(self, items: Sequence[str], entity_ids: Sequence[str]) -> int:
        """Add many mentions to the current document, as `item` adds one; gives the number of the first."""
        first = self._mentions
        self._add_rows(0, 1, entity_ids, 1, {})
        self.items.extend(items)
        return first

    def link(self, first: int, second: int) -> None:
        """Record a link between two mentions as the file lists it."""
        self.links = array("q") if self.links is None else self.links
        self.links.extend((first, second))

    def bridge(self, anaphor: int, antecedent: int, relation: str = "") -> None:
        """Record that a mention is associated with an antecedent without referring to the same."""
        self._bridging[anaphor, antecedent] = relation

    def split_antecedent(self, entity: int, element: int) -> None:
        """Record that an entity has another one among its split antecedents; both are numbers that `entity` gave."""
        self._split_antecedents.add((entity, element))

    def corpus(self) -> Corpus:
        """Make a corpus of everything so far.

        Raises
        ------
        OptionError
            If some mentions are items and others spans.
        """
        if self.items and len(self.items) < self._mentions:
            raise OptionError("expected mentions that are all spans or all items; found both")
        document, start, end, entity = np.array(self._rows, dtype=np.int64).reshape(-1, 4).T
        words = [w for w in self.words if w is not None]
        fragments, fragment_lists = fragment_columns(self._fragments, len(document))
        optional: dict[str, Any] = {name: _column(name, len(document), values) for name, values in self._optional.items()}
        return Corpus(
            tuple(self.doc_ids),
            document=document,
            start=start,
            end=end,
            entity=entity,
            entity_ids=self.entity_ids,
            entity_types=self.entity_types if any(self.entity_types) else None,
            items=self.items or None,
            text=Text.of(words) if words and len(words) == len(self.words) else None,
            source=self.source,
            notes=[self._notes.get(m, "") for m in range(len(document))] if self._notes else None,
            fragments=fragments,
            fragment_lists=fragment_lists,
            referring=self._referring(),
            links=self._links(document),
            bridging=self._bridges(),
            split_antecedents=SplitAntecedents(*_columns(self._split_antecedents, 2)) if self._split_antecedents else None,
            empty_nodes=self._empties(),
            deixis=None if self.deixis is None else self.deixis.corpus(),
            **optional,
        ).in_reading_order()

    def _referring(self) -> Bools | None:
        if not self._non_referring:
            return None
        return ~np.isin(np.arange(len(self.entity_ids)), list(self._non_referring))

    def _links(self, document: Ints) -> Links | None:
        if self.links is None:
            return None
        first, second = np.array(self.links, dtype=np.int64).reshape(-1, 2).T
        return Links(document[first], first, second)

    def _bridges(self) -> Bridging | None:
        anaphor, antecedent = _columns(self._bridging, 2)
        return Bridging(anaphor, antecedent, list(self._bridging.values())) if self._bridging else None

    def _empties(self) -> EmptyNodes | None:
        if not self._empty_nodes:
            return None
        nodes = sorted(self._empty_nodes)
        document, node, minor, sentence = (c.astype(np.int32) for c in _columns((row[:4] for row in nodes), 4))
        return EmptyNodes(document, node, minor, sentence, [row[4] for row in nodes])


def _column(name: str, length: int, values: Mapping[int, int | tuple[int, int]]) -> Ints:
    """A column with the values of some rows, and with what says nothing in the others."""
    declared = schema_of(Corpus)[name]
    assert isinstance(declared, Numbers)
    rows = np.array(list(values.values()), dtype=np.int64)
    column = np.full((length, *rows.shape[1:]), declared.fill, dtype=np.int64)
    column[list(values)] = rows
    return column


def _columns(rows: Iterable[tuple[int, ...]], number: int) -> Ints:
    return np.fromiter(chain.from_iterable(rows), dtype=np.int64).reshape(-1, number).T


def _listed(values: Any) -> Any:  # noqa: ANN401  # of arrays and columns
    """Values that are no sequence, as of an array or a column of a frame, as a list."""
    return values if values is None or isinstance(values, Sequence) else getattr(values, "tolist", lambda: list(values))()
