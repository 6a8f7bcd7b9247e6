"""Find sentences, words, tags and trees of plain text.

INPUT is plain text in UTF-8. Several inputs, and the files of folders that end in .txt, are documents. The output is CoNLL-U
with the place of each word in your text (TokenRange, in characters). The model that comes with Referee is for English. For
another language, fit one with `referee parse fit`.

Examples
--------
referee parse story.txt -o story.conllu
referee parse chapters/ -o book.conllu
echo "Ann met Bob." | referee parse -
referee parse texte.txt --model fr.model -o texte.conllu
referee parse fit --help
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

import referee
from referee.basics.exceptions import OptionError
from referee.basics.files import check_ending, output


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("input", metavar="INPUT", nargs="+", help="plain text, a folder, or - for standard input")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write to a file (default: standard output)")
    parser.add_argument(
        "-m", "--model", metavar="english|chunks|FILE", default="english",
        help="trees; chunks by a model of phrases; a file of `parse fit` (default: english)",
    )  # fmt: skip


def run(args: Namespace) -> int:
    """Parse, and write."""
    if args.input.count("-") > 1:
        raise OptionError("- can be read only once; expected a file for one of them")
    check_ending(args.output, "CoNLL-U", "the ending .conllu", (".conllu", ".conllup", ".conll", ".tsv", ".txt"))
    paths = [Path(path) for path in args.input]  # never a text
    parsed = referee.parse(paths if len(paths) > 1 else paths[0], args.model)
    with output(args.output) as out:
        out.write(referee.parsing.conllu(parsed))
    return 0
