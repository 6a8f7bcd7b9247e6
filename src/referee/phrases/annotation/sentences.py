"""The sentences that are scored: names, lengths, and the words and tags where a source has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.algorithms.arrays import Ints, tally

MAX_WORDS = 1 << 16
"""Words that a sentence of a file may have. A larger number is an error in the file, and its table would take gigabytes."""


@dataclass(frozen=True, eq=False)
class Sentences:
    """The sentences of an annotation.

    Parameters
    ----------
    ids
        Unique names; "1", "2", ... where the source has none.
    length
        int32, shape (sentences,): the number of words.
    words, tags
        The words of each sentence and their parts of speech, where the source has them.
    texts
        The text of each sentence, where the phrases are spans of its characters.
    first_line
        The line of the first word of each sentence, where the others are on the lines that follow.
    """

    ids: tuple[str, ...]
    length: Ints
    words: Sequence[Sequence[str]] | None = None
    tags: Sequence[Sequence[str]] | None = None
    texts: Sequence[str] | None = None
    first_line: Ints | None = None

    @classmethod
    def numbered(
        cls, length: ArrayLike, words: Sequence[Sequence[str]] | None = None, tags: Sequence[Sequence[str]] | None = None
    ) -> Sentences:
        """Sentences with the names "1", "2", ..."""
        lengths = np.asarray(length, dtype=np.int32)
        return cls(tuple(map(str, range(1, len(lengths) + 1))), lengths, words, tags)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def are_numbered(self) -> bool:
        """Whether the names are "1", "2", ... in this order."""
        return all(name == str(number) for number, name in enumerate(self.ids, start=1))

    @cached_property
    def span_counts(self) -> NDArray[np.int64]:
        """The number of spans in each sentence: n (n + 1) / 2 for n words."""
        n = self.length.astype(np.int64)
        return n * (n + 1) // 2

    @cached_property
    def word_offsets(self) -> NDArray[np.int64]:
        """The number of words before each sentence."""
        n = self.length.astype(np.int64)
        return np.cumsum(n) - n

    def span_counts_by_length(self) -> NDArray[np.int64]:
        """Count the spans of 1, 2, ... words in all sentences, up to the longest sentence.

        A sentence of n words has max(0, n - k + 1) spans of k words.

        Examples
        --------
        >>> Sentences.numbered([3, 1]).span_counts_by_length().tolist()
        [4, 2, 1]
        """
        sentences_of_at_least = np.cumsum(tally(self.length)[::-1])[::-1][1:]
        return np.cumsum(sentences_of_at_least[::-1])[::-1].astype(np.int64)

    def select(self, numbers: ArrayLike) -> Sentences:
        """Select sentences by their numbers, in this order."""
        rows = np.asarray(numbers).tolist()
        return Sentences(
            ids=tuple(self.ids[s] for s in rows),
            length=self.length[rows],
            words=None if self.words is None else [self.words[s] for s in rows],
            tags=None if self.tags is None else [self.tags[s] for s in rows],
            texts=None if self.texts is None else [self.texts[s] for s in rows],
            first_line=None if self.first_line is None else self.first_line[rows],
        )
