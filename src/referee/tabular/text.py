"""Tables as text: separators, headers, and rows.

Fields are separated by commas, tabs, semicolons or bars, and quoted as in RFC 4180; a first line ``sep=;`` says which. The
first row is a header if it has a name that is known, or that the user gave. It is data, in a table of two columns, if one of
its cells comes again, or looks like the cells below it. Else nobody can tell, and the table is refused.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import FormatError, counted, one_line, shortened, warn
from referee.basics.options.reading import ReadOptions
from referee.basics.sides import folded
from referee.corpus.strings import Names
from referee.formats.shared.byte_words import FIRST_BYTES, Bytes, words_at
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.source import HEAD, UNREADABLE, OnError, Source
from referee.tabular.numbers import cells_as_numbers, whole_columns
from referee.tabular.roles import IDS, RECORDS, TableSchema, UnclearError, has_ends, infer_schema, is_known, number_of

LONGEST_CELL = 1 << 17
"""Bytes; `csv` refuses longer cells."""
IN_CACHE = 1 << 17
"""Bytes or rows that are handled together: what is made of them stays in the cache of a processor."""
MOST_TIMES = 8
"""As many bytes as the file has, names of one length may take."""
SEPARATORS = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar"}
MOST_ABOVE = 20
"""Rows above a header, at most."""
LOOKED_AT = 2000
"""Rows that are looked at, at most, to see whether the first is a header."""
SEP_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)
"""The line with which spreadsheets say the separator."""

COUNTED = re.compile(r"([^\W\d]+[ _.]?)[01]\t\1[12]", re.IGNORECASE)
"""Two names that count columns: V1 and V2."""

Row = tuple[int, list[str]]
"""The number of a line, and its cells."""


class TextTable(NamedTuple):
    """A table whose columns are known.

    Parameters
    ----------
    name : str
        What messages call it.
    names : list of str
        The names of the columns: as the header has them, or their numbers.
    schema : TableSchema
        What they mean.
    rows : callable
        Gives the rows below the header, again at each call.
    separator : str
        What stands between fields; empty if it is no text.
    header : int or None
        The line of the header; None if there is none.
    column : callable or None
        Gives a column as names, without a Python object for each cell; None of one whose cells must be looked at. None if the
        table has quotes, blank lines or rows of other lengths.
    sure : bool
        Whether names say what the columns are; else they must look like labels.
    """

    name: str
    names: list[str]
    schema: TableSchema
    rows: Callable[[], Iterator[Row]]
    separator: str = ""
    header: int | None = None
    column: Callable[[int], Names | None] | None = None
    sure: bool = True


def separator_of(head: str) -> str | None:
    r"""What stands between the fields of a text; None if it is no table.

    It is the separator with which the first row has a name that is known, or the only one that gives most rows the same number
    of fields. Tabs are no part of fields.

    >>> separator_of("id;cluster\n1;7\n"), separator_of("Smith, J.\t1\nDoe, A.\t1\n"), separator_of("Dear Ann,\nhello!")
    (';', '\t', None)
    """
    if sep_line := SEP_LINE.match(head):
        return sep_line[1]
    fitting = {separator: rows for separator in SEPARATORS if (rows := _sample(head, separator)) and _is_even(rows)}
    with_names = [separator for separator, rows in fitting.items() if any(map(is_known, rows[0]))]
    if with_names or "\t" in fitting:
        return (with_names or ["\t"])[0]
    return next(iter(fitting)) if len(fitting) == 1 else None


def odd_separator(head: str) -> str | None:
    r"""What stands between names of a first line, two of which are known, and between the fields below it; None for nothing.

    >>> odd_separator("id#cluster\n1#7\n"), odd_separator("name: cluster")
    ('#', None)
    """
    for separator in dict.fromkeys(re.sub(r"[\w\s\"'.-]", "", head.partition("\n")[0])):
        rows = _sample(head, separator)
        if len(rows) > 1 and _is_even(rows) and sum(map(is_known, rows[0])) > 1:
            return separator
    return None


def _is_even(rows: Sequence[Sequence[str]]) -> bool:
    """Whether most rows have as many fields as the first, and it has several."""
    width = len(rows[0])
    return width > 1 and 2 * sum(len(row) == width for row in rows) > len(rows)


def _sample(head: str, separator: str, most: int = 50) -> list[list[str]]:
    """The first rows of a text; none if they are no table."""
    sep_line = SEP_LINE.match(head)
    text = head[sep_line.end() :] if sep_line else head
    lines = text.split("\n", 4 * most)
    if len(lines) > 4 * most or (len(text) >= HEAD // 2 and len(lines) > 2):  # the rest, or a last line that may be cut
        del lines[-1]
    reader = csv.reader((line.rstrip("\r") + "\n" for line in lines if line.strip()), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    try:
        rows.extend(islice((row for row in reader if any(map(str.strip, row))), most))
    except csv.Error:
        rows = rows if len(rows) > 1 or any(map(is_known, chain.from_iterable(rows))) else []
    return rows[rows_above_header(rows) :]


def kind_of(head: str) -> str | None:
    """Return "labels" or "pairs" for a text that looks like a table of these; None for others.

    It has a header with a name that is known; or even rows of cells that are not empty, of which there must be several if they
    have more than two cells. Prose has commas, too.
    """
    separator = separator_of(head)
    rows = _sample(head, separator) if separator else []
    if not rows or rows[0][0][:1] in ("#", "{", "[", "<") or not _is_even(rows):
        return None
    if {*map(folded, rows[0])} >= {"form", "lemma"}:  # of words, with a row for each
        return None
    width = len(rows[0])
    even = all(map(str.strip, rows[0][1:])) and (width == 2 or (len(rows) > 2 and all(len(row) == width for row in rows)))
    even = even and not (separator != "\t" and _is_prose(rows))
    return "pairs" if has_ends(rows[0]) else "labels" if even or any(map(is_known, rows[0])) else None


def _is_prose(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows without a header are lines of running text: a table that can be read without one is none.

    Most lines have four words or more, a blank behind each comma, and their own words behind the last one: several, or one with
    a full stop.
    """
    if len(rows[0]) == 2 and _is_data(rows):
        return False
    lines = [row for row in rows if all(not cell or cell[0].isspace() for cell in row[1:])]
    lines = [row for row in lines if len(" ".join(row).split()) > 3]
    lines = [row for row in lines if len(row[-1].split()) != 1 or row[-1].rstrip().endswith((".", "!", "?", "…"))]
    return 2 * len({row[-1] for row in lines}) > len(rows)


