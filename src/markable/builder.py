"""A corpus made mention by mention, for readers that go that way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from markable.corpus import Corpus
from markable.errors import FormatError, OptionError
from markable.rows import Ints
from markable.text import Text, Words


class CorpusBuilder:
    """Takes documents, mentions and links one at a time.

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
        if not self.names:
            raise OptionError("expected a document before its mentions: call document() first")
        if not 0 <= start <= end:
            raise OptionError(f"found the span {start} to {end}; expected 0 <= start <= end")
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
        if self.items and len(self.items) < len(self._rows):
            raise OptionError("expected mentions that are all spans or all named; found both")
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


def _pairs(links: list[tuple[int, int]]) -> tuple[Ints, Ints]:
    array = np.array(links, dtype=np.int64).reshape(-1, 2)
    return array[:, 0], array[:, 1]
