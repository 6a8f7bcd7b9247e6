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
from typing import TYPE_CHECKING

import referee
from referee.basics.exceptions import one_line
from referee.basics.options.reading import ReadOptions
from referee.cli import table_options

if TYPE_CHECKING:
    from referee.basics.registry import Registry
    from referee.formats.shared.format import Format


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("name", metavar="NAME", nargs="?", help="a format, or a file")
    table_options.add_reading(parser, sides=False)


def run(args: Namespace) -> int:
    """Print the list, or the explanation."""
    if args.name and args.name not in referee.FORMATS and (os.path.exists(args.name) or "." in args.name):
        from referee.inputs.telling import summary_line

        print(one_line(f"{args.name}: {summary_line(args.name, ReadOptions(**table_options.reading(args)))}"))
        return 0
    return explain(args.name, referee.FORMATS)


def explain(name: str | None, formats: Registry[Format]) -> int:
    """Print the list of these formats, or the explanation of one."""
    if name:
        print(formats.load(name).documentation)
        return 0
    width = max(map(len, formats))
    for record in map(formats.load, formats):
        use = "read, write" if record.write else "read"
        holds = f"\n{'':{width}}  {use}: {', '.join(record.holds)}" if record.holds else f" ({use})"
        if record.writes:
            holds += f"; of these it writes {', '.join(record.writes)}"
        print(f"{record.name:{width}}  {record.documentation.partition(chr(10))[0]}{holds}")
    return 0
