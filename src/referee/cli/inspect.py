"""Write a page that shows key and response side by side, and the reasons for the score; or one annotation, to read it.

The page is one HTML file for any browser. It needs no network and sends no data. It shows the text with the mentions of both
sides, entities in two columns, and every error with its cost; of further responses also what they correct and break. Without a
response it shows the entities of one annotation, with their types, heads, empty nodes, bridging and split antecedents.

Examples
--------
referee inspect key.conll response.conll --open
referee inspect key.conll before.conll after.conll -o changes.html
referee inspect key.conll response.conll --metrics muc,b_cubed,lea --singletons drop -o page.html
referee inspect corpus.conllu
referee inspect key.csv response.csv --records records.csv
referee inspect key.conllu resolved.conllu --explain why.tsv
referee inspect resolved.conllu --explain why.tsv
referee inspect key.jsonlines response.jsonlines -o - | gzip > page.html.gz
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

import referee
from referee.basics.exceptions import OptionError, warn
from referee.cli import document_options, scoring_options, table_options

PAGE = "referee.html"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("key", metavar="KEY", help=scoring_options.KEY)
    parser.add_argument(
        "responses", metavar="RESPONSE", nargs="*",
        help=f"{scoring_options.RESPONSE}; further ones are compared with the first; none: the page shows the key alone",
    )  # fmt: skip
    show = parser.add_argument_group("report")
    show.add_argument("-o", "--output", metavar="FILE", default=PAGE, help=f"the page; - is standard output (default: {PAGE})")
    show.add_argument("--open", action="store_true", help="open the page in the browser")
    scoring_options.add_metrics(show, default="all for which the key has annotation")
    show.add_argument(
        "--explain", metavar="FILE", help="what `resolve --explain` wrote: the page shows the reason of each mention"
    )
    show.add_argument(
        "--records", metavar="FILE", help="table of record ids and attributes (CSV or TSV with a header), shown beside the ids"
    )
    document_options.add_arguments(show)
    scoring_options.add_arguments(parser)


def run(args: Namespace) -> int:
    """Write the page."""
    from referee.metrics.registry import ALL
    from referee.pages.inspector.inspection import check_page

    check_page(args.output)
    metrics, options = scoring_options.metrics(args), scoring_options.options(args)
    scoring_options.check_files([args.key, *args.responses])
    if args.open and args.output == "-":
        raise OptionError("--open opens a file; found -o - for standard output")
    key_format, response_format = scoring_options.formats(args)
    how = {"key_format": key_format, "records": args.records, "explain": args.explain}
    if args.responses:
        how |= {"metrics": metrics or ALL, "response_format": response_format, **options}
    else:
        reading = table_options.reading(args)
        _check_alone(args, {name: value for name, value in options.items() if name not in reading})
        how |= reading
    page = referee.inspect(args.key, *args.responses, **how)
    page.save(args.output)
    if args.open:
        import webbrowser  # for this alone

        if not webbrowser.open(Path(args.output).absolute().as_uri()):
            warn(f"found no browser to open {args.output}; expected one on this machine")
    return 0


def _check_alone(args: Namespace, options: dict[str, Any]) -> None:
    """Raise OptionError if an option is about a response or its scores, and there is none."""
    values = {**options, **{name: getattr(args, name) for name in ("metrics", "response_format")}}
    option = next((name for name, value in values.items() if value not in (None, "default")), None)
    if option:
        raise OptionError(f"found --{option.replace('_', '-')} without a response; expected a response, or only the key")
