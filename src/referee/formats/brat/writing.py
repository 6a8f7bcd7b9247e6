"""Writing brat standoff."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

import numpy as np

from referee.algorithms.arrays import Bools
from referee.corpus import Corpus, Spans
from referee.corpus.undecided import note_of
from referee.formats.brat.mentions import MARK
from referee.formats.brat.reading import words_of_text
from referee.formats.shared.characters import Characters
from referee.formats.shared.documents import words_of
from referee.formats.shared.losses import Losses
from referee.formats.shared.text_mentions import UNTYPED, TextMention, without_blanks
from referee.formats.shared.written_links import label_of, leave_out_loose_links, links_of_document
from referee.formats.shared.written_text import WrittenText, documents_to_write, written_text

UNHOLDABLE = re.compile(r"[\0 \t-\r\x1c-\x1e\x85\u2028\u2029]|^\s*$")
WHITE = re.compile(r"[\t-\r\x1c-\x1f\x85\u2028\u2029]")
UNHOLDABLE_IN_TEXT = re.compile(r"[\0\ud800-\udfff]")
SURROGATE = re.compile(r"[\ud800-\udfff]")


def write(corpus: Corpus, out: TextIO) -> None:
    """Write the annotation of a single document; `write_beside` its text.

    Raises
    ------
    FormatError
        If there are no words or no spans.
    """
    for _, mentions, words, written in documents_to_write(corpus, format="brat"):
        text = written.text
        labels = {m: label_of(corpus, entity) for entity, inside in mentions.items() for m in inside}
        numbers = {m: number for number, m in enumerate(sorted(labels), start=1)}
        lines = []
        for m, number in numbers.items():
            line, parts = mention_line(text, f"T{number}", labels[m], written.spans(corpus, m))
            lines.append(TextMention(f"T{number}", labels[m], parts))
            out.write(f"{line}\n")
        for number, (a, b) in enumerate(links_of_document(corpus, mentions), start=1):
            out.write(f"R{number}\tCoreference Arg1:T{numbers[a]} Arg2:T{numbers[b]}\n")
        is_needed = not written.is_raw or not lines or _needs_note(written, without_blanks(text, lines))
        if words.tokens and is_needed:  # a file is never empty
            out.write("#1\tAnnotatorNotes T1\ttokens: blanks\n")
        notes = {number: note for m, number in numbers.items() if (note := note_of(corpus, m))}
        out.writelines(note_line(n, f"T{number}", note) + "\n" for n, (number, note) in enumerate(notes.items(), start=2))


def note_line(number: int, id_: str, note: str) -> str:
    """The line of a note on a mention."""
    return f"#{number}\tAnnotatorNotes {id_}\t{note}"


def mention_line(text: str, id_: str, label: str, spans: Spans) -> tuple[str, list[tuple[int, int]]]:
    """The line of a mention, and its parts: one in each line of the text."""
    parts = [part for span in spans for part in _lines_of(text, *span)]
    offsets = ";".join(f"{start} {end}" for start, end in parts)
    covered = WHITE.sub(" ", " ".join(text[start:end] for start, end in parts))
    return f"{id_}\t{label} {offsets}\t{covered}", parts


def drop_unsupported(losses: Losses) -> None:
    """Leave out mentions of nothing but blanks, and links that do not connect entities; change words, texts and types."""
    losses.change_texts(UNHOLDABLE_IN_TEXT)
    losses.leave_out(_of_marks(losses.corpus), "mention", " of a byte order mark")
    losses.reword(lambda _, words: [_holdable(token) if words.raw is None else token for token in words.tokens])
    losses.change_types(lambda entity_type: re.sub(r"[\s;]", "_", entity_type) + "_" * (entity_type == UNTYPED))
    leave_out_loose_links(losses)


def _is_mark(text: str, spans: Spans) -> bool:
    """Whether characters are the byte order mark that a text begins with, which is no token here."""
    return text.startswith(MARK) and spans == ((0, 1),)


def _of_marks(corpus: Corpus) -> Bools:
    """The mentions that are a byte order mark."""
    is_mark = np.zeros(len(corpus.document), dtype=bool)
    for number, words in enumerate(corpus.text.words if corpus.text else ()):
        if words.raw is not None and words.raw.text.startswith(MARK):
            written, here = written_text(words), corpus.mentions_in(number, number + 1)
            is_mark[here] = [_is_mark(words.raw.text, written.spans(corpus, m)) for m in range(here.start, here.stop)]
    return is_mark


def _holdable(token: str) -> str:
    """A token as a text made of tokens can have it."""
    changed = UNHOLDABLE.sub("_", token) if token.strip() else "_"
    return SURROGATE.sub("\ufffd", changed)


def write_beside(corpus: Corpus, out: TextIO) -> None:
    """Write the text of a single document: as it is, or else one line a sentence, blanks between tokens."""
    for words in words_of(corpus, format="brat"):
        written = written_text(words)
        out.write(written.text + "\n" * bool(written.text and not written.is_raw))


def _needs_note(written: WrittenText, mentions: Sequence[TextMention]) -> bool:
    """Whether the tokens of a text with these mentions are read as they are with the note alone."""
    with_note, without = (words_of_text(written.text, mentions, blanks) for blanks in (True, False))
    places = list(written.places)
    return places == _places(with_note) != _places(without)


def _places(characters: Characters) -> list[tuple[int, int]]:
    """The characters of each token."""
    return list(zip(characters.starts.tolist(), characters.ends.tolist(), strict=True))


def _lines_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a span in each line, but for blank lines."""
    for line in re.finditer(r"[^\r\n]+", text[start:end]):
        if line[0].strip():
            yield start + line.start(), start + line.end()
