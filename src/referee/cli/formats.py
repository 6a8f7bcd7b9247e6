"""List the formats and what each can hold, or explain one: its structure, its origin, and differences between programs.

Of a file, say what it is taken for: its format and kind, and of a table which column is what.

Examples
--------
referee formats
referee formats jsonlines
referee formats clusters.csv --columns item=rec,entity=grp
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from inspect import getdoc
from types import ModuleType

from referee.basics.exceptions import one_line
from referee.cli import table_options


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="a format, or a file")
    table_options.add_reading(parser, sides=False)


def run(args: Namespace) -> int:
    """Print the list, or the explanation."""
    from referee.inputs.registry import FORMATS, module

    if args.name and args.name not in FORMATS and (os.path.exists(args.name) or "." in args.name):
        from referee.basics.options.reading import ReadOptions
        from referee.inputs.telling import told

        print(one_line(f"{args.name}: {told(args.name, ReadOptions(**table_options.reading(args)))}"))
        return 0
    return explain(args.name, FORMATS, module)


def explain(name: str | None, formats: Iterable[str], module: Callable[[str], ModuleType]) -> int:
    """Print the list of these formats, or the explanation of one."""
    if name:
        print(getdoc(module(name)))
        return 0
    width = max(map(len, formats))
    for each in formats:
        reader = module(each)
        use = "read, write" if hasattr(reader, "write") else "read"
        holds = f"\n{'':{width}}  {use}: {', '.join(reader.HOLDS)}" if hasattr(reader, "HOLDS") else f" ({use})"
        if hasattr(reader, "WRITES"):
            holds += f"; of these it writes {', '.join(reader.WRITES)}"
        print(f"{each:{width}}  {(getdoc(reader) or '').partition(chr(10))[0]}{holds}")
    return 0
