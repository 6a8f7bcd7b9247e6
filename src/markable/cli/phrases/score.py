"""Score phrases: how many bits are missing to the key, expected recall and precision, and whose fault it is.

KEY and RESPONSE are candidates with probabilities (JSON lines, Parquet), probabilities of tags, lists of spans, tags in
columns, trees, or mentions in any format of markable formats; gzip or not; - is standard input. A response without
probabilities is one of 0 and 1: its expected recall and precision are the usual ones.

If KEY and RESPONSE are one file of columns, the key is the last column but one, as conlleval has it.

examples:
  markable phrases score key.conll response.conll --decode IOB2
  markable phrases score key.conll c.jsonl --without Null
  markable phrases score key.conll a.jsonl b.parquet --by category,length,coverage --intervals
  markable phrases score output.txt output.txt
  markable phrases score key.jsonl model.jsonl --report csv --plot blame.svg
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace

from markable.cli import resampling_options, scoring_options
from markable.errors import UnknownNameError, counted, warn
from markable.formats import output
from markable.phrases.blame import blame
from markable.phrases.bootstrap import intervals
from markable.phrases.candidates import Candidates, Chunks
from markable.phrases.chunking import MODES
from markable.phrases.corpora import NULL
from markable.phrases.formats import FORMATS, Reading, detect, opened, read, read_key
from markable.phrases.hard import MATCHES, match
from markable.phrases.iob import RULES
from markable.phrases.measures import GROUPS, MEASURES, measure
from markable.phrases.reports import REPORTS, Result, signature


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="the phrases that are believed")
    parser.add_argument("responses", metavar="RESPONSE", nargs="+", help="the candidates that are judged; one column each")
    show = parser.add_argument_group("what is shown")
    show.add_argument("-r", "--report", choices=REPORTS, default="text", help="form of the report (default: text)")
    show.add_argument("--by", metavar="NAMES", default="", help=f"whose fault it is, with commas between: {', '.join(GROUPS)}")
    show.add_argument("--reliability", action="store_true", help="the table of what is said and what is true")
    show.add_argument("--plot", metavar="FILE", help="draw blame and reliability: a .svg, .png or .pdf")
    show.add_argument("-o", "--output", metavar="FILE", default="-", help="write the report to a file")
    how = parser.add_argument_group("how it is scored (all of it stands in the signature)")
    how.add_argument("--floor", type=float, metavar="NUMBER", default=0.0, help="raise probabilities to this (default: none)")
    how.add_argument("--without", metavar="NAMES", default="", help="leave these categories out of the universe")
    how.add_argument("--categories", metavar="NAMES", default="", help="categories to add to the universe, if only in name")
    how.add_argument("--untyped", action="store_true", help="phrases without categories")
    how.add_argument("--decode", choices=RULES, default="conlleval", help="how tags become phrases (default: conlleval)")
    how.add_argument("--trees", choices=MODES, default="abney", help="how trees become chunks (default: abney)")
    how.add_argument(
        "--null",
        metavar="NAME",
        default="",
        help=f"make each O tag a phrase of this category (default: {NULL}, if a response has it)",
    )
    resampling_options.add_arguments(parser, of="phrases")
    files = parser.add_argument_group("how files are read")
    files.add_argument("--format", choices=FORMATS, help="format of all files (default: told from the content)")
    files.add_argument("--key-format", choices=FORMATS, help="format of the key")
    files.add_argument("--response-format", choices=FORMATS, help="format of the responses")
    files.add_argument("--key-column", type=int, metavar="NUMBER", help="column of the key's tags, from 1, or from the end: -1")
    files.add_argument("--response-column", type=int, metavar="NUMBER", default=-1, help="of the responses' (default: -1)")


def run(args: Namespace) -> int:
    groups = _names(args.by)
    for name in groups:
        if name not in GROUPS:
            raise UnknownNameError("group", name, GROUPS)
    asked = resampling_options.of_phrases(args)
    scoring_options.check_files([args.key, *args.responses])
    same = args.key in args.responses
    reading = Reading(args.decode, args.response_column, args.null, args.untyped, args.trees)
    key_reading = replace(reading, column=args.key_column if args.key_column is not None else -2 if same else -1)
    places = [opened(path) for path in (args.key, *args.responses)]
    wanted = [args.key_format, *[args.response_format] * len(args.responses)]
    formats = [name or args.format or detect(place) for name, place in zip(wanted, places, strict=True)]

    def sides(null: str) -> tuple[Chunks, list[Chunks | Candidates]]:
        ours, theirs = replace(key_reading, null=null), replace(reading, null=null)
        pairs = zip(places[1:], formats[1:], strict=True)
        return read_key(places[0], format=formats[0], reading=ours), [read(p, format=f, reading=theirs) for p, f in pairs]

    key, responses = sides(args.null)
    without = _names(args.without)
    if not args.null and NULL not in without and _lacks_null(key, responses):
        if "columns" in formats:
            args.null = NULL
            key, responses = sides(NULL)
        if _lacks_null(key, responses):
            warn(f"{key.source} has no {NULL}, which a response has; expected it in both: leave it out with --without {NULL}")
    # One universe for all: otherwise the numbers of one response would not compare with those of another.
    names = (*key.categories, *_names(args.categories), *(name for r in responses for name in r.categories))
    key = key.renamed([name for name in dict.fromkeys(names) if name not in without])
    settings = {
        **({"decode": args.decode} if "columns" in formats else {}),
        **({"trees": args.trees} if "trees" in formats else {}),
        **{name: getattr(args, name) for name in ("null", "without", "untyped") if getattr(args, name)},
    }
    results = []
    if asked and len(key.sentences) < 2:
        warn(f"no interval can be given: there is {counted(len(key.sentences), 'sentence')}, and at least two are needed")
    if without:
        responses = [r.renamed([name for name in r.categories if name not in without]) for r in responses]
    for response in responses:
        scores = measure(key, response, floor=args.floor)
        measures = [*MEASURES, *(["recalibrated"] if scores.hard else [])]
        results.append(
            Result(
                scores,
                signature(scores, asked, **settings),
                intervals(scores, measures, asked) if asked else {},
                [blame(scores, group) for group in groups],
                {how: match(key, response, how).total for how in MATCHES} if isinstance(response, Chunks) else {},
                args.reliability,
            )
        )
    with output(args.output) as out:
        if args.plot:  # first: if it fails, nothing is written
            from markable.phrases.plots import plot

            plot([r.scores for r in results], args.plot)
        REPORTS[args.report](results, out)
    return 0


def _lacks_null(key: Chunks, responses: Sequence[Chunks | Candidates]) -> bool:
    """Whether a response has words outside of phrases as chunks of their own, as our models do, and the key has not."""
    return NULL not in key.used() and any(NULL in r.categories for r in responses)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
