"""Key and responses over the same words, where some of them are spans of characters: `in_common_words`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import MismatchError, counted, shortened, warn
from referee.phrases.annotation.candidates import PhraseCandidates
from referee.phrases.annotation.sentences import Sentences
from referee.phrases.annotation.spans import Chunks, SpanColumns, Spans

CONTEXT = 20
"""Characters that a message shows of a text that differs."""


class _JoinedText(NamedTuple):
    """A text without its blanks, and where its words and sentences begin in it; the last place is its end."""

    text: str
    words: Ints
    sentences: Ints

    @classmethod
    def from_spans(cls, spans: Spans) -> _JoinedText:
        rows = spans.sentences.words
        if rows is None:
            raise MismatchError(f"{spans.source} has no words; expected them, as spans of characters need the text")
        words = ["".join(word.split()) for row in rows for word in row]
        starts = np.cumsum([0, *map(len, words)])
        offsets = np.append(spans.sentences.word_offsets, len(words))
        return cls("".join(words), starts, starts[offsets])

    def bounds(self, spans: Spans) -> tuple[Ints, Ints]:
        """Where spans begin and end in the text."""
        offsets = spans.sentences.word_offsets[spans.sentence]
        return self.words[offsets + spans.start], self.words[offsets + spans.end]


def in_common_words(
    key: Chunks, responses: Sequence[Chunks | PhraseCandidates]
) -> tuple[Chunks, list[Chunks | PhraseCandidates]]:
    """Key and responses of the same text over the same words: those of the key, cut where a response begins or ends a phrase.

    Sentences of the key that a phrase of a response connects are one sentence, so that the phrase counts.

    Parameters
    ----------
    key, responses
        Phrases with words, in any number of sentences. Blanks may differ.

    Raises
    ------
    MismatchError
        If the texts differ.

    Warns
    -----
    RefereeWarning
        If words of the key are cut, or sentences joined.
    """
    ours = _JoinedText.from_spans(key)
    bounds = []
    for response in responses:
        theirs = _JoinedText.from_spans(response)
        _check_text(key, response, ours, theirs)
        bounds.append(theirs.bounds(response))
    borders = np.unique(np.concatenate([ours.words, *(each for pair in bounds for each in pair)]))
    if added := len(borders) - len(np.unique(ours.words)):
        warn(f"{key.source}: cut {counted(added, 'word')} where phrases of responses begin or end within them")
    begins_sentence = _uncrossed(ours.sentences, bounds)
    if joined := int((~begins_sentence).sum()):
        warn(
            f"{key.source}: joined {counted(joined, 'sentence')} to the one before, as phrases of responses cross their borders"
        )
    offsets = np.searchsorted(borders, ours.sentences[begins_sentence])
    words = [ours.text[a:b] for a, b in pairwise(borders.tolist())]
    rows = [words[a:b] for a, b in pairwise(offsets.tolist())]
    ids = tuple(id_ for id_, begins in zip(key.sentences.ids, begins_sentence, strict=False) if begins)
    sentences = Sentences(ids, np.diff(offsets).astype(np.int32), rows)
    placed = [
        _placed(spans, sentences, np.searchsorted(borders, start), np.searchsorted(borders, end))
        for spans, (start, end) in zip((key, *responses), (ours.bounds(key), *bounds), strict=True)
    ]
    return placed[0], placed[1:]  # type: ignore[return-value]


def _uncrossed(sentences: Ints, bounds: Sequence[tuple[Ints, Ints]]) -> Bools:
    """Which borders of sentences no span crosses; the last is the end of the text."""
    crossed = np.zeros(len(sentences) + 1, dtype=np.int64)
    for start, end in bounds:
        first, after = np.searchsorted(sentences, start, side="right"), np.searchsorted(sentences, end, side="left")
        np.add.at(crossed, first, 1)
        np.add.at(crossed, np.maximum(first, after), -1)
    return np.asarray(np.cumsum(crossed)[:-1] == 0)


def _placed(spans: Spans, sentences: Sentences, start: Ints, end: Ints) -> Spans:
    """The spans in other sentences; start and end count the words of all of them."""
    sentence = np.searchsorted(np.cumsum(sentences.length, dtype=np.int64), start, side="right")
    offset = sentences.word_offsets[sentence]
    columns = (sentence, start - offset, end - offset, spans.category)
    placed = replace(spans, sentences=sentences, columns=SpanColumns(*(column.astype(np.int32) for column in columns)))
    return replace(placed, word_tags=None) if isinstance(placed, Chunks) else placed


def _check_text(key: Spans, response: Spans, ours: _JoinedText, theirs: _JoinedText) -> None:
    if ours.text == theirs.text:
        return
    pairs = zip(ours.text, theirs.text, strict=False)
    place = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(ours.text), len(theirs.text)))
    sentence = min(int(np.searchsorted(ours.sentences, place, side="right")), len(key.sentences)) - 1
    actual, expected = (shortened(repr(text[place : place + CONTEXT])) for text in (theirs.text, ours.text))
    raise MismatchError(
        f"{response.source}: its text differs from {key.source} in sentence {key.sentences.ids[sentence]!r}: found {actual}; "
        f"expected {expected} (without blanks)"
    )
