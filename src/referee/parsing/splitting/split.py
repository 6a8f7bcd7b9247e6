"""From plain text to sentences and words: `split`.

What is a paragraph, a verse, a heading: `lines`. Who speaks: `speakers`. What is no part of words:
`cleaning`. What is a word: `tokens`. Where sentences end: `ends`. What is learnt of a language:
`learnt`; from trees: `fit`.

All non-white characters of a text are characters of its words, in their order, but for those that `left_out` counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.parsing.splitting.cleaning import cleaned, is_unclean, known_words
from referee.parsing.splitting.ends import StretchWords, cased, ends
from referee.parsing.splitting.learnt import Splitting
from referee.parsing.splitting.lines import BLANK, Stretch, stretches
from referee.parsing.splitting.speakers import IN_PLAY
from referee.parsing.splitting.tokens import Tokenizer, key
from referee.parsing.words import PlacedWords

PIECE = re.compile(r"[^\s\x00-\x1f\x7f-\x9f]+")
"""What stands between white space and control characters."""


class LeftOut(NamedTuple):
    """What of a text is no word, white space apart.

    Parameters
    ----------
    labels : int
        Labels of speakers.
    characters : int
        Characters within and beside words that show nothing, marks of emphasis (`_so_`), hyphens at the ends of lines. Control
        characters, and what shows nothing between white space, as a byte order mark, count as white space.
    """

    labels: int
    characters: int


def split(texts: Sequence[str], doc_ids: Sequence[str], splitting: Splitting) -> PlacedWords:
    """The words, sentences and paragraphs of texts.

    Each text is split for itself. Places are those of the text as it is given: characters that show nothing are left out of
    forms, and stand within places. So are the underscores of `_emphasis_`, and hyphens that divide a word at the end of a line
    (*exam-* and *ple*). Such a hyphen is one if the whole word is known from the text or the model and the word with a hyphen
    is not; or if neither is known, and what follows the hyphen is no known word either.

    Labels of speakers (`ANN: …`, `ANN. …`, `# speaker = Ann`) are no words; they are in `PlacedWords.speaker` of what
    follows. See `referee.parsing.splitting.speakers` for what is one, and `left_out` for how many there are.

    Parameters
    ----------
    texts, doc_ids : sequence of str, shape (documents,)

    Examples
    --------
    >>> words = split(["Ann left. She ran."], ["story"], Splitting(weights={"m+.-": 1}))
    >>> list(words.form), words.start.tolist(), words.first.tolist()
    (['Ann', 'left', '.', 'She', 'ran', '.'], [0, 4, 8, 10, 14, 17], [0, 3, 6])
    """
    tokenizer = Tokenizer(splitting)
    form: list[str] = []
    start: list[int] = []
    end: list[int] = []
    first: list[int] = []
    document: list[int] = []
    paragraph: list[bool] = []
    speaker: list[str] = []
    for number, text in enumerate(texts):
        casing = cased(text)
        known: set[str] | None = None
        for stretch in stretches(text):
            begin = len(form)
            raw = text[stretch.start : stretch.end]
            places: Ints | None = None
            if is_unclean(raw):
                known = known_words(text) if known is None else known
                raw, places = cleaned(raw, known, splitting)
            marks = _words_of(raw, tokenizer, form, start, end)
            if len(form) == begin:
                continue
            place = StretchWords(form, start, end, begin, len(form))
            sentences = [begin, *ends(place, marks, casing, splitting.weights, tokenizer.frequent)]
            first += sentences
            document += [number] * len(sentences)
            paragraph += [True] + [False] * (len(sentences) - 1)
            speaker += [stretch.speaker] * len(sentences)
            _shift(start, end, begin, stretch, places)
    return PlacedWords(
        doc_ids=list(doc_ids),
        texts=list(texts),
        form=form,
        start=np.array(start, np.int64),
        end=np.array(end, np.int64),
        first=np.array([*first, len(form)], np.int64),
        document=np.array(document, np.int64),
        paragraph=np.array(paragraph, np.bool_),
        speaker=speaker,
    )


def _words_of(raw: str, tokenizer: Tokenizer, form: list[str], start: list[int], end: list[int]) -> list[int]:
    """Add the words of a stretch, with places in it; their marks."""
    marks: list[int] = []
    divide = tokenizer.divide
    frequent = tokenizer.frequent
    needs = ""
    for match in PIECE.finditer(raw):
        piece, base = match.group(), match.start()
        if needs and not (piece[0].isdigit() if needs == "0" else piece[0].isupper() and key(piece) not in frequent):
            _unglue(form, start, end, marks)
        pieces = divide(piece)
        size = len(form)
        for word, at, stop in pieces.words:
            form.append(word)
            start.append(base + at)
            end.append(base + stop)
        if pieces.marks:
            marks += [size + mark for mark in pieces.marks]
        needs = pieces.needs
    if needs:
        _unglue(form, start, end, marks)
    return marks


def _unglue(form: list[str], start: list[int], end: list[int], marks: list[int]) -> None:
    """Part the period from the last word: *plan B.*, not *J. Smith*."""
    form[-1:] = [form[-1][:-1], "."]
    start.append(end[-1] - 1)
    end[-1:] = [end[-1] - 1, end[-1]]
    marks[-1] = len(form) - 1


def _shift(start: list[int], end: list[int], begin: int, stretch: Stretch, places: Ints | None) -> None:
    """Make places in a stretch, from the word `begin` on, places in the text."""
    offset = stretch.start
    if places is not None:
        last = np.array(end[begin:], np.int64) - 1
        start[begin:] = (places[np.array(start[begin:], np.int64)] + offset).tolist()
        end[begin:] = (places[last] + 1 + offset).tolist()
    elif offset:
        start[begin:] = [place + offset for place in start[begin:]]
        end[begin:] = [place + offset for place in end[begin:]]


def left_out(words: PlacedWords) -> LeftOut:
    """How much of the texts is no word, white space apart."""
    labels = characters = 0
    sentences = np.searchsorted(words.document, np.arange(len(words.texts) + 1))
    for number, text in enumerate(words.texts):
        begin, stop = words.first[sentences[number]], words.first[sentences[number + 1]]
        start = [*words.start[begin:stop].tolist(), len(text)]
        end = [0, *words.end[begin:stop].tolist()]
        for before, after in zip(end, start, strict=True):
            gap = text[before:after].strip(BLANK) if after > before else ""
            if gap:
                lines = [line for line in gap.splitlines() if line.strip(BLANK)]
                labelled = sum(":" in line or "speaker" in line or bool(IN_PLAY.match(line)) for line in lines)
                labels += labelled
                characters += 0 if labelled else len("".join(gap.split()))
        characters += sum(
            sum(not c.isspace() for c in text[at:to]) - len(word)
            for word, at, to in zip(words.form[begin:stop], start, end[1:], strict=False)
            if to - at > len(word)
        )
    return LeftOut(labels, characters)
