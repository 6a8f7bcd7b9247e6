"""List the errors of a response, and their costs: how much each metric gains if they are corrected.

The kinds of errors are span (a mention with a wrong span), missed and spurious (mentions, and whole entities), split (a part
of an entity that is separate), merged (an entity inside another one) and misplaced (mentions in an entity where they do not
belong). --by counts mentions by another property, or lists entities or errors, the most expensive first, or merges or splits:
which entities of the key are in one of the response, and the other way round. --context shows errors in their text.

Examples
--------
referee errors key.conll response.conll
referee errors key.conll response.conll --by entity --top 10
referee errors key.conll response.conll --by error --top 0 --report csv > errors.csv
referee errors key.conll response.conll --context --kind span,missed --mention-type pronoun
referee errors key.conllu response.conllu --by kind,mention-type,entity-type
referee errors key.csv clusters.csv --by merge --top 50
referee errors labels.csv predictions.csv --by pair --report csv -o errors.csv
referee errors key.conll response.conll --plot costs.svg
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

import referee
from referee.basics.exceptions import OptionError
from referee.basics.options.choices import ERROR_PLOTS, ERRORS_BY
from referee.cli import document_options, report_options, scoring_options
from referee.reports.figures import check_drawable

TOP = 20

KIND = "kind"

REGROUPED = ("merge", "split", "pair")

ANSWER = "answer"

LISTED = ("entity", "error", *REGROUPED, ANSWER)
"""What --by lists one by one."""

FOR_PROGRAMS = ("csv", "tsv", "json")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("key", metavar="KEY", help=scoring_options.KEY)
    parser.add_argument("response", metavar="RESPONSE", help=scoring_options.RESPONSE)
    show = parser.add_argument_group("report")
    show.add_argument(
        "--by", default=KIND, metavar="NAME",
        help=f"what a row stands for: {', '.join(ERRORS_BY)} (default: {KIND}); "
        "kind,mention-type: costs by both, with margins",
    )  # fmt: skip
    scoring_options.add_metrics(show, "metrics of the costs, separated by commas")
    show.add_argument(
        "--top",
        type=int,
        metavar="N",
        help=f"rows of a list; 0: all (default: {TOP} for people, all for programs)",
    )
    show.add_argument(
        "--context", action="store_true",
        help="list errors in their text, as many of each kind",
    )  # fmt: skip
    show.add_argument("--kind", metavar="NAMES", action="append", help="list only errors of these kinds, separated by commas")
    for name, example in (("mention", "pronoun"), ("entity", "person")):
        text = f"only of this {name} type, as {example}; repeatable"
        show.add_argument(f"--{name}-type", metavar="NAME", action="append", help=text)
    report_options.add_arguments(show)
    show.add_argument("--plot", metavar="FILE", help="write a plot: a .svg, .png or .pdf file (needs referee[plot])")
    show.add_argument(
        "--plot-kind", choices=ERROR_PLOTS,
        help="what --plot shows: costs by kind, sizes of entities, or the flow of mentions (default: costs)",
    )  # fmt: skip
    document_options.add_arguments(show)
    scoring_options.add_arguments(parser)


def run(args: Namespace) -> int:
    """Print the errors, or draw them."""
    from referee.error_analysis.costs import attributed

    metrics = attributed(args.metrics) if args.metrics else None
    _check(args)
    result = referee.errors(args.key, args.response, **scoring_options.request(args) | {"metrics": metrics})
    top = args.top if args.top is not None else 0 if args.report in FOR_PROGRAMS else TOP
    plot = partial(result.plot, args.plot, args.plot_kind or "costs", metrics) if args.plot else None
    some = {name: value for name in ("kind", "mention_type", "entity_type") if (value := getattr(args, name))}
    report_options.write(result, args, plot=plot, by=args.by, metrics=metrics, top=top or None, context=args.context, **some)
    return 0


def _check(args: Namespace) -> None:
    """OptionError for options that would have no effect, before any file is read."""
    from referee.error_analysis.errors import check_names

    if args.top is not None and args.top < 0:
        raise OptionError(f"--top is 0 or more; found {args.top}")
    check_names(args.by, args.kind)
    if args.context and args.by not in (KIND, "error"):
        raise OptionError(f"--context lists errors; found --by {args.by}: expected --context alone")
    if (args.kind or args.context) and args.by == KIND:
        args.by = "error"
    if args.by in (*REGROUPED, ANSWER) and (args.kind or args.mention_type or args.entity_type):
        raise OptionError(f"--kind, --mention-type and --entity-type are of errors; found --by {args.by}")
    if args.top is not None and args.by not in LISTED:
        raise OptionError(f"--top is for --by {', '.join(LISTED)}; found --by {args.by}")
    if args.by in REGROUPED and args.metrics:
        raise OptionError(f"--by {args.by} has wrong pairs, no costs; expected no --metrics")
    if args.plot_kind and not args.plot:
        raise OptionError(f"--plot-kind {args.plot_kind} needs a file; expected --plot FILE")
    if args.plot:
        check_drawable(args.plot)
