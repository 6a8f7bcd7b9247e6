"""List the errors of a response, and what they cost: what each measure gains when they are repaired.

By kind: boundary, missed and spurious (mentions, and whole entities), split (a piece of an entity that stands apart),
merged (an entity inside another), misplaced (mentions put with strangers). By what the mention is, or where: size,
class, distance, sentences, position, type, document. Or one by one, the costliest first: entity, error.

examples:
  markable errors key.conll response.conll
  markable errors key.conll response.conll --by distance --metrics muc,lea
  markable errors key.conll response.conll --by entity --top 10
  markable errors key.conll response.conll --by error --top 0 --report csv > errors.csv
  markable errors key.conll response.conll --plot costs.svg
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from markable.attribution import ATTRIBUTED
from markable.cli import scoring_options
from markable.differences import differences
from markable.drawing import check_drawable
from markable.errors import OptionError, check_name
from markable.formats import output
from markable.listings import BY, errors_by
from markable.pictures import PICTURES, draw
from markable.reports import REPORTS
from markable.reports.grid import OVERVIEW
from markable.reports.listing import render
from markable.scoring import read_both, score

TOP = 20


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="the annotation that is believed")
    parser.add_argument("response", metavar="RESPONSE", help="the annotation that is judged")
    show = parser.add_argument_group("what is shown")
    show.add_argument("--by", choices=BY, default="kind", help="what a row is about (default: kind)")
    show.add_argument(
        "-m", "--metrics", metavar="NAMES", help=f"costs in these measures, with commas (default: {','.join(_DEFAULT)})"
    )
    show.add_argument("--top", type=int, metavar="N", default=TOP, help=f"rows by entity or error; 0: all (default: {TOP})")
    show.add_argument("-r", "--report", choices=REPORTS, default="text", help="form of the report (default: text)")
    show.add_argument("-o", "--output", metavar="FILE", default="-", help="write the report to a file")
    show.add_argument("--plot", metavar="FILE", help="draw a picture: a .svg, .png or .pdf (needs markable[plot])")
    show.add_argument(
        "--picture", choices=PICTURES, default="costs",
        help="costs by kind, sizes of the entities of both sides, or the flow of mentions between them (default: costs)",
    )  # fmt: skip
    show.add_argument("--document", metavar="NAME", help="for --picture flow or sizes: of this document (default: all)")
    scoring_options.add_arguments(parser)


_DEFAULT = ("conll", *(name for name in OVERVIEW if name != "conll"))


def run(args: Namespace) -> int:
    metrics = [name.strip() for name in args.metrics.split(",")] if args.metrics else list(_DEFAULT)
    for name in metrics:
        check_name("metric", name, ATTRIBUTED)
    if args.top < 0:
        raise OptionError(f"--top is 0 or more; found {args.top}")
    options = scoring_options.options(args)
    if args.plot:
        check_drawable(args.plot)
    key, response = read_both(args.key, args.response, *scoring_options.formats(args))
    drawn = [m for m in ("overlap", "d_error") if args.plot and m not in metrics]
    found = differences(score(key, response, metrics=[*metrics, *drawn], **options))
    listing = errors_by(found, args.by, metrics, args.top or None)
    with output(args.output) as out:
        render(listing, out, report=args.report, colour=out.isatty() and "NO_COLOR" not in os.environ)
    if args.plot:
        draw(found, args.plot, args.picture, metrics, args.document)
    return 0
