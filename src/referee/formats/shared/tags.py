"""Files of tags in columns, which hold phrases and no coreference: `are_tags`."""

from __future__ import annotations

import re

TAG = re.compile(r"O|[BIESLU](-[^\s\0]+)?|[MW]-[^\s\0]+")
"""A tag of IOB and its relatives. M and W alone are none, as they are values of many other columns."""

COMMENT = re.compile(r"#(\s|$)|#(begin|end) document\b")
"""How a line begins that may be none of a word."""

DOCUMENT_MARK = "-DOCSTART-"
EMPTY = "\ufeff\u200b \t\r"
"""What a line between sentences may hold."""


def columns_of(line: str) -> list[str]:
    r"""The columns of a line: separated by tabs if it has any, otherwise by blanks; none in a line between sentences.

    Empty cells at the end of a line are no columns: LitBank has a tab there.

    Examples
    --------
    >>> columns_of("New York\tB-LOC\tO\t"), columns_of("York\tO\t\tO"), columns_of(" \t")
    (['New York', 'B-LOC', 'O'], ['York', 'O', '', 'O'], [])
    """
    if "\t" in line and "\t" in line.strip():
        return line.rstrip(" \t\r").split("\t")
    columns = line.split()
    return columns if len(columns) > 1 or line.strip(EMPTY) else []


def first_rows(head: str) -> list[list[str]]:
    """The columns of the first hundred lines that are words."""
    lines = head.split("\n")[:-1][:100] or [head]
    rows = [columns_of(line.rstrip("\r")) for line in lines if not COMMENT.match(line)]
    return [columns for columns in rows if columns and columns[0] != DOCUMENT_MARK]


def are_tags(head: str) -> bool:
    r"""Whether each word has a tag in the last column, and both O and others are among them.

    Examples
    --------
    >>> are_tags("Ann B-PER\nsang O\n"), are_tags("Ann B-PER\nLee B-PER\n"), are_tags("item entity\na O\nb B-1\n")
    (True, False, False)
    """
    rows = first_rows(head)
    last = {columns[-1] for columns in rows if len(columns) > 1}
    is_complete = len(last) > 1 and "O" in last and all(len(columns) > 1 for columns in rows)
    return is_complete and all(map(TAG.fullmatch, last))
