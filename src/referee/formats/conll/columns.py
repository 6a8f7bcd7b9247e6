"""Odd rows of CoNLL files as usual ones: ranges such as `2-3`, empty cells between tabs, words and brackets in other columns.

What columns are is told by a user, or by the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from referee.basics.exceptions import OptionError, counted, shortened
from referee.formats.conll.lines import EMPTY, RANGE, cells_of, header, is_cell, usual
from referee.formats.shared.source import OnError, Source

ROWS = 500
"""Rows at the beginning of a file that are looked at."""

FEW, SOME = 2, 20
"""Rows that may show another column of words; rows that show that there are none."""

NUMBER = re.compile(r"[-_*]|[0-9][0-9.,:]*")
TAG = re.compile(r"[A-Z0-9$_.,:;'\"`!?#+|()-]+")
TAGS = frozenset(
    """
    ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS
    NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB HYPH NFP AFX -LRB- -RRB- `` '' . , : ;
    $ # ? ! - _
    """.split()  # noqa: SIM905 -- a list of these takes a line each
)
"""Universal parts of speech, and those of the Penn treebank."""
LETTER = re.compile(r"[^\W\d_]")


NamedColumns: TypeAlias = tuple[int | None, int | None]
"""The columns of words and of brackets that a user named, from 1, or from the last as -1; None for one that was not."""


def named_columns(columns: Mapping[str, str], option: str) -> NamedColumns | None:
    """The columns that a user named, None if there are none.

    Raises
    ------
    OptionError
        If one is no number.
    """
    for role, text in columns.items():
        if not re.fullmatch("-?[1-9][0-9]{0,4}", text):
            wrong = f"{role}={shortened(text)}"
            raise OptionError(f"{option} takes numbers of columns for CoNLL, from 1, or -2 for the last but one; found {wrong}")
    named = {role: int(text) for role, text in columns.items()}
    return (named.get("word"), named.get("entity")) if named else None


def rearranged(lines: list[str], named: NamedColumns, on_error: OnError) -> list[str]:
    """The lines of a file with the columns that a user named where they are usual.

    Words and brackets alone if the words were named; otherwise the brackets behind all other columns.
    """
    lines = list(lines)
    # Where a document begins or ends is neither a token nor a comment.
    rows = {n: line for n, line in enumerate(lines) if line.strip() and (line[0] != "#" or isinstance(header(line), bool))}
    tokens = {n: line for n, line in rows.items() if not line.startswith("#")}
    tabs = all("\t" in line for line in tokens.values())
    if not tabs:
        for n, line in tokens.items():
            if "\t" in line and any(" " in cell.strip() for cell in line.split("\t")):
                on_error(n + 1, "found tabs and blanks between its columns; expected tabs alone, or blanks alone, in all rows")
    for n, line in rows.items():
        cells = [cell.strip() or "_" for cell in line.rstrip().split("\t")] if tabs else cells_of(line)
        moved = _moved(cells, named)
        if line.startswith("#"):
            lines[n] = moved if moved and header(moved) is True else "#"
        elif moved is None:
            column = next(column for column in named if column and abs(column) > len(cells))
            on_error(n + 1, f"found {counted(len(cells), 'column')}; expected a column {column}")
            lines[n] = "_\t-"
        else:
            lines[n] = moved
    return lines


def _moved(cells: Sequence[str], named: NamedColumns) -> str | None:
    """The row with the columns where they are usual; None if it has too few."""
    if any(column and abs(column) > len(cells) for column in named):
        return None
    word, entity = (column and (column - 1 if column > 0 else len(cells) + column) for column in named)
    entity = len(cells) - 1 if entity is None else entity
    others = [*cells[:entity], *cells[entity + 1 :]]
    return "\t".join([*(others if word is None else [cells[word]]), cells[entity]])


def elsewhere(source: Source) -> str | None:
    """What to say of a file whose last column has no brackets, if another column of its first rows has them."""
    rows = list(_rows(source.head.decode(errors="replace")))
    if len(rows) < 3 or any(is_cell(row[-1]) and row[-1] not in EMPTY for row in rows):
        return None
    least = min(map(len, rows))
    for place in [*range(-2, -least - 1, -1), *range(least - 1)]:
        cells = [row[place] for row in rows]
        words = all(len(row) > 4 and place % len(row) == usual(row) for row in rows)  # an odd text of nothing but brackets
        # As many open as close, or nearly, as the first rows may end amid a mention; parses and roles have stars.
        opened, closed = ("".join(cells).count(bracket) for bracket in "()")
        are_brackets = all(cell in ("-", "_") or (is_cell(cell) and "*" not in cell) for cell in cells)
        if not words and are_brackets and opened + closed and abs(opened - closed) <= 0.1 * opened + 3:
            number = place % least + 1 if len({len(row) for row in rows}) == 1 else place + (place >= 0)
            oddity = f"found brackets in column {number}, and none in the last"
            last = ", or entity=-1 if it is the last" * all(row[-1] in EMPTY for row in rows)
            return f"{oddity}; expected them in the last: give {source.options.option} entity={number}{last}"
    return None


def word_column(head: str) -> tuple[int | None, str]:
    """Tell from the first rows where the words are.

    Returns
    -------
    int or None
        Their column from 0; None for the usual column of each row.
    str
        What is said of it with the number of words, if anything.
    """
    rows = [row for row in _rows(head) if len(row) > 1]
    places = [usual(row) for row in rows]
    words = [row[place] for row, place in zip(rows, places, strict=True)]
    nothing = len(rows) >= FEW and all(map(NUMBER.fullmatch, words))
    are_tags = any(map(LETTER.search, words)) and TAGS.issuperset(words)
    tags = (len(rows) >= FEW and are_tags) or (len(rows) >= SOME and all(map(TAG.fullmatch, words)))
    shifted = len(rows) >= FEW and all(
        len(row) > 4 and place == 3 and LETTER.search(row[2]) for row, place in zip(rows, places, strict=True)
    )
    alike = len(rows) >= SOME and len(set(words)) == 1  # as [WORD] where the words were taken out
    repeated = alike or (len(rows) >= 10 * SOME and len(set(words)) <= 0.1 * len(rows))
    if not (nothing or tags or shifted or repeated):
        return None, ""
    number = "the usual one" if len(set(places)) > 1 else str(places[0] + 1)
    least = min(map(len, rows)) - 1
    texts = {n: values for n in range(least) if _is_text(values := [row[n] for row in rows])}
    most = max(texts, key=lambda n: len(set(texts[n])), default=None)
    enough = 0 if nothing else len(set(words))
    if repeated and not (tags or shifted):  # a text has more words than this
        enough = max(2 * enough, len(rows) // 10 + 1, SOME)
    if most is not None and {most} != set(places) and len(set(texts[most])) >= enough:
        what = "no words" if nothing else "tags or the like"
        remark = f"took {{}} from column {most + 1}, as column {number} has {what}; --columns word=N names another"
        return most, remark
    if len(rows) >= (5 if {"-", "_", "*"}.issuperset(words) else SOME) and (nothing or are_tags or alike):
        what = "are all -, _ or numbers" if nothing else "are all tags" if are_tags else "are all the same"
        return None, f"took {{}} from column {number}, which {what}; give --columns word=N for their column"
    return None, ""


def _is_text(values: Sequence[str]) -> bool:
    """Whether cells of a column may be words: not all alike, mostly with letters, neither tags nor parts of parses."""
    if (len(set(values)) == 1 < len(values)) or all(map(TAG.fullmatch, values)):
        return False
    likely = sum(bool(LETTER.search(value)) and "*" not in value for value in values)
    return 2 * likely > len(values)


def _rows(head: str) -> Iterator[list[str]]:
    """The cells of the first rows that are whole."""
    every = without_empty_cells(without_ranges(head.split("\n"), ignore), None)[0]
    lines = [line for line in (every[:-1] or every)[: 4 * ROWS] if line.strip() and not line.startswith("#")]
    tabs = all("\t" in line for line in lines)
    for line in lines[:ROWS]:
        yield list(filter(None, map(str.strip, line.split("\t")))) if tabs else cells_of(line)


def ignore(line: int | None, problem: str) -> None:
    """Take no error: all are reported when the mentions are read."""


def without_ranges(lines: list[str], on_error: OnError) -> list[str]:
    r"""The lines with a comment for each row of a range: it is no token, as its words have rows of their own.

    A row is one of a range if the first word of the range comes next, or the word before it came last. It has no brackets.

    Examples
    --------
    >>> without_ranges(["1 Ann (1)", "2-3 au _", "2 à _", "3 le _"], print)
    ['1 Ann (1)', '#', '2 à _', '3 le _']
    """
    if not any(line[:1].isdigit() and RANGE.match(line) for line in lines):
        return lines
    rows = [n for n, line in enumerate(lines) if line[:1] != "#" and line.strip()]
    first = [cells[0] if (cells := cells_of(lines[n][:100])) else "" for n in rows]
    changed = list(lines)
    for place, n in enumerate(rows):
        match = RANGE.match(lines[n])
        if not match or len(cells := cells_of(lines[n])) < 3:
            continue
        begins = first[place + 1 : place + 2] == [match[1]]
        if begins or (place and first[place - 1] == str(int(match[1]) - 1)):
            if cells[-1] not in EMPTY and re.search("[()]", cells[-1]):
                on_error(n + 1, f"found {cells[-1][:80]!r} at the range {cells[0]}; expected brackets at its words")
            changed[n] = "#"
    return changed


def without_empty_cells(lines: list[str], column: int | None) -> tuple[list[str], int]:
    r"""The lines with `_` in empty cells between tabs, and the number of words that are such cells.

    Several tabs may also stand for one, as between columns of a table that is aligned. So a cell is empty only where another
    row of as many cells has something in it, and in all others that this row has something in.

    Parameters
    ----------
    lines : list of str
        Of a whole file.
    column : int or None
        The column of the words, from 0; None for the usual one of each row.

    Examples
    --------
    >>> without_empty_cells(["d\t0\t1\tAnn\t-", "d\t0\t2\t \t-"], None)
    (['d\t0\t1\tAnn\t-', 'd\t0\t2\t_\t-'], 1)
    """
    if not any("\t\t" in line or "\t " in line or line[:1] == "\t" for line in lines):
        return lines, 0
    lines = list(lines)
    rows = {n: line.rstrip().split("\t") for n, line in enumerate(lines) if line[:1] != "#" and "\t" in line.strip()}
    empty = {n: {place for place, cell in enumerate(cells) if not cell.strip()} for n, cells in rows.items()}
    always: dict[int, set[int]] = {}
    least: dict[int, int] = {}
    for n, cells in rows.items():
        always[len(cells)] = always.get(len(cells), empty[n]) & empty[n]
        least[len(cells)] = min(least.get(len(cells), len(cells)), len(empty[n]))
    words = 0
    for n, cells in rows.items():
        if len(empty[n]) > least[len(cells)]:
            filled = empty[n] - always[len(cells)]
            cells_filled = ["_" if place in filled else cell for place, cell in enumerate(cells)]
            lines[n] = "\t".join(cells_filled)
            words += _is_word(cells_filled, filled, column)
    return lines, words


def _is_word(cells: Sequence[str], filled: set[int], column: int | None) -> bool:
    """Whether one of the cells that are filled is in the column of the word, counted without cells that are empty."""
    places = [place for place, cell in enumerate(cells) if cell.strip()]
    if column is None:
        return places[usual([cells[place] for place in places])] in filled
    return places[min(column, max(len(places) - 2, 0))] in filled
