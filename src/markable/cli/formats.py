"""List the formats, or explain one: how it looks, where it comes from, where programs disagree about it.

examples:
  markable formats
  markable formats jsonlines
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from inspect import getdoc

from markable.formats import FORMATS, module


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="a format")


def run(args: Namespace) -> int:
    if args.name:
        print(getdoc(module(args.name)))
        return 0
    width = max(map(len, FORMATS))
    for name in FORMATS:
        print(f"{name:{width}}  {(getdoc(module(name)) or '').partition(chr(10))[0]}")
    return 0
