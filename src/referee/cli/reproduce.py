"""Compute the values that five papers print, and say which are equal, misprinted or not reproducible.

Exit status 1 if a value is not what it should be.

With --texts, the experiment of 002 is made again on other texts: a resolver is scored by the metrics of the paper, below what
its Tables 4 and 5 print. FOLDER has trees in CoNLL-U, and coreference in their attribute Entity, or in files of the same
names beside them, in any format.

Examples
--------
referee reproduce
referee reproduce 002 004 --report markdown
referee reproduce 002 --texts FOLDER
referee reproduce 002 --texts FOLDER --only Sarrasine,Gobseck --model others
referee reproduce 003 --conll2000 FOLDER --treebank FOLDER
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.basics.exceptions import OptionError
from referee.basics.options.choices import PAPERS
from referee.cli import report_options


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("papers", metavar="PAPER", nargs="*", help=f"one of {', '.join(PAPERS)} (default: all)")
    parser.add_argument("--texts", metavar="FOLDER", help="texts with trees and coreference, for 002")
    parser.add_argument("--only", metavar="NAME,...", help="which of the texts are scored (default: all)")
    parser.add_argument(
        "--model", metavar="MODEL", help="rules; others, for tables fitted to the other texts; or a file (default: rules)"
    )
    parser.add_argument("--conll2000", metavar="FOLDER", help="a folder with train.txt and test.txt of CoNLL-2000, for 003")
    parser.add_argument("--treebank", metavar="FOLDER", help="a folder with the .mrg files of the treebank sample, for 003")
    report_options.add_arguments(parser)


def run(args: Namespace) -> int:
    """Write the values; 1 if any differs."""
    from referee.compat.papers import Data, reproduce

    if args.texts:
        if args.papers not in ([], ["002"]):
            raise OptionError(f"--texts is for the paper 002 alone; found {' '.join(args.papers)}")
        from referee.resolver.experiment import resolved_texts  # the values of papers do not need it

        documents = [name.strip() for name in (args.only or "").split(",") if name.strip()]
        report_options.write(resolved_texts(args.texts, documents=documents, model=args.model or "rules"), args)
        return 0
    if args.only or args.model:
        raise OptionError("--only and --model are for --texts; expected --texts FOLDER")
    result = reproduce(*args.papers, data=Data(args.conll2000, args.treebank))
    report_options.write(result, args)
    return 1 if result.differing else 0
