"""Corpora to learn from, to tell the chunks of, and to judge by: from trees, or from any format of phrases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

from markable.errors import FormatError, OptionError, counted
from markable.formats import detect as mentions_format
from markable.formats.source import Fault, Source
from markable.phrases.candidates import Chunks, Sentences
from markable.phrases.formats import Reading, detect, opened, read, read_key

NULL = "Null"
"""The category of words that are in no phrase, as chunks of one word."""


def read_corpus(path: str, *, mode: str = "abney") -> Chunks:
    """The true chunks of a file, or of a folder of trees.

    mode : how trees become chunks, one of `markable.phrases.chunking.MODES`

    A word that tags leave outside is a chunk of its own, `NULL`.
    """
    return read_key(path, reading=Reading(null=NULL, trees=mode))


def read_sentences(path: str) -> Sentences:
    """The sentences of a file: of trees, of phrases, or of plain columns, which are words and perhaps their tags."""
    source = opened(path)
    if isinstance(source, str) or detect(source) != "mentions" or _has_mentions(source):
        return read(source).sentences

    def fault(line: int | None, problem: str) -> None:
        raise FormatError(source.name, line, problem)

    return _columns(source, fault)


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
    row = np.repeat(np.arange(len(chunks)), times)
    place = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
    start = chunks.start[row] + place
    end = np.where(times[row] > 1, start + 1, chunks.end[row])
    return Chunks.build(
        chunks.sentences, chunks.categories, chunks.sentence[row], start, end, chunks.category[row], source=chunks.source
    )


def _has_mentions(source: Source) -> bool:
    try:
        mentions_format(source)
    except FormatError:
        return False
    return True


def _columns(source: Source, fault: Fault) -> Sentences:
    sentences: list[list[list[str]]] = [[]]
    width = 0
    for number, line in source.lines(fault):
        columns = line.split("\t") if "\t" in line else line.split()
        width = width or len(columns)
        if columns and len(columns) != width:
            fault(number, f"found {len(columns)} columns; expected {width}, as on the lines before")
        elif columns:
            sentences[-1].append(columns)
        elif sentences[-1]:
            sentences.append([])
    sentences = [rows for rows in sentences if rows]
    words = [[row[0] for row in rows] for rows in sentences]
    tags = [[row[1] for row in rows] for rows in sentences] if width > 1 else None
    return Sentences.numbered([len(row) for row in words], words, tags)
