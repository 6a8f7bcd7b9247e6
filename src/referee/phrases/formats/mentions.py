"""Mentions of a corpus with coreference, in any format that has sentences: what `referee formats` lists.

A mention is a phrase of its entity's type (`mention` where the corpus has no types); mentions may be nested. Sentences are
those of the corpus, named after the document with a number from 1. A mention that reaches over the end of a sentence is left
out; a warning says how many are. A mention that two entities list is one phrase; of a mention of several parts the phrase
reaches from its first word to its last. Tokens that are empty nodes count as words.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from referee import formats
from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import order_by, starts_of_runs
from referee.corpus.corpus import Corpus
from referee.exceptions import FormatError, warn
from referee.formats.shared.source import Fault, Source
from referee.messages import counted
from referee.phrases.candidates import Candidates, Chunks, Default, Sentences
from referee.phrases.formats.reading import Reading

UNTYPED = "mention"

Columns: TypeAlias = tuple[Ints, Ints, Ints, Ints]


def read(source: Source, fault: Fault, reading: Reading) -> Chunks:
    return chunks_of(formats.read(source))


def read_folder(folder: str, reading: Reading) -> Chunks:
    return chunks_of(formats.read_folder(folder))


def chunks_of(corpus: Corpus) -> Chunks:
    """The mentions of a corpus as chunks. FormatError if it has no sentences, or mentions that are no spans."""
    sentences, categories, columns, _ = _columns(corpus, np.zeros(len(corpus.start)))
    return Chunks(sentences, categories, *columns, corpus.source)


def candidates_of(corpus: Corpus, p: ArrayLike, default: Default | None = None) -> Candidates:
    """The mentions of a corpus as candidates: those that a system considers, with its probabilities.

    p : float, shape (mentions,); of a mention that is listed twice, the larger counts
    """
    sentences, categories, columns, probabilities = _columns(corpus, np.asarray(p, dtype=np.float64))
    return Candidates.build(sentences, categories, *columns, probabilities, default, source=corpus.source)


def _columns(corpus: Corpus, p: Floats) -> tuple[Sentences, tuple[str, ...], Columns, Floats]:
    if corpus.items is not None or corpus.text is None:
        raise FormatError(corpus.source, None, "has no words with sentences; expected mentions that are spans of words")
    ids: list[str] = []
    words: list[list[str]] = []
    starts: list[int] = []  # of all sentences, in tokens of the corpus
    first = [0]  # token of each document
    for name, text in zip(corpus.doc_ids, corpus.text.words, strict=True):
        bounds = [*text.sentences, len(text.tokens)]
        for number, (a, b) in enumerate(pairwise(bounds), start=1):
            ids.append(f"{name}:{number}" if name else str(number))
            words.append(list(text.tokens[a:b]))
            starts.append(first[-1] + a)
        first.append(first[-1] + len(text.tokens))
    sentences = Sentences(tuple(ids), np.array([len(w) for w in words], dtype=np.int32), words)
    offsets = np.array([*starts, first[-1]], dtype=np.int64)
    place = np.array(first, dtype=np.int64)[corpus.document] + corpus.start
    length = (corpus.end - corpus.start).astype(np.int64)
    sentence = np.searchsorted(offsets, place, side="right") - 1
    start = place - offsets[sentence]
    inside = start + length <= sentences.length[sentence]
    if not inside.all():
        over = counted(int((~inside).sum()), "mention")
        warn(f"{corpus.source}: left out {over} that reach over the end of a sentence; expected phrases of a sentence")
    types = corpus.entity_types
    names = tuple(sorted(set(types))) if types is not None else (UNTYPED,)
    number_of = {name: x for x, name in enumerate(names)}
    type_ = np.array([number_of[t] for t in types] if types is not None else np.zeros(len(corpus.entity_ids)), dtype=np.int64)
    category = type_[corpus.entity]
    rows = np.flatnonzero(inside)
    rows = rows[np.argsort(-p[rows], kind="stable")]
    rows = rows[order_by(sentence[rows], start[rows], length[rows], category[rows])]
    once = starts_of_runs(sentence[rows], start[rows], length[rows], category[rows])
    rows = rows[once]
    columns = (sentence[rows], start[rows], start[rows] + length[rows], category[rows])
    s, i, j, x = (column.astype(np.int32) for column in columns)
    return sentences, names, (s, i, j, x), p[rows]
