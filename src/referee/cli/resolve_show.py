"""Say in words what a model has learnt: the largest weights of each table, or the numbers of the rules.

Examples
--------
referee resolve show tables --top 5
referee resolve show model.json --table pronouns
referee resolve show rules
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import referee
from referee.basics.files import output


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "model", metavar="MODEL", nargs="?", default="tables", help="tables, rules, or a file (default: tables)"
    )
    parser.add_argument("--table", metavar="NAME", help="one table, or detector (default: all)")
    parser.add_argument("--top", type=int, default=10, metavar="NUMBER", help="how many weights of each table (default: 10)")
    parser.add_argument("-o", "--output", metavar="FILE", default="-", help="write to a file")


def run(args: Namespace) -> int:
    """Print the model."""
    text = referee.resolver.show(args.model, table=args.table, top=args.top)
    with output(args.output) as out:
        out.write(text)
    return 0
