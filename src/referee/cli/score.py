"""Score responses against a key, by the metrics that papers report, or by those that you name.

KEY and RESPONSE are files in any format (see referee formats), compressed or not; - is standard input. Key and response
may have different formats.

examples:
  referee score key.conll response.conll
  referee score key.jsonlines a.conll b.conll --metrics muc,b_cubed,ceaf_e,conll
  referee score key.conll response.conll --by document --report csv > scores.csv
  referee score key.conll response.conll --profile conll-8.01
  referee score key.conll response.conll -q --metrics lea --fail-under lea=60
  referee score key.conll response.conll --intervals
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from referee.cli import resampling_options, scoring_options
from referee.cli.main import said
from referee.exceptions import OptionError, warn
from referee.files import output
from referee.formats.load.anything import read_both
from referee.messages import one_line
from referee.metrics.registry import metric_named
from referee.reports import REPORTS, Results, render
from referee.reports.numbers import number
from referee.scoring.evaluation import Evaluation
from referee.scoring.score import score


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help=scoring_options.KEY)
    parser.add_argument(
        "responses", metavar="RESPONSE", nargs="+", help=f"{scoring_options.RESPONSE}; several give one row each"
    )
    show = parser.add_argument_group("report")
    show.add_argument(
        "-m", "--metrics", metavar="NAMES", help="metrics, separated by commas, or all (default: those that papers report)"
    )
    show.add_argument("-r", "--report", choices=REPORTS, default="text", help="form of the report (default: text)")
    show.add_argument("--by", choices=("document",), help="also show the scores of each document, and both averages")
    show.add_argument("-q", "--quiet", action="store_true", help="print one number only: the first of --metrics, or conll")
    show.add_argument("-o", "--output", metavar="FILE", default="-", help="write the report to a file")
    show.add_argument(
        "--fail-under", metavar="NAME=NUMBER", action="append", default=[],
        help="exit with 1 if a metric is undefined or below a percentage, as printed; may be repeated",
    )  # fmt: skip
    resampling_options.add_arguments(parser)
    scoring_options.add_arguments(parser)


def run(args: Namespace) -> int:
    metrics = scoring_options.metrics(args) or (["conll"] if args.quiet else None)
    limits = _limits(args.fail_under)
    options, resampling = scoring_options.options(args), resampling_options.of_score(args)
    scoring_options.check_files([args.key, *args.responses])
    key_format, response_format = scoring_options.formats(args)
    key, first = read_both(args.key, args.responses[0], key_format, response_format)
    evaluations = []
    for done, path in enumerate(args.responses, start=1):
        if len(args.responses) > 1 and sys.stderr.isatty():
            print(f"\r\033[K{done}/{len(args.responses)} {path}", end="", file=sys.stderr, flush=True)
        response = first if done == 1 else path
        evaluations.append(score(key, response, metrics=metrics, response_format=response_format, **options))
    if len(args.responses) > 1 and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    with output(args.output) as out:
        if args.quiet:
            for e in evaluations:
                name = next(iter(e))
                out.write(_printed(e, name) + "\n")
        else:
            colour = out.isatty() and "NO_COLOR" not in os.environ
            shown = Results(evaluations, args.by == "document", list(said(args.warnings)), colour)
            if resampling is not None:
                shown = resampling_options.with_intervals(shown, resampling)
            render(shown, out, report=args.report)
    return 1 if _too_low(evaluations, limits) else 0


def _limits(texts: list[str]) -> list[tuple[str, float]]:
    """The metrics with limits, and the limits; a limit of at most 1 is probably a fraction, where a percentage is meant."""
    limits = []
    for text in texts:
        name, limit = scoring_options.pair(text, "--fail-under")
        metric = metric_named(name)
        if metric.target is not None:
            raise OptionError(f"--fail-under takes metrics that are larger when better; found {metric.id}")
        if 0 < float(limit) <= 1 and not metric.unit:
            warn(f"--fail-under {text} is a limit of {float(limit):g} %: expected a percentage such as 60")
        limits.append((metric.id, float(limit)))
    return limits


def _too_low(evaluations: list[Evaluation], limits: list[tuple[str, float]]) -> bool:
    """Whether any score is below its limit; says so on standard error."""
    low = False
    for e in evaluations:
        for name, limit in limits:
            shown = _printed(e, name)
            if shown == "-" or float(shown) < limit:
                found = "undefined, so not" if shown == "-" else f"{shown}, below"
                print(f"referee: {one_line(e.name)}: {name} is {found} {limit:g}", file=sys.stderr)
                low = True
    return low


def _printed(e: Evaluation, metric: str) -> str:
    return number(e[metric].value, e.counts_of(metric).unit, e.options.decimals == "truncate")
