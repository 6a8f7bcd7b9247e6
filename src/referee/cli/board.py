"""Write a leaderboard: a folder of static pages that any server, or none, can show.

A response is a file, or a folder of files. One folder alone has the response of each system. The first page has all scores with
intervals, and the groups of systems that do not differ significantly; every number is that of referee compare. It leads to a
page of each system, and of each pair of systems, beside the key, as referee inspect makes them. board.json and board.csv are
for programs.

Examples
--------
referee board key.conll a.conll b.conll c.conll -o site
referee board key.conll submissions -o site
referee board key.conll submissions -o site --metrics conll,lea --rank-by lea --title "Shared task 2026"
referee board key.conll submissions -o site --no-pages
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.basics.exceptions import OptionError, counted, one_line
from referee.cli import document_options, resampling_options, scoring_options, task_options


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("key", metavar="KEY", help=scoring_options.KEY)
    parser.add_argument(
        "responses", metavar="RESPONSE", nargs="*", help="the response of each system; or one folder that has them all"
    )
    show = parser.add_argument_group("site")
    show.add_argument("-o", "--output", metavar="SITE", required=True, help="the folder of the site")
    scoring_options.add_metrics(show, "metrics, separated by commas, or all")
    show.add_argument("--rank-by", metavar="NAME", help="the metric of the ranking (default: conll, or the first)")
    show.add_argument("--title", metavar="TEXT", default="", help="the headline (default: the key)")
    task_options.add_arguments(show)
    show.add_argument("--no-pages", action="store_true", help="write no pages of systems and pairs")
    resampling_options.add_arguments(parser, verb="compare")
    document_options.add_arguments(show)
    scoring_options.add_arguments(parser)


def run(args: Namespace) -> int:
    """Write the site."""
    from referee.pages.board import write_board

    if not args.responses:
        raise OptionError("found no response; expected KEY RESPONSE..., or --task FILE, which names the key, and RESPONSE...")
    ranked = write_board(
        args.key,
        args.responses,
        args.output,
        rank_by=args.rank_by,
        resampling=resampling_options.resampling(args),
        pages=not args.no_pages,
        title=args.title,
        **scoring_options.request(args),
    )
    args.remarks[args.output] = f": {counted(len(ranked.systems), 'system')}, {one_line(ranked.systems[0])} first"
    return 0
