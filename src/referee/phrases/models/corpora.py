"""Corpora to learn from, to tell the chunks of, and to judge by: from trees, or from any format of phrases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

from referee.algorithms.sorting import ranges
from referee.exceptions import OptionError
from referee.formats.shared.source import Source
from referee.messages import counted
from referee.phrases.candidates import Chunks, Sentences
from referee.phrases.formats.columns import table
from referee.phrases.formats.reading import Reading, likely, opened, read, read_key

NULL = "Null"
"""The category of words that are in no phrase, as chunks of one word."""


def read_corpus(path: str, *, mode: str = "abney", format: str | None = None) -> Chunks:
    """The true chunks of a file, or of a folder of trees.

    mode   : how trees become chunks, one of `referee.phrases.chunks.chunking.MODES`
    format : one of `referee.phrases.formats.FORMATS`; None to tell it from the content

    A word that tags leave outside is a chunk of its own, `NULL`.
    """
    return read_key(path, format=format, reading=Reading(null=NULL, trees=mode))


def read_sentences(path: str | Source, *, format: str | None = None) -> Sentences:
    """The sentences of a file: of trees, of phrases, or of plain columns, which are words and perhaps their tags.

    format : one of `referee.phrases.formats.FORMATS`; None to tell it from the content
    """
    source = opened(path)
    if format or isinstance(source, str) or likely(source):
        return read(source, format=format).sentences
    found = table(source, source.fault)
    tags = found.column(1) if found.width > 1 else None
    return Sentences.numbered([len(rows) for rows in found.sentences], found.column(0), tags)


def split(chunks: Chunks, sizes: Sequence[int]) -> list[Chunks]:
    """The first so many sentences, the next, ..., and all that are left."""
    borders = [0, *accumulate(sizes), len(chunks.sentences)]
    if min(sizes, default=1) < 1 or borders[-2] >= borders[-1]:
        raise OptionError(
            f"{chunks.source} has {counted(len(chunks.sentences), 'sentence')}; expected more than {'+'.join(map(str, sizes))}"
        )
    return [chunks.select(np.arange(first, last)) for first, last in pairwise(borders)]


def alone(chunks: Chunks, category: str = NULL) -> Chunks:
    """The same with each word of this category's chunks a chunk of its own, as tags must have it."""
    if category not in chunks.categories:
        return chunks
    times = np.where(chunks.category == chunks.categories.index(category), chunks.length, 1)
    row, place = ranges(np.zeros_like(times), times)
    start = chunks.start[row] + place
    end = np.where(times[row] > 1, start + 1, chunks.end[row])
    return Chunks.build(
        chunks.sentences, chunks.categories, chunks.sentence[row], start, end, chunks.category[row], source=chunks.source
    )
