"""List every fault of files, with line numbers. Exit status 1 if there is any.

examples:
  markable validate response.conll
  markable validate predictions/*.jsonlines
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from markable.errors import one_line
from markable.formats import FORMATS, validate


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+")
    parser.add_argument("--format", choices=FORMATS, help="format of the files (default: told from the content)")


def run(args: Namespace) -> int:
    count = 0
    for path in args.files:
        faults = validate(path, format=args.format)
        count += len(faults)
        for fault in faults:
            print(one_line(fault))
        if not faults:
            print(f"{one_line(path)}: no fault")
    return 1 if count else 0
