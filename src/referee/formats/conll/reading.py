"""CoNLL files read: mentions at once, words when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from io import BytesIO
from typing import BinaryIO

import numpy as np

from referee.basics.exceptions import FormatError
from referee.corpus import Corpus, Text, Words
from referee.formats.conll.lines import COLUMN, EMPTY, header, is_cell
from referee.formats.conll.scan import Found, Scan, UnreadableError
from referee.formats.conll.unusual import without_empty_cells, without_ranges
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import HEAD, UNREADABLE, OnError, Source

OTHERS = re.compile(r"#\s*(global\.\w+ *=|newpar\b|sent_id *=|FORMAT=WebAnno)")
"""Comments that only other formats with columns have."""


ENTITIES = re.compile(r"""[^\s"'`<>@;{}$]+""")
"""What brackets of mentions may be, and calls in programs are not."""
LISTED = re.compile(r"\(\d[^()]*\),")
"""A number in brackets in a list, as in `Tom (0), he (6)`."""


def sniff(head: str) -> bool:
    """Whether it has a header, or brackets or empty cells in nearly all last columns."""
    whole, _, rest = head.rpartition("\n")  # the head may end amid a line
    lines = [line for line in (whole or rest).split("\n") if line.strip()]
    if any(OTHERS.match(line) for line in lines):
        return False
    if any(line.startswith("#") and isinstance(header(line), str) for line in lines):
        return True
    cells = [c for c in map(COLUMN.findall, lines) if c and c[0][0] != "#"]
    fitting = sum(len(c) > 1 and is_cell(c[-1]) and not any(map(LISTED.fullmatch, c)) for c in cells)
    return (
        bool(cells) and fitting >= 0.9 * len(cells) and any(map(ENTITIES.fullmatch, {c[-1] for c in cells}.difference(EMPTY)))
    )


def read(source: Source, on_error: OnError) -> Corpus:
    """The mentions of all documents; tokens when they are asked for."""
    undecoded: list[tuple[int | None, str]] = []
    try:
        with _opened(source, on_error) as stream:
            found = Scan(header).read(stream)
        mended = found.digests is None and found.wrong is not None
    except UnreadableError:
        mended = True
    except UNREADABLE as error:
        raise FormatError(source.name, None, f"cannot be read: {str(error).lower()}") from None
    if mended:
        found = Scan(header, mended=True).read(BytesIO(_mended(source, lambda *error: undecoded.append(error))))
    if found.wrong and not undecoded and any(text.startswith("_") or text.endswith("_") for text in found.wrong.texts):
        found = _with_bars(source, found)
    names = document_names(found.names)
    if not len(found.document) and not source.options.columns and found.tokens.any():
        from referee.formats.conll.columns import elsewhere  # few files have no mentions

        if hint := elsewhere(source):
            on_error(None, hint)
            found = Scan(header).read(BytesIO())
            names = []
    if undecoded or found.wrong or len(set(names)) < len(names):
        from referee.formats.conll.errors import report  # few files have errors

        report(found, undecoded, source, on_error)
    _warn_of_tokens_outside(source, found.outside)
    _warn_of_comments(source, found.unsure)
    # Without digests, as those of a file that is not UTF-8, tokens are read to be compared, and the byte is an error then.
    return corpus_of(found, tuple(names), Text(lambda: words(source), found.digests, kind="conll"), source.name)


def document_names(names: Sequence[str]) -> list[str]:
    """The names of the documents of a file; a document without one has its number."""
    return [name or f"#{number}" for number, name in enumerate(names, start=1)]


def corpus_of(found: Found, names: tuple[str, ...], text: Text, source: str) -> Corpus:
    """The corpus of what the fast reader has found."""
    corpus = Corpus(
        names,
        document=found.document,
        start=found.start,
        end=found.end,
        entity=found.entity,
        entity_ids=found.labels,
        text=text,
        source=source,
    ).in_reading_order()
    return replace(corpus, entity_types=_types(corpus.entity_ids))


def _types(labels: Sequence[str]) -> Sequence[str] | None:
    """The types that the labels begin with, as in `person-1`; None if the first label has none."""
    return _TypesOfLabels(labels) if len(labels) and "-" in labels[0] else None


class _TypesOfLabels(Sequence[str]):
    def __init__(self, labels: Sequence[str]) -> None:
        self.labels = labels

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> str:  # type: ignore[override]  # slices are not needed
        return self.labels[index].rpartition("-")[0]


