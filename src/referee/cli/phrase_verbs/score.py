"""Score phrases with probabilities: cross-entropy, expected recall and precision, error breakdown, calibration.

KEY and RESPONSE are candidates with probabilities (JSON lines, Parquet), probabilities of tags, lists of spans, tags in
columns, trees, or mentions in any format of `referee formats`; gzip or not; - is standard input. In a response without
probabilities (a 1-best prediction), every probability is 0 or 1. Its report is the usual one: recall,
precision, F1 and support of each type, their averages, and phrases that match in part.

Tags are in the last column; the signature says which column was read. If KEY and RESPONSE are the same file of columns, the key
is the last column but one, as for conlleval, if both columns have the same categories.

Examples
--------
referee phrases score key.conll response.conll --decode IOB2
referee phrases score key.conll c.jsonl --without Null
referee phrases score key.conll a.jsonl b.parquet --by category,length,coverage --intervals
referee phrases score output.txt output.txt
referee phrases score key.jsonl model.jsonl --report csv --plot breakdown.svg
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from referee.basics.exceptions import check_name, warn
from referee.basics.files import output
from referee.cli import report_options, resampling_options, scoring_options
from referee.cli.help import rare
from referee.options.choices import DECODERS, PHRASE_FORMATS, PHRASE_GROUPS, PHRASE_METRICS, TREE_CHUNKS
from referee.reports.numbers import number

if TYPE_CHECKING:
    from referee.phrases.formats.sides import PhraseInput
    from referee.phrases.scores import PhraseScores
    from referee.stats.settings import Resampling


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("key", metavar="KEY", help="the key: the true phrases")
    parser.add_argument(
        "responses", metavar="RESPONSE", nargs="+", help=f"{scoring_options.RESPONSE}; several give one row each"
    )
    _add_display(parser)
    _add_scoring(parser)
    resampling_options.add_arguments(parser, of="phrases")
    _add_reading(parser)


def _add_display(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("report")
    group.add_argument(
        "-m",
        "--metrics",
        metavar="NAMES",
        help="metrics, separated by commas, or all (default: a table of types and matched phrases for a 1-best prediction, "
        f"those of probabilities for others): {', '.join(PHRASE_METRICS)}",
    )
    group.add_argument(
        "--by",
        metavar="NAMES",
        default="",
        help=f"error breakdown by {', '.join(PHRASE_GROUPS)}; several are separated by commas",
    )
    group.add_argument(
        "--reliability", action="store_true", help="the reliability table: probabilities and shares of true ones"
    )
    group.add_argument("--plot", metavar="FILE", help="plot error breakdown and reliability: a .svg, .png or .pdf")
    group.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print one number only: the first of --metrics; by default F1 of a 1-best prediction, bits_per_sentence of others",
    )
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
    group.add_argument(
        "--threshold",
        type=float,
        metavar="NUMBER",
        default=0.5,
        help="a candidate of this probability or more counts as predicted where phrases are matched (default: 0.5)",
    )
    group.add_argument("--without", metavar="NAMES", default="", help="leave these categories out of the candidate space")
    few.add_argument("--categories", metavar="NAMES", default="", help="add these categories to the candidate space")
    group.add_argument("--untyped", action="store_true", help="ignore the categories of phrases")
    group.add_argument("--decode", choices=DECODERS, default="conlleval", help="how tags become phrases (default: conlleval)")
    few.add_argument("--trees", choices=TREE_CHUNKS, default="abney", help="how trees become chunks (default: abney)")
    few.add_argument(
        "--outside",
        metavar="NAME",
        default="",
        help="make each word with the tag O a phrase of this category (default: Null, if another file has it)",
    )


def _add_reading(parser: ArgumentParser) -> None:
    group = rare(scoring_options.add_files(parser, PHRASE_FORMATS))
    group.add_argument("--key-column", type=int, metavar="NUMBER", help="column of the key's tags, from 1, or from the end: -1")
    group.add_argument(
        "--response-column", type=int, metavar="NUMBER", help="column of the responses' tags (default: the last)"
    )


def run(args: Namespace) -> int:
    """Score the responses and write the report."""
    from referee.phrases.plots import plot
    from referee.phrases.scores import PhraseSystems

    metrics = _metrics(args.metrics)
    groups = _names(args.by)
    for name in groups:
        check_name("group", name, PHRASE_GROUPS)
    resampling = resampling_options.of_scores(args, unit="sentence")
    scoring_options.check_files([args.key, *args.responses])
    systems = _scores(args, metrics, resampling)
    plotted = partial(plot, systems, args.plot, groups=groups) if args.plot else None
    if not args.quiet:
        report = PhraseSystems(systems, metrics)
        report_options.write(report, args, plot=plotted, by=groups, reliability=args.reliability)
        return 0
    with output(args.output) as out:
        if plotted:  # first: if it fails, nothing is written
            plotted()
        out.writelines(f"{_printed(scores, metrics)}\n" for scores in systems)
    return 0


def _scores(args: Namespace, metrics: list[str] | None, resampling: Resampling | None) -> list[PhraseScores]:
    """The scores of each response."""
    from referee.phrases.formats.sides import read_sides
    from referee.phrases.scoring import score

    key_file, response_files = _inputs(args)
    categories, without = _names(args.categories), _names(args.without)
    sides = read_sides(key_file, response_files, outside=args.outside, categories=categories, without=without)
    key, responses = sides.key, sides.responses
    if args.untyped:
        key, responses = key.without_categories(), [response.without_categories() for response in responses]
    if resampling and (note := resampling.caution(len(key.sentences))):
        warn(note)
    settings = _settings(args, {file.format for file in (key_file, *response_files)}, sides.outside)
    systems = []
    for response in responses:
        scores = score(key, response, metrics=metrics, min_probability=args.min_probability, threshold=args.threshold)
        scores = replace(scores, settings={**scores.settings, **settings})
        systems.append(scores.with_intervals(resampling) if resampling else scores)
    return systems


def _metrics(given: str | None) -> list[str] | None:
    """The metrics that were named."""
    metrics = list(PHRASE_METRICS) if given == "all" else list(dict.fromkeys(_names(given or "")))
    for name in metrics:
        check_name("metric", name, PHRASE_METRICS)
    return metrics or None


def _printed(scores: PhraseScores, metrics: list[str] | None) -> str:
    """The first metric as the text report prints it."""
    from referee.phrases.metrics import METRICS

    metric = metrics[0] if metrics else scores.first
    return number(scores[metric].value, METRICS[metric].unit)


def _inputs(args: Namespace) -> tuple[PhraseInput, list[PhraseInput]]:
    """The files, opened, with their formats."""
    from referee.phrases.formats.registry import ReadOptions
    from referee.phrases.formats.sides import PhraseInput

    options = ReadOptions(decode=args.decode, column=args.response_column, trees=args.trees)
    key_options = replace(options, column=args.key_column, holds_key=args.key in args.responses)
    key_format, response_format = scoring_options.formats(args)
    key = PhraseInput.open(args.key, key_format, key_options)
    return key, [PhraseInput.open(path, response_format, options) for path in args.responses]


def _settings(args: Namespace, formats: set[str], outside: str) -> dict[str, object]:
    """The settings of reading that matter, for the signature."""
    read = {"decode": "columns" in formats and args.decode, "trees": "trees" in formats and args.trees}
    given = {**read, "outside": outside, "without": args.without, "untyped": args.untyped}
    return {name: value for name, value in given.items() if value}


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
