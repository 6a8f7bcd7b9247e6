"""Chunks: the phrases of a key, or of a 1-best prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from referee.algorithms.sorting import starts_of_runs
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Spans, checked_columns


@dataclass(frozen=True, eq=False)
class Chunks(Spans):
    """Phrases without probabilities, those of a key or of a 1-best prediction. `Chunks.build` makes and checks them."""

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
        kept = self.where(starts_of_runs(self.sentence, self.start, self.end))
        return replace(kept, categories=("phrase",), columns=kept.columns._replace(category=np.zeros_like(kept.category)))
