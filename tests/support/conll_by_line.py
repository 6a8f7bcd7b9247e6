"""The reader of CoNLL by line, slow and plain: what the fast one must read, and the errors that it must report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from referee.basics.exceptions import shortened
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.conll import lines, reading
from referee.formats.shared.documents import begin
from referee.formats.shared.source import OnError, Source

BRACKET = r"(\()?([^\0- ()|]+)(\))?"


@dataclass
class Document:
    """A document, line by line.

    Parameters
    ----------
    name : str or None
        None for the words outside of any document.
    line : int
        Where it begins.
    words : list of str
        All words.
    sentences : list of int
        Token offsets at which sentences start.
    cells : list of pairs
        Number and last column of the line of each word.
    """

    name: str | None
    line: int
    words: list[str] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    cells: list[tuple[int, str]] = field(default_factory=list)


def documents(source: Source, on_error: OnError) -> Iterator[Document]:
    """The documents, each when it is complete; at last the words outside of any, which are one if there is no other."""
    outside = document = Document("", 1)
    breaks = True
    for number, line in source.lines(on_error):
        cells = _split(line)
        says = lines.header(line) if line.startswith("#") else bool(cells)
        if not cells:
            breaks = True
        elif says is True:
            if breaks:
                document.sentences.append(len(document.words))
                breaks = False
            document.words.append(cells[_word_column(cells)])
            document.cells.append((number, _last_column(line)))
        elif says is not False:
            if document is not outside:
                yield document
            document = outside
            if says is not None:
                document, breaks, outside.name = Document(says, number), True, None
    if document is not outside:
        yield document
    yield outside


def _split(line: str) -> list[str]:
    """The columns of a line. `str.split` takes a third of the time; of what is printable, it splits at spaces alone."""
    spaced = line.replace("\t", " ")
    return spaced.split() if spaced.isprintable() else lines.COLUMN.findall(line)


def _last_column(line: str) -> str:
    """The last column of a line, with a control character that stands before it in place of a blank."""
    cell = lines.COLUMN.findall(line)[-1]
    return line[: line.rindex(cell)][-1:].strip("\t \0") + cell


def _word_column(cells: list[str]) -> int:
    """The column of the word.

    CoNLL-2012: the fourth. SemEval-2010, which begins with the word number: the second. Two to four columns: the one before
    the brackets.
    """
    if len(cells) < 5:
        return max(0, len(cells) - 2)
    return 1 if cells[0].isdigit() and not (cells[1].isdigit() and cells[2].isdigit()) else 3


def read_by_line(source: Source, on_error: OnError) -> Corpus:
    """The same corpus, slowly, with every error and its line."""
    builder = CorpusBuilder(source.name)
    for document in documents(source, on_error):
        if document.name is None:
            reading._warn_of_tokens_outside(source, len(document.words))
        elif begin(builder, on_error, document.name, document.words, document.sentences, line=document.line):
            _add(document, builder, on_error)
    corpus = builder.corpus()
    return replace(corpus, entity_types=reading._types(corpus.entity_ids))


def _add(document: Document, builder: CorpusBuilder, on_error: OnError) -> None:
    """Add the mentions of a document to the builder."""
    unfinished: dict[str, list[tuple[int, int]]] = {}  # label -> (token, line) of the brackets open now
    known: dict[str, list[tuple[str, str, str]] | None] = {empty: [] for empty in lines.EMPTY}  # by cell
    for token, (line, cell) in enumerate(document.cells):
        if cell not in known:
            known[cell] = re.findall(BRACKET, cell) if lines.is_cell(cell) else None
        brackets = known[cell]
        if brackets is None:
            on_error(line, f"found {cell[:80]!r} in the last column; expected - or brackets such as (12|(3)")
            continue
        for opens, label, closes in brackets:
            if opens and closes:
                builder.mention(token, token + 1, label)
            elif opens:
                unfinished.setdefault(label, []).append((token, line))
            elif unfinished.get(label):
                builder.mention(unfinished[label].pop()[0], token + 1, label)
            else:
                shown = shortened(label)
                on_error(line, f"entity {shown} is closed but was never opened; expected ({shown} before it")
    for label, opened in sorted(unfinished.items(), key=lambda item: item[1][:1]):
        shown = shortened(label)
        for _, line in opened:
            on_error(line, f"entity {shown} is opened but never closed; expected {shown}) before the end of its document")
