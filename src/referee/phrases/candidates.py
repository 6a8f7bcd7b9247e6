"""Sentences, true chunks, and candidates with probabilities, as columns.

A candidate is (x, i, j): a category x, and a span of words i to j of a sentence, half-open, 0 <= i < j <= n. The universe is
all of them, K n (n + 1) / 2 for a sentence of n words and K categories: `Candidates` lists those it has something to say
about, and a `Default` gives the probability of all others. So a model of a few parameters lists nothing, and a scorer never
looks at what is not listed one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import order_by, pack, ranges, starts_of_runs
from referee.exceptions import MismatchError, OptionError
from referee.messages import counted

Flags: TypeAlias = NDArray[np.bool_]

LONGEST = 1 << 16
"""Words that a sentence of a file may have: a number that is larger by mistake would be a table of gigabytes."""


@dataclass(frozen=True, eq=False)
class Sentences:
    """The sentences that are judged.

    ids    : names, each once; "1", "2", ... where the source has none
    length : int32, shape (sentences,), words in each
    words, tags : of each sentence, where the source has them
    """

    ids: tuple[str, ...]
    length: Ints
    words: Sequence[Sequence[str]] | None = None
    tags: Sequence[Sequence[str]] | None = None

    @classmethod
    def numbered(
        cls, length: ArrayLike, words: Sequence[Sequence[str]] | None = None, tags: Sequence[Sequence[str]] | None = None
    ) -> Sentences:
        """Sentences without names of their own."""
        lengths = np.asarray(length, dtype=np.int32)
        return cls(tuple(map(str, range(1, len(lengths) + 1))), lengths, words, tags)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def are_numbered(self) -> bool:
        return all(name == str(number) for number, name in enumerate(self.ids, start=1))

    @cached_property
    def spans(self) -> NDArray[np.int64]:
        """Spans of each sentence: n (n + 1) / 2."""
        n = self.length.astype(np.int64)
        return n * (n + 1) // 2

    def spans_of_length(self) -> NDArray[np.int64]:
        """Spans of 1, 2, ... words, up to the longest sentence, in all sentences: the sum of max(0, n - k + 1).

        >>> Sentences.numbered([3, 1]).spans_of_length().tolist()
        [4, 2, 1]
        """
        at_least = np.cumsum(np.bincount(self.length)[::-1])[::-1][1:]  # sentences of k words or more
        return np.cumsum(at_least[::-1])[::-1].astype(np.int64)

    def select(self, which: ArrayLike) -> Sentences:
        """Some of the sentences, in this order."""
        numbers = np.asarray(which).tolist()
        return Sentences(
            tuple(self.ids[s] for s in numbers),
            self.length[numbers],
            None if self.words is None else [self.words[s] for s in numbers],
            None if self.tags is None else [self.tags[s] for s in numbers],
        )


@dataclass(frozen=True, eq=False)
class Chunks:
    """The chunks of an annotation, true or answered by a system. Made by `Chunks.build`.

    categories : names; their order is that of the numbers in `category`
    sentence, start, end, category : int32, shape (chunks,), sorted in this order of columns, each chunk once
    source     : where they come from, for messages
    """

    sentences: Sentences
    categories: tuple[str, ...]
    sentence: Ints
    start: Ints
    end: Ints
    category: Ints
    source: str = "<memory>"

    @classmethod
    def build(
        cls,
        sentences: Sentences,
        categories: Sequence[str],
        sentence: ArrayLike,
        start: ArrayLike,
        end: ArrayLike,
        category: ArrayLike,
        *,
        source: str = "<memory>",
    ) -> Chunks:
        """The chunks given in any order. OptionError for one that is twice there or not in its sentence."""
        columns, _ = _sorted(sentences, categories, (sentence, start, end, category), source)
        return cls(sentences, tuple(categories), *columns, source)

    def __len__(self) -> int:
        return len(self.start)

    @property
    def length(self) -> Ints:
        """Words in each chunk."""
        return self.end - self.start

    def triples(self) -> list[list[tuple[str, int, int]]]:
        """Category, start and end of each chunk, sentence by sentence."""
        lists: list[list[tuple[str, int, int]]] = [[] for _ in self.sentences.ids]
        columns = (self.sentence.tolist(), self.start.tolist(), self.end.tolist(), self.category.tolist())
        for s, i, j, x in zip(*columns, strict=True):
            lists[s].append((self.categories[x], i, j))
        return lists

    @property
    def candidates(self) -> Candidates:
        """A hard answer as candidates: these with probability 1, all others 0."""
        return Candidates(
            self.sentences, self.categories, self.sentence, self.start, self.end, self.category,
            np.ones(len(self)), Default.constant(0.0), source=self.source,
        )  # fmt: skip

    def used(self) -> set[str]:
        """The categories that have chunks."""
        return {self.categories[x] for x in np.unique(self.category).tolist()}

    def where(self, kept: Flags) -> Chunks:
        """Some of the chunks."""
        columns = (self.sentence[kept], self.start[kept], self.end[kept], self.category[kept])
        return Chunks(self.sentences, self.categories, *columns, self.source)

    def select(self, which: ArrayLike) -> Chunks:
        """The chunks of some sentences, in this order; a sentence may be chosen once."""
        rows, sentence = _rows_of(self, np.asarray(which))
        columns = (sentence, self.start[rows], self.end[rows], self.category[rows])
        return Chunks(self.sentences.select(which), self.categories, *columns, self.source)

    def renamed(self, categories: Sequence[str]) -> Chunks:
        """The same over other categories, which must include those that are used; chunks of all others are left out."""
        kept, category = _renumbered(self.categories, categories, self.category)
        rows = np.flatnonzero(kept)
        rows = rows[order_by(self.sentence[rows], self.start[rows], self.end[rows], category[rows])]
        columns = (self.sentence[rows], self.start[rows], self.end[rows], category[rows])
        return Chunks(self.sentences, tuple(categories), *columns, self.source)


@dataclass(frozen=True, eq=False)
class Default:
    """The probability of the candidates that are not listed, by category and length.

    table  : float64, shape (categories, lengths), for 1, 2, ... words; no lengths for a constant
    beyond : of longer ones, and of categories that the table does not know
    """

    table: Floats
    beyond: float

    @classmethod
    def constant(cls, p: float) -> Default:
        """The same probability for all that is not listed."""
        return cls(np.empty((0, 0)), _probability(p))

    @classmethod
    def by_length(cls, table: ArrayLike, beyond: float = 0.0) -> Default:
        """Probabilities by category (in the order of the categories) and length. OptionError for what is none."""
        values = np.asarray(table, dtype=np.float64)
        if values.ndim != 2:
            raise OptionError(f"found a default table of {values.ndim} dimensions; expected categories x lengths")
        check_probabilities(values.ravel(), "<default>")
        return cls(values, _probability(beyond))

    def for_categories(self, number: int) -> Floats:
        """The table with a row for each of so many categories and one more length, for all beyond. (categories, lengths + 1)"""
        table = np.full((number, self.table.shape[1] + 1), self.beyond)
        table[: len(self.table), :-1] = self.table
        return table

    def renamed(self, old: Sequence[str], new: Sequence[str]) -> Default:
        """The same for categories in another order."""
        if not self.table.shape[1] or tuple(old) == tuple(new):
            return self
        number = {name: x for x, name in enumerate(old)}
        table = np.full((len(new), self.table.shape[1]), self.beyond)
        for x, name in enumerate(new):
            if number.get(name, len(self.table)) < len(self.table):
                table[x] = self.table[number[name]]
        return Default(table, self.beyond)


@dataclass(frozen=True, eq=False)
class Candidates:
    """What a model says of every candidate: a probability for those listed, the default for all others.

    sentence, start, end, category : int32, shape (listed,), sorted in this order of columns, each candidate once
    p       : float64, shape (listed,), probabilities of being true
    default : of all others; None if the source does not say: they count as 0, and a true one among them as an impossible event
    covered : bool, shape (listed,), which of the listed candidates a rule covers; None for all of them. The others are none
              the less uncovered for being listed
    """

    sentences: Sentences
    categories: tuple[str, ...]
    sentence: Ints
    start: Ints
    end: Ints
    category: Ints
    p: Floats
    default: Default | None = None
    covered: Flags | None = None
    source: str = "<memory>"

    @classmethod
    def build(
        cls,
        sentences: Sentences,
        categories: Sequence[str],
        sentence: ArrayLike,
        start: ArrayLike,
        end: ArrayLike,
        category: ArrayLike,
        p: ArrayLike,
        default: Default | None = None,
        *,
        covered: ArrayLike | None = None,
        source: str = "<memory>",
    ) -> Candidates:
        """Candidates given in any order. OptionError for one that is twice there or not in its sentence, or for a p that is no
        probability."""
        columns, order = _sorted(sentences, categories, (sentence, start, end, category), source)
        values = np.asarray(p, dtype=np.float64)[order]
        check_probabilities(values, source)
        flags = None if covered is None else np.asarray(covered, dtype=bool)[order]
        return cls(sentences, tuple(categories), *columns, values, default, flags, source)

    @classmethod
    def unlisted(
        cls, sentences: Sentences, categories: Sequence[str], default: Default, *, source: str = "<memory>"
    ) -> Candidates:
        """Candidates of which none is listed: a model whose probabilities depend on category and length alone."""
        none = np.empty(0, dtype=np.int32)
        return cls(sentences, tuple(categories), none, none, none, none, np.empty(0), default, source=source)

    def __len__(self) -> int:
        return len(self.p)

    @property
    def length(self) -> Ints:
        """Words in each listed candidate."""
        return self.end - self.start

    @property
    def universe(self) -> int:
        """How many candidates there are, listed or not."""
        return len(self.categories) * int(self.sentences.spans.sum())

    def where(self, kept: Flags) -> Candidates:
        """Only some of them listed; the others get the default."""
        columns = (self.sentence[kept], self.start[kept], self.end[kept], self.category[kept], self.p[kept])
        covered = None if self.covered is None else self.covered[kept]
        return Candidates(self.sentences, self.categories, *columns, self.default, covered, self.source)

    def select(self, which: ArrayLike) -> Candidates:
        """The candidates of some sentences, in this order; a sentence may be chosen once."""
        rows, sentence = _rows_of(self, np.asarray(which))
        columns = (sentence, self.start[rows], self.end[rows], self.category[rows], self.p[rows])
        covered = None if self.covered is None else self.covered[rows]
        return Candidates(self.sentences.select(which), self.categories, *columns, self.default, covered, self.source)

    def renamed(self, categories: Sequence[str]) -> Candidates:
        """The same over other categories; candidates of categories that are not among them are left out."""
        kept, category = _renumbered(self.categories, categories, self.category)
        rows = np.flatnonzero(kept)
        rows = rows[order_by(self.sentence[rows], self.start[rows], self.end[rows], category[rows])]
        columns = (self.sentence[rows], self.start[rows], self.end[rows], category[rows], self.p[rows])
        return Candidates(
            self.sentences, tuple(categories), *columns,
            self.default and self.default.renamed(self.categories, categories),
            None if self.covered is None else self.covered[rows], self.source,
        )  # fmt: skip

    @property
    def certain(self) -> Chunks:
        """Those listed with probability 1."""
        kept = self.where(self.p == 1)
        return Chunks(self.sentences, self.categories, kept.sentence, kept.start, kept.end, kept.category, self.source)

    @property
    def is_hard(self) -> bool:
        """Whether those that are `certain` are all it says: the others have probability 0."""
        default = self.default
        return bool(np.isin(self.p, (0, 1)).all()) and (default is None or not (default.beyond or default.table.any()))

    def floored(self, floor: float) -> Candidates:
        """No probability below the floor or above 1 - floor, of any candidate."""
        if not 0 < floor < 0.5:
            raise OptionError(f"found the floor {floor:g}; expected a number above 0 and below 0.5")
        default = self.default or Default.constant(0.0)
        low, high = floor, 1 - floor
        return replace(
            self,
            p=np.clip(self.p, low, high),
            default=Default(np.clip(default.table, low, high), float(np.clip(default.beyond, low, high))),
        )


class Annotation(Protocol):
    """What has sentences and comes from somewhere."""

    @property
    def sentences(self) -> Sentences: ...
    @property
    def source(self) -> str: ...


def same_sentences(key: Annotation, response: Annotation) -> NDArray[np.int64] | None:
    """Where each sentence of the key is among the response's; None if all are in their places. Sentences go by their names, or
    by their order where one side has only numbers, and not those of the other.

    MismatchError if a sentence is missing on either side, or has another number of words.
    """
    a, b = key.sentences, response.sentences
    place = None
    if a.ids != b.ids:
        names = set(a.ids)
        if (a.are_numbered or b.are_numbered) and names != set(b.ids):
            if len(a) != len(b):
                raise MismatchError(
                    f"{response.source} has {counted(len(b), 'sentence')}, {key.source} has {len(a)}; expected the same"
                )
        else:
            number = {name: s for s, name in enumerate(b.ids)}
            for name in a.ids:
                if name not in number:
                    raise MismatchError(
                        f"{response.source}: sentence {name!r} of {key.source} is missing; expected every sentence"
                    )
            if len(b) > len(a):
                extra = next(name for name in b.ids if name not in names)
                raise MismatchError(
                    f"{response.source}: sentence {extra!r} is not in {key.source}; expected the same sentences"
                )
            place = np.array([number[name] for name in a.ids], dtype=np.int64)
    lengths = b.length if place is None else b.length[place]
    wrong = np.flatnonzero(lengths != a.length)
    if len(wrong):
        s = int(wrong[0])
        raise MismatchError(
            f"{response.source}: sentence {a.ids[s]!r} has {lengths[s]} words, {a.length[s]} in {key.source}; expected as many"
        )
    return place


Side = TypeVar("Side", Chunks, Candidates)


def together(key: Chunks, response: Side) -> tuple[Chunks, Side]:
    """Both over the categories of both: the response's, then those that only the key has."""
    if key.categories == response.categories:
        return key, response
    names = list(dict.fromkeys([*response.categories, *key.categories]))
    return key.renamed(names), response if len(names) == len(response.categories) else response.renamed(names)


