"""Estimate the scores of all records from a key that is a sample, of entities or of labelled pairs, with intervals.

KEY has whole entities that were sampled, and RESPONSE the entities of all records. Say with --weights how KEY was sampled:
entities with equal chances (uniform), or records, with all other records of their entities (inverse-size).

Or KEY has labelled pairs: both ends of each, and a column such as label. Its columns stratum and stratum_size (the number of
all pairs of the stratum), or weight, say how they were sampled. RESPONSE has entities, or pairs with decisions or
probabilities.

OTHER is compared with RESPONSE on the same sample: the difference has an interval, too.

Examples
--------
referee estimate sample.csv clusters.csv
referee estimate sample.csv clusters.parquet --weights inverse-size --metrics links,b_cubed
referee estimate labels.csv predictions.csv --threshold 0.9
referee estimate labels.csv before.csv after.csv
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import referee
from referee.basics.options.choices import ESTIMATED, FORMATS, SAMPLED
from referee.cli import report_options, scoring_options, table_options
from referee.cli.help import add_format, rare

WEIGHTS_HELP = (
    f"how entities were sampled: {', '.join(SAMPLED)}, or the column of KEY with their weights (default: uniform; of labelled "
    "pairs what their columns say)"
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `referee estimate`."""
    parser.add_argument("key", metavar="KEY", help="the key: sampled entities, each with all of its records; or labelled pairs")
    parser.add_argument("response", metavar="RESPONSE", help=scoring_options.RESPONSE)
    parser.add_argument("other", metavar="OTHER", nargs="?", help="another response, compared on the same sample")
    show = parser.add_argument_group("report")
    usual = ",".join(ESTIMATED)
    show.add_argument("-m", "--metrics", metavar="NAMES", help=f"some of {usual} (default: all; of labelled pairs: pairs)")
    report_options.add_arguments(show)
    how = parser.add_argument_group("estimates")
    how.add_argument("--weights", metavar="WAY", help=WEIGHTS_HELP)
    how.add_argument("--level", type=float, metavar="NUMBER", default=0.95, help="level of the intervals (default: 0.95)")
    how.add_argument("--beta", type=float, metavar="NUMBER", default=1.0, help="weight of recall in F (default: 1)")
    how.add_argument("--resamples", type=int, metavar="N", default=10_000, help="of labelled pairs (default: 10000)")
    how.add_argument("--seed", type=int, metavar="N", default=0, help="of the resamples (default: 0)")
    read = parser.add_argument_group("files")
    add_format(read, "--format", FORMATS, "format of all files (default: detected)")
    few = rare(read)
    add_format(few, "--key-format", FORMATS, "format of the key")
    add_format(few, "--response-format", FORMATS, "format of the response")
    table_options.add_threshold(table_options.add_reading(parser), "the responses are")
    table_options.add_engine(parser)


def run(args: Namespace) -> int:
    """Run `referee estimate`; return its exit status."""
    responses = [args.response, args.other] if args.other else [args.response]
    scoring_options.check_files([args.key, *responses])
    key_format, response_format = scoring_options.formats(args)
    names = ("metrics", "weights", "threshold", "level", "beta", "resamples", "seed")
    how = {name: getattr(args, name) for name in names} | table_options.options(args)
    estimates = referee.estimate(args.key, *responses, key_format=key_format, response_format=response_format, **how)
    report_options.write(estimates, args)
    return 0