def text_table(source: Source, on_error: OnError, *, separator: str | None = None, probable: bool = False) -> TextTable | None:
    """Return a table and what its columns mean; None if it has no rows, or after a fault.

    Parameters
    ----------
    source : Source
        The text; what the user said of it is there, too.
    on_error : callable
        Takes what is wrong.
    separator : str, optional
        What stands between the fields; None to find it.
    probable : bool
        Whether pairs must have probabilities.
    """
    head = source.head.decode(errors="replace")
    sep_line = SEP_LINE.match(head)
    between = sep_line[1] if sep_line else separator or separator_of(head) or _likeliest(head, source)

    def rows(on_error: OnError = on_error) -> Iterator[Row]:
        numbered_rows = ((line, list(map(str.strip, row))) for line, row in rows_of(source, on_error, between))
        return ((line, row) for line, row in numbered_rows if any(row) and not (sep_line and line == 1))

    first = list(islice(rows(lambda *_: None), LOOKED_AT + 1))  # what is wrong is said when all are read
    if not first:
        deque(rows(), maxlen=0)
        return None
    above = rows_above_header([row for _, row in first])
    warn_file(source.name, "left out {} above the header", "line", above)
    del first[:above]
    header = False
    try:
        names, header = _header(first, source.options, source.name)
        means = infer_schema(names, source.options, source.role, probable=probable)
    except UnclearError as problem:
        may_be_data = header and len(first[0][1]) == 2 and not source.options.columns
        remedy = f"; {source.options.option} item=1,entity=2 if the first row is data" if may_be_data else ""
        on_error(first[0][0], f"{problem}{remedy}")
        return None
    plain = None if sep_line or above else plain_table(source, between, header=header)
    ids = frozenset(place for role, place in means.places.items() if role in IDS)
    numbers = records_as_numbers(means, source.options)

    def data() -> Iterator[Row]:
        whole = (
            whole_columns(source.name, names, [row for _, row in islice(rows(lambda *_: None), above + header, None)], ids)
            if _has_points(source)
            else ()
        )
        repeated = 0
        for line, row in islice(rows(), above + header, None):
            if header and [cell.lstrip("\ufeff") for cell in row] == first[0][1]:
                repeated += 1
            else:
                cells = [cell.removesuffix(".0") if place in whole else cell for place, cell in enumerate(row)]
                yield line, cells_as_numbers(cells, numbers) if numbers else cells
        warn_file(source.name, "left out {} as the header again", "row", repeated)

    def column(place: int) -> Names | None:
        return None if place in numbers else plain and plain.names(place, int(header), is_id=place in ids)

    return TextTable(
        source.name,
        names,
        means,
        data,
        between,
        first[0][0] if header else None,
        None if plain is None else column,
        header or bool(source.options.columns),
    )


