"""Lines of CoNLL files that begin with #, and the cells of their last column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from referee.formats.shared.possessive import compiled

# Possessive, for one way to read a cell is enough: with others to try, a wrong cell of thirty brackets takes a minute.
CELL = r"\|*+(?:(?:\([^\0- ()|]++(?![^\0- ()|])(?:\)|(?!\)))|[^\0- ()|]++\))\|*+)++"
COLUMN = re.compile(r"[^\0- ]+")  # not str.split: a no-break space belongs to its token
EMPTY = ("-", "_", "*")
BLANKS = "".join(map(chr, range(33)))
RANGE = re.compile(r"([0-9]{1,9})-[0-9]{1,9}[\t ]")
"""How the row of a range begins: in CoNLL-U, several words that are written as one, as French *au* for *à le*."""


def header(line: str) -> str | bool | None:
    """Tell what a line that begins with # is.

    Returns
    -------
    str, bool or None
        The name of the document that begins here; None where one ends; True for a token; False for a comment.
    """
    if line == "#end document":  # as most files have it
        return None
    cells = COLUMN.findall(line)
    keywords = "".join(cells[:3]).lstrip("#")
    if keywords.startswith("begindocument"):
        return _document_name(line.partition("document")[2].strip())
    if keywords.startswith("enddocument"):
        return None
    # A token # in a file with blanks between its columns looks like a comment of several words; those are more frequent.
    comment = cells[0] == "#" and len(cells) > 2 and "\t" not in line
    return len(cells) > 1 and not comment and is_cell(cells[-1])


def _document_name(text: str) -> str:
    """`NAME_0` for `(NAME); part 000`."""
    name, _, part = text.rstrip("; ").rpartition(";")
    word, _, number = part.strip().partition(" ")
    if word != "part" or not re.fullmatch("[0-9]+", number.strip()):
        name, number = text.rstrip("; "), ""
    name = name.strip()
    name = name[1:-1].strip() if name.startswith("(") and name.endswith(")") else name
    return f"{name}_{number.strip().lstrip('0') or '0'}" if name and number else name


def is_cell(text: str) -> bool:
    """Whether it can be the last cell of a token."""
    return text in EMPTY or compiled(CELL).fullmatch(text) is not None


NODE = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}")
"""The number of an empty node, in a column of numbers."""


def usual(cells: Sequence[str]) -> int:
    """The column of the word: the fourth, the second behind a number; in rows of up to four, the one before the brackets."""
    if len(cells) < 5:
        return max(0, len(cells) - 2)
    return 1 if (cells[0].isdigit() or NODE.fullmatch(cells[0])) and not (cells[1].isdigit() and cells[2].isdigit()) else 3


def cells_of(line: str) -> list[str]:
    """The columns of a line. `str.split` takes a third of the time; of what is printable, it splits at spaces alone."""
    spaced = line.replace("\t", " ")
    return spaced.split() if spaced.isprintable() else COLUMN.findall(line)


def may_be_token(comment: str, beside: Iterable[str]) -> bool:
    """Whether the last column of a comment has brackets, and a line beside it has as many columns, with blanks between them."""
    *others, last = cells_of(comment)
    if not last.strip("|").startswith("(") and not last.strip("|").endswith(")"):
        return False
    return any(len(cells_of(line)) == len(others) + 1 for line in beside if line[:1] != "#" and "\t" not in line)


def types_of(labels: Sequence[str]) -> list[str] | None:
    """The types that the labels begin with, as in `person-1`; None if the first label has none."""
    return [label.rpartition("-")[0] for label in labels] if len(labels) and "-" in labels[0] else None


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


def is_replacing() -> bool:
    """Whether bytes that are not UTF-8 are replaced in tokens."""
    return _replacing.get()
