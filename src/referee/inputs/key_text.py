"""The words on which an answer is put: those of an annotation, or of a plain text."""

from __future__ import annotations

import os

from referee.answers.sentences import sentence_starts
from referee.basics.exceptions import FormatError
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.shared.characters import tokenised
from referee.formats.shared.source import Source
from referee.inputs.detecting import kind_of
from referee.inputs.reading import detect, read


def key_text(path: str | os.PathLike[str]) -> Corpus:
    """Read an annotation in any format; or a plain text, as a document without mentions.

    Raises
    ------
    FormatError
        If it is neither.
    """
    if os.path.isdir(path):
        return read(path)
    source = Source(path)
    try:
        name = detect(source)
    except FormatError:
        head = source.head.decode(errors="replace")
        if source.binary or not head.strip() or kind_of(head) != "text":
            raise
        return plain_text(source)
    return read(source, format=name)


def plain_text(source: Source) -> Corpus:
    """A text without annotation: its words and single signs, and its sentences.

    Examples
    --------
    >>> plain_text(Source("story.txt", b"Ann left. She ran.")).text.words[0].sentences
    [0, 3]
    """
    words = tokenised(source.text(source.raise_error))
    builder = CorpusBuilder(source.name)
    builder.document("", words.tokens, sentence_starts(words.tokens, words.sentences), raw=words.raw)
    return builder.corpus()
