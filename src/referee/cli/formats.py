"""List the formats and what each can hold, or explain one: its structure, its origin, and differences between programs.

Examples
--------
referee formats
referee formats jsonlines
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from inspect import getdoc

from referee.formats.registry import FORMATS, module


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="a format")


def run(args: Namespace) -> int:
    """Print the list, or the explanation."""
    if args.name:
        print(getdoc(module(args.name)))
        return 0
    width = max(map(len, FORMATS))
    for name in FORMATS:
        reader = module(name)
        use = "read, write" if hasattr(reader, "write") else "read"
        print(f"{name:{width}}  {(getdoc(reader) or '').partition(chr(10))[0]}\n{'':{width}}  {use}: {', '.join(reader.HOLDS)}")
    return 0
