"""The columns of a file of tags, and which of them holds the tags: `read_table`, `tag_column`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

from referee.basics.exceptions import FormatError, counted, listed, warn
from referee.basics.sides import side_of
from referee.formats.shared.json_values import are_words, shown, values
from referee.formats.shared.source import Source
from referee.formats.shared.tags import COMMENT, DOCUMENT_MARK, TAG, columns_of
from referee.phrases.chunking.schemes import CATEGORIES, NOTATIONS, NotationError, are_plain, in_usual_notation

NAMES_OF_WORDS = {"word", "words", "token", "tokens", "form", "text"}
NAME_OF_TAGS = re.compile(r"\w*(tags?|labels?)", re.IGNORECASE)


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
    names
        The names of the columns, where they are lists of JSON, or a header has them.
    """

    sentences: list[list[list[str]]]
    lines: list[int]
    width: int
    names: Sequence[str] = ()

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

    @property
    def has_words(self) -> bool:
        """Whether the first column holds words: it does not if all values are tags, or categories of other columns."""
        first = set(self.values(0))
        if len(first) > CATEGORIES:
            return True
        rest = {cell for number in range(1, self.width) for cell in self.values(number)}
        return not ((are_all_tags(first) and are_all_tags(first | rest)) or (are_plain(rest) and first <= rest))

    def name(self, number: int) -> str:
        """What a column is called in messages."""
        return f"column {number + 1}" + (f" ({self.names[number]})" if self.names else "")

    def holds_tags(self, number: int) -> bool:
        """Whether at least half of a column are tags, or all are categories; the first is none."""
        if not 0 < number < self.width or not self.lines:
            return False
        counts = Counter(self.values(number))
        return 2 * sum(n for value, n in counts.items() if TAG.fullmatch(value)) >= len(self.lines) or are_plain(counts)


def are_all_tags(values: Iterable[str]) -> bool:
    """Whether all values are tags, and some have a prefix and a category."""
    others = set(values) - {"O"}
    is_usual = all(map(TAG.fullmatch, others)) and any("-" in tag for tag in others)
    return is_usual or (bool(others) and any(all(map(notation.fullmatch, others)) for notation in NOTATIONS[:2]))


def read_table(source: Source, *, comments: bool = False) -> ColumnTable:
    """Read the columns of a file, whatever they mean. Of tags alone, lines of different lengths are sentences.

    A first line without tags is a header if it calls the first column one of words, or, with a warning, if all of it are
    names, with letters, and tags stand below.

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
    if comments and len({width for width, is_marked in words if not is_marked}) > 1:
        tag_rows = [(n, row) for n, row, is_marked in rows if row and row[0] != DOCUMENT_MARK and not is_marked]
        if are_all_tags(chain.from_iterable(row for _, row in tag_rows)):
            sentences_of_tags = [[[tag] for tag in row] for _, row in tag_rows]
            return ColumnTable(sentences_of_tags, [n for n, row in tag_rows for _ in row], 1)
    names: list[str] = []
    header = next((row for row in rows if row[1] and row[1][0] != DOCUMENT_MARK and not row[2]), None) if comments else None
    if header and not any(map(TAG.fullmatch, header[1])):
        below = [row[-1] for _, row, is_marked in rows if len(row) == width and not is_marked and row is not header[1]]
        is_known = header[1][0].casefold() in NAMES_OF_WORDS
        are_names = all(any(map(str.isalpha, cell)) for cell in header[1]) and not are_all_tags(header[1][-1:])
        if is_known or (are_names and len(below) > 1 and are_all_tags(below)):
            names = header[1]
            rows.remove(header)
        if names and not is_known:
            warn(f"{source.name}:{header[0]}: left out {listed(names)}, taken for a header")
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
    return ColumnTable(sentences, lines, width, names)


def read_lists(source: Source) -> ColumnTable:
    """Read the lists of JSON, a sentence each, as columns: words, other lists of strings, tags."""
    rows: list[tuple[int, dict[str, Any]]] = []
    for line, value in values(source, source.raise_error):
        sentences = value if isinstance(value, list) and not are_words(value) else _sentences(value)
        rows += [(line or 1, row if isinstance(row, dict) else {"tags": row}) for row in sentences]
    first = {name: cells for name, cells in rows[0][1].items() if are_words(cells)}
    tags = [
        name
        for name, cells in first.items()
        if cells and (all(map(TAG.fullmatch, cells)) or are_all_tags(cells) or ("O" in cells and NAME_OF_TAGS.fullmatch(name)))
    ]
    names = sorted(
        [name for name in first if tags and len(first[name]) == len(first[tags[0]])],
        key=lambda name: (name in tags, name not in NAMES_OF_WORDS),
    )
    table = ColumnTable([], [], len(names), names)
    for line, row in rows:
        lists: list[Any] = [row.get(name) for name in names]
        if not lists or not all(map(are_words, lists)) or len(set(map(len, lists))) > 1:
            source.raise_error(
                line,
                f"found {shown(row)}; expected lists of strings, one of them tags such as B-PER, as many as words: the names "
                "of labels, not their ids",
            )
        table.sentences.append([list(cells) for cells in zip(*lists, strict=True)])
        table.lines.extend([line] * len(table.sentences[-1]))
    return table


def _sentences(value: object) -> list[object]:
    """The sentences of an object with lists of all of them, as `{"tokens": [["Ann"]], "ner_tags": [["B-PER"]]}`; or the one."""
    lists = {name: cells for name, cells in value.items() if _are_rows(cells)} if isinstance(value, dict) else {}
    if not lists or len({*map(len, lists.values())}) > 1:
        return [value]
    return [dict(zip(lists, cells, strict=True)) for cells in zip(*lists.values(), strict=True)]


def _are_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(map(are_words, value))


def tag_column(table: ColumnTable, source: Source, number: int | None, *, holds_key: bool) -> int:
    """The number of the column of the tags, from 0.

    Parameters
    ----------
    table
        The file.
    source
        Its source, whose role is the side of a column that has a name of one.
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
        sided = [n for n, name in enumerate(table.names) if side_of(name) == source.role and table.holds_tags(n)]
        if len(sided) == 1:
            return sided[0]
        if nested := levels(table):
            return nested[0]
        if holds_key and share_categories(table, may_be_empty=True):
            return last - 1
        return max(last, 0)
    column = number - 1 if number > 0 else width + number
    if not 0 <= column < max(width, 1) or number == 0:
        line = table.lines[0] if table.lines else None
        raise FormatError(source.name, line, f"has {counted(width, 'column')}; expected one numbered {number}")
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


def share_categories(table: ColumnTable, *, may_be_empty: bool = False) -> bool:
    """Whether the last two columns are tags of common categories, or perhaps one has none."""
    last = table.width - 1
    if not (table.holds_tags(last - 1) and table.holds_tags(last)):
        return False
    first, second = (_categories(table.values(column)) for column in (last - 1, last))
    return bool(first & second) or (may_be_empty and not (first and second))


def _categories(tags: Sequence[str]) -> set[str]:
    try:
        usual = in_usual_notation(tags)
    except NotationError:
        usual = {}
    prefixed = {usual.get(tag, tag) for tag in tags} - {"O"}
    return prefixed if not usual and are_plain(tags) else {tag[2:] for tag in prefixed}
