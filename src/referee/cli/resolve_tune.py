"""Tune the numbers of the rules to annotated text: one by one, each to the value of its grid with the best score.

With folds, the numbers are also tuned without each part of the documents, and scored on it. The report compares untuned and
tuned rules on these held-out documents: this gain is the one to believe. Some dozens of documents are enough.

FILE.journal has every score; the same command goes on from there if it was interrupted.

Examples
--------
referee resolve tune train.conllu -o numbers.toml
referee resolve tune train.conllu --objective conll --singletons drop --folds 3 --jobs 2 -o numbers.toml
referee resolve tune train.conllu --documents 16 --folds 0 --model rules --quantifier mean -o numbers.toml
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace

import referee
from referee.basics.exceptions import OptionError
from referee.basics.options.choices import QUANTIFIERS
from referee.cli import report_options, resampling_options
from referee.reports.forms import FORMS, form_named


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("train", metavar="TRAIN", nargs="+", help="annotated text")
    parser.add_argument("-o", "--rules", metavar="FILE", required=True, help="write the rules to a file (TOML)")
    parser.add_argument(
        "-m", "--model", metavar="RULES", default="rules-untuned", help="begin with these (default: rules-untuned)"
    )
    parser.add_argument(
        "--objective", default="lea", metavar="METRIC", help="a metric, or METRIC.recall and such (default: lea)"
    )
    parser.add_argument("--singletons", choices=("keep", "drop"), default="keep", help="when scoring (default: keep)")
    parser.add_argument("--quantifier", choices=QUANTIFIERS, help="how the mentions of an MR count (default: that of RULES)")
    parser.add_argument("--folds", type=int, default=5, metavar="N", help="parts held out in turn; 0 for none (default: 5)")
    parser.add_argument("--documents", type=int, default=0, metavar="N", help="how many, chosen by the seed (default: all)")
    parser.add_argument("--sweeps", type=int, default=10, metavar="N", help="at most so many rounds (default: 10)")
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="processes: folds side by side, and values (default: 1)"
    )
    parser.add_argument(
        "-r", "--report", choices=FORMS, type=form_named, default="text", help="form of the report (default: text)"
    )
    resampling_options.add_arguments(parser, verb="tune")


def run(args: Namespace) -> int:
    """Tune, write the rules, and print the gain."""
    from referee.resolver.files import of_rules
    from referee.resolver.rules import Rules
    from referee.resolver.tuning import best_so_far

    if args.rules == "-":
        raise OptionError("-o - is no file; expected one, beside which the journal is")
    journal = f"{args.rules}.journal"
    try:
        names = ("model", "objective", "singletons", "quantifier", "folds", "documents", "sweeps", "jobs")
        how = {name: getattr(args, name) for name in names} | {"seed": args.seed or 0, "output": args.rules}
        resampling = resampling_options.resampling(args)
        tuning = referee.resolver.tune(args.train, journal=journal, resampling=resampling, **how)
    except KeyboardInterrupt:
        began = referee.resolver.load(args.model).decoder
        if os.path.exists(journal) and isinstance(began, Rules):
            best = best_so_far(journal, began.numbers)
            rules = replace(began, numbers=best, quantifier=args.quantifier or began.quantifier)
            referee.resolver.save(of_rules(rules, options={"interrupted": "the best so far"}), args.rules)
            print(f"\nreferee: wrote the best so far to {args.rules}; the same command goes on", file=sys.stderr)
        raise
    gain = f"{100 * tuning.untuned:.2f} untuned, {100 * tuning.tuned:.2f} tuned"
    print(f"{args.objective}: {gain}, on all documents", file=sys.stderr)
    args.output = "-"
    if tuning.heldout is not None:
        report_options.write(tuning.heldout, args)
    return 0
