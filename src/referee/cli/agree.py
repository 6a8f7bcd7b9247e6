"""Show the agreement between annotators on mentions, by F1, and on entities, by Krippendorff's alpha. No annotator is the key.

FILES are annotations of the same documents, in any format (see referee formats), or one exported project of INCEpTION, a
folder or a zip file, whose folders tell documents and annotators. Documents that some annotator does not have are left out.

Examples
--------
referee agree ann.conll bob.conll eve.conll
referee agree ann.conll bob.conll eve.conll --by matrix
referee agree ann.conll bob.conll eve.conll --metrics all
referee agree ann.conll bob.conll --by document
referee agree ann.conll bob.conll --by entity --top 20
referee agree ann.conll bob.conll --by mention --report csv -o mentions.csv
referee agree ann.conll bob.conll eve.conll --page annotators.html
referee agree ann.conll bob.conll eve.conll --merged key.conll --by undecided
referee agree project.zip
referee agree ann.json bob.json --adjudicate todo.json --to labelstudio
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import referee
from referee.basics.exceptions import OptionError, collected_warnings, warn
from referee.basics.files import output
from referee.basics.options.choices import AGREEMENT_BY, ALPHA_MENTIONS, DISTANCES, READABLE, WRITABLE
from referee.basics.options.reading import ReadOptions
from referee.cli import report_options, resampling_options, scoring_options, table_options
from referee.cli.help import add_format, rare
from referee.reports.numbers import formatted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.agreement.merging import Merged
    from referee.corpus import Corpus

TOP = 20
DISPUTES = 50
"""So many entities of all documents stand in the list of a page."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of `referee agree`."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="an annotation of the same documents")
    show = parser.add_argument_group("report")
    scoring_options.add_names(show, "annotators")
    show.add_argument(
        "--by",
        choices=AGREEMENT_BY,
        default="pair",
        help="what a row stands for; a matrix shows alpha, or the first of --metrics (default: pair)",
    )
    symmetric = "symmetric metrics, or alpha, separated by commas; all: with alpha by every distance"
    scoring_options.add_metrics(show, symmetric, "alpha and F1")
    show.add_argument(
        "--top", type=int, metavar="N", default=TOP, help=f"number of documents, entities or mentions; 0: all (default: {TOP})"
    )
    show.add_argument("-q", "--quiet", action="store_true", help="print alpha alone")
    report_options.add_arguments(show)
    show.add_argument(
        "--page", metavar="FILE", help="also write a page: who put what where, and any two annotations side by side"
    )
    merging = parser.add_argument_group("a merged key")
    merging.add_argument("--merged", metavar="FILE", help="also write the mentions and entities that most annotators agree on")
    todo = "also write them with the undecided mentions, of the type undecided, to be decided in an annotation tool"
    merging.add_argument("--adjudicate", metavar="FILE", help=todo)
    add_format(merging, "--to", WRITABLE, "format of those of these files whose ending names none")
    merging.add_argument("--lossy", action="store_true", help="leave out or change what --adjudicate cannot hold, with counts")
    how = parser.add_argument_group("agreement")
    rule = "for alpha, a mention that an annotator lacks is a value, a singleton (all), or left out (default: unmarked)"
    few = rare(how)
    few.add_argument("--mentions", choices=ALPHA_MENTIONS, default=ALPHA_MENTIONS[0], help=rule)
    few.add_argument("--distance", choices=DISTANCES, default="masi", help="the distance of alpha (default: masi)")
    scoring_options.add_options(how, "singletons", "repeated_mentions", "zeros", "tokens")
    add_format(how, "--format", READABLE, "format of all files (default: detected)")
    table_options.add_skipping(few)
    table_options.add_reading(parser, sides=False)
    resampling_options.add_arguments(parser, verb="agree")


