"""Score phrases, in tags or spans: recall, precision and F1 of each type; with probabilities, thresholds and calibration.

KEY and RESPONSE are candidates with probabilities (JSON lines, Parquet), probabilities of tags, lists of spans, tags in
columns, trees, or mentions in any format of `referee formats`; gzip or not; - is standard input. The report has recall,
precision, F1 and support of each type, their averages, and phrases that match in part. Of spans with probabilities, those with
at least --threshold count; F1 at other thresholds, and the metrics of the probabilities, follow.

Tags are in the last column; the signature says which column was read. A file alone has both sides, as for conlleval:
the key is the last column but one, if both columns have the same types; --key-column and --response-column name others.

Examples
--------
referee phrases score key.conll response.conll --decode IOB2
referee phrases score key.conll spans.jsonl --threshold 0.4
referee phrases score key.conll a.jsonl b.parquet --by category,length,coverage --intervals
referee phrases score output.txt
referee phrases score key.jsonl model.jsonl --report csv --plot types.svg
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from functools import partial

import referee
from referee.basics.exceptions import UnknownNameError, check_name, warn
from referee.basics.files import output
from referee.basics.options.choices import PHRASE_ALIASES, PHRASE_GROUPS, PHRASE_METRICS
from referee.cli import phrase_options, report_options, resampling_options, scoring_options
from referee.cli.help import rare
from referee.cli.main import count_equal_warnings
from referee.reports.numbers import number


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("key", metavar="KEY", help=phrase_options.KEY)
    parser.add_argument(
        "responses", metavar="RESPONSE", nargs="*", help=f"{scoring_options.RESPONSE}; several give one row each"
    )
    _add_display(parser)
    _add_scoring(parser)
    resampling_options.add_arguments(parser, verb="phrases")
    phrase_options.add_files(parser)


def _add_display(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("report")
    group.add_argument(
        "-m",
        "--metrics",
        metavar="NAMES",
        help=f"metrics, separated by commas, or all (default: those that say something): {', '.join(PHRASE_METRICS)}",
    )
    group.add_argument(
        "--by",
        metavar="NAMES",
        default="",
        help=f"also by {', '.join(PHRASE_GROUPS)} (or type, which is category); several are separated by commas",
    )
    group.add_argument(
        "--reliability", action="store_true", help="the reliability table: probabilities and shares of true ones"
    )
    group.add_argument(
        "--plot", metavar="FILE", help="plot F1 by type, thresholds and reliability, or the bits of --by: a .svg, .png, .pdf"
    )
    group.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print one number only: the first of --metrics (default: F1, exact_match)",
    )
    group.add_argument(
        "--fail-under", metavar="NAME=NUMBER", action="append", default=[],
        help="exit with 1 if a metric, or F1 of a type or average, or a side of these, is below a percentage, as f1=80 or "
        "PER.recall=70; repeatable",
    )  # fmt: skip
    scoring_options.add_names(rare(group), default="the files")
    report_options.add_arguments(group)


def _add_scoring(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("scoring (all options are in the signature)")
    few = rare(group)
    few.add_argument(
        "--min-probability",
        type=float,
        metavar="NUMBER",
        default=0.0,
        help="clip probabilities to [NUMBER, 1 - NUMBER] (default: 0, no clipping)",
    )
    phrase_options.add_threshold(group)
    phrase_options.add_phrases(group)


def run(args: Namespace) -> int:
    """Score the responses and write the report; return 1 if a score is below its limit."""
    from referee.phrases.limits import checked, read_limits
    from referee.phrases.plots import plot
    from referee.phrases.scores import DEFAULT, PhraseSystems

    metrics = _metrics(args.metrics)
    groups = phrase_options.names(args.by)
    groups = [PHRASE_ALIASES.get(name, name) for name in groups]
    for name in groups:
        check_name("group", name, PHRASE_GROUPS)
    resampling = resampling_options.of_scores(args, unit="sentence")
    limits = read_limits([text for part in args.fail_under for text in part.split(",")])
    systems = _scores(args, metrics, resampling)
    low = [check for scores in systems for check in checked(scores, limits) if check.failed] if limits else []
    plotted = partial(plot, systems, args.plot, groups=groups, resampling=resampling or DEFAULT) if args.plot else None
    if not args.quiet:
        report = PhraseSystems(systems, metrics, list(count_equal_warnings(args.warnings)))
        report_options.write(report, args, plot=plotted, by=groups, reliability=args.reliability)
    else:
        with output(args.output) as out:
            if plotted:  # first: if it fails, nothing is written
                plotted()
            out.writelines(f"{_printed(scores, metrics)}\n" for scores in systems)
    for check in low:
        print(f"referee: {check.about}: {check.name} is {check.text}", file=sys.stderr)
    return 1 if low else 0


def _scores(
    args: Namespace, metrics: list[str] | None, resampling: referee.Resampling | None
) -> list[referee.phrases.PhraseScores]:
    """The scores of each response."""
    key, responses, settings = phrase_options.read(args, args.responses)
    called = scoring_options.names(args.names, args.responses or [args.key])
    if resampling and (note := resampling.caution(len(key.sentences))):
        warn(note)
    systems = []
    for name, response in zip(called, responses, strict=True):
        scores = referee.phrases.score(
            key, response, metrics=metrics, min_probability=args.min_probability, threshold=args.threshold
        )
        scores = replace(scores, name=name, settings={**scores.settings, **settings})
        systems.append(scores.with_intervals(resampling) if resampling else scores)
    return systems


def _metrics(text: str | None) -> list[str] | None:
    """The metrics that were named."""
    named = [PHRASE_ALIASES.get(name, name) for name in phrase_options.names(text or "")]
    metrics = list(PHRASE_METRICS if text == "all" else dict.fromkeys(named))
    for name in metrics:
        if name not in PHRASE_METRICS and name[:1].isupper():  # as no metric is
            raise UnknownNameError("metric", name, PHRASE_METRICS, remedy=f"a type of phrases is scored by --types {name}")
        check_name("metric", name, PHRASE_METRICS)
    return metrics or None


def _printed(scores: referee.phrases.PhraseScores, metrics: list[str] | None) -> str:
    """The first metric as the text report prints it."""
    from referee.phrases.metrics import METRICS

    metric = metrics[0] if metrics else scores.first
    return number(scores[metric].value, METRICS[metric].unit)
