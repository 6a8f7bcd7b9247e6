"""Candidates: spans that may be phrases, with the probabilities that a model gives them.

A candidate is a category with a span of words of one sentence. The candidate space is all of them: K n (n + 1) / 2 for a
sentence of n words and K categories. A model lists the candidates whose probabilities it knows one by one;
`DefaultProbabilities` has the probability of all others. So a model with few parameters lists nothing, and scoring never
enumerates the candidate space.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.algorithms.arrays import Bools, Floats, Ints
from referee.basics.exceptions import OptionError
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks, SpanColumns, Spans, checked_columns


@dataclass(frozen=True, eq=False)
class DefaultProbabilities:
    """The probabilities of unlisted candidates, by category and length.

    Parameters
    ----------
    table
        float64, shape (categories, lengths), for 1, 2, ... words; it has no columns if one constant holds for all.
    beyond
        The probability of longer candidates, and of categories that have no row.
    """

    table: Floats
    beyond: float

    @classmethod
    def constant(cls, probability: float) -> DefaultProbabilities:
        """One probability for all unlisted candidates."""
        return cls(np.empty((0, 0)), _checked(probability))

    @classmethod
    def by_length(cls, table: ArrayLike, beyond: float = 0.0) -> DefaultProbabilities:
        """Probabilities by category (in the order of the categories) and length.

        Raises
        ------
        OptionError
            If a value is not a probability or the table does not have two dimensions.
        """
        values = np.asarray(table, dtype=np.float64)
        if values.ndim != 2:
            raise OptionError(f"found a default table of {values.ndim} dimensions; expected categories x lengths")
        check_probabilities(values.ravel(), "<default>")
        return cls(values, _checked(beyond))

    @property
    def is_constant(self) -> bool:
        """Whether one probability holds for all categories and lengths."""
        return not self.table.shape[1]

    @property
    def most(self) -> float:
        """The largest of them."""
        return max(self.beyond, float(self.table.max(initial=0.0)))

    @property
    def is_zero(self) -> bool:
        """Whether all unlisted candidates have probability 0."""
        return not self.most

    def complete_table(self, categories: int) -> Floats:
        """The probabilities of this many categories, shape (categories, lengths + 1).

        The last column is for all longer candidates.
        """
        table = np.full((categories, self.table.shape[1] + 1), self.beyond)
        table[: len(self.table), :-1] = self.table
        return table

    def with_categories(self, old: Sequence[str], new: Sequence[str]) -> DefaultProbabilities:
        """The same for other categories, or another order of them; new ones get `beyond`."""
        if self.is_constant or tuple(old) == tuple(new):
            return self
        number = {name: x for x, name in enumerate(old)}
        table = np.full((len(new), self.table.shape[1]), self.beyond)
        for x, name in enumerate(new):
            if number.get(name, len(self.table)) < len(self.table):
                table[x] = self.table[number[name]]
        return DefaultProbabilities(table, self.beyond)

    def values(self) -> dict[str, object]:
        """The table and the probability beyond it, as they are saved in JSON."""
        return {"table": self.table.tolist(), "beyond": self.beyond}

    def clipped(self, low: float, high: float) -> DefaultProbabilities:
        """The same with no probability below `low` or above `high`."""
        return DefaultProbabilities(np.clip(self.table, low, high), float(np.clip(self.beyond, low, high)))


def check_probabilities(probabilities: NDArray[np.floating], source: str) -> None:
    """Raise an OptionError for a number outside [0, 1], and for nan."""
    wrong = ~((probabilities >= 0) & (probabilities <= 1))
    if wrong.any():
        raise OptionError(f"{source}: found the probability {probabilities[np.argmax(wrong)]:g}; expected a number from 0 to 1")


def _checked(probability: float) -> float:
    check_probabilities(np.array([probability], dtype=np.float64), "<default>")
    return float(probability)


@dataclass(frozen=True, eq=False)
class PhraseCandidates(Spans):
    """The probability of every candidate: of those listed, and the default of all others.

    `PhraseCandidates.build` makes and checks them.

    Parameters
    ----------
    probability
        float64, shape (listed,): the probability that the candidate is true.
    default
        The probabilities of all other candidates; None if the source does not give them. Then they count as 0.
    covered
        bool, shape (listed,): whether a rule of the model covers the candidate; None if rules cover all. Candidates that
        are not listed are uncovered.
    """

    probability: Floats
    default: DefaultProbabilities | None = None
    covered: Bools | None = None

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
        probability: ArrayLike,
        default: DefaultProbabilities | None = None,
        covered: ArrayLike | None = None,
        source: str = "<memory>",
    ) -> PhraseCandidates:
        """Build candidates from columns in any order.

        Parameters
        ----------
        sentences
            The sentences in which the candidates stand.
        categories
            The names of the categories, each once, including those without candidates.
        sentence, category
            Positions in `sentences` and `categories`, from 0.
        start, end
            Half-open word offsets.
        probability
            The probability of each candidate.
        default
            The probabilities of candidates that are not listed.
        covered
            Whether a rule of the model covers the candidate; by default, rules cover all.
        source
            The name of the source, for messages.

        Raises
        ------
        OptionError
            If a candidate is outside its sentence or is given twice, or a probability is not in [0, 1].
        """
        columns, order = checked_columns(sentences, categories, (sentence, start, end, category), source)
        values = np.asarray(probability, dtype=np.float64)[order]
        check_probabilities(values, source)
        flags = None if covered is None else np.asarray(covered, dtype=bool)[order]
        return cls(sentences, tuple(categories), columns, values, default, flags, source=source)

    @classmethod
    def unlisted(
        cls, sentences: Sentences, categories: Sequence[str], default: DefaultProbabilities, *, source: str = "<memory>"
    ) -> PhraseCandidates:
        """Candidates of a model whose probabilities depend on category and length alone: none is listed."""
        empty = np.empty(0, dtype=np.int32)
        columns = SpanColumns(empty, empty, empty, empty)
        return cls(sentences, tuple(categories), columns, np.empty(0), default, source=source)

    @classmethod
    def from_chunks(cls, chunks: Chunks) -> PhraseCandidates:
        """A 1-best prediction as candidates: its chunks have probability 1, all other candidates 0."""
        p, default = np.ones(len(chunks)), DefaultProbabilities.constant(0.0)
        return cls(
            chunks.sentences, chunks.categories, chunks.columns, p, default, source=chunks.source, read_as=chunks.read_as
        )

    @property
    def space_size(self) -> int:
        """The number of all candidates, listed or not."""
        return len(self.categories) * int(self.sentences.span_counts.sum())

    @property
    def is_one_best(self) -> bool:
        """Whether every probability is 0 or 1, and that of unlisted candidates 0."""
        return bool(np.isin(self.probability, (0, 1)).all()) and (self.default is None or self.default.is_zero)

    def chunks(self, min_probability: float = 1.0) -> Chunks:
        """The candidates that are listed with at least this probability."""
        columns = self.columns.take(self.probability >= min_probability)
        return Chunks(self.sentences, self.categories, columns, source=self.source, read_as=self.read_as)

    def with_categories(self, categories: Sequence[str]) -> PhraseCandidates:
        """The same candidates over other categories; candidates of categories that are not among them are left out."""
        default = self.default and self.default.with_categories(self.categories, categories)
        return replace(super().with_categories(categories), default=default)

    def without_categories(self) -> PhraseCandidates:
        """The same candidates with one category for all: "phrase".

        Raises
        ------
        OptionError
            If a span has candidates of several categories, or the default depends on the category: which probability holds?
        """
        if self.default is not None and not self.default.is_constant:
            raise OptionError(
                f"{self.source}: found a default by category; expected a constant one for phrases without categories"
            )
        columns = self.columns._replace(category=np.zeros_like(self.category))
        checked_columns(self.sentences, ("phrase",), columns, self.source)
        return replace(self, categories=("phrase",), columns=columns)

    def clipped(self, min_probability: float) -> PhraseCandidates:
        """Clip the probabilities of all candidates to [min_probability, 1 - min_probability].

        Raises
        ------
        OptionError
            If the bound is not above 0 and below 0.5.
        """
        if not 0 < min_probability < 0.5:
            raise OptionError(f"found the minimum probability {min_probability:g}; expected a number above 0 and below 0.5")
        default = self.default or DefaultProbabilities.constant(0.0)
        low, high = min_probability, 1 - min_probability
        return replace(self, probability=np.clip(self.probability, low, high), default=default.clipped(low, high))

    def _rows(self, rows: Ints) -> PhraseCandidates:
        covered = None if self.covered is None else self.covered[rows]
        return replace(self, columns=self.columns.take(rows), probability=self.probability[rows], covered=covered)
