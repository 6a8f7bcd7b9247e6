"""List the formats of phrases, or explain one: its structure, and what it can hold.

Examples
--------
referee phrases formats
referee phrases formats spans
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from inspect import getdoc

from referee.phrases.formats.registry import FORMATS, module


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="a format of phrases")


def run(args: Namespace) -> int:
    """Print the list, or the explanation."""
    if args.name:
        print(getdoc(module(args.name)))
        return 0
    width = max(map(len, FORMATS))
    for name in FORMATS:
        reader = module(name)
        use = "read, write" if hasattr(reader, "write") else "read"
        print(f"{name:{width}}  {(getdoc(reader) or '').partition(chr(10))[0]} ({use})")
    return 0
