"""Write an annotation in another format. If that format cannot hold all of it, nothing is written, unless with --lossy.

A file that is written in its own format stays as it is, byte for byte: parts of speech, trees, comments, other layers. The
files of a folder keep their names then.

Links of a text may be left out, as they only make its entities: a warning counts those that say more.

Examples
--------
referee convert predictions.jsonlines predictions.conll
referee convert key.conll - --to jsonlines | head -1
referee convert key.conllu key.jsonlines --lossy
referee convert answer.txt answer.conll --text key.conll
referee convert scored_pairs.csv clusters.csv --threshold 0.65
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import referee
from referee.basics.exceptions import OptionError
from referee.basics.options.choices import READABLE, WRITABLE
from referee.basics.options.reading import ReadOptions
from referee.cli import scoring_options, table_options
from referee.cli.help import add_format, rare


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("input", metavar="IN", help="a file, or - for standard input")
    parser.add_argument("out", metavar="OUT", nargs="?", help="a file (gzip if it ends in .gz), or - for standard output")
    parser.add_argument("-o", "--output", metavar="OUT", help="the same, as other verbs have it")
    add_format(parser, "--from", READABLE, "format of IN (default: detected)", dest="source_format")
    parser.add_argument("--lossy", action="store_true", help="leave out or change what OUT cannot hold, with counts")
    add_format(
        parser, "--to", (*WRITABLE, "conll:numbers", "conll:names"), "format of OUT (default: from the ending of its name)"
    )
    parser.add_argument(
        "--text", metavar="KEY", help="the annotation, or plain text, on whose words IN is put, if it is tagged or quotes"
    )
    few = rare(parser)
    scoring_options.add_options(parser, "quotes")
    few.add_argument("--role", choices=("key", "response"), help="the side to read, if a file has both")
    table_options.add_skipping(few)
    table_options.add_threshold(table_options.add_reading(parser, sides=False), "IN has")


def run(args: Namespace) -> int:
    """Write the annotation in the other format."""
    from referee.inputs.writing import meant_by_ending

    if (args.out is None) == (args.output is None):
        raise OptionError(f"found {'no' if args.out is None else 'a second'} OUT; expected referee convert IN OUT")
    out = args.output if args.out is None else args.out
    options = ReadOptions(**table_options.reading(args))
    how = {"options": options, "format": args.source_format, "to": args.to, "role": args.role}
    how |= {"lossy": args.lossy, "skip_bad_files": options.skip_bad_files}
    referee.convert(args.input, out, **how, text=args.text, quotes=args.quotes or "ordered", threshold=args.threshold)
    if not args.to and (name := meant_by_ending(out)):
        args.remarks[out] = f" as {name}"
    return 0
