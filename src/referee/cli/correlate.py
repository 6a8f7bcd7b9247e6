"""Correlate metrics, over responses to a key or over their documents.

The table has a coefficient for every pair of metrics. With --against it compares one metric with all others, by recall,
precision and F. With --ranks it lists the order in which each metric ranks the responses, and the pairs of responses on which
metrics disagree.

Examples
--------
referee correlate key.conll a.conll b.conll c.conll
referee correlate key.conll a.conll b.conll --by document --coefficient kendall
referee correlate key.conll a.conll b.conll c.conll --against blanc --plot blanc.svg
referee correlate key.conll a.conll b.conll c.conll --ranks
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from referee.basics.exceptions import OptionError
from referee.basics.options.choices import COEFFICIENTS, SIDES
from referee.cli import report_options, scoring_options
from referee.reports.figures import check_drawable


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `referee correlate`."""
    parser.add_argument("key", metavar="KEY", help=scoring_options.KEY)
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help="the responses: system output")
    show = parser.add_argument_group("report")
    scoring_options.add_names(show)
    scoring_options.add_metrics(show)
    show.add_argument("--by", choices=("document",), help="over the documents of the responses instead of the responses")
    show.add_argument("--coefficient", choices=COEFFICIENTS, help="kendall is tau-b (default: pearson)")
    show.add_argument("--side", choices=SIDES, help="of metrics with recall and precision; value is F (default: value)")
    what = show.add_mutually_exclusive_group()
    what.add_argument("--against", metavar="NAME", help="one metric and all others, by recall, precision and F")
    what.add_argument("--ranks", action="store_true", help="ranks, and pairs of responses that two metrics order differently")
    report_options.add_arguments(show)
    show.add_argument(
        "--plot", metavar="FILE", help="plot the coefficients, or the metric of --against, to a .svg, .png or .pdf file"
    )
    scoring_options.add_arguments(parser)


def run(args: Namespace) -> int:
    """Run `referee correlate`; return its exit status."""
    from referee.comparison.comparing import named, score_all
    from referee.comparison.correlations import correlate
    from referee.metrics.registry import METRICS, metric_named, metrics_named

    if args.ranks and not args.plot and (args.side or args.coefficient):
        raise OptionError("--ranks uses neither --side nor --coefficient; expected --ranks without them, or with --plot")
    if args.against is not None and not args.plot and args.side:
        raise OptionError("--against shows all sides; expected --side without it, or with --plot")
    side, coefficient = args.side or "value", args.coefficient or "pearson"
    reported = [name for name, record in METRICS.items() if record.panel == "default" and not record.needs]
    metrics = list(metrics_named(args.metrics or reported))
    against = None if args.against is None else metric_named(args.against).id
    if against is not None and against not in metrics:
        metrics.append(against)
    options = scoring_options.request(args) | {"metrics": metrics}
    if args.plot:
        check_drawable(args.plot)
    scoring_options.check_files([args.key, *args.responses])
    correlations = correlate(score_all(args.key, named(args.responses, args.names), **options), by_document=bool(args.by))
    plot = partial(correlations.plot, args.plot, metrics, coefficient, side, against) if args.plot else None
    how = {"metrics": metrics, "coefficient": coefficient, "side": side, "against": against, "ranks": args.ranks}
    report_options.write(correlations, args, plot=plot, **how)
    return 0
