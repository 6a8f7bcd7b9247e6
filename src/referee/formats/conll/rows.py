"""CoNLL files line by line: the words of all files, and the mentions of files in which something is wrong or odd.

Odd are rows of ranges such as `2-3`, empty cells between tabs, columns that a user names, and brackets with `_` between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.basics.exceptions import FormatError, shortened
from referee.corpus import Corpus, CorpusBuilder, Text, Words
from referee.formats.conll.columns import (
    elsewhere,
    ignore,
    named_columns,
    rearranged,
    without_empty_cells,
    without_ranges,
    word_column,
)
from referee.formats.conll.lines import BLANKS, EMPTY, cells_of, header, is_cell, is_replacing, may_be_token, types_of, usual
from referee.formats.conll.scan import digest_of
from referee.formats.shared.documents import begin
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import HEAD, OnError, Source

BRACKET = re.compile(r"(\()?([^\0- ()|]+)(\))?")
WORD, TAG, SPEAKER, TWELVE = 3, 4, 9, 12
"""Columns of the shared task of 2012, and how many there are at least."""

JOINED = re.compile(r"(?<=\))_(?=[^\s()|])|(?<=[^\s()|])_(?=\()")


@dataclass
class DocumentRows:
    """The rows of a document that are tokens.

    Parameters
    ----------
    name : str or None
        None for the tokens outside of any document.
    line, end : int
        The lines of the headers before and after it.
    rows : list of pairs
        Number and text of the line of each token.
    sentences : list of int
        Token offsets at which sentences start.
    """

    name: str | None
    line: int
    end: int = 0
    rows: list[tuple[int, str]] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)


def documents(lines: Sequence[str]) -> Iterator[DocumentRows]:
    """The documents, and at last the tokens outside of any, which are one if there is no other."""
    outside = document = DocumentRows("", 1)
    breaks = True
    for number, text in enumerate(lines, start=1):
        line = text.rstrip(BLANKS)
        meaning = header(line) if line[:1] == "#" else True
        if not line:
            breaks = True
        elif meaning is True:
            if breaks:
                document.sentences.append(len(document.rows))
                breaks = False
            document.rows.append((number, line))
        elif meaning is not False:
            if document is not outside:
                document.end = number
                yield document
            document = outside
            if meaning is not None:
                document, breaks, outside.name = DocumentRows(meaning, number), True, None
    document.end = len(lines) + 1
    if document is not outside:
        yield document
    yield outside


def read_rows(source: Source, on_error: OnError) -> Corpus:
    """The mentions of all documents, and every error with its line, document by document; tokens when they are asked for."""
    undecoded: list[tuple[int, str]] = []
    lines = _lines(source, on_error if source.options.columns else lambda line, problem: undecoded.append((line or 0, problem)))
    *inside, last = documents(lines)
    inside += [last] if last.name is not None else []
    annotation = [_mentions(document) for document in inside]
    if any(errors for _, errors in annotation) and not undecoded:
        mended = [_with_bars(document) for document in inside]
        with_bars = [_mentions(document) for document, _ in mended]
        if not any(errors for _, errors in with_bars):
            annotation = with_bars
            bars = sum(number for _, number in mended)
            warn_file(source.name, "read {} between two brackets as a bar", "underscore", bars)
    has_mentions = any(mentions for mentions, _ in annotation) or bool(source.options.columns)
    if not has_mentions and any(document.rows for document in inside) and (hint := elsewhere(source)):
        on_error(None, hint)
        return CorpusBuilder(source.name).corpus()
    builder = CorpusBuilder(source.name)
    for document, (mentions, errors) in zip(inside, annotation, strict=True):
        while undecoded and undecoded[0][0] <= document.end:
            on_error(*undecoded.pop(0))
        if begin(builder, on_error, document.name or "", line=document.line):
            for error in errors:
                on_error(*error)
            for start, end, label in mentions:
                builder.mention(start, end, label)
    for error in undecoded:
        on_error(*error)
    if last.name is None:
        text = "left out {} outside of any document; expected #begin document before"
        warn_file(source.name, text, "token", len(last.rows))
    unsure = _unsure_comments(lines)
    text = (
        "left out {} with brackets and as many columns as the token beside; expected tabs between the columns if # is a token"
    )
    warn_file(source.name, text, "comment", len(unsure), unsure[0] if unsure else None)
    digests = [digest_of([split_last(line)[0] for _, line in document.rows]) for document in inside]
    corpus = replace(builder.corpus(), text=Text(lambda: read_words(source), digests, kind="conll"))
    return replace(corpus, entity_types=types_of(corpus.entity_ids))


def documents_of(source: Source) -> list[DocumentRows]:
    """The documents of a file of which errors were reported."""
    return [document for document in documents(_lines(source, ignore)) if document.name is not None]


def _lines(source: Source, on_error: OnError) -> list[str]:
    """The lines of a file without rows of ranges, and with the columns that a user named where they are usual."""
    lines = without_ranges(source.text(on_error).replace("\0", " ").split("\n"), on_error)
    named = named_columns(source.options.columns, source.options.option)
    return rearranged(lines, named, on_error) if named else lines


def split_last(line: str) -> tuple[str, str]:
    """A line before its last cell, and the cell, with a control character that stands before it in place of a blank."""
    cell = cells_of(line)[-1]
    front = line[: line.rindex(cell)]
    return front, front[-1:].strip("\t \0") + cell


def _with_bars(document: DocumentRows) -> tuple[DocumentRows, int]:
    """The document with a bar for each _ between two brackets, as in `2)_1)`, and their number."""
    rows, bars = [], 0
    for number, line in document.rows:
        front, cell = split_last(line)
        if "(" in cell or ")" in cell:
            cell, joints = JOINED.subn("|", cell)
            bars += joints
        rows.append((number, front + cell))
    return replace(document, rows=rows), bars


def _mentions(document: DocumentRows) -> tuple[list[tuple[int, int, str]], list[tuple[int, str]]]:
    """Start, end and label of each mention, in the order of their entities, and the line and text of each error.

    Entities go by their first bracket; of those at one token, mentions of one token are first.
    """
    mentions: list[tuple[int, bool, int, int, str]] = []
    errors: list[tuple[int, str]] = []
    opened: dict[str, list[tuple[int, int, int]]] = {}  # token, line, and the number of brackets before it
    brackets: dict[str, list[tuple[str, str, str]]] = {empty: [] for empty in EMPTY}
    count = 0
    for token, (line, text) in enumerate(document.rows):
        cell = split_last(text)[1]
        if cell not in brackets:
            if not is_cell(cell):
                errors.append((line, f"found {cell[:80]!r} in the last column; expected - or brackets such as (12|(3)"))
                continue
            brackets[cell] = BRACKET.findall(cell)
        for opens, label, closes in brackets[cell]:
            count += 1
            if opens and closes:
                mentions.append((token, False, count, token + 1, label))
            elif opens:
                opened.setdefault(label, []).append((token, line, count))
            elif opened.get(label):
                start, _, before = opened[label].pop()
                mentions.append((start, True, before, token + 1, label))
            else:
                shown = shortened(label)
                errors.append((line, f"entity {shown} is closed but was never opened; expected ({shown} before it"))
    for label, halves in sorted(opened.items(), key=lambda item: [half[:2] for half in item[1][:1]]):
        shown = shortened(label)
        for _, line, _ in halves:
            expected = f"expected {shown}) before the end of its document"
            errors.append((line, f"entity {shown} is opened but never closed; {expected}"))
    return [(start, end, label) for start, _, _, end, label in sorted(mentions)], errors


def _unsure_comments(lines: Sequence[str]) -> list[int]:
    """The lines of comments that may be tokens #: they have brackets, and a line beside them has as many columns."""
    unsure = []
    for n, line in enumerate(lines):
        if line[:1] == "#" and header(line.rstrip(BLANKS)) is False:
            beside = [lines[place] for place in (n - 1, n + 1) if 0 <= place < len(lines)]
            unsure += [n + 1] if may_be_token(line, beside) else []
    return unsure


