"""List the formats and what each can hold, or explain one: its structure, its origin, and differences between programs.

examples:
  referee formats
  referee formats jsonlines
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from inspect import getdoc

from referee.formats.registry import FORMATS, module


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="a format")


def run(args: Namespace) -> int:
    if args.name:
        print(getdoc(module(args.name)))
        return 0
    width = max(map(len, FORMATS))
    for name in FORMATS:
        format_ = module(name)
        use = "read, write" if hasattr(format_, "write") else "read"
        print(
            f"{name:{width}}  {(getdoc(format_) or '').partition(chr(10))[0]}\n{'':{width}}  {use}: {', '.join(format_.HOLDS)}"
        )
    return 0
