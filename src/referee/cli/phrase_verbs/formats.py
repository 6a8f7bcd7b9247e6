"""List the formats of phrases, or explain one: its structure, and what it can hold.

Examples
--------
referee phrases formats
referee phrases formats spans
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.cli.formats import explain


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="a format of phrases")


def run(args: Namespace) -> int:
    """Print the list, or the explanation."""
    from referee.phrases.formats.registry import FORMATS

    return explain(args.name, FORMATS)