def run(args: Namespace) -> int:
    """Run `referee agree`; return its exit status."""
    from referee.agreement.projects import annotators_of
    from referee.agreement.result import ALPHA
    from referee.comparison.comparing import named
    from referee.formats.shared.skipping import check_folders
    from referee.inputs.load import read_corpus

    if args.top < 0:
        raise OptionError(f"--top is 0 or more; found {args.top}")
    if args.quiet and (args.by != "pair" or args.report != "text"):
        table = f"--by {args.by}" if args.by != "pair" else f"a report in {args.report}"
        raise OptionError(f"--quiet prints alpha alone; found it with {table}, which is a table; expected one of them")
    if args.to and not (args.merged or args.adjudicate):
        raise OptionError("--to is the format of --merged and --adjudicate; expected one of them")
    if args.lossy and not args.adjudicate:
        raise OptionError("--lossy is for --adjudicate, as --merged is always so; expected both, or neither")
    scoring_options.check_files(args.files)
    intervals = args.by == "pair" or (args.by in ("matrix", "document") and args.report not in ("csv", "tsv"))
    where = "--by pair; or --by matrix or document, and a report other than csv and tsv"
    resampling_options.are_intervals_shown(args, intervals and not args.quiet, "no --quiet" if args.quiet else where)
    scoring = {name: getattr(args, name) for name in ("singletons", "repeated_mentions", "zeros", "tokens")}
    reading = ReadOptions(format=args.format, **table_options.reading(args))
    if reading.skip_bad_files:
        check_folders(*args.files)
    files = annotators_of(named(args.files, args.names), reading)
    with collected_warnings() as warnings:
        annotations = {name: read_corpus(file, reading, "annotation") for name, file in files.items()}
    options = {name: value for name, value in scoring.items() if value is not None}
    how = {"metrics": args.metrics, "mentions": args.mentions, "distance": args.distance, **options}
    agreement = referee.agree(annotations, resampling=resampling_options.resampling(args), **how)
    agreement = replace(agreement, warnings=(*dict.fromkeys((*warnings, *agreement.warnings)),))
    write_merged = _merged(agreement.merged(), list(annotations.values()), args) if args.merged or args.adjudicate else None
    if args.page:
        page_of(agreement, annotations, options).save(args.page)
    if write_merged:
        write_merged()
    if args.quiet:
        with output(args.output) as out:
            out.write(f"{formatted(agreement.alpha, ALPHA)}\n")
    else:
        report_options.write(agreement, args, by=args.by, top=args.top or None)
    return 0


def page_of(agreement: referee.Agreement, annotations: Mapping[str, object], options: Mapping[str, Any]) -> referee.Inspection:
    """Make the page of all annotators, and of any two side by side."""
    from referee.agreement.result import measure_title
    from referee.pages.inspector.annotators import Agreed, Annotators, OfAnnotator

    names, corpora = list(annotations), list(annotations.values())
    page, *pairs = (referee.inspect(*corpora[first:], names=names[first + 1 :], **options) for first in range(len(corpora) - 1))
    agreed = Agreed(
        alpha=f"alpha {agreement.distance}",
        together=agreement.together,
        pairs=[*agreement.pairs.values()],
        by_document=agreement.by_document,
        pairs_by_document=[*agreement.pairs_by_document.values()],
        interval=agreement.interval,
        level=agreement.resampling.level,
        units=agreement.units,
        titles={name: measure_title(name) for name in agreement.together},
        signature=agreement.signature_of_intervals,
        warnings=[*agreement.warnings, *filter(None, [agreement.caution])],
        disputed=[
            OfAnnotator(d.document, d.annotator, d.name, d.mentions, d.disagreement) for d in agreement.disputed[:DISPUTES]
        ],
    )
    corrects = [pair.corrects for pair in pairs]
    return replace(page, annotators=Annotators(names, [pair.evaluations for pair in pairs], agreed, corrects))


def _merged(merged: Merged, sources: list[Corpus], args: Namespace) -> Callable[[], None]:
    """Return what writes the merged key, and what is to be adjudicated: both or neither."""
    from referee.agreement.for_tools import planned_for_tool, planned_merged
    from referee.inputs.writing import named_by_ending

    files = [path for path in (args.merged, args.adjudicate) if path]
    others = [path for path in files if named_by_ending(path) in (None, "tsv")]  # a .tsv file may be one of WebAnno
    to = dict.fromkeys(others or files, args.to)
    plans = []
    if args.adjudicate:  # first, as only it may still be refused when it is written
        how = {"format": to.get(args.adjudicate), "lossy": args.lossy, "sources": sources}
        plans.append(planned_for_tool(merged.adjudication, args.adjudicate, **how))
    if args.merged:
        plans.append(planned_merged(merged.corpus, args.merged, format=to.get(args.merged), sources=sources))

    def write_both() -> None:
        for write in plans:
            write()
        if merged.undecided:
            more = "" if args.adjudicate else ", --adjudicate writes a file for an annotation tool"
            warn(f"{merged.summary}; undecided mentions are not in a merged key: --by undecided lists them{more}")

    return write_both
