"""Write a page that shows key and response side by side, and the reasons for the score.

The page is one HTML file for any browser. It needs no network and sends no data. It shows the text with the mentions of both
sides, entities in two columns, and every error with its cost; of further responses also what they correct and break.

Examples
--------
referee inspect key.conll response.conll
referee inspect key.conll before.conll after.conll -o changes.html
referee inspect key.conll response.conll --metrics muc,b_cubed,lea --singletons drop -o page.html
referee inspect key.conllu resolved.conllu --explain why.tsv
referee inspect key.jsonlines response.jsonlines -o - | gzip > page.html.gz
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from referee import progress
from referee.cli import scoring_options

PAGE = "referee.html"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("key", metavar="KEY", help=scoring_options.KEY)
    parser.add_argument(
        "responses", metavar="RESPONSE", nargs="+", help=f"{scoring_options.RESPONSE}; further ones are compared with the first"
    )
    show = parser.add_argument_group("report")
    show.add_argument("-o", "--output", metavar="FILE", default=PAGE, help=f"the page; - is standard output (default: {PAGE})")
    show.add_argument(
        "-m", "--metrics", metavar="NAMES", help="metrics, separated by commas (default: all for which the key has annotation)"
    )
    show.add_argument(
        "--explain", metavar="FILE", help="what `resolve --explain` wrote: the page shows the reason of each mention"
    )
    scoring_options.add_arguments(parser)


def run(args: Namespace) -> int:
    """Write the page."""
    from referee.formats.load.anything import read_both
    from referee.inspector.inspection import Inspection
    from referee.inspector.reasons import read_reasons
    from referee.metrics.registry import ALL
    from referee.scoring.score import score

    metrics = scoring_options.metrics(args) or ALL
    options = scoring_options.options(args)
    scoring_options.check_files([args.key, *args.responses])
    key_format, response_format = scoring_options.formats(args)
    key, first = read_both(args.key, args.responses[0], key_format, response_format)
    evaluations = tuple(
        score(key, response, metrics=metrics, response_format=response_format, **options)
        for response in (first, *args.responses[1:])
    )
    Inspection(evaluations, None if args.explain is None else read_reasons(args.explain)).save(args.output)
    progress.end()
    if args.output != "-":
        print(f"referee: wrote {args.output}", file=sys.stderr)
    return 0
