"""A corpus as people see it: documents, entities, mentions. Thin views of the columns, which the fast path never builds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from markable.corpus import Corpus


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