def _opened(source: Source, on_error: OnError) -> BinaryIO:
    """The bytes of a file; rearranged if the user named its columns."""
    if not source.options.columns:
        return source.open()
    from referee.formats.conll.columns import asked_columns, rearranged  # few do

    asked = asked_columns(source.options.columns, source.options.option)
    return BytesIO(rearranged(source, asked, on_error).encode()) if asked else source.open()


LAST_CELL = re.compile(rb"[^\x00-\x20]{1,10000}(?=[\t\r ]{0,100}$)", re.MULTILINE)
JOINED = re.compile(rb"(?<=\))_(?=[^\s()|])|(?<=[^\s()|])_(?=\()")


def _with_bars(source: Source, found: Found) -> Found:
    """What is found with a bar for each _ between two brackets, as in `2)_1)`, if nothing is wrong then."""
    number = 0

    def mend(cell: re.Match[bytes]) -> bytes:
        nonlocal number
        text, joints = JOINED.subn(b"|", cell[0]) if b"(" in cell[0] or b")" in cell[0] else (cell[0], 0)
        number += joints
        return text

    again = Scan(header, mended=True).read(BytesIO(LAST_CELL.sub(mend, _mended(source, _ignore))))
    if again.wrong:
        return found
    warn_file(source.name, "read {} between two brackets as a bar", "underscore", number)
    return again


# What only some callers ask for: lines and words.


def token_lines(source: Source) -> dict[str, list[int]]:
    """Return the numbers of the lines of the tokens of each document, for `referee validate`."""
    try:
        with _opened(source, source.raise_error) as stream:
            found = Scan(header).read(stream)
    except UnreadableError:
        found = Scan(header, mended=True).read(BytesIO(_mended(source, _ignore)))
    ranges = zip(found.first_token.tolist(), found.tokens.tolist(), strict=True)
    lines = (found.lines(first + np.arange(count)).tolist() for first, count in ranges)
    return dict(zip(document_names(found.names), lines, strict=True))


def words(source: Source) -> list[Words]:
    """The words of each document."""
    from referee.formats.conll.columns import WordColumn, word_column
    from referee.formats.conll.words import MixedRowsError, read_words  # scoring rarely needs words

    tabs = "word" in source.options.columns
    place = WordColumn(None, "") if tabs else word_column(_head(source))
    column = place.column
    try:
        try:
            with _opened(source, source.raise_error) as stream:
                found = read_words(stream, header, column, tabs=tabs)
        except (UnreadableError, *UNREADABLE):
            source.check_unchanged()
            on_error = _ignore if _replacing.get() else source.raise_error
            text, empty = without_empty_cells(_mended(source, on_error).decode(), column)
            found = read_words(BytesIO(text.encode()), header, column, tabs=tabs, mended=True)
            warn_file(source.name, "read {} as _: a cell between tabs that is empty", "word", empty)
    except MixedRowsError as error:
        remedy = "expected tabs alone, or blanks alone, in all rows of a document"
        raise FormatError(source.name, error.line, f"found tabs and blanks between its columns; {remedy}") from None
    source.check_unchanged()
    if place.remark:
        warn_file(source.name, place.remark, "word", sum(len(document.tokens) for document in found))
    return found


def _head(source: Source) -> str:
    """The first rows of a file; rearranged if the user named its columns."""
    head = source.head
    if source.options.columns:
        with _opened(source, _ignore) as stream:
            head = stream.read(HEAD)
    return head.decode(errors="replace")


def _mended(source: Source, on_error: OnError) -> bytes:
    """The bytes of a file without rows of ranges, with U+FFFD for those that are not UTF-8, and a blank for NUL bytes.

    The latter two are errors.
    """
    if source.options.columns:
        with _opened(source, on_error) as stream:
            return stream.read()
    return without_ranges(source.text(on_error).replace("\0", " "), on_error).encode()


_replacing = ContextVar("replacing", default=False)


@contextmanager
def replacing() -> Iterator[None]:
    """Replace bytes that are not UTF-8 by U+FFFD in tokens that are read late.

    What was scored without its words can then be shown.
    """
    before = _replacing.set(True)
    try:
        yield
    finally:
        _replacing.reset(before)


def _ignore(line: int | None, problem: str) -> None:
    """Errors were reported when the mentions were read."""


def _warn_of_tokens_outside(source: Source, count: int) -> None:
    warn_file(source.name, "left out {} outside of any document; expected #begin document before", "token", count)


def _warn_of_comments(source: Source, lines: Sequence[int]) -> None:
    text = (
        "left out {} with brackets and as many columns as the token beside; expected tabs between the columns if # is a token"
    )
    warn_file(source.name, text, "comment", len(lines), lines[0] if lines else None)