# Words.


def read_words(source: Source) -> list[Words]:
    """The words of each document."""
    lines = _lines(source, ignore if is_replacing() else source.raise_error)
    options = source.options.columns
    head = "\n".join(lines)[:HEAD] if options else source.head.decode(errors="replace")
    column, text = (None, "") if "word" in options else word_column(head)
    lines, empty = without_empty_cells(lines, column)
    warn_file(source.name, "read {} as _: a cell between tabs that is empty", "word", empty)
    of_documents = []
    for document in documents(lines):
        rows = _cells(document, source, only_tabs="word" in options)
        places = [usual(row) if column is None else min(column, max(len(row) - 2, 0)) for row in rows]
        words = Words([row[place] for row, place in zip(rows, places, strict=True)], document.sentences)
        if not options and {WORD}.issuperset(places) and min(map(len, rows), default=0) >= TWELVE:
            words = words._replace(parts_of_speech=_column(rows, TAG), speakers=_speakers(rows, document.sentences))
        of_documents += [] if document.name is None else [words]
    source.check_unchanged()
    if text:
        warn_file(source.name, text, "word", sum(len(words.tokens) for words in of_documents))
    return of_documents


def _column(rows: Sequence[Sequence[str]], place: int) -> list[str] | None:
    """A column of a file of the shared task; None for one that is empty."""
    cells = [row[place] for row in rows]
    return None if set(cells) <= set(EMPTY) else cells


def _speakers(rows: Sequence[Sequence[str]], sentences: Sequence[int]) -> list[str] | None:
    """Who says each sentence."""
    cells = _column(rows, SPEAKER)
    return cells and ["" if cells[start] in EMPTY else cells[start].replace("_", " ") for start in sentences]


def _cells(document: DocumentRows, source: Source, *, only_tabs: bool) -> list[list[str]]:
    """The cells of each row.

    Where tabs are between the columns in all rows, and nothing else in some or in rows of several columns, a blank belongs to
    its cell.
    """
    plain = [cells_of(line) for _, line in document.rows]
    if not any("\t" in line and " " in line for _, line in document.rows):
        return plain
    by_tabs = [[cell for text in line.split("\t") if (cell := text.strip(BLANKS))] for _, line in document.rows]
    sizes = [(len(some), len(every)) for some, every in zip(by_tabs, plain, strict=True)]
    mixed = [n for n, (some, every) in enumerate(sizes) if 1 < some < every]
    if only_tabs or not mixed:
        return by_tabs if only_tabs else plain
    if any(some == 1 < every for some, every in sizes):
        remedy = "expected tabs alone, or blanks alone, in all rows of a document"
        line = document.rows[mixed[0]][0]
        raise FormatError(source.name, line, f"found tabs and blanks between its columns; {remedy}")
    has_tabs = any(1 < some == every for some, every in sizes) or min(sizes[n][0] for n in mixed) > 3
    return by_tabs if has_tabs else plain
