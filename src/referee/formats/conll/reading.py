"""CoNLL files read: mentions at once, words when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from referee.basics.exceptions import FormatError, shortened
from referee.corpus import Corpus, Text, Words
from referee.corpus.origin import Origin
from referee.formats.conll.lines import COLUMN, EMPTY, header, is_cell, types_of
from referee.formats.conll.scan import Scan, ScannedMentions, UnusualError
from referee.formats.shared.source import UNREADABLE, OnError, Source

OTHERS = re.compile(r"#\s*(global\.\w+ *=|newpar\b|sent_id *=|FORMAT=WebAnno)")
"""Comments that only other formats with columns have."""


FIRST = 8192
"""Bytes whose lines are looked at before a file is read."""
LINES = 200
"""As many of these lines, at most."""
BRACKETS = re.compile(r"[-_*]|(\(\d+\)?|\d+\))(\|?(\(\d+\)?|\d+\)))*")
"""A cell with brackets of mentions, or none."""
ENTITIES = re.compile(r"""[^\s"'`<>@;{}$]+""")
"""What brackets of mentions may be, and calls in programs are not."""
OUTLINED = re.compile(r"\s*(?:\d{1,4}[.)]|[-*•])\s[^\t]*[:\"“]")
"""A line of a list, with a name or quotes."""
LISTED = re.compile(r"\(\d[^()]*\),")
"""A number in brackets in a list, as in `Tom (0), he (6)`."""


def sniff(head: str) -> bool:
    """Whether it has a header, or brackets or empty cells in nearly all last columns."""
    whole, _, rest = head.rpartition("\n")  # the head may end amid a line
    lines = [line for line in (whole or rest).split("\n") if line.strip()]
    listed = [line for line in lines if not line.startswith("#")]
    if any(OTHERS.match(line) for line in lines) or (listed and all(map(OUTLINED.match, listed))):
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
    rows = [] if source.options.columns else _first_rows(source)
    if wrong := _change_of_document(rows):
        on_error(*wrong)
    scanned = None if source.options.columns else _scanned(source)
    names = document_names(scanned.names) if scanned else []
    if scanned is None or len(set(names)) < len(names) or not len(scanned.document):
        from referee.formats.conll.rows import read_rows  # few files need it

        return read_rows(source, on_error)
    # Without digests, as those of a file that is not UTF-8, tokens are read to be compared, and the byte is an error then.
    corpus = corpus_of(scanned, names, Text(lambda: words(source), scanned.digests, "conll", scanned.sizes), source.name)
    others = _other_brackets([cells for _, cells in rows])
    return replace(corpus, origin=Origin(f"column {len(rows[0][1])}", others, "entity")) if others else corpus


def _first_rows(source: Source) -> list[tuple[int, list[str]]]:
    """The first lines that are no comments, with their numbers, and their cells."""
    lines = source.head[:FIRST].decode(errors="replace").split("\n", LINES)[:-1]
    return [(n, cells) for n, line in enumerate(lines, start=1) if (cells := COLUMN.findall(line)) and cells[0][0] != "#"]


def _change_of_document(rows: Sequence[tuple[int, list[str]]]) -> tuple[int, str] | None:
    """The line in which the name in the first column changes without a header, and what is said of it; None if none does."""
    if not rows or rows[0][0] != 1 or any(len(cells) < 5 or not cells[2].isdigit() for _, cells in rows):
        return None
    for (line, (before, *_)), (_, (name, *_)) in zip(rows[1:], rows, strict=False):
        if before != name and not before.isdigit():
            problem = f"the document in column 1 changes from {shortened(name)} to {shortened(before)} without a header"
            return line, f"{problem}; expected #begin document ({shortened(before)}); before it"
    return None


def _other_brackets(rows: Sequence[list[str]]) -> tuple[str, ...]:
    """The numbers of the columns before the last one that have brackets of mentions, too."""
    width = len(rows[0]) if rows else 0
    columns = zip(*rows, strict=True) if all(len(cells) == width for cells in rows) else ()
    return tuple(
        f"column {number}"
        for number, cells in enumerate(columns, start=1)
        if number < width and all(map(BRACKETS.fullmatch, cells)) and any("(" in cell for cell in cells)
    )


def _scanned(source: Source) -> ScannedMentions | None:
    """The mentions of a file; None if something in it is wrong or odd."""
    try:
        with source.open() as stream:
            return Scan(header).read(stream)
    except UnusualError:
        return None
    except UNREADABLE as error:
        raise FormatError(source.name, None, f"cannot be read: {str(error).lower()}") from None


def document_names(names: Sequence[str]) -> list[str]:
    """The names of the documents of a file; a document without one has its number."""
    return [name or f"#{number}" for number, name in enumerate(names, start=1)]


def corpus_of(scanned: ScannedMentions, names: Sequence[str], text: Text, source: str) -> Corpus:
    """The corpus of what the scan has found."""
    corpus = Corpus(
        tuple(names),
        document=scanned.document,
        start=scanned.start,
        end=scanned.end,
        entity=scanned.entity,
        entity_ids=scanned.labels,
        text=text,
        source=source,
    ).in_reading_order()
    return replace(corpus, entity_types=types_of(corpus.entity_ids))


def words(source: Source) -> Sequence[Words]:
    """The words of each document."""
    from referee.formats.conll.rows import read_words  # scoring rarely needs words

    return read_words(source)


def token_lines(source: Source) -> dict[str, list[int]]:
    """The numbers of the lines of the tokens of each document, for `referee validate`."""
    from referee.formats.conll.rows import documents_of

    return {document.name or f"#{n}": [line for line, _ in document.rows] for n, document in enumerate(documents_of(source), 1)}
