"""Spans of words with a category, as columns; and chunks, the phrases of a key or of a 1-best prediction.

Offsets count the words of a sentence from 0 and are half-open: 0 <= start < end <= n.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from referee.algorithms.arrays import Bools, Ints, argsort, pack, ranges, starts_of_runs
from referee.basics.exceptions import OptionError
from referee.phrases.annotation.sentences import Sentences

if TYPE_CHECKING:
    from typing import Self  # which Python 3.10 does not have


class SpanColumns(NamedTuple):
    """Sentence number, start, end and category number of each span, as arrays of one length."""

    sentence: Ints
    start: Ints
    end: Ints
    category: Ints

    @classmethod
    def of_rows(cls, rows: Sequence[tuple[int, int, int, int]]) -> SpanColumns:
        """The columns of these rows."""
        return cls(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)

    def take(self, rows: Ints | Bools) -> SpanColumns:
        """The columns of some rows."""
        return SpanColumns(self.sentence[rows], self.start[rows], self.end[rows], self.category[rows])

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """The rows as Python integers."""
        return zip(*(column.tolist() for column in self), strict=True)


@dataclass(frozen=True, eq=False)
class Spans:
    """Spans of words with a category, each once.

    Parameters
    ----------
    sentences
        The sentences in which the spans stand.
    categories
        Names; `columns.category` has their positions.
    columns
        int32, sorted by sentence, start, end and category.
    source
        The name of the source, for messages.
    read_as
        What a reader took of it where there was a choice, for the signature.
    unread
        Columns or fields beside it that may hold an annotation, and were not read; None if a user named what is read.
    """

    sentences: Sentences
    categories: tuple[str, ...]
    columns: SpanColumns
    source: str = field(default="<memory>", kw_only=True)
    read_as: str = field(default="", kw_only=True)
    unread: tuple[str, ...] | None = field(default=(), kw_only=True)

    def __len__(self) -> int:
        return len(self.columns.start)

    @property
    def sentence(self) -> Ints:
        """The sentence number of each span."""
        return self.columns.sentence

    @property
    def start(self) -> Ints:
        """The first word of each span."""
        return self.columns.start

    @property
    def end(self) -> Ints:
        """The word after each span."""
        return self.columns.end

    @property
    def category(self) -> Ints:
        """The category number of each span."""
        return self.columns.category

    @property
    def length(self) -> Ints:
        """The number of words of each span."""
        return self.end - self.start

    def where(self, selection: Bools) -> Self:
        """Keep some of the spans."""
        return self._rows(np.flatnonzero(selection))

    def select(self, numbers: ArrayLike) -> Self:
        """Select sentences by their numbers, in this order, each once at most."""
        selected = np.asarray(numbers)
        offsets = np.searchsorted(self.sentence, np.arange(len(self.sentences) + 1))
        sentence, rows = ranges(offsets[selected], offsets[selected + 1])
        spans = self._rows(rows)
        columns = spans.columns._replace(sentence=sentence.astype(np.int32))
        return replace(spans, sentences=self.sentences.select(selected), columns=columns)

    def with_categories(self, categories: Sequence[str]) -> Self:
        """The same spans over other categories; spans of categories that are not among them are left out."""
        number = {name: x for x, name in enumerate(categories)}
        new = np.array([number.get(name, -1) for name in self.categories], dtype=np.int32)
        category = new[self.category] if len(new) else self.category
        rows = np.flatnonzero(category >= 0)
        renumbered = self.columns._replace(category=category).take(rows)
        order = argsort(*renumbered)
        return replace(self._rows(rows[order]), categories=tuple(categories), columns=renumbered.take(order))

    def _rows(self, rows: Ints) -> Self:
        """The spans of these rows, with all that is known of each. Subclasses add their own columns."""
        return replace(self, columns=self.columns.take(rows))


def checked_columns(
    sentences: Sentences, categories: Sequence[str], columns: Sequence[ArrayLike], source: str
) -> tuple[SpanColumns, Ints]:
    """Check and sort the columns sentence, start, end and category.

    Returns
    -------
    tuple
        The sorted columns (int32) and the order that sorts them.

    Raises
    ------
    OptionError
        If a category is named twice, or a span is outside its sentence, has no category or is given twice.
    """
    if len(set(categories)) < len(categories):
        raise OptionError(f"{source}: found a category twice among {', '.join(categories)}; expected each once")
    checked = SpanColumns(*(np.asarray(column, dtype=np.int64) for column in columns))
    _check(sentences, categories, checked, source)
    order = argsort(*checked)
    ordered = SpanColumns(*(column[order].astype(np.int32) for column in checked))
    repeated = ~starts_of_runs(*ordered)
    if repeated.any():
        span = _named(sentences, categories, ordered, int(np.argmax(repeated)))
        raise OptionError(f"{source}: {span} twice; expected it once")
    return ordered, order


def span_keys(spans: Spans) -> Ints:
    """Pack sentence, span and category into one integer that sorts like them.

    The keys of two annotations compare if both have the same sentences and categories.
    """
    sentences = spans.sentences
    limits = (int(sentences.length.sum(dtype=np.int64)), int(sentences.length.max(initial=0)), len(spans.categories))
    keys = pack(sentences.word_offsets[spans.sentence] + spans.start, spans.length, spans.category, limits=limits)
    if keys is None:
        raise OptionError(
            f"{spans.source}: found {limits[0]} words and {limits[2]} categories; expected fewer: score parts of it"
        )
    return keys


def _check(sentences: Sentences, categories: Sequence[str], columns: SpanColumns, source: str) -> None:
    """Raise an OptionError for a sentence or a category that is not there, and for a span that is outside its sentence."""
    sentence, start, end, category = columns
    is_there = (sentence >= 0) & (sentence < len(sentences)) & (category >= 0) & (category < len(categories))
    if not is_there.all():
        row = int(np.argmin(is_there))
        raise OptionError(
            f"{source}: candidate {row} has sentence {sentence[row]} and category {category[row]}; expected numbers below "
            f"{len(sentences)} and {len(categories)}"
        )
    length = sentences.length[sentence]
    inside = (start >= 0) & (start < end) & (end <= length)
    if not inside.all():
        row = int(np.argmin(inside))
        span = _named(sentences, categories, columns, row)
        raise OptionError(f"{source}: {span}; expected 0 <= start < end <= {length[row]}")


def _named(sentences: Sentences, categories: Sequence[str], columns: SpanColumns, row: int) -> str:
    """A span as messages name it."""
    sentence, start, end, category = (int(column[row]) for column in columns)
    return f"sentence {sentences.ids[sentence]!r}: found {categories[category]} from {start} to {end}"


@dataclass(frozen=True, eq=False)
class Chunks(Spans):
    """Phrases without probabilities, those of a key or of a 1-best prediction. `Chunks.build` makes and checks them.

    Parameters
    ----------
    word_tags
        The tags of each sentence from which they were read; None if there are none, or some of the phrases were left out.
    """

    word_tags: Sequence[Sequence[str]] | None = field(default=None, kw_only=True)

    @classmethod
    def build(
        cls,
        sentences: Sentences,
        categories: Sequence[str],
        *,
        sentence: ArrayLike,
        start: ArrayLike,
        end: ArrayLike,
        category: ArrayLike,
        source: str = "<memory>",
    ) -> Chunks:
        """Build chunks from columns in any order.

        Parameters
        ----------
        sentences
            The sentences in which the chunks stand.
        categories
            The names of the categories, each once.
        sentence, category
            Positions in `sentences` and `categories`, from 0.
        start, end
            Half-open word offsets.
        source
            The name of the source, for messages.

        Raises
        ------
        OptionError
            If a chunk is outside its sentence or is given twice.
        """
        columns, _ = checked_columns(sentences, categories, (sentence, start, end, category), source)
        return cls(sentences, tuple(categories), columns, source=source)

    def triples(self) -> list[list[tuple[str, int, int]]]:
        """Category, start and end of each chunk, sentence by sentence."""
        lists: list[list[tuple[str, int, int]]] = [[] for _ in self.sentences.ids]
        for sentence, start, end, category in self.columns.rows():
            lists[sentence].append((self.categories[category], start, end))
        return lists

    def used_categories(self) -> set[str]:
        """The categories of which there are chunks."""
        return {self.categories[x] for x in np.unique(self.category).tolist()}

    def without_categories(self) -> Chunks:
        """The same spans, each once, with one category for all: "phrase"."""
        once = self.where(starts_of_runs(self.sentence, self.start, self.end))
        columns = once.columns._replace(category=np.zeros_like(once.category))
        return replace(once, categories=("phrase",), columns=columns, word_tags=None)

    def select(self, numbers: ArrayLike) -> Chunks:
        """Select sentences by their numbers, in this order, each once at most."""
        tags = None if self.word_tags is None else [self.word_tags[s] for s in np.asarray(numbers).tolist()]
        return replace(super().select(numbers), word_tags=tags)

    def _rows(self, rows: Ints) -> Chunks:
        return replace(super()._rows(rows), word_tags=self.word_tags if len(rows) == len(self) else None)