def records_as_numbers(schema: TableSchema, options: ReadOptions) -> frozenset[int]:
    """The columns with ids of records that are compared as numbers."""
    return frozenset(schema.places[role] for role in RECORDS if role in schema.places and options.ids == "number")


def _has_points(source: Source) -> bool:
    """Whether a text may have whole numbers with a point."""
    try:
        return b".0" in source.raw()
    except UNREADABLE:
        return False


def rows_above_header(rows: Sequence[Sequence[str]]) -> int:
    """How many titles and comments stand above the row with known names, each of one cell; 0 if there is no such row.

    >>> rows_above_header([["Clusters of May", ""], ["id", "cluster"]]), rows_above_header([["id", "cluster"], ["a", "1"]])
    (1, 0)
    """
    header = next((n for n, row in enumerate(rows[:MOST_ABOVE]) if len(row) > 1 and any(map(is_known, row))), 0)
    return header if all(row[0].startswith("#") or not any(row[1:]) for row in rows[:header]) else 0


def _likeliest(head: str, source: Source) -> str:
    """A separator for a text in which several fit, or none; an error if another one is as likely."""
    fitting = [s for s in SEPARATORS if (rows := _sample(head, s)) and _is_even(rows)]
    if len(fitting) > 1 and fitting[0] != "\t":
        several = " and ".join(SEPARATORS[s] for s in fitting)
        raise FormatError(
            source.name, 1, f"fields may be separated by {several}; expected a first line such as sep={fitting[0]}"
        )
    return fitting[0] if fitting else ","


def _header(rows: Sequence[Row], options: ReadOptions, source: str) -> tuple[list[str], bool]:
    """The names of the columns, and whether the first row has them."""
    first = rows[0][1]
    cells = {cell.strip() or str(number) for number, cell in enumerate(first, start=1)}
    named = [column for column in options.columns.values() if column]
    numbers = list(map(str, range(1, len(first) + 1)))
    texts = [row for _, row in rows]
    if named and {*named} <= {*numbers} and (not {*named} <= cells or _is_data(texts)):
        if any(map(is_known, first)) or (len(texts) > 1 and not _is_data(texts)):
            columns = one_line(shortened(", ".join(first), 60))
            warn(f"{source}: --columns gives numbers, so the first row ({columns}) is data; if it is a header, give its names")
        return numbers, False
    if any(map(is_known, first)) or not {*named}.isdisjoint(cells):
        return first, True
    if named and (beyond := [column for column in named if column.isdigit() and column not in numbers]):
        raise UnclearError(f"has {counted(len(first), 'column')}; found number {beyond[0]} in {options.option}")
    if named:
        return first, True  # names that are not there are an error of their own
    if len(first) == 2 and _is_data(texts):
        return ["item", "entity"], False
    raise UnclearError(_unclear(first, options.option))


