"""List the measures, or explain one: what it counts, what 0/0 means there, where it comes from.

examples:
  referee metrics
  referee metrics lea
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from inspect import getdoc

from referee.exceptions import UnknownNameError
from referee.metrics.registry import METRICS


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="a measure")


def run(args: Namespace) -> int:
    if args.name:
        if args.name not in METRICS:
            raise UnknownNameError("metric", args.name, METRICS)
        print(getdoc(METRICS[args.name]))
        return 0
    width = max(map(len, METRICS))
    for name, metric in METRICS.items():
        print(f"{name:{width}}  {(getdoc(metric) or '').partition(chr(10))[0]}")
    return 0
