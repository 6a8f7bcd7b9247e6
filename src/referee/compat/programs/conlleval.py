"""conlleval, the scorer of chunks of the CoNLL-2000 shared task: the Perl script of 2004, and its version in Python.

References
----------
`conlleval`, version 2004-01-26, by Erik Tjong Kim Sang; `conlleval.py` of sighsmile/conlleval.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence

from referee.basics.exceptions import FormatError
from referee.compat.conlleval import first_line, report_of_tags, score_lines
from referee.compat.programs.printed import Arguments, Printed
from referee.compat.tagged_rows import ScoredRows, Tag, TagRow, begins_in_perl, line_of, percentages, score_rows, split_tag
from referee.phrases.one_best import ChunkCounts

BOUNDARY = "-X-"


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
        scored = score_lines(lines)
        return Printed(report_of_tags(scored, ends=scored.ends))
    try:
        rows = list(_rows_of_columns(lines, args.delimiter, args.outside if args.raw else None))
    except FormatError as error:
        return Printed("", 1, f"{error}\n")
    scored = score_rows(rows, _split_tag, begins_in_perl)
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


def _split_tag(tag: str) -> Tag:
    """Prefix and category; the Perl script takes the category 0 for none."""
    prefix, category = split_tag(tag)
    return prefix, "" if category == "0" else category


def _text(scored: ScoredRows) -> str:
    total, words = scored.total, scored.words
    text = first_line(len(words), total)
    if words:
        same = sum(_split_tag(word.key) == _split_tag(word.response) for word in words)
        text += f"accuracy: {100 * same / len(words):6.2f}%; {line_of(percentages(total))}\n"
    for category in _listed_twice(scored.by_category):
        counts = scored.by_category[category]
        padding = " " * (17 - len(category.encode()))  # Perl counts bytes
        text += f"{padding}{category}: {line_of(percentages(counts))}  {counts.response}\n"
    return text


def _listed_twice(categories: dict[str, ChunkCounts]) -> Iterator[str]:
    """The categories; the Perl script lists an empty one twice if both sides have it."""
    for category, counts in categories.items():
        yield category
        if not category and counts.key and counts.response:
            yield category


def _latex(scored: ScoredRows) -> str:
    def row(name: str, counts: ChunkCounts) -> str:
        precision, recall, f1 = percentages(counts)
        return f"{name} &  {precision:6.2f}\\% & {recall:6.2f}\\% & {f1:6.2f} \\\\"

    rows = "".join(f"\n{row(f'{c:<7}', scored.by_category[c])}" for c in _listed_twice(scored.by_category))
    return f"        & Precision &  Recall  & F$_{{\\beta=1}} \\\\\\hline{rows}\\hline\n{row('Overall', scored.total)}\\hline\n"
