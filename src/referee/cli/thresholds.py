"""Score pairs with probabilities at several thresholds.

PAIRS is a table with both ends of each pair and its probability, as Splink, dedupe and others write it. At each threshold, the
metric pairs scores the pairs as they are decided; the other metrics score the entities, which are the connected components of
the pairs with at least this probability. The first line says the best score of each metric, of all thresholds that make a
difference, which * marks in the table; of equal scores, that of the highest threshold. The last line is the command that writes
the entities at the best threshold.

Examples
--------
referee thresholds key.csv predictions.csv
referee thresholds labels.csv predictions.parquet --thresholds 0.5:1:0.01 --metrics links,b_cubed,lea --report csv
referee thresholds key.csv predictions.csv --plot curve.svg
referee thresholds key.csv predictions.csv --best links --min-precision 99
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

import referee
from referee.basics.exceptions import OptionError, shortened
from referee.basics.options.choices import ESTIMATED, FORMATS
from referee.cli import report_options, scoring_options, table_options
from referee.cli.help import add_format
from referee.reports.figures import check_drawable

MOST = 10_000
"""Thresholds in a range."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `referee thresholds`."""
    parser.add_argument("key", metavar="KEY", help=scoring_options.KEY)
    parser.add_argument("pairs", metavar="PAIRS", help="the response: pairs with probabilities")
    show = parser.add_argument_group("report")
    scoring_options.add_metrics(show, "metrics of the entities, and of pairs", ",".join(ESTIMATED))
    show.add_argument(
        "--thresholds", metavar="A,B,...",
        help="numbers, or FIRST:LAST:STEP (default: some, and the best of all)",
    )  # fmt: skip
    show.add_argument(
        "--best", metavar="METRIC", help="which best threshold is recommended, such as pairs or links (default: the first)"
    )
    show.add_argument(
        "--min-precision",
        metavar="PERCENT",
        help="recommend the lowest threshold from which on precision is at least this high",
    )
    report_options.add_arguments(show)
    show.add_argument("--plot", metavar="FILE", help="plot precision and recall to a .svg, .png or .pdf file")
    how = parser.add_argument_group("scoring")
    how.add_argument("--zero-division", type=float, metavar="NUMBER", default=float("nan"), help="value of 0/0 (default: nan)")
    how.add_argument("--beta", type=float, metavar="NUMBER", default=1.0, help="weight of recall in F (default: 1)")
    add_format(how, "--key-format", FORMATS, "format of the key (default: detected)")
    add_format(how, "--response-format", FORMATS, "format of the pairs (default: detected)")
    table_options.add_reading(parser)


def run(args: Namespace) -> int:
    """Run `referee thresholds`; return its exit status."""
    from referee.metrics.registry import id_of

    if args.plot:
        check_drawable(args.plot)
    scoring_options.check_files([args.key, args.pairs])
    how = {"key_format": args.key_format, "pairs_format": args.response_format, **table_options.reading(args)}
    how |= {"metrics": args.metrics or ESTIMATED, "zero_division": args.zero_division, "beta": args.beta}
    how |= {"best": args.best and id_of(args.best), "min_precision": args.min_precision}
    values = None if args.thresholds is None else _numbers(args.thresholds)
    result = referee.thresholds(args.key, args.pairs, thresholds=values, **how)
    report_options.write(result, args, plot=partial(result.plot, args.plot) if args.plot else None)
    return 0


def _numbers(text: str) -> list[float]:
    """The thresholds: a list, or a range with both ends."""
    try:
        if text.count(":") != 2:
            return [float(number) for number in text.split(",")]
        first, last, step = map(float, text.split(":"))
        steps = (last - first) / step
        if 0 <= steps <= MOST:
            return [round(first + n * step, 12) for n in range(int(steps + 1e-9) + 1)]
    except (ValueError, ZeroDivisionError):
        pass
    raise OptionError(f"--thresholds takes A,B,... or FIRST:LAST:STEP; found {shortened(text)!r}")
