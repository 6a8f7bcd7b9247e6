"""Score phrases: how many bits are missing to the key, expected recall and precision, and whose fault it is.

KEY and RESPONSE are candidates with probabilities (JSON lines, Parquet), probabilities of tags, lists of spans, tags in
columns, trees, or mentions in any format of referee formats; gzip or not; - is standard input. A response without
probabilities is one of 0 and 1: its expected recall and precision are the usual ones.

If KEY and RESPONSE are one file of columns, the key is the last column but one, as conlleval has it.

examples:
  referee phrases score key.conll response.conll --decode IOB2
  referee phrases score key.conll c.jsonl --without Null
  referee phrases score key.conll a.jsonl b.parquet --by category,length,coverage --intervals
  referee phrases score output.txt output.txt
  referee phrases score key.jsonl model.jsonl --report csv --plot blame.svg
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

from referee.cli import resampling_options, scoring_options
from referee.exceptions import OptionError, check_name, warn
from referee.files import output
from referee.phrases.blame import blame
from referee.phrases.candidates import Candidates, Chunks
from referee.phrases.chunks.chunking import MODES
from referee.phrases.chunks.iob import RULES
from referee.phrases.formats.reading import Reading, detect, opened, read, read_key, untyped
from referee.phrases.formats.registry import FORMATS
from referee.phrases.hard import MATCHES, match
from referee.phrases.intervals import intervals
from referee.phrases.measures import GROUPS, MEASURES, measure
from referee.phrases.models.corpora import NULL
from referee.phrases.report import REPORTS, Result, signature


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
        help=f"make each O tag a phrase of this category (default: {NULL}, if another file has it)",
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
        check_name("group", name, GROUPS)
    asked = resampling_options.of_phrases(args)
    scoring_options.check_files([args.key, *args.responses])
    key, responses, formats = _sides(args)
    settings = {
        **({"decode": args.decode} if "columns" in formats else {}),
        **({"trees": args.trees} if "trees" in formats else {}),
        **{name: getattr(args, name) for name in ("null", "without", "untyped") if getattr(args, name)},
    }
    if asked and (note := asked.too_few(len(key.sentences))):
        warn(note)
    results = []
    for response in responses:
        scores = measure(key, response, floor=args.floor)
        answer = response.certain if isinstance(response, Candidates) and response.is_hard else response
        measures = [*MEASURES, *(["recalibrated"] if scores.hard else [])]
        results.append(
            Result(
                scores,
                signature(scores, asked, **settings),
                intervals(scores, measures, asked) if asked else {},
                [blame(scores, group) for group in groups],
                {how: match(key, answer, how).total for how in MATCHES} if isinstance(answer, Chunks) else {},
                args.reliability,
            )
        )
    with output(args.output) as out:
        if args.plot:  # first: if it fails, nothing is written
            from referee.phrases.plots import plot

            plot([r.scores for r in results], args.plot, groups=groups)
        REPORTS[args.report](results, out)
    return 0


def _sides(args: Namespace) -> tuple[Chunks, list[Chunks | Candidates], list[str]]:
    """Key and responses over the categories that are scored, and the formats of all files; `args.null` says what O became."""
    same = args.key in args.responses
    reading = Reading(args.decode, args.response_column, args.null, trees=args.trees)
    key_reading = replace(reading, column=args.key_column if args.key_column is not None else -2 if same else -1)
    places = [opened(path) for path in (args.key, *args.responses)]
    wanted = [args.key_format, *[args.response_format] * len(args.responses)]
    formats = [name or args.format or detect(place) for name, place in zip(wanted, places, strict=True)]

    def side(n: int, null: str) -> Chunks | Candidates:
        how = replace(reading if n else key_reading, null=null)
        return (read if n else read_key)(places[n], format=formats[n], reading=how)

    sides = [side(n, args.null) for n in range(len(places))]
    null, without = args.null or NULL, _names(args.without)
    if null not in without and any(null in s.categories for s in sides):
        # Words outside of phrases are chunks of their own, as our models have them: then in tags, too.
        for n, name in enumerate(formats):
            if name == "columns" and null not in sides[n].categories:
                sides[n] = side(n, null)
        if "columns" in formats:
            args.null = null
        for s in sides:
            if null not in s.categories:
                warn(f"{s.source} has no {null}, which others have; expected it in all: leave it out with --without {null}")
    # One universe for all: otherwise the numbers of one response would not compare with those of another.
    names = list(dict.fromkeys([*sides[0].categories, *_names(args.categories), *(x for s in sides for x in s.categories)]))
    for name in without:
        check_name("category", name, names)
    universe = [name for name in names if name not in without]
    if not universe:
        raise OptionError(f"--without leaves out all categories: {', '.join(names)}; expected some to be left")
    sides = [sides[0].renamed(universe), *(s.renamed([x for x in s.categories if x not in without]) for s in sides[1:])]
    if args.untyped:
        sides = [untyped(s) for s in sides]
    key, *responses = sides
    assert isinstance(key, Chunks)
    return key, responses, formats


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]
