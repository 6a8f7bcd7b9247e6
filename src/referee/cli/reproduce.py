"""Compute the values that five papers print, and say which are equal, misprinted or not reproducible.

Exit status 1 if a value is not what it should be.

Examples
--------
referee reproduce
referee reproduce 002 004 --report markdown
referee reproduce 003 --conll2000 FOLDER --treebank FOLDER
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.cli import report_options
from referee.options.choices import PAPERS


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("papers", metavar="PAPER", nargs="*", help=f"one of {', '.join(PAPERS)} (default: all)")
    parser.add_argument("--conll2000", metavar="FOLDER", help="a folder with train.txt and test.txt of CoNLL-2000, for 003")
    parser.add_argument("--treebank", metavar="FOLDER", help="a folder with the .mrg files of the treebank sample, for 003")
    report_options.add_arguments(parser)


def run(args: Namespace) -> int:
    """Write the values; 1 if any differs."""
    from referee.papers import Data, reproduce

    result = reproduce(*args.papers, data=Data(args.conll2000, args.treebank))
    report_options.write(result, args)
    return 1 if result.differing else 0
