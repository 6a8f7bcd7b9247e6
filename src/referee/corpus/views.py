"""Documents, entities and mentions as people see them: small objects that look up what they are asked for in the columns.

>>> from referee.corpus.builder import CorpusBuilder
>>> builder = CorpusBuilder("tale.conll")
>>> builder.document("tale", "The keeper saw a ship ; he waved".split(), [0])
>>> for start, end, entity in (0, 2, "K1"), (3, 5, "S1"), (6, 7, "K1"):
...     _ = builder.mention(start, end, entity)
>>> tale = builder.corpus().documents["tale"]
>>> tale
Document('tale': 8 tokens, 3 mentions, 2 entities)
>>> tale.entities
[Entity('K1': 'The keeper', 'he'), Entity('S1': 'a ship')]
>>> tale.mentions[0].entity.mentions[-1]
Mention('he' 6:7 of K1)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import total_ordering

from referee.basics.exceptions import UnknownDocumentError, brief_names, counted, shortened
from referee.basics.names import KeyCompletion
from referee.corpus.columns import MENTION_TYPES, Columns, Spans

SHOWN = 3
"""Mentions of an entity in its `repr`."""


@total_ordering
class _View:
    """A row of a corpus. Views of one corpus are equal if they are of the same row, and are ordered as in the text."""

    __slots__ = ("corpus", "index")

    def __init__(self, corpus: Columns, index: int) -> None:
        self.corpus = corpus
        self.index = index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.corpus is other.corpus and self.index == other.index

    def __lt__(self, other: _View) -> bool:
        if not isinstance(other, type(self)) or self.corpus is not other.corpus:
            return NotImplemented
        return self.index < other.index

    def __hash__(self) -> int:
        return hash((id(self.corpus), self.index))


class Mention(_View):
    """An expression in the text, or an item, that refers to an entity."""

    __slots__ = ()

    @property
    def document(self) -> Document:
        """The document that the mention is in."""
        return Document(self.corpus, int(self.corpus.document[self.index]))

    @property
    def entity(self) -> Entity:
        """The entity that the mention refers to."""
        return Entity(self.corpus, int(self.corpus.entity[self.index]))

    @property
    def start(self) -> int:
        """Token offset in the document at which the mention begins; for an item, its place among the items."""
        return int(self.corpus.start[self.index])

    @property
    def end(self) -> int:
        """Token offset after the last token."""
        return int(self.corpus.end[self.index])

    @property
    def spans(self) -> Spans:
        """Start and end of each span; a discontinuous mention has several."""
        return self.corpus.spans(self.index)

    @property
    def tokens(self) -> list[str]:
        """The tokens of all spans; none if the corpus has no words."""
        tokens = self.document.tokens
        return [token for start, end in self.spans for token in tokens[start:end]]

    @property
    def text(self) -> str:
        """The words joined by blanks, or the id of an item; empty if the corpus has no words."""
        if self.corpus.items is not None:
            return self.corpus.items[self.index]
        tokens = self.document.tokens
        return " … ".join(" ".join(tokens[start:end]) for start, end in self.spans) if tokens else ""

    @property
    def head(self) -> int | None:
        """Token offset of the head; None if unknown."""
        head = int(self.corpus.heads[self.index])
        return None if head < 0 else head

    @property
    def mention_type(self) -> str:
        """One of `referee.corpus.columns.MENTION_TYPES`; empty if unknown."""
        return MENTION_TYPES[self.corpus.mention_types_with_zeros[self.index]]

    @property
    def type(self) -> str:
        """The mention type; `Entity.type` is the entity type."""
        return self.mention_type

    @property
    def entity_type(self) -> str:
        """The type of the entity; empty if unknown."""
        return self.entity.type

    @property
    def is_zero(self) -> bool:
        """Whether the mention is an empty node, or has one as its head."""
        return bool(self.corpus.zero[self.index])

    def __repr__(self) -> str:
        place = "" if self.corpus.items is not None else f" {','.join(f'{start}:{end}' for start, end in self.spans)}"
        text = repr(shortened(self.text)) if self.text else ""
        return f"Mention({f'{text}{place}'.strip()} of {shortened(self.entity.id)})"


class Entity(_View):
    """What the mentions of a document refer to: the mentions of one referent."""

    __slots__ = ()

    @property
    def id(self) -> str:
        """What the file calls the entity."""
        return self.corpus.entity_ids[self.index]

    @property
    def type(self) -> str:
        """Person, place, ...: as the file has it; empty if unknown."""
        return "" if self.corpus.entity_types is None else self.corpus.entity_types[self.index]

    @property
    def document(self) -> Document:
        """The document that the entity is in."""
        return Document(self.corpus, int(self.corpus.entity_document[self.index]))

    @property
    def mentions(self) -> list[Mention]:
        """The mentions in the order of the text."""
        return [Mention(self.corpus, mention) for mention in self.corpus.mentions_of(self.index)]

    @property
    def size(self) -> int:
        """The number of mentions, repeated ones included."""
        return int(self.corpus.entity_size[self.index])

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Mention]:
        return iter(self.mentions)

    def __repr__(self) -> str:
        mentions = self.mentions
        texts = [repr(shortened(mention.text)) for mention in mentions[:SHOWN] if mention.text]
        if len(texts) < len(mentions):
            texts.append(f"{'… ' if texts else ''}{counted(len(mentions), 'mention')}")
        return f"Entity({shortened(self.id)!r}: {', '.join(texts)})"


class Document(_View):
    """A document with its text, mentions and entities."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the document, unique in its corpus."""
        return self.corpus.doc_ids[self.index]

    @property
    def tokens(self) -> Sequence[str]:
        """All tokens, empty nodes included; none if the corpus has no words."""
        return self.corpus.text.words[self.index].tokens if self.corpus.text else ()

    @property
    def sentences(self) -> Sequence[int]:
        """Token offsets at which the sentences start."""
        return self.corpus.text.words[self.index].sentences if self.corpus.text else ()

    @property
    def mentions(self) -> list[Mention]:
        """The mentions in the order of the text."""
        rows = self.corpus.mentions_in(self.index, self.index + 1)
        return [Mention(self.corpus, mention) for mention in range(rows.start, rows.stop)]

    @property
    def entities(self) -> list[Entity]:
        """The entities in the order of their first mentions."""
        rows = self.corpus.entities_in(self.index, self.index + 1)
        return [Entity(self.corpus, entity) for entity in range(rows.start, rows.stop)]

    def __repr__(self) -> str:
        sizes = (len(self.tokens), "token"), (len(self.mentions), "mention"), (len(self.entities), "entity")
        return f"Document({shortened(self.name)!r}: {', '.join(counted(*size) for size in sizes)})"


VIEWS = (Document, Entity, Mention)
"""The classes of views: what they see is a part of a corpus, and no annotation without it."""


class Documents(KeyCompletion, Mapping[str, Document]):
    """The documents of a corpus by name, in order; asking for another name raises `UnknownDocumentError`, a KeyError."""

    def __init__(self, corpus: Columns) -> None:
        self.corpus = corpus
        self._index = {name: index for index, name in enumerate(corpus.doc_ids)}

    def __getitem__(self, name: str) -> Document:
        if name not in self._index:
            raise UnknownDocumentError("document", name, self._index)
        return Document(self.corpus, self._index[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __repr__(self) -> str:
        return f"Documents({counted(len(self), 'document')}: {brief_names(self.corpus.doc_ids)})"
