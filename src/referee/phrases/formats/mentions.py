"""Mentions of a corpus with coreference, in any format that has sentences: `referee formats` lists them.

A mention is a phrase; its category is its entity's type, or `mention` where the corpus has no types. Mentions may be nested.
Sentences are those of the corpus; their names are the document name and a number from 1. A mention that crosses the end of a
sentence is left out; a warning says how many are. A mention that two entities share is one phrase. The phrase of a
discontinuous mention reaches from its first word to its last. Empty nodes count as words. Of a DocBin of spaCy without
coreference, the phrases are the `ents` of its documents.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise

import numpy as np

from referee import inputs
from referee.algorithms.arrays import Ints, argsort, starts_of_runs
from referee.basics.exceptions import FormatError, counted, warn
from referee.basics.options.reading import ReadOptions
from referee.basics.sides import side_of
from referee.corpus import Corpus
from referee.formats import docbin
from referee.formats.shared.beginning import beginning
from referee.formats.shared.format import Format, never
from referee.formats.shared.source import Source
from referee.inputs.registry import load_format
from referee.phrases.annotation import Chunks, PhraseCandidates, Sentences, SpanColumns
from referee.phrases.formats.characters import from_characters
from referee.phrases.formats.registry import PhraseOptions

COLUMNS = "referee convert IN OUT --to jsonlines --columns"
"""The command for an option that is not of phrases."""

UNTYPED = "mention"
"""The category of mentions in a corpus without entity types."""


def read(source: Source, options: PhraseOptions) -> Chunks | PhraseCandidates:
    """Read the mentions of a file."""
    name = detect_phrases(source)
    if load_format(name).records:
        raise FormatError(
            source.name,
            None,
            "is a table of records; expected words with sentences, and phrases in them: a word a line, a tab, its tag",
        )
    with _options_of_convert():
        corpus = inputs.read(source, format=name)
    if name == "docbin" and not len(corpus.start):  # without coreference; names are in `ents`
        return from_characters(docbin.documents(source, lambda doc: doc.to_json()), source=source.name)
    return mention_chunks(corpus)


def detect_phrases(source: Source) -> str:
    """Tell the format of a file of mentions, whose marks may have types, `[Rome](LOC)`, which are no ids of entities.

    Raises
    ------
    FormatError
        If the content looks like no format.
    """
    try:
        return inputs.detect(source)
    except FormatError:
        from referee.answers.notations import is_marked  # few files are marked texts

        if source.binary or not is_marked(beginning(source), types=True):
            raise
        return "tagged"


def read_folder(folder: str, options: PhraseOptions) -> Chunks:
    """Read the mentions of all files of a folder."""
    with _options_of_convert():
        corpus = inputs.read_folder(folder, options=ReadOptions(encoding=options.encoding))
    return mention_chunks(corpus)


@contextmanager
def _options_of_convert() -> Iterator[None]:
    """Errors and warnings that name an option of `referee convert` name the command, too."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except FormatError as error:
            raise FormatError(error.source, error.line, error.problem.replace("--columns", COLUMNS)) from None
    for warning in caught:
        warn(str(warning.message).replace("--columns", COLUMNS))


def mention_chunks(corpus: Corpus) -> Chunks:
    """The mentions of a corpus as chunks.

    Raises
    ------
    FormatError
        If the corpus has no sentences, or its mentions are items instead of spans.
    """
    if corpus.items is not None or corpus.text is None:
        raise FormatError(corpus.source, None, "has no words with sentences; expected mentions that are spans of words")
    sentences, sentence_starts, document_starts = _sentences(corpus)
    start = document_starts[corpus.document] + corpus.start
    length = (corpus.end - corpus.start).astype(np.int64)
    sentence = np.searchsorted(sentence_starts, start, side="right") - 1
    start -= sentence_starts[sentence]
    inside = start + length <= sentences.length[sentence]
    if not inside.all():
        crossing = counted(int((~inside).sum()), "mention")
        warn(f"{corpus.source}: left out {crossing} crossing the end of a sentence; expected phrases of one sentence")
    names, category = _categories(corpus)
    columns = SpanColumns(sentence, start, start + length, category).take(inside)
    columns = columns.take(argsort(*columns))
    columns = columns.take(starts_of_runs(*columns))
    columns = SpanColumns(*(column.astype(np.int32) for column in columns))
    unread = corpus.origin.unread if corpus.origin and not side_of(corpus.origin.field) else ()
    return Chunks(sentences, names, columns, source=corpus.source, unread=unread)


def _sentences(corpus: Corpus) -> tuple[Sentences, Ints, Ints]:
    """The sentences of a corpus, and where they and the documents start; starts count the tokens of the whole corpus."""
    assert corpus.text is not None
    ids: list[str] = []
    words: list[list[str]] = []
    for name, text in zip(corpus.doc_ids, corpus.text.words, strict=True):
        for number, (first, after) in enumerate(pairwise([*text.sentences, len(text.tokens)]), start=1):
            ids.append(f"{name}:{number}" if name else str(number))
            words.append(list(text.tokens[first:after]))
    lengths = np.array([len(row) for row in words], dtype=np.int32)
    starts, document_starts = (
        np.cumsum([0, *sizes], dtype=np.int64) for sizes in (lengths, [len(text.tokens) for text in corpus.text.words])
    )
    return Sentences(tuple(ids), lengths, words), starts, document_starts


def _categories(corpus: Corpus) -> tuple[tuple[str, ...], Ints]:
    """The names of the categories, and the number of the category of each mention."""
    if corpus.entity_types is None:
        return (UNTYPED,), np.zeros(len(corpus.start), dtype=np.int64)
    names = tuple(sorted(set(corpus.entity_types)))
    number = {name: x for x, name in enumerate(names)}
    return names, np.array([number[name] for name in corpus.entity_types], dtype=np.int64)[corpus.entity]


FORMAT = Format("mentions", __doc__, (), never, read, read_folder=read_folder)
