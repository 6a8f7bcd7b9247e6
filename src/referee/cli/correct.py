"""Put corrections that a page saved into the key: of its file, only coreference changes.

KEY is the file or folder of which `inspect`, `agree` or `resolve` made the page, CORRECTIONS are files that it saved. Those of
several people are put together; where they contradict each other, each contradiction is listed and nothing is written.

Examples
--------
referee correct key.conllu key.corrections.json -o corrected.conllu
referee correct key/ kim.corrections.json ann.corrections.json -o corrected/
referee correct key.conllu key.corrections.json --list
referee correct key.conllu old.corrections.json --rebase -o corrected.conllu
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import referee
from referee.basics.exceptions import OptionError
from referee.basics.options.choices import READABLE, WRITABLE
from referee.cli.help import add_format
from referee.reports.forms import FORMS, form_named


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `referee correct`."""
    parser.add_argument("key", metavar="KEY", help="the file or folder of which the page was made")
    parser.add_argument("corrections", metavar="CORRECTIONS", nargs="+", help="a file that the page saved")
    parser.add_argument(
        "-o", "--output", dest="new", metavar="NEW", help="the key with the corrections: a new file, or folder; - prints it"
    )
    parser.add_argument("--list", action="store_true", help="show the changes, and what contradicts")
    parser.add_argument(
        "-r", "--report", choices=FORMS, type=form_named, metavar="FORM", default="text",
        help=f"form of this list: {', '.join(FORMS)} (default: text)",
    )  # fmt: skip
    parser.add_argument(
        "--rebase",
        action="store_true",
        help="the mentions of KEY have changed since, but not its words: correct what still fits",
    )
    add_format(parser, "--key-format", READABLE, "format of KEY (default: detected)")
    add_format(parser, "--to", WRITABLE, "format of NEW (default: that of KEY, or that which the ending of NEW names)")
    parser.add_argument("--lossy", action="store_true", help="leave out what the format of NEW cannot hold, with counts")


def run(args: Namespace) -> int:
    """Run `referee correct`; return its exit status."""
    shows = args.list or args.report != "text"
    if not args.new and not shows:
        raise OptionError("found no -o NEW; expected a file for the corrected key, or --list to see the changes")
    if args.new == "-" and shows:
        raise OptionError("--list and the key would both go to standard output; expected -o FILE for the key")
    corrected = referee.correct(args.key, *args.corrections, key_format=args.key_format, rebase=args.rebase)
    if args.new:
        corrected.write(args.new, format=args.to, lossy=args.lossy)
    if shows:
        print(corrected.report(args.report), end="")
    return int(bool(corrected.contradictions))
