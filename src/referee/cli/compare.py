"""Compare responses: intervals, and tests of each against a baseline.

KEY and RESPONSE are files in any format (see referee formats), or counts files that referee score --counts has written; these
need no KEY. If there are several corpora, each is scored on its own. The
row `micro` is over all documents, and the row `macro` is the mean over the corpora.

Examples
--------
referee compare key.conll a.conll b.conll c.conll
referee compare key.conll a.conll b.conll --baseline b.conll --report latex
referee compare key.conll a.conll b.conll --by prefix --separator / --metrics conll,lea
referee compare --corpus litbank=lk.conll,la.conll,lb.conll --corpus gum=gk.conll,ga.conll,gb.conll --names a,b
referee compare run6.counts.parquet run7.counts.parquet
referee compare key.conll before.conll after.conll --fail-if-worse
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from referee.basics.exceptions import OptionError, check_name
from referee.basics.options.choices import STYLES
from referee.basics.system_names import system_meant
from referee.cli import (
    document_options,
    gate_options,
    grouping_options,
    report_options,
    resampling_options,
    scoring_options,
    stored_options,
    table_options,
    task_options,
)
from referee.cli.help import rare
from referee.reports.figures import check_drawable

if TYPE_CHECKING:
    from referee.comparison.comparing import Compared
    from referee.comparison.corpora import SystemFiles


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `referee compare`."""
    parser.add_argument("key", metavar="KEY", nargs="?", help=scoring_options.KEY)
    parser.add_argument("responses", metavar="RESPONSE", nargs="*", help="the responses: system output")
    what = parser.add_argument_group("systems and documents")
    resampling_options.add_systems(what)
    what.add_argument("--all-pairs", action="store_true", help="test all pairs of systems, with p corrected for it")
    what.add_argument("--by", metavar="WHAT", help=scoring_options.BY)
    grouping_options.add_arguments(what)
    document_options.add_arguments(what, metadata=False)
    one_corpus = "one of several corpora, instead of KEY and RESPONSE"
    what.add_argument("--corpus", metavar="NAME=KEY,RESPONSE,...", action="append", default=[], help=one_corpus)
    rare(what).add_argument("--corpora", metavar="FILE", help="the same as a TOML file: [corpora.NAME] with key and responses")
    task_options.add_arguments(what, is_rare=True)
    show = parser.add_argument_group("report")
    scoring_options.add_metrics(show, "metrics with commas, or all", "those of papers")
    report_options.add_sort(show, "the best system first")
    report_options.add_arguments(show, tables=True, comparison=True)
    rare(show).add_argument(
        "--style", choices=STYLES, default="", help="how intervals are shown (default: margin; plain in --table)"
    )
    show.add_argument("-q", "--quiet", action="store_true", help="print the differences alone, a line each")
    gate_options.add_arguments(parser.add_argument_group("exit status"))
    show.add_argument("--plot", metavar="FILE", help="plot intervals and documents to .svg, .png or .pdf")
    resampling_options.add_arguments(parser, verb="compare")
    scoring_options.add_arguments(parser)
    table_options.add_engine(parser)


def run(args: Namespace) -> int:
    """Run `referee compare`; return its exit status."""
    from referee.comparison.comparing import comparison, score_all

    request = scoring_options.request(args) | table_options.options(args)
    gate_options.check(args)
    resampling = resampling_options.resampling(args)
    if args.plot:
        check_drawable(args.plot)
    stored = stored_options.compared(args)
    corpora, baseline = ({}, args.baseline) if stored else _files(args)
    scoring_options.check_files([path for files in corpora.values() for path in (files.key, *files.responses.values())])
    systems = stored_options.files_of(stored, args) if stored else next(iter(corpora.values())).responses
    if baseline is not None:
        baseline = system_meant(baseline, systems)
        check_name("system", baseline, systems)
    if args.by is not None and len(corpora) > 1:
        raise OptionError("--by is for one corpus; with several, each is a group")
    groups = grouping_options.Groups(args)
    scored: dict[str, Mapping[str, Compared]] = {"": stored}
    if not stored:
        scored = {name: score_all(files.key, files.responses, **request) for name, files in corpora.items()}
    task_options.warn_of_difference(args, {name: e.signature for systems in scored.values() for name, e in systems.items()})
    grouping = groups.grouping(e for systems in scored.values() for e in systems.values())
    compared = comparison(scored, baseline=baseline, by=grouping, resampling=resampling, all_pairs=args.all_pairs)
    plotted = partial(compared.plot, args.plot) if args.plot else None
    worse = gate_options.worse(compared, args)
    if args.quiet:
        report_options.write_differences(compared, args, plotted)
    else:
        how = {"style": args.style, "table": args.table, "sort": args.sort}
        report_options.write(compared, args, plot=plotted, verdict={"worse": worse}, **how)
    return gate_options.status(worse, compared.baseline)


def _files(args: Namespace) -> tuple[dict[str, SystemFiles], str | None]:
    """The files of each corpus, and the baseline."""
    from referee.comparison.comparing import named
    from referee.comparison.corpora import SystemFiles, corpora_of, read_corpora

    ways = [args.key is not None, bool(args.corpus), args.corpora is not None]
    if sum(ways) != 1:
        raise OptionError("found more or less than one of KEY RESPONSE..., --corpus and --corpora; expected one of these")
    if args.corpora is not None:
        if args.names is not None:
            raise OptionError("--names is not for --corpora, whose file names the responses")
        corpora, baseline = read_corpora(args.corpora)
        return corpora, args.baseline or baseline
    if args.corpus:
        return corpora_of(args.corpus, args.names), args.baseline
    if not args.responses:
        raise OptionError("found no response; expected KEY RESPONSE...")
    return {"": SystemFiles(args.key, named(args.responses, args.names))}, args.baseline
