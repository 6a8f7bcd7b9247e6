"""The columns of a file of tags, and which of them holds the tags: `read_table`, `tag_column`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.basics.exceptions import FormatError, counted
from referee.formats.shared.source import Source
from referee.formats.shared.tags import COMMENT, DOCUMENT_MARK, TAG, columns_of
from referee.phrases.chunking.schemes import are_plain


class ColumnTable(NamedTuple):
    """The columns of a file, whatever they mean.

    Parameters
    ----------
    sentences
        The columns of each word of each sentence.
    lines
        The line numbers of all words.
    width
        The number of columns.
    """

    sentences: list[list[list[str]]]
    lines: list[int]
    width: int

    def column(self, number: int) -> list[list[str]]:
        """One column, sentence by sentence."""
        return [[row[number] for row in sentence] for sentence in self.sentences]

    def values(self, number: int) -> list[str]:
        """One column of all sentences."""
        return [row[number] for sentence in self.sentences for row in sentence]

    @property
    def is_numbered(self) -> bool:
        """Whether the first column numbers the words of each sentence, and more than tags follow it."""
        return self.width > 2 and all(
            row[0] == str(n) for sentence in self.sentences for n, row in enumerate(sentence, start=1)
        )

    def holds_tags(self, number: int) -> bool:
        """Whether at least half of a column are tags; the first is none."""
        if not 0 < number < self.width or not self.lines:
            return False
        return 2 * sum(TAG.fullmatch(value) is not None for value in self.values(number)) >= len(self.lines)


def read_table(source: Source, *, comments: bool = False) -> ColumnTable:
    """Read the columns of a file, whatever they mean.

    Parameters
    ----------
    source
        The file.
    comments
        Whether lines that begin with `#` before a sentence, and have no tag, are left out.
    """
    rows = [
        (number, columns_of(line), comments and line[:1] == "#" and COMMENT.match(line) is not None)
        for number, line in source.lines(source.raise_error)
    ]
    words = [(len(columns), is_marked) for _, columns, is_marked in rows if columns and columns[0] != DOCUMENT_MARK]
    # The width is that of the first line that is certainly a word, as the lines before may be comments.
    width = next((width for width, is_marked in words if not is_marked), words[0][0] if words else 0)
    sentences: list[list[list[str]]] = [[]]
    lines: list[int] = []
    for number, columns, is_marked in rows:
        if not columns or columns[0] == DOCUMENT_MARK:
            if sentences[-1]:
                sentences.append([])
        elif is_marked and not sentences[-1] and not (len(columns) == width and any(map(TAG.fullmatch, columns[1:]))):
            pass  # a comment
        elif len(columns) != width:
            source.raise_error(number, f"found {counted(len(columns), 'column')}; expected {width}, as on the other lines")
        else:
            sentences[-1].append(columns)
            lines.append(number)
    if not sentences[-1]:
        sentences.pop()
    return ColumnTable(sentences, lines, width)


def tag_column(table: ColumnTable, source: str, number: int | None, *, holds_key: bool) -> int:
    """The number of the column of the tags, from 0.

    Parameters
    ----------
    table
        The file.
    source
        Its name, for messages.
    number, holds_key
        As `column` and `holds_key` of `PhraseOptions`.

    Raises
    ------
    FormatError
        If there is no such column.
    """
    width = table.width
    if number is None:
        last = width - 1
        if nested := levels(table):
            return nested[0]
        if holds_key and _are_key_and_response(table.values(width - 2), table, last):
            return last - 1
        return max(last, 0)
    column = number - 1 if number > 0 else width + number
    if not 0 <= column < max(width, 1) or number == 0:
        line = table.lines[0] if table.lines else None
        raise FormatError(source, line, f"has {counted(width, 'column')}; expected one numbered {number}")
    return column


def levels(table: ColumnTable) -> range:
    """The columns of tags of nested phrases, the outermost first; none if there is one column, or no nesting.

    These are all columns after the word: two of GermEval, which numbers the words, and four of LitBank, which does not. Two
    after a word without a number may be a key and a response; three may be chunks, a key and a response, and are levels only
    if the others have categories of the first.
    """
    columns = range(2 if table.is_numbered else 1, table.width)
    if len(columns) < (2 if table.is_numbered else 3) or not all(map(table.holds_tags, columns)):
        return range(0)
    if len(columns) != 3:
        return columns
    first, *others = (_categories(table.values(column)) for column in columns)
    return columns if all(not other or first & other for other in others) else range(0)


def _are_key_and_response(key: Sequence[str], table: ColumnTable, last: int) -> bool:
    """Whether the last two columns have the same categories, or one of them none."""
    if not (table.holds_tags(last - 1) and table.holds_tags(last)):
        return False
    categories = [_categories(values) for values in (key, table.values(last))]
    return not all(categories) or bool(categories[0] & categories[1])


def _categories(tags: Sequence[str]) -> set[str]:
    prefixed = set(tags) - {"O"}
    return prefixed if are_plain(tags) else {tag[2:] for tag in prefixed}
