"""Groups of documents: each document, the beginning of its name, or a field of a table about documents."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from referee.basics.exceptions import FormatError, MismatchError, OptionError, check_name, counted, shortened

Grouping: TypeAlias = Callable[[str], str]
"""The group of a document, by its name."""


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
    """Group documents by a field of a table, which `read_metadata` reads from the file `source`.

    Raises
    ------
    UnknownNameError, MismatchError
        If the table lacks the field, or a document.
    """
    check_name("field", field, list(next(iter(table.values()), {})))
    missing = [name for name in documents if name not in table]
    if missing:
        lacking = counted(len(missing), "document")
        raise MismatchError(f"{source} lacks {lacking}, first {shortened(missing[0])!r}; expected a line for each")
    empty = [name for name in documents if not table[name][field]]
    if empty:
        without = counted(len(empty), "document")
        raise MismatchError(f"{source} has no {field} for {without}, first {shortened(empty[0])!r}; expected one for each")
    return lambda name: table[name][field]


def read_metadata(path: str) -> dict[str, dict[str, str]]:
    """Read a table about documents: document -> field -> value.

    Its columns are separated by tabs, or by commas if the first line has no tab. The first line has their titles, of which the
    first is `document`. Then there is one line for each document.

    Raises
    ------
    FormatError
        With the line.
    """
    table: dict[str, dict[str, str]] = {}
    titles: Sequence[str] = ()
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = list(file)
            tabs = "\t" in next(filter(str.strip, lines), "\t")
            rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE) if tabs else csv.reader(lines, strict=True)
            for row in rows:
                number, cells = rows.line_num, [cell.strip() for cell in row]
                if not any(cells):
                    continue
                if not titles:
                    titles = cells
                    if titles[0] != "document" or len(titles) < 2 or len(set(titles)) < len(titles) or not all(titles):
                        problem = f"found the titles {shortened(', '.join(titles), 100)}; expected document and others"
                        raise FormatError(path, number, f"{problem}, all different, with tabs or commas")
                elif len(cells) != len(titles):
                    raise FormatError(path, number, f"found {counted(len(cells), 'field')}; expected {len(titles)}")
                elif cells[0] in table:
                    raise FormatError(path, number, f"found document {shortened(cells[0])!r} again; expected one line for each")
                else:
                    table[cells[0]] = dict(zip(titles[1:], cells[1:], strict=True))
    except OSError as error:
        raise FormatError(path, None, f"cannot be opened: {(error.strerror or str(error)).lower()}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(path, None, f"is no table of text in UTF-8: {error}") from None
    if not table:
        raise FormatError(os.fspath(path), None, "found no documents; expected a line of titles, then a line for each document")
    return table