def _is_data(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is like the others.

    Each of its cells comes again in its column, or is made of letters and digits as the cells there; one of them comes again,
    or has a digit. Names that count columns, such as V1 and V2, or 0 and 1, may be those of a header.
    """
    first, below = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    if COUNTED.fullmatch("\t".join(cell.strip() for cell in first)) or list(first) == ["0", "1"]:
        return False
    columns = [{row[place] for row in below} for place in range(len(first))]
    again = [cell in column for cell, column in zip(first, columns, strict=True)]
    alike = [_shape(cell) in set(map(_shape, column)) for cell, column in zip(first, columns, strict=True)]
    digits = any(c.isdigit() for cell in first for c in cell)
    return all(a or b for a, b in zip(again, alike, strict=True)) and (any(again) or digits)


def _shape(cell: str) -> str:
    """What a cell is made of: a number, or its letters and digits as one each.

    >>> _shape("-1.5"), _shape("rec-12-org"), _shape("r7")
    ('number', 'a-9-a', 'a9')
    """
    if number_of(cell.strip().lower()) is not None and any(c.isdigit() for c in cell):
        return "number"
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", cell))


def _unclear(first: Sequence[str], option: str) -> str:
    """Why nobody can tell whether the first row is a header, and what to do."""
    columns = one_line(shortened(", ".join(first), 100))
    names = [one_line(shortened(cell.strip(), 20)) or str(number) for number, cell in enumerate(first, start=1)]
    if len(first) < 2:
        return f"found one field, {names[0]!r}; expected a table with columns for item and entity, or both ends of pairs"
    a, b = names[:2]
    if len(first) > 2:
        remedy = f"{option} item={a},entity={b} (or others), or item=1,entity=2 without a header; left=, right= for pairs"
        return f"has the columns {columns}, of which none is known: say {remedy}"
    remedy = f"{option} item={a},entity={b}, or left={a},right={b} for pairs"
    return (
        f"is the first row ({columns}) a header? If so say {remedy}; if it is data {option} item=1,entity=2, or left=1,right=2"
    )


def rows_of(source: Source, on_error: OnError, separator: str) -> Iterator[Row]:
    """The rows that are not blank, with the numbers of their last lines; a quote out of place is an error."""
    reader = csv.reader((line + "\n" for _, line in source.lines(on_error)), delimiter=separator, strict=True)
    while True:
        try:
            yield from ((reader.line_num, row) for row in reader if row)
        except csv.Error as error:
            on_error(reader.line_num, f"is no table: {error}; expected quotes around whole fields, and doubled inside")
        else:
            return


class PlainTable(NamedTuple):
    """A table in which no field needs quotes, without blank lines and lines of other lengths.

    Parameters
    ----------
    data : uint8 array
        The bytes of the file, and eight more.
    borders : integers, shape (1 + fields,)
        -1, and where each field ends, line by line.
    width : int
        The number of columns.
    """

    data: Bytes
    borders: Ints
    width: int

    @property
    def first(self) -> list[str]:
        """The fields of the first line."""
        borders = self.borders[: self.width + 1].tolist()
        return [self.data[a + 1 : b].tobytes().decode() for a, b in pairwise(borders)]

    def names(self, column: int, first: int = 1, *, is_id: bool = False) -> Names | None:
        """The fields of a column from a line on; None if there is none, one is empty, or one is far longer than others.

        Of ids also if they need a closer look: blanks at an end, or a point.
        """
        field = first * self.width + column
        start, end = self.borders[field : -1 : self.width] + 1, self.borders[field + 1 :: self.width]
        if is_id and self._is_loose(start, end):
            return None
        return names_between(self.data, start, end)

    def _is_loose(self, start: Ints, end: Ints) -> bool:
        """Whether a field begins or ends with a blank, or ends with .0."""
        blank = (self.data[start] == ord(" ")) | (self.data[end - 1] == ord(" "))
        return bool((blank | ((self.data[end - 1] == ord("0")) & (self.data[end - 2] == ord(".")))).any())


def names_between(data: Bytes, start: Ints, end: Ints) -> Names | None:
    """Texts as names, from where each begins and ends in bytes, of which eight follow; None if one is empty, or far longer."""
    size = end - start
    width = -(-int(size.max(initial=0)) // 8)
    if not len(size) or not size.all() or 8 * width * len(size) > MOST_TIMES * len(data):
        return None
    words = np.empty((len(size), width), dtype=np.uint64)
    for rows in in_cache(len(size)):
        for n in range(width):
            word = words_at(data, np.minimum(start[rows] + 8 * n, end[rows]))
            words[rows, n] = word & FIRST_BYTES[np.clip(size[rows] - 8 * n, 0, 8)]
    return Names(words.byteswap(inplace=True))


def names_of(texts: Sequence[str]) -> Names | None:
    """Texts as names; None if there is none, one is empty or has a zero byte, or one is far longer than others."""
    try:
        data = np.frombuffer("\0".join([*texts, ""]).encode() + bytes(8), dtype=np.uint8)
    except UnicodeEncodeError:  # half of a surrogate pair
        return None
    ends = np.flatnonzero(data[:-8] == 0)
    borders = np.concatenate([[-1], ends])
    return PlainTable(data, borders, 1).names(0, 0) if len(ends) == len(texts) else None


def in_cache(size: int) -> Iterator[slice]:
    """Slices of so many rows, each of which fits into the cache of a processor with some columns made of it."""
    return (slice(at, at + IN_CACHE) for at in range(0, size, IN_CACHE))


def plain_table(source: Source, separator: str, *, header: bool = True) -> PlainTable | None:
    """The fields of a table that needs no quotes, without blank lines, a second header and lines of other lengths."""
    try:
        raw = source.raw()
        raw.isascii() or raw.decode()
    except (*UNREADABLE, UnicodeDecodeError):
        return None
    if b"\r" in raw:
        raw = raw.replace(b"\r\n", b"\n")
    if header and raw.find(raw[: raw.find(b"\n")], raw.find(b"\n")) > 0:
        return None
    if any(c in raw for c in b"\r\0") or len(separator) != 1 or not separator.isascii():
        return None
    inside: Bools | None = None
    if b'"' in raw:
        unquoted = _unquoted(raw, separator)
        if unquoted is None:
            return None
        raw, inside = unquoted
    data = np.frombuffer(b"".join([raw, b"\n"[raw.endswith(b"\n") :], bytes(8)]), dtype=np.uint8)
    number = np.int32 if len(data) < 1 << 30 else np.int64  # with room for what is added to a border
    if inside is not None:
        inside = np.pad(inside, (0, len(data) - len(inside)))
    parts = (_borders(data, rows, separator, inside).astype(number) for rows in in_cache(len(data)))
    borders = np.concatenate([[number(-1)], *parts])
    ends = data[borders[1:]] == ord("\n")
    width = int(ends.argmax()) + 1
    if width == 1 or len(ends) != width * np.count_nonzero(ends) or not ends[width - 1 :: width].all():
        return None
    if (borders[1:] - borders[:-1]).max() > LONGEST_CELL:
        return None
    return PlainTable(data, borders, width)


def _unquoted(raw: bytes, separator: str) -> tuple[bytes, Bools] | None:
    """A text without the quotes around its fields, and which bytes were in quotes; None if a field has quotes inside."""
    data = np.frombuffer(b"\n%b\n" % raw, dtype=np.uint8)
    end, quote = (data == ord(separator)) | (data == ord("\n")), data == ord('"')
    quotes = np.flatnonzero(quote)
    if len(quotes) % 2 or not (end[quotes[::2] - 1].all() and end[quotes[1::2] + 1].all()):
        return None
    inside = np.bitwise_xor.accumulate(quote)[~quote][1:-1]
    return data[~quote][1:-1].tobytes(), inside


def _borders(data: Bytes, rows: slice, separator: str, inside: Bools | None) -> Ints:
    """Where fields end in a part of the bytes, but for those inside of quotes."""
    part = data[rows]
    ends: Bools = (part == ord(separator)) | (part == ord("\n"))
    if inside is not None:
        ends &= ~inside[rows]
    borders: Ints = np.flatnonzero(ends)
    borders += rows.start
    return borders
