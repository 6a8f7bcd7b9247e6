"""List the formats.

examples:
  markable formats
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from markable.formats import FORMATS, module


def add_arguments(parser: ArgumentParser) -> None:
    """There are no arguments."""


def run(args: Namespace) -> int:
    width = max(map(len, FORMATS))
    for name in FORMATS:
        print(f"{name:{width}}  {module(name).__doc__.partition(chr(10))[0]}")
    return 0
