"""Token offsets into character offsets: what the writers of texts with offsets of characters share.

They write the text that the tokens are from, character for character, if the corpus has it. Otherwise they make a text of the
tokens: a line a sentence, blanks between tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from referee.basics.exceptions import OptionError, counted, warn
from referee.corpus import Corpus, RawText, Spans, Words
from referee.corpus.editing import join
from referee.formats.shared.documents import entities, words_of

SURROGATES = re.compile(r"[\ud800-\udfff]")


class WrittenText(NamedTuple):
    """The text of a document as it is written.

    Parameters
    ----------
    text : str
        The text.
    places : sequence of pairs
        The characters of each token, half-open.
    is_raw : bool
        Whether it is the text that the tokens are from.
    """

    text: str
    places: Sequence[tuple[int, int]]
    is_raw: bool

    def spans(self, corpus: Corpus, mention: int) -> Spans:
        """The characters of a mention, a span for each of its spans; those that touch are one."""
        if corpus.fragments is None:
            return ((self.places[corpus.start[mention]][0], self.places[corpus.end[mention] - 1][1]),)
        return join((self.places[start][0], self.places[end - 1][1]) for start, end in corpus.spans(mention))


class DocumentToWrite(NamedTuple):
    """A document as the writers of texts need it: its name, entities with their mentions, words and text."""

    name: str
    mentions: Mapping[int, Sequence[int]]
    words: Words
    written: WrittenText


def written_text(words: Words) -> WrittenText:
    r"""The text of a document, and the place of each token.

    Raises
    ------
    OptionError
        If the places are not as many as the tokens.

    Examples
    --------
    >>> written_text(Words(["He", "left", "Why"], [0, 2]))
    WrittenText(text='He left\nWhy', places=[(0, 2), (3, 7), (8, 11)], is_raw=False)
    """
    if words.raw is not None:
        places = list(zip(words.raw.start.tolist(), words.raw.end.tolist(), strict=True))
        if len(places) != len(words.tokens):
            raise OptionError(f"found {counted(len(places), 'place')} of tokens in the text; expected {len(words.tokens)}")
        return WrittenText(words.raw.text, places, True)
    starts = set(words.sentences)
    places = []
    pieces: list[str] = []
    length = 0
    for number, token in enumerate(words.tokens):
        if number:
            pieces.append("\n" if number in starts else " ")
            length += 1
        pieces.append(token)
        places.append((length, length + len(token)))
        length += len(token)
    return WrittenText("".join(pieces), places, False)


def documents_to_write(corpus: Corpus, *, format: str) -> Iterator[DocumentToWrite]:
    """Each document with its text.

    Raises
    ------
    FormatError
        If there are no words or no spans.
    """
    for (name, mentions), words in zip(entities(corpus), words_of(corpus, format=format), strict=True):
        yield DocumentToWrite(name, mentions, words, written_text(words))


def warn_of_parts(corpus: Corpus, *, format: str) -> None:
    """Warn, once, of mentions that begin or end inside of a token of the text, as they are written with all of it."""
    if corpus.text is None or corpus.items is not None:
        return
    grown = equal = 0
    for (_, mentions), words in zip(entities(corpus), corpus.text.words, strict=True):
        if words.raw is not None:
            more, same = _grown(corpus, mentions, words.raw, words)
            grown, equal = grown + more, equal + same
    if grown:
        problem = f"found {counted(grown, 'mention')} of a part of a token, such as `le` of the French `du`"
        twice = f"; {counted(equal, 'mention')} became equal to another of the entity" if equal else ""
        warn(f"{corpus.source}: {problem}: written with the whole token, as {format} has places in the text{twice}")


def _grown(corpus: Corpus, mentions: Mapping[int, Sequence[int]], raw: RawText, words: Words) -> tuple[int, int]:
    """How many mentions begin or end inside of a token of the text, and how many are then equal to another of their entity."""
    start, end = raw.start, raw.end
    inside = set((np.flatnonzero((start[1:] == start[:-1]) & (end[1:] == end[:-1]) & (start[1:] < end[1:])) + 1).tolist())
    if not inside:
        return 0, 0
    written = written_text(words)
    grown = equal = 0
    for entity in mentions.values():
        spans = {m: corpus.spans(m) for m in entity}
        grown += sum(not inside.isdisjoint(edge for span in several for edge in span) for several in spans.values())
        equal += len(set(spans.values())) - len({written.spans(corpus, m) for m in entity})
    return grown, equal
