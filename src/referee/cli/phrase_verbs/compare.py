"""Compare responses: F1 of matched phrases with intervals, and tests of each response against a baseline.

Sentences are resampled for the intervals, and exchanged between two systems for the tests. Phrases with probabilities count if
they have at least --threshold.

Examples
--------
referee phrases compare key.conll a.conll b.conll
referee phrases compare key.conll a.conll b.conll --baseline b.conll --metrics exact_match -o table.tex
referee phrases compare key.conll before.conll after.conll --fail-if-worse
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from referee.basics.system_names import system_meant
from referee.cli import gate_options, phrase_options, report_options, resampling_options, scoring_options
from referee.cli.help import rare
from referee.reports.figures import check_drawable


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("key", metavar="KEY", help=phrase_options.KEY)
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help="the responses: system output")
    resampling_options.add_systems(parser.add_argument_group("systems"))
    show = parser.add_argument_group("report")
    scoring_options.add_metrics(show, "metrics of predictions, separated by commas, or all", "the four of matched phrases")
    report_options.add_arguments(show)
    show.add_argument("-q", "--quiet", action="store_true", help="print the differences alone, a line each")
    show.add_argument("--plot", metavar="FILE", help="plot F1 with intervals to a .svg, .png or .pdf file")
    gate_options.add_arguments(parser.add_argument_group("exit status"), verb="phrases compare")
    group = parser.add_argument_group("phrases (all options are in the signature)")
    phrase_options.add_threshold(rare(group))
    phrase_options.add_phrases(group)
    resampling_options.add_arguments(parser, verb="phrases compare")
    phrase_options.add_files(parser)


def run(args: Namespace) -> int:
    """Compare the responses and write the report."""
    from referee.phrases.comparing import check_metrics, compared
    from referee.phrases.formats.sides import check_sides
    from referee.phrases.predictions import predictions

    check_metrics(args.metrics)
    gate_options.check(args)
    if args.plot:
        check_drawable(args.plot)
    resampling = resampling_options.resampling(args)
    key, responses, settings = phrase_options.read(args, args.responses)
    check_sides(key, responses)
    names = scoring_options.names(args.names, args.responses)
    predicted = predictions(key, responses, threshold=args.threshold)
    systems = {name: one._replace(settings={**one.settings, **settings}) for name, one in zip(names, predicted, strict=True)}
    baseline = args.baseline and system_meant(args.baseline, dict(zip(names, args.responses, strict=True)))
    result = compared(systems, metrics=args.metrics, baseline=baseline, resampling=resampling)
    worse = gate_options.worse(result, args, check_metrics)
    plotted = partial(result.plot, args.plot) if args.plot else None
    if args.quiet:
        report_options.write_differences(result, args, plotted)
    else:
        report_options.write(result, args, plot=plotted)
    return gate_options.status(worse, result.baseline)
