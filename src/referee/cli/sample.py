"""Choose the documents to be annotated next: those on which systems disagree most, or some at random.

FILES are responses of several systems, or annotations, of the same documents, in any format (see referee formats).
Disagreement is the mean distance of where two of them put a mention, as in alpha (see referee agree). Of a single file,
documents are chosen at random.

Examples
--------
referee sample first.conll second.conll third.conll --number 5
referee sample first.conll second.conll --number 8 --random 2 --write next.json --to labelstudio
referee sample first.conll second.conll --write next/ --to webanno
referee sample ann.conll --random 4 --write second.json --to labelstudio --blank
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from referee.basics.exceptions import OptionError
from referee.basics.options.choices import DISTANCES, READABLE, WRITABLE
from referee.basics.options.reading import ReadOptions
from referee.cli import report_options, scoring_options, table_options
from referee.cli.help import add_format, rare


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `referee sample`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a response of the same documents")
    what = parser.add_argument_group("sample")
    number = "how many documents with the most disagreement (default: 10, or all; 0 of a single file)"
    what.add_argument("-n", "--number", type=int, metavar="N", help=number)
    drawn = "how many more, chosen at random from the others, on which scores are not biased (default: 0)"
    what.add_argument("--random", type=int, metavar="N", default=0, help=drawn)
    rare(what).add_argument("--seed", type=int, metavar="N", default=0, help="of the random documents (default: 0)")
    rare(what).add_argument("--distance", choices=DISTANCES, default="masi", help="the distance of alpha (default: masi)")
    written = "write the documents, with what most systems agree on, and the rest as entities of the type undecided"
    what.add_argument("--write", metavar="FILE", help=written)
    blank = "write them without annotation: what is corrected is not independent of FILES, as a second annotation must be"
    what.add_argument("--blank", action="store_true", help=blank)
    add_format(what, "--to", WRITABLE, "format of this file (default: by its ending)")
    what.add_argument("--lossy", action="store_true", help="leave out or change what it cannot hold, with counts")
    show = parser.add_argument_group("report")
    scoring_options.add_names(show)
    report_options.add_arguments(show)
    how = parser.add_argument_group("agreement")
    scoring_options.add_options(how, "singletons", "tokens")
    add_format(how, "--format", READABLE, "format of all files (default: detected)")
    table_options.add_skipping(rare(how))
    table_options.add_reading(parser, sides=False)


def run(args: Namespace) -> int:
    """Run `referee sample`; return its exit status."""
    from referee.agreement.for_tools import planned_for_tool
    from referee.agreement.sampling import sample
    from referee.comparison.comparing import named
    from referee.corpus.lossy import blank
    from referee.formats.shared.skipping import check_folders
    from referee.inputs.load import read_corpus

    for option in ("to", "blank", "lossy"):
        if getattr(args, option) and not args.write:
            raise OptionError(f"--{option} is for --write; expected both, or neither")
    scoring_options.check_files(args.files)
    reading = ReadOptions(format=args.format, **table_options.reading(args))
    if reading.skip_bad_files:
        check_folders(*args.files)
    files = named(args.files, args.names).items()
    responses = {name: read_corpus(file, reading, "response") for name, file in files}
    options = {name: value for name in ("singletons", "tokens") if (value := getattr(args, name)) is not None}
    documents = sample(responses, args.number, random=args.random, seed=args.seed, distance=args.distance, **options)
    if args.write:
        corpus = blank(documents.corpus) if args.blank else documents.corpus
        planned_for_tool(corpus, args.write, format=args.to, lossy=args.lossy or len(files) == 1)()
    report_options.write(documents, args)
    return 0
