"""Groups of documents: each document, its file, the beginning of its name, or a field of a table about documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from referee.basics.exceptions import MismatchError, OptionError, check_name, counted, shortened
from referee.formats.shared.metadata import row_of
from referee.scoring.by import Grouping


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
