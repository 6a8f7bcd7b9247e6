"""List the errors of a response: phrases that it misses, invents, or gives a wrong type or span.

Phrases of key and response that are not exactly right are paired, each with one at most that shares a word with it: the same
span first, then the same type, then all others. A pair with the same span has the wrong type, one with the same type the wrong
span, any other both. What is left is missed or spurious. The table has a row for each type of the key (of spurious phrases: of
the response).

Examples
--------
referee phrases errors key.conll response.conll
referee phrases errors key.conll response.conll --kind type,both --limit 100
referee phrases errors key.conll response.conll -o errors.csv
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

import referee
from referee.basics.exceptions import OptionError, check_name
from referee.basics.options.choices import PHRASE_ERRORS
from referee.basics.system_names import name_of
from referee.cli import phrase_options, report_options, scoring_options
from referee.cli.errors import FOR_PROGRAMS


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("key", metavar="KEY", help=phrase_options.KEY)
    parser.add_argument("response", metavar="RESPONSE", nargs="?", help=scoring_options.RESPONSE)
    show = parser.add_argument_group("report")
    show.add_argument(
        "--limit", type=int, metavar="N", help="errors in the list; 0: all (default: 20 for people, all for programs)"
    )
    show.add_argument("--kind", metavar="NAMES", help=f"list only errors of these kinds: {', '.join(PHRASE_ERRORS)}")
    report_options.add_arguments(show)
    group = parser.add_argument_group("phrases (all options are in the signature)")
    phrase_options.add_threshold(group)
    phrase_options.add_phrases(group)
    phrase_options.add_files(parser)


def run(args: Namespace) -> int:
    """Find the errors and write the report."""
    from referee.phrases.one_best_errors import LIMIT

    if args.limit is not None and args.limit < 0:
        raise OptionError(f"--limit is 0 or more; found {args.limit}")
    for kind in phrase_options.names(args.kind or ""):
        check_name("kind of error", kind, PHRASE_ERRORS)
    key, (response,), settings = phrase_options.read(args, [args.response] if args.response else [])
    result = referee.phrases.errors(key, response, threshold=args.threshold)
    result = replace(result, name=name_of(args.response or args.key), settings={**result.settings, **settings})
    limit = args.limit if args.limit is not None else 0 if args.report in FOR_PROGRAMS else LIMIT
    report_options.write(result, args, limit=limit, kind=args.kind)
    return 0
