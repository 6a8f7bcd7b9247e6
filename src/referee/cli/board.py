"""Write a leaderboard: a folder of static pages that any server, or none, can show.

A response is a file, or a folder of files. One folder alone has the response of each system. The page has all scores with
intervals, and the groups of systems that do not differ significantly; every number is that of referee compare. A response that
cannot be scored is listed with the reason. The site has no words of the key, unless --with-texts adds pages of the best ten
systems beside the key, as referee inspect makes them, and of each --pair. board.json and board.csv are for programs.

Examples
--------
referee board key.conll a.conll b.conll c.conll -o site
referee board key.conll submissions -o site
referee board key.conll submissions -o site --metrics conll,lea --rank-by lea --title "Shared task 2026"
referee board gold submissions -o site --by file --profile corefud-1.2
referee board key.conll submissions -o site --with-texts --pair first,second
referee board --task task.toml --codabench bundle.zip
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.basics.exceptions import OptionError, counted, one_line
from referee.basics.options.options import names_given
from referee.cli import document_options, grouping_options, resampling_options, scoring_options, task_options
from referee.cli.help import rare


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("key", metavar="KEY", nargs="?", help=scoring_options.KEY)
    parser.add_argument(
        "responses", metavar="RESPONSE", nargs="*", help="the response of each system; or one folder that has them all"
    )
    show = parser.add_argument_group("site")
    show.add_argument("-o", "--output", metavar="SITE", help="the folder of the site")
    scoring_options.add_metrics(show, "metrics, separated by commas, or all")
    show.add_argument("--rank-by", metavar="NAME", help="the metric of the ranking (default: conll, or the first)")
    show.add_argument("--title", metavar="TEXT", default="", help="the headline (default: the key)")
    show.add_argument("--by", metavar="WHAT", help=f"{scoring_options.BY}; ranked by the mean")
    grouping_options.add_arguments(show)
    task_options.add_arguments(show)
    few = rare(show)
    few.add_argument(
        "--codabench", metavar="ZIP", help="write the bundle of a competition instead, of --task; needs no responses"
    )
    few.add_argument("--image", metavar="NAME", help="with --codabench: the image of a container that scores there")
    show.add_argument("--with-texts", action="store_true", help="add pages of the best ten systems, with the words of the key")
    show.add_argument("--pair", metavar="A,B", action="append", default=[], help="with texts: the page of a pair; repeatable")
    resampling_options.add_arguments(parser, verb="compare")
    document_options.add_arguments(show, metadata=False)
    scoring_options.add_arguments(parser)


def run(args: Namespace) -> int:
    """Write the site."""
    from referee.pages.board.site import write_site
    from referee.pages.board.submissions import submissions, systems_of

    if args.codabench or args.image:
        return _write_bundle(args)
    if args.output is None:
        raise OptionError("found no -o SITE; expected the folder of the site")
    if not args.responses:
        raise OptionError("found no response; expected KEY RESPONSE..., or --task FILE, which names the key, and RESPONSE...")
    groups, resampling = grouping_options.Groups(args), resampling_options.resampling(args)
    pairs = [names_given(text, 2) for text in args.pair]
    entered = submissions(args.key, systems_of(args.responses), args.by, **scoring_options.request(args))
    ranked = write_site(
        entered,
        args.output,
        by=groups.grouping(entered.scored.values()),
        rank_by=args.rank_by,
        resampling=resampling,
        with_texts=args.with_texts,
        pairs=[(one, other) for one, other in pairs],
        title=args.title,
    )
    rejected = f", {len(entered.rejected)} without a score" if entered.rejected else ""
    args.remarks[args.output] = f": {counted(len(ranked.systems), 'system')}, {one_line(ranked.systems[0])} first{rejected}"
    return 0


def _write_bundle(args: Namespace) -> int:
    """Write the bundle of a competition."""
    from referee.cli.codabench import IMAGE, write_bundle

    if args.task is None or args.codabench is None or args.responses or args.output is not None:
        raise OptionError("--codabench ZIP is of a task, without responses; expected --task FILE --codabench ZIP alone")
    write_bundle(args.task, args.codabench, args.image)
    args.remarks[args.codabench] = f": scored in the image {args.image or IMAGE}"
    return 0
