"""Corpora for fitting, prediction and scoring, from trees or from any other format of phrases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np

from referee.algorithms.arrays import ranges
from referee.basics.exceptions import OptionError, counted
from referee.formats.shared.source import Source
from referee.phrases.annotation import Chunks, Sentences
from referee.phrases.chunking.treebank import OUTSIDE
from referee.phrases.formats import dependencies
from referee.phrases.formats.detecting import detect_file
from referee.phrases.formats.reading import file_or_folder, read, read_key
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.tag_table import read_table


def read_corpus(path: str, *, trees: str = "abney", format: str | None = None) -> Chunks:
    """Read the true chunks of a file, or of a folder of trees.

    Each word with the tag `O` is a chunk of the category `Null`.

    Parameters
    ----------
    path
        A file or a folder.
    trees
        How trees become chunks: one of `referee.phrases.chunking.tree_chunks.MODES`.
    format
        One of `referee.phrases.formats.FORMATS`; None to tell it from the content.
    """
    return read_key(path, format=format, options=PhraseOptions(outside=OUTSIDE, trees=trees))


def read_sentences(path: str | Source, *, format: str | None = None) -> Sentences:
    """Read the sentences of a file: of trees, of phrases, or of columns with words and, optionally, parts of speech.

    Parameters
    ----------
    path
        A file or a folder.
    format
        One of `referee.phrases.formats.FORMATS`; None to tell it from the content.
    """
    place = file_or_folder(path)
    if format == "dependencies" and isinstance(place, Source):
        return dependencies.read_sentences(place)
    if format or isinstance(place, str) or detect_file(place):
        return read(place, format=format).sentences
    table = read_table(place)
    tags = table.column(1) if table.width > 1 else None
    return Sentences.numbered([len(rows) for rows in table.sentences], table.column(0), tags)


def split(chunks: Chunks, sizes: Sequence[int]) -> list[Chunks]:
    """Split a corpus into parts of these numbers of sentences, and a last part with all others.

    Raises
    ------
    OptionError
        If a size is below 1 or there are not enough sentences.
    """
    borders = [0, *accumulate(sizes), len(chunks.sentences)]
    if min(sizes, default=1) < 1 or borders[-2] >= borders[-1]:
        sentences = counted(len(chunks.sentences), "sentence")
        raise OptionError(f"{chunks.source} has {sentences}; expected more than {'+'.join(map(str, sizes))}")
    return [chunks.select(np.arange(first, after)) for first, after in pairwise(borders)]


def with_single_words(chunks: Chunks, category: str = OUTSIDE) -> Chunks:
    """The same with each chunk of this category split into chunks of one word, as tags need it."""
    if category not in chunks.categories:
        return chunks
    pieces = np.where(chunks.category == chunks.categories.index(category), chunks.length, 1)
    row, offset = ranges(np.zeros_like(pieces), pieces)
    start = chunks.start[row] + offset
    columns = chunks.columns.take(row)._replace(start=start, end=np.where(pieces[row] > 1, start + 1, chunks.end[row]))
    return Chunks.build(chunks.sentences, chunks.categories, **columns._asdict(), source=chunks.source)
