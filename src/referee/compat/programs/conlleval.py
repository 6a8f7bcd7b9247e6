"""conlleval, the scorer of chunks of the CoNLL-2000 shared task: the Perl script of 2004, and its version in Python.

References
----------
`conlleval`, version 2004-01-26, by Erik Tjong Kim Sang; `conlleval.py` of sighsmile/conlleval.

Notes
-----
The scripts disagree on which tag begins a chunk. So tags are rewritten as IOB2, by the rule of the script, and decoded as that.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.basics.exceptions import FormatError
from referee.compat.programs.printed import Arguments, Printed
from referee.phrases.chunking.iob import decode
from referee.phrases.one_best import ChunkCounts
from referee.phrases.types import counts_by_type

Tag: TypeAlias = tuple[str, str]
"""Prefix and category."""

Begins: TypeAlias = Callable[[Tag, Tag], bool]
"""(tag before, tag) -> whether a chunk begins."""

BOUNDARY = "-X-"
OUTSIDE = ("O", "")
BEGINNINGS = {"BB", "IB", "OB", "OI", "EE", "EI", "OE"}
"""Pairs of prefixes between which the script begins a chunk of the same category; it does not know S."""


class TagRow(NamedTuple):
    """The tags of a word in key and response."""

    key: str
    response: str


def run(arguments: Sequence[str]) -> Printed:
    """Print what ``conlleval [-l] [-r] [-d DELIMITER] [-o OTAG] < FILE`` prints.

    ``--python`` prints what conlleval.py prints, which knows no options.
    """
    parser = Arguments("conlleval", allow_abbrev=False)
    parser.add_argument("-l", dest="latex", action="store_true", help="print a table in LaTeX")
    parser.add_argument("-r", dest="raw", action="store_true", help="tags have no prefixes; each word is a chunk")
    parser.add_argument("-d", dest="delimiter", metavar="DELIMITER", default=" ", help="what separates columns, as in Perl")
    parser.add_argument("-o", dest="outside", metavar="OTAG", default="O", help="with -r: the tag of words outside of chunks")
    parser.add_argument("--python", action="store_true", help="print what conlleval.py prints")
    args = parser.parse_args(arguments)
    lines = sys.stdin.buffer.read().decode(errors="replace").split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    if args.python:
        return Printed(_as_python(list(_rows_of_words(lines))))
    try:
        rows = list(_rows_of_columns(lines, args.delimiter, args.outside if args.raw else None))
    except FormatError as error:
        return Printed("", 1, f"{error}\n")
    scored = _Scored.of(rows, _split_tag, _begins)
    return Printed(_latex(scored) if args.latex else _text(scored))


def _rows_of_columns(lines: Iterable[str], delimiter: str, raw: str | None) -> Iterator[TagRow | None]:
    """The rows as the Perl script splits them: at every delimiter, without empty columns at the end."""
    width = 0
    for line in lines:
        columns = re.split(delimiter, line)
        while columns and not columns[-1]:
            columns.pop()
        if columns and width and len(columns) != width:
            raise FormatError("<stdin>", None, f"unexpected number of features: {len(columns)} ({width})")
        width = width or len(columns)
        if not columns or columns[0] == BOUNDARY:
            yield None
        elif len(columns) < 2:
            raise FormatError("<stdin>", None, f"conlleval: unexpected number of features in line {line}")
        else:
            yield TagRow(*(tag if raw is None else "O" if tag in ("O", raw) else f"B-{tag}" for tag in columns[-2:]))


def _rows_of_words(lines: Iterable[str]) -> Iterator[TagRow | None]:
    """The rows as conlleval.py splits them: at blanks, and with three columns or more."""
    for number, line in enumerate(lines, start=1):
        columns = line.split()
        if 0 < len(columns) < 3:
            raise FormatError("<stdin>", number, f"found {len(columns)} columns; expected three or more")
        yield TagRow(*columns[-2:]) if columns else None


def _split_tag(tag: str) -> Tag:
    """Prefix and category; the Perl script takes the category 0 for none."""
    prefix, hyphen, category = tag.partition("-")
    return (prefix, "" if category == "0" else category) if hyphen else (tag, "")


def _begins(before: Tag, tag: Tag) -> bool:
    """The rule of the Perl script."""
    changes = tag[0] not in ("O", ".") and before[1] != tag[1]
    return before[0] + tag[0] in BEGINNINGS or changes


def _begins_in_python(before: Tag, tag: Tag) -> bool:
    """The rule of conlleval.py."""
    if "O" in (before[0], tag[0]):
        return tag[0] != "O"
    return before[1] != tag[1] or tag[0] in ("B", "S") or before[0] in ("E", "S")


def _split_in_python(tag: str) -> Tag:
    prefix, hyphen, category = tag.partition("-")
    if not hyphen and tag != "O":
        raise FormatError("<stdin>", None, f"found the tag {tag!r}; expected O, or a prefix and a category, as in B-NP")
    return OUTSIDE if tag == "O" else (prefix, category)


class _Scored(NamedTuple):
    """What is printed of a file.

    Parameters
    ----------
    rows
        The words; None for the end of a sentence.
    total
        The chunks of all categories.
    by_category
        Category -> its chunks.
    """

    rows: Sequence[TagRow | None]
    total: ChunkCounts
    by_category: dict[str, ChunkCounts]

    @classmethod
    def of(cls, rows: Sequence[TagRow | None], split: Callable[[str], Tag], begins: Begins) -> _Scored:
        sides = []
        for side in (0, 1):
            sentences: list[list[Tag]] = [[]]
            for row in rows:
                if row is None:
                    sentences.append([])
                else:
                    sentences[-1].append(split(row[side]))
            sides.append(decode([_as_iob2(tags, begins) for tags in sentences], "IOB2", source="<stdin>", count_unused=False))
        key, response = sides
        counts = counts_by_type(key, response)
        matched = sum(int(each.matched) for each in counts.values())
        by_category = {name.removeprefix("="): each._replace(matched=int(each.matched)) for name, each in counts.items()}
        return cls(rows, ChunkCounts(matched, len(key), len(response)), by_category)

    @property
    def words(self) -> list[TagRow]:
        """The rows that are words."""
        return [row for row in self.rows if row is not None]


def _as_iob2(tags: Sequence[Tag], begins: Begins) -> list[str]:
    """Tags whose chunks begin at B alone; `=` before the category, which may be empty."""
    before = [OUTSIDE, *tags]
    return [
        "O" if tag[0] in ("O", ".") else f"{'B' if begins(last, tag) else 'I'}-={tag[1]}"
        for last, tag in zip(before, tags, strict=False)
    ]


def _percentages(counts: ChunkCounts) -> tuple[float, float, float]:
    """Precision, recall and F1 as the Perl script computes them, in its order; 0/0 is 0."""
    precision = 100 * counts.matched / counts.response if counts.response else 0.0
    recall = 100 * counts.matched / counts.key if counts.key else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _percentages_in_python(counts: ChunkCounts) -> tuple[float, float, float]:
    precision, recall, f1 = (0.0 if np.isnan(side) else side for side in (counts.precision, counts.recall, counts.f1))
    return 100 * precision, 100 * recall, 100 * f1


def _text(scored: _Scored) -> str:
    total, words = scored.total, scored.words
    text = (
        f"processed {len(words)} tokens with {total.key} phrases; found: {total.response} phrases; correct: {total.matched}.\n"
    )
    if words:
        same = sum(_split_tag(word.key) == _split_tag(word.response) for word in words)
        text += f"accuracy: {100 * same / len(words):6.2f}%; {_sides(_percentages(total))}\n"
    for category in _listed_twice(scored.by_category):
        counts = scored.by_category[category]
        padding = " " * (17 - len(category.encode()))  # Perl counts bytes
        text += f"{padding}{category}: {_sides(_percentages(counts))}  {counts.response}\n"
    return text


def _sides(percentages: tuple[float, float, float]) -> str:
    precision, recall, f1 = percentages
    return f"precision: {precision:6.2f}%; recall: {recall:6.2f}%; FB1: {f1:6.2f}"


def _listed_twice(categories: dict[str, ChunkCounts]) -> Iterator[str]:
    """The categories; the Perl script lists an empty one twice if both sides have it."""
    for category, counts in categories.items():
        yield category
        if not category and counts.key and counts.response:
            yield category


def _latex(scored: _Scored) -> str:
    def row(name: str, counts: ChunkCounts) -> str:
        precision, recall, f1 = _percentages(counts)
        return f"{name} &  {precision:6.2f}\\% & {recall:6.2f}\\% & {f1:6.2f} \\\\"

    rows = "".join(f"\n{row(f'{c:<7}', scored.by_category[c])}" for c in _listed_twice(scored.by_category))
    return f"        & Precision &  Recall  & F$_{{\\beta=1}} \\\\\\hline{rows}\\hline\n{row('Overall', scored.total)}\\hline\n"


def _as_python(rows: Sequence[TagRow | None]) -> str:
    """What conlleval.py prints; it counts the ends of sentences as words outside of chunks."""
    scored = _Scored.of(rows, _split_in_python, _begins_in_python)
    total, words = scored.total, scored.words
    inside = [word for word in words if word.key != "O"]
    if not inside:
        raise FormatError("<stdin>", None, "found no chunk in the key, where conlleval.py divides by 0; expected chunks")
    same = sum(word.key == word.response for word in words) + len(rows) - len(words)
    same_inside = sum(word.key == word.response for word in inside)
    text = (
        f"processed {len(rows)} tokens with {total.key} phrases; found: {total.response} phrases; correct: {total.matched}.\n"
        f"accuracy: {100 * same_inside / len(inside):6.2f}%; (non-O)\n"
        f"accuracy: {100 * same / len(rows):6.2f}%; {_sides(_percentages_in_python(total))}\n"
    )
    for category, counts in scored.by_category.items():
        text += f"{category:>17}: {_sides(_percentages_in_python(counts))}  {counts.response}\n"
    return text
