"""Leave out each rule or table in turn, and compare the scores with those of the full model.

KEY is annotated text, other than the model was made from. Its mentions are resolved. The rows are sorted by the first metric,
the most needed rule first; a rule that does nothing is shown, too. Tests are paired by documents.

Examples
--------
referee resolve ablate dev.conllu --model rules
referee resolve ablate dev.conllu --model model.json --refit train.conllu --metrics conll,lea
referee resolve ablate dev.conllu --model rules --report latex -o table.tex
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import referee
from referee.basics.options.choices import STYLES
from referee.cli import report_options, resampling_options


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("key", metavar="KEY", nargs="+", help="annotated text")
    parser.add_argument("--model", metavar="MODEL", default="rules", help="rules, tables, or a file (default: rules)")
    parser.add_argument("--refit", metavar="TRAIN", help="fit the tables again without each, to this text")
    parser.add_argument("--singletons", choices=("keep", "drop"), default="keep", help="when scoring (default: keep)")
    show = parser.add_argument_group("report")
    show.add_argument(
        "-m", "--metrics", metavar="NAMES", default="conll,lea,core_mr", help="metrics (default: conll,lea,core_mr)"
    )
    report_options.add_arguments(show)
    show.add_argument("--style", choices=STYLES, default="", help="how intervals are shown (default: margin)")
    resampling_options.add_arguments(parser, verb="compare")


def run(args: Namespace) -> int:
    """Print the comparison."""
    from referee.metrics.registry import metrics_named

    how = {"refit": args.refit, "metrics": list(metrics_named(args.metrics)), "singletons": args.singletons}
    compared = referee.resolver.ablate(args.key, args.model, resampling=resampling_options.resampling(args), **how)
    report_options.write(compared, args, style=args.style)
    return 0
