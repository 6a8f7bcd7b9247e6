"""Groups of documents: each document, its file, the beginning of its name, or a field of a table about documents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

from referee.basics.exceptions import MismatchError, OptionError, check_name, counted, shortened
from referee.formats.shared.metadata import row_of

Grouping: TypeAlias = Callable[[str], str]
"""The group of a document, by its name."""

DATASETS = ("file", "folder")
"""Groups that are datasets: the files of the key, or the folders in it."""

BY = ("document", *DATASETS)
"""What scores are broken down by, if not by groups that the user defines."""

By: TypeAlias = str | Grouping | None
"""Of `BY`, or what gives the group of a document by its name; None for no breakdown."""


OVER_ALL = ("micro", "macro")
"""What programs call the sums over all documents, and the mean over documents or groups."""


def check_by(by: object) -> None:
    """Raise UnknownNameError for what scores cannot be broken down by."""
    if by is not None and not callable(by):
        check_name("by", by, BY)


def noun_of(by: By) -> str:
    """What scores are broken down by, as a column is called."""
    return "group" if callable(by) else by or "document"


def label_of(average: str, noun: str, number: int) -> str:
    """What tables for people call the rows over all documents.

    >>> label_of("macro", "file", 22), label_of("micro", "file", 22)
    ('macro (mean of 22 files)', 'micro (all documents)')
    """
    over = f"{number} corpora" if noun == "corpus" else counted(number, noun)
    return "micro (all documents)" if average == "micro" else f"macro (mean of {over})"


def by_document(name: str) -> str:
    """Each document is a group."""
    return name


def by_prefix(documents: Collection[str], separator: str = "/", depth: int = 1) -> Grouping:
    """Group documents by the text before a separator in their names.

    Parameters
    ----------
    documents
        The names of all documents.
    separator
        What ends the prefix.
    depth
        The prefix ends at the first separator, or the second, third, ... A document with fewer separators is grouped by all
        that is before its last one.

    Raises
    ------
    OptionError
        If no name has the separator.

    Examples
    --------
    >>> by_prefix(["bc/cnn/00", "nw/xinhua"], depth=2)("bc/cnn/00")
    'bc/cnn'
    """
    if not separator or depth < 1:
        raise OptionError(f"a prefix needs a separator and a depth of 1 or more; found {separator!r} and {depth}")
    if not any(separator in name for name in documents):
        first = shortened(next(iter(documents), ""))
        raise OptionError(f"no name of a document has {separator!r}, as {first!r}; expected another --separator")

    def prefix(name: str) -> str:
        parts = name.split(separator)
        return separator.join(parts[: min(depth, max(len(parts) - 1, 1))])

    return prefix


def by_field(documents: Collection[str], field: str, table: Mapping[str, Mapping[str, str]], source: str) -> Grouping:
    """Group documents by a field of a table, read from the file `source`.

    Raises
    ------
    UnknownNameError, MismatchError
        If the table lacks the field, or a document.
    """
    check_name("field", field, list(next(iter(table.values()), {})))
    rows = {name: row_of(name, table) for name in documents}
    missing = [name for name, row in rows.items() if row is None]
    if missing:
        lacking = counted(len(missing), "document")
        raise MismatchError(f"{source} lacks {lacking}, first {shortened(missing[0])!r}; expected a line for each")
    groups = {name: row[field] for name, row in rows.items() if row is not None}
    empty = [name for name, group in groups.items() if not group]
    if empty:
        without = counted(len(empty), "document")
        raise MismatchError(f"{source} has no {field} for {without}, first {shortened(empty[0])!r}; expected one for each")
    return groups.__getitem__
