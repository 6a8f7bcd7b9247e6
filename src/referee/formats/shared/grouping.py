"""Mentions into entities and back: what the readers and writers of the small formats share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from referee.corpus.corpus import Corpus
from referee.corpus.text import Words
from referee.exceptions import FormatError

LONGEST = (1 << 31) - 1
"""No document has more tokens; what is larger is a mistake, and would not fit the columns of a `Corpus`."""


def entities(corpus: Corpus) -> Iterator[tuple[str, dict[int, list[int]]]]:
    """The name of each document, and its entities: their numbers with the numbers of their mentions."""
    limits = np.searchsorted(corpus.document, np.arange(len(corpus.doc_ids) + 1)).tolist()
    entity = corpus.entity.tolist()
    for name, first, last in zip(corpus.doc_ids, limits, limits[1:], strict=False):
        mentions: dict[int, list[int]] = {}
        for mention in range(first, last):
            mentions.setdefault(entity[mention], []).append(mention)
        yield name, dict(sorted(mentions.items()))


def distinct(labels: Iterable[str]) -> list[str]:
    """The labels, changed where one is empty or was there before: a file tells entities apart by them.

    >>> distinct(["Ann", "", "Ann"])
    ['Ann', '1', 'Ann#2']
    """
    taken: dict[str, None] = {}
    for number, label in enumerate(labels):
        unique = label or str(number)
        while unique in taken:
            unique = f"{unique}#{number}"
        taken[unique] = None
    return list(taken)


def item_names(corpus: Corpus) -> Sequence[str]:
    """The name of each mention; `start-end` where mentions are spans."""
    if corpus.items is not None:
        return corpus.items
    return [f"{start}-{end}" for start, end in zip(corpus.start.tolist(), corpus.end.tolist(), strict=True)]


def words_of(corpus: Corpus, *, format: str) -> Sequence[Words]:
    """The words of each document. FormatError where the corpus has none, or no spans, for a format that needs both."""
    if corpus.items is not None:
        raise FormatError(
            corpus.source, None, f"its mentions are items, not spans, which {format} cannot hold: write csv, clusters or links"
        )
    if corpus.text is None and corpus.doc_ids:
        raise FormatError(
            corpus.source, None, f"has no words, which {format} needs: write clusters, or read it from a format with text"
        )
    return corpus.text.words if corpus.text else ()


def is_unnamed(corpus: Corpus) -> bool:
    """Whether it is one document that bears only the number it got for want of a name."""
    return corpus.doc_ids == ("#1",)
