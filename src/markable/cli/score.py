"""Score responses against a key: every measure, or those you name.

KEY and RESPONSE are files in any of the formats (markable formats), gzip or not; - is standard input. A key and a
response need not be in the same format.

examples:
  markable score key.conll response.conll
  markable score key.jsonlines a.conll b.conll --metrics muc,b_cubed,ceaf_e,conll
  markable score key.conll response.conll --by document --report csv > scores.csv
  markable score key.conll response.conll --profile conll-8.01
  markable score key.conll response.conll -q --metrics lea --fail-under lea=60
"""

from __future__ import annotations

import dataclasses
import math
import os
import sys
from argparse import ArgumentParser, Namespace

from markable.across import ACROSS
from markable.cli import said
from markable.duplicates import DUPLICATES
from markable.errors import OptionError, check_name, one_line
from markable.evaluation import Evaluation
from markable.formats import FORMATS, output
from markable.matching import MATCHERS
from markable.metrics import DISTANCES, METRICS, called_for
from markable.profiles import CHOICES, PROFILES, Options
from markable.reports import REPORTS, Results, render
from markable.reports.grid import number
from markable.scoring import read_both, score


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="the annotation that is believed")
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help="the annotation that is judged; one row each")
    show = parser.add_argument_group("what is shown")
    show.add_argument(
        "-m", "--metrics", metavar="NAMES", help="measures, with commas between them (default: what the key calls for)"
    )
    show.add_argument("-r", "--report", choices=REPORTS, default="text", help="form of the report (default: text)")
    show.add_argument("--by", choices=("document",), help="also the scores of each document, and both averages")
    show.add_argument("-q", "--quiet", action="store_true", help="print one number: the first of --metrics, or conll")
    show.add_argument("-o", "--output", metavar="FILE", default="-", help="write the report to a file")
    show.add_argument(
        "--fail-under", metavar="NAME=NUMBER", action="append", default=[],
        help="exit with 1 if a measure is undefined or below a percentage, as printed; may be repeated",
    )  # fmt: skip
    how = parser.add_argument_group("how it is scored (all of it stands in the signature)")
    how.add_argument("-p", "--profile", choices=PROFILES, default="default", help="settings of another program")
    how.add_argument("--match", choices=MATCHERS, help="which mentions are the same (default: exact)")
    how.add_argument(
        "--overlap",
        type=float,
        metavar="NUMBER",
        help="for --match overlap: least share (below 1) or number of positions (default: 0.5)",
    )
    how.add_argument("--zeros", choices=CHOICES["zeros"], help="how zeros are matched (default: dependent)")
    how.add_argument("--duplicates", choices=DUPLICATES, help="a mention listed twice (default: first)")
    how.add_argument("--singletons", choices=CHOICES["singletons"], help="entities of one mention (default: keep)")
    how.add_argument("--across", choices=ACROSS, help="entities of one document, topic, or the corpus (default: document)")
    how.add_argument("--undefined", type=float, metavar="NUMBER", help="value of 0/0 (default: nan, printed as -)")
    how.add_argument("--average", choices=CHOICES["average"], help="add counts, or average documents (default: micro)")
    how.add_argument("--tokens", choices=CHOICES["tokens"], help="check that the words are the same (default: compare)")
    how.add_argument(
        "--extra-documents", choices=CHOICES["extra_documents"], help="documents only in the response (default: score)"
    )
    how.add_argument("--beta", type=float, metavar="NUMBER", help="weight of recall in F (default: 1)")
    how.add_argument("--decimals", choices=CHOICES["decimals"], help="round percentages, or cut them (default: round)")
    how.add_argument("--lea-importance", metavar="TYPE=NUMBER,...", help="weights of entity types for LEA (default: sizes)")
    read = parser.add_argument_group("how files are read")
    read.add_argument(
        "--format", choices=FORMATS, metavar="FORMAT", help="format of all files (default: told from the content)"
    )
    read.add_argument("--key-format", choices=FORMATS, metavar="FORMAT", help="format of the key")
    read.add_argument("--response-format", choices=FORMATS, metavar="FORMAT", help="format of the responses")


def run(args: Namespace) -> int:
    metrics = [name.strip() for name in args.metrics.split(",")] if args.metrics else ["conll"] if args.quiet else None
    limits = [(name, float(limit)) for name, limit in (_pair(text, "--fail-under") for text in args.fail_under)]
    for name in metrics or ():
        check_name("metric", name, METRICS)
    for name, _ in limits:
        check_name("metric", name, METRICS)
        if name in DISTANCES:
            raise OptionError(f"--fail-under takes measures that are larger when better; {name} is a distance")
    options = {
        field.name: getattr(args, field.name)
        for field in dataclasses.fields(Options)
        if getattr(args, field.name, None) is not None and field.name not in ("profile", "lea_importance")
    }
    if args.lea_importance:
        pairs = (_pair(text, "--lea-importance") for text in args.lea_importance.split(","))
        options["lea_importance"] = {type_: float(weight) for type_, weight in pairs}
    dataclasses.replace(PROFILES[args.profile].options, **options)  # what is wrong with them is told before files are read
    if [args.key, *args.responses].count("-") > 1:
        raise OptionError("- is standard input, which can be read only once; found it as more than one file")
    key_format, response_format = args.key_format or args.format, args.response_format or args.format
    key, first = read_both(args.key, args.responses[0], key_format, response_format)
    chosen = called_for(key) if metrics is None else metrics
    more = [name for name, _ in limits if name not in chosen]
    computed = [*chosen, *more] if more else metrics
    evaluations = []
    for done, path in enumerate(args.responses, start=1):
        if len(args.responses) > 1 and sys.stderr.isatty():
            print(f"\r\033[K{done}/{len(args.responses)} {path}", end="", file=sys.stderr, flush=True)
        response = first if done == 1 else path
        evaluations.append(
            score(key, response, metrics=computed, profile=args.profile, response_format=response_format, **options)
        )
    if len(args.responses) > 1 and sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    with output(args.output) as out:
        if args.quiet:
            for e in evaluations:
                name = (metrics or ["conll"])[0]
                out.write(_printed(e, name) + "\n")
        else:
            colour = out.isatty() and "NO_COLOR" not in os.environ
            render(Results(evaluations, args.by == "document", list(said(args.warnings)), colour), out, report=args.report)
    return 1 if _too_low(evaluations, limits) else 0


def _too_low(evaluations: list[Evaluation], limits: list[tuple[str, float]]) -> bool:
    """Whether any score is below its limit; says so on standard error."""
    low = False
    for e in evaluations:
        for name, limit in limits:
            shown = _printed(e, name)
            if shown == "-" or float(shown) < limit:
                found = "undefined, so not" if shown == "-" else f"{shown}, below"
                print(f"markable: {one_line(e.name)}: {name} is {found} {limit:g}", file=sys.stderr)
                low = True
    return low


def _printed(e: Evaluation, metric: str) -> str:
    return number(e[metric].value, e.counts[metric].unit, e.options.decimals == "cut")


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    try:
        is_number = not math.isnan(float(value))
    except ValueError:
        is_number = False
    if not (equals and is_number):
        raise OptionError(f"{option} takes NAME=NUMBER; found {text!r}")
    return name, value