def places(spans: Chunks | Candidates) -> Ints:
    """Sentence, span and category of each in one number that sorts like them, alike for all over the same sentences and
    categories."""
    n = spans.sentences.length.astype(np.int64)
    limits = (int(n.sum()), int(n.max(initial=0)), len(spans.categories))
    packed = pack((np.cumsum(n) - n)[spans.sentence] + spans.start, spans.length, spans.category, limits=limits)
    if packed is None:
        raise OptionError(
            f"{spans.source}: found {limits[0]} words and {limits[2]} categories; expected fewer: score parts of it"
        )
    return packed


def found(key: Chunks, response: Chunks | Candidates) -> tuple[Flags, Flags]:
    """Which of the response are in the key, and which of the key are in the response. Sentences and categories are the same."""
    a, b = places(key), places(response)
    true = np.zeros(len(b), dtype=bool)
    if not len(b):
        return true, np.zeros(len(a), dtype=bool)
    where = np.minimum(np.searchsorted(b, a), len(b) - 1)
    listed = b[where] == a
    true[where[listed]] = True
    return true, listed


def _sorted(
    sentences: Sentences, categories: Sequence[str], given: tuple[ArrayLike, ...], source: str
) -> tuple[tuple[Ints, Ints, Ints, Ints], Ints]:
    """The columns checked and in order, and the order."""
    if len(set(categories)) < len(categories):
        raise OptionError(f"{source}: found a category twice among {', '.join(categories)}; expected each once")
    sentence, start, end, category = (np.asarray(column, dtype=np.int64) for column in given)
    known = (sentence >= 0) & (sentence < len(sentences)) & (category >= 0) & (category < len(categories))
    if not known.all():
        row = int(np.argmin(known))
        raise OptionError(
            f"{source}: candidate {row} has sentence {sentence[row]} and category {category[row]}; expected numbers below "
            f"{len(sentences)} and {len(categories)}"
        )
    inside = (start >= 0) & (start < end) & (end <= sentences.length[sentence])
    if not inside.all():
        row = int(np.argmin(inside))
        s = int(sentence[row])
        raise OptionError(
            f"{source}: sentence {sentences.ids[s]!r}: found {categories[category[row]]} from {start[row]} to {end[row]}; "
            f"expected 0 <= start < end <= {sentences.length[s]}"
        )
    order = order_by(sentence, start, end, category)
    columns = tuple(column[order].astype(np.int32) for column in (sentence, start, end, category))
    again = ~starts_of_runs(*columns)
    if again.any():
        row = int(np.argmax(again))
        s, i, j, x = (int(column[row]) for column in columns)
        raise OptionError(
            f"{source}: sentence {sentences.ids[s]!r}: found {categories[x]} from {i} to {j} twice; expected it once"
        )
    return (columns[0], columns[1], columns[2], columns[3]), order


def _rows_of(spans: Chunks | Candidates, which: Ints) -> tuple[Ints, Ints]:
    """The rows of the chosen sentences, sentence by sentence, and the new number of each row's sentence."""
    offsets = np.searchsorted(spans.sentence, np.arange(len(spans.sentences) + 1))
    new, rows = ranges(offsets[which], offsets[which + 1])
    return rows, new.astype(np.int32)


def _renumbered(old: Sequence[str], new: Sequence[str], category: Ints) -> tuple[Flags, Ints]:
    """Which rows have a category among the new ones, and its new number."""
    number = {name: x for x, name in enumerate(new)}
    table = np.array([number.get(name, -1) for name in old], dtype=np.int32)
    renumbered = table[category] if len(table) else category
    return renumbered >= 0, renumbered


def check_probabilities(p: NDArray[np.floating[Any]], source: str) -> None:
    """OptionError for a number that is no probability."""
    wrong = ~((p >= 0) & (p <= 1))
    if wrong.any():
        raise OptionError(f"{source}: found the probability {p[np.argmax(wrong)]:g}; expected a number from 0 to 1")


def _probability(p: float) -> float:
    check_probabilities(np.array([p], dtype=np.float64), "<default>")
    return float(p)
