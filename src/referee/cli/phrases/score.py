"""Score phrases with probabilities: cross-entropy, expected recall and precision, error breakdown, calibration.

KEY and RESPONSE are candidates with probabilities (JSON lines, Parquet), probabilities of tags, lists of spans, tags in
columns, trees, or mentions in any format of `referee formats`; gzip or not; - is standard input. In a response without
probabilities (a 1-best prediction), every probability is 0 or 1. Its expected recall and precision are the usual ones.

If KEY and RESPONSE are the same file of columns, the key is the last column but one, as for conlleval.

examples:
  referee phrases score key.conll response.conll --decode IOB2
  referee phrases score key.conll c.jsonl --without Null
  referee phrases score key.conll a.jsonl b.parquet --by category,length,coverage --intervals
  referee phrases score output.txt output.txt
  referee phrases score key.jsonl model.jsonl --report csv --plot breakdown.svg
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from referee.cli import resampling_options, scoring_options
from referee.exceptions import check_name, warn
from referee.files import output
from referee.phrases.annotation.candidates import PhraseCandidates
from referee.phrases.annotation.chunks import Chunks
from referee.phrases.breakdown import error_breakdown
from referee.phrases.chunking.tag_rules import RULES
from referee.phrases.chunking.tree_chunks import MODES
from referee.phrases.chunking.treebank import OUTSIDE
from referee.phrases.formats.options import ReadOptions
from referee.phrases.formats.registry import FORMATS
from referee.phrases.formats.sides import Input, read_sides
from referee.phrases.intervals import intervals
from referee.phrases.one_best import MATCHES, match_chunks
from referee.phrases.report import REPORTS, Result, signature
from referee.phrases.scores import GROUPS, QUANTITIES
from referee.phrases.scoring import score


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("key", metavar="KEY", help="the key: the true phrases")
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help="the responses of the systems; one column each")
    _add_display(parser)
    _add_scoring(parser)
    resampling_options.add_arguments(parser, of="phrases")
    _add_reading(parser)


def _add_display(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what is shown")
    group.add_argument("-r", "--report", choices=REPORTS, default="text", help="form of the report (default: text)")
    group.add_argument(
        "--by", metavar="NAMES", default="", help=f"error breakdown by {', '.join(GROUPS)}; several with commas between them"
    )
    group.add_argument(
        "--reliability", action="store_true", help="the reliability table: probabilities and shares of true ones"
    )
    group.add_argument("--plot", metavar="FILE", help="plot error breakdown and reliability: a .svg, .png or .pdf")
    group.add_argument("-o", "--output", metavar="FILE", default="-", help="write the report to a file")


def _add_scoring(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how it is scored (all of it stands in the signature)")
    group.add_argument(
        "--min-probability",
        type=float,
        metavar="NUMBER",
        default=0.0,
        help="clip probabilities to [NUMBER, 1 - NUMBER] (default: 0, no clipping)",
    )
    group.add_argument("--without", metavar="NAMES", default="", help="leave these categories out of the candidate space")
    group.add_argument("--categories", metavar="NAMES", default="", help="add these categories to the candidate space")
    group.add_argument("--untyped", action="store_true", help="ignore the categories of phrases")
    group.add_argument("--decode", choices=RULES, default="conlleval", help="how tags become phrases (default: conlleval)")
    group.add_argument("--trees", choices=MODES, default="abney", help="how trees become chunks (default: abney)")
    group.add_argument(
        "--outside",
        metavar="NAME",
        default="",
        help=f"make each word with the tag O a phrase of this category (default: {OUTSIDE}, if another file has it)",
    )


def _add_reading(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how files are read")
    group.add_argument("--format", choices=FORMATS, metavar="FORMAT", help="format of all files (default: detected)")
    group.add_argument("--key-format", choices=FORMATS, metavar="FORMAT", help="format of the key")
    group.add_argument("--response-format", choices=FORMATS, metavar="FORMAT", help="format of the responses")
    group.add_argument("--key-column", type=int, metavar="NUMBER", help="column of the key's tags, from 1, or from the end: -1")
    group.add_argument(
        "--response-column", type=int, metavar="NUMBER", default=-1, help="column of the responses' tags (default: -1)"
    )


def run(args: Namespace) -> int:
    """Score the responses and write the report."""
    groups = _names(args.by)
    for name in groups:
        check_name("group", name, GROUPS)
    resampling = resampling_options.of_phrases(args)
    scoring_options.check_files([args.key, *args.responses])
    key_file, response_files = _inputs(args)
    sides = read_sides(
        key_file,
        response_files,
        outside=args.outside,
        categories=_names(args.categories),
        without=_names(args.without),
    )
    key, responses = sides.key, sides.responses
    if args.untyped:
        key, responses = key.without_categories(), [response.without_categories() for response in responses]
    if resampling and (note := resampling.too_few(len(key.sentences))):
        warn(note)
    settings = _settings(args, {file.format for file in (key_file, *response_files)}, sides.outside)
    results = []
    for response in responses:
        scores = score(key, response, min_probability=args.min_probability)
        one_best = isinstance(response, PhraseCandidates) and response.is_one_best
        prediction = response.certain_chunks() if isinstance(response, PhraseCandidates) and one_best else response
        quantities = [*QUANTITIES, *(["conditional_entropy"] if scores.one_best else [])]
        results.append(
            Result(
                scores=scores,
                signature=signature(scores, resampling, settings),
                intervals=intervals(scores, quantities, resampling) if resampling else {},
                breakdowns=[error_breakdown(scores, group) for group in groups],
                matches=(
                    {match: match_chunks(key, prediction, match) for match in MATCHES} if isinstance(prediction, Chunks) else {}
                ),
                reliability=args.reliability,
            )
        )
    with output(args.output) as out:
        if args.plot:  # first: if it fails, nothing is written
            from referee.phrases.plots import plot

            plot([result.scores for result in results], args.plot, groups=groups)
        REPORTS[args.report](results, out)
    return 0


def _inputs(args: Namespace) -> tuple[Input, list[Input]]:
    """The files, opened, with their formats."""
    options = ReadOptions(decode=args.decode, column=args.response_column, trees=args.trees)
    default_column = -2 if args.key in args.responses else -1
    key_options = replace(options, column=default_column if args.key_column is None else args.key_column)
    key = Input.open(args.key, args.key_format or args.format, key_options)
    return key, [Input.open(path, args.response_format or args.format, options) for path in args.responses]


def _settings(args: Namespace, formats: set[str], outside: str) -> dict[str, object]:
    """The settings of reading that matter, for the signature."""
    settings: dict[str, object] = {}
    if "columns" in formats:
        settings["decode"] = args.decode
    if "trees" in formats:
        settings["trees"] = args.trees
    given = {"outside": outside, "without": args.without, "untyped": args.untyped}
    return settings | {name: value for name, value in given.items() if value}


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
