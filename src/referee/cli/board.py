"""Write a leaderboard: a folder of static pages that any server, or none, can show.

DIR has the response of each system: a file, or a folder of files. The first page has all scores with intervals, and the groups
of systems that do not differ significantly; every number is that of referee compare. It leads to a page of each system, and of
each pair of systems, beside the key, as referee inspect makes them. board.json and board.csv are for programs.

Examples
--------
referee board key.conll submissions -o site
referee board key.conll submissions -o site --metrics conll,lea --rank-by lea --title "Shared task 2026"
referee board key.conll submissions -o site --no-pages
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from referee.basics import progress
from referee.basics.exceptions import one_line
from referee.cli import resampling_options, scoring_options


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("key", metavar="KEY", help=scoring_options.KEY)
    parser.add_argument("responses", metavar="DIR", help="a folder with the response of each system")
    show = parser.add_argument_group("site")
    show.add_argument("-o", "--output", metavar="SITE", required=True, help="the folder of the site")
    show.add_argument(
        "-m", "--metrics", metavar="NAMES", help="metrics, separated by commas, or all (default: those that papers report)"
    )
    show.add_argument("--rank-by", metavar="NAME", help="the metric of the ranking (default: conll, or the first)")
    show.add_argument("--title", metavar="TEXT", default="", help="the headline (default: the key)")
    show.add_argument("--no-pages", action="store_true", help="write no pages of systems and pairs")
    resampling_options.add_arguments(parser, of="compare")
    scoring_options.add_arguments(parser)


def run(args: Namespace) -> int:
    """Write the site."""
    from referee.pages.board import write_board
    from referee.pages.board.site import systems_of

    key_format, response_format = scoring_options.formats(args)
    ranked = write_board(
        args.key,
        systems_of(args.responses),
        args.output,
        rank_by=args.rank_by,
        resampling=resampling_options.resampling(args),
        pages=not args.no_pages,
        title=args.title,
        metrics=scoring_options.metrics(args),
        key_format=key_format,
        response_format=response_format,
        **scoring_options.options(args),
    )
    progress.end()
    print(f"referee: wrote {args.output}: {len(ranked.systems)} systems, {one_line(ranked.systems[0])} first", file=sys.stderr)
    return 0
