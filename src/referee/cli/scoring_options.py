"""The options that say what is scored, how it is scored, and how files are read: for all verbs that score."""

from __future__ import annotations

import dataclasses
import math
from argparse import ArgumentParser, Namespace, _ArgumentGroup
from collections.abc import Iterable, Sequence
from typing import Any

from referee.basics.exceptions import OptionError
from referee.basics.options.choices import (
    ANSWERS,
    CHOICES,
    CROSS_DOCUMENT,
    MATCHERS,
    PROFILES,
    READABLE,
    REPEATED_MENTIONS,
    format_named,
)
from referee.basics.options.options import Options, check_threshold, names_given
from referee.basics.system_names import names_of
from referee.cli import table_options
from referee.cli.help import rare

KEY = "the key: gold-standard annotation"
RESPONSE = "the response: system output"
BY = "also score documents, or groups of them: by the beginning of their names, or by a field of --metadata"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of scoring and reading."""
    how = parser.add_argument_group("scoring (all options are in the signature)")
    few = rare(how)
    how.add_argument("-p", "--profile", choices=PROFILES, default="default", help="settings of another scorer")
    how.add_argument("--match", choices=MATCHERS, help="when two mentions match; min: by minimum spans (default: exact)")
    few.add_argument(
        "--min-overlap", type=float, metavar="NUMBER",
        help="for --match overlap: the minimum share (below 1) or number of positions (default: 0.5)",
    )  # fmt: skip
    few.add_argument("--zeros", choices=CHOICES["zeros"], help="how zero mentions are matched (default: dependent)")
    few.add_argument(
        "--repeated-mentions", choices=REPEATED_MENTIONS, help="what to do with repeated mentions (default: first)"
    )
    how.add_argument("--singletons", choices=CHOICES["singletons"], help="entities of one mention (default: keep)")
    few.add_argument(
        "--cross-document", choices=CROSS_DOCUMENT, help="score entities of several documents: of a topic, or of the corpus"
    )
    few.add_argument("--zero-division", type=float, metavar="NUMBER", help="value of 0/0 (default: nan, printed as -)")
    few.add_argument("--average", choices=CHOICES["average"], help="add counts, or average documents (default: micro)")
    few.add_argument("--tokens", choices=CHOICES["tokens"], help="check that the words are the same (default: compare)")
    few.add_argument(
        "--extra-documents",
        choices=CHOICES["extra_documents"],
        help="what to do with documents that only the response has (default: score)",
    )
    few.add_argument("--items", choices=CHOICES["items"], help="items, not spans: score those of which side (default: union)")
    few.add_argument("--quotes", choices=CHOICES["quotes"], help="which occurrences listed strings mean (default: ordered)")
    few.add_argument("--beta", type=float, metavar="NUMBER", help="weight of recall in F (default: 1)")
    few.add_argument("--decimals", choices=CHOICES["decimals"], help="round percentages, or truncate (default: round)")
    few.add_argument(
        "--lea-importance", metavar="TYPE=NUMBER,...", help="weights of entity types for LEA (default: the size of each entity)"
    )
    table_options.add_skipping(rare(add_files(parser, READABLE)))
    table_options.add_threshold(table_options.add_reading(parser), "the responses are")


def add_files(parser: ArgumentParser, formats: Iterable[str]) -> _ArgumentGroup:
    """Add the formats of the files, chosen from `formats`."""
    read = parser.add_argument_group("files")
    read.add_argument(
        "--format",
        type=format_named,
        choices=formats,
        metavar="FORMAT",
        help="format of all files; of responses alone, if it is tagged or quotes (default: detected)",
    )
    few = rare(read)
    few.add_argument("--key-format", type=format_named, choices=formats, metavar="FORMAT", help="format of the key")
    few.add_argument("--response-format", type=format_named, choices=formats, metavar="FORMAT", help="format of the responses")
    return read


def options(args: Namespace) -> dict[str, Any]:
    """Return what was given, as arguments of `referee.score`; OptionError for a wrong value, before any file is read."""
    from referee.scoring.other_scorers.profiles import profile_named

    given = {
        field.name: getattr(args, field.name)
        for field in dataclasses.fields(Options)
        if getattr(args, field.name, None) is not None and field.name not in ("profile", "lea_importance")
    }
    if args.lea_importance:
        pairs = (pair(text, "--lea-importance") for text in args.lea_importance.split(","))
        given["lea_importance"] = {name: float(weight) for name, weight in pairs}
    dataclasses.replace(profile_named(args.profile).options, **given)
    if args.threshold is not None:
        check_threshold(args.threshold)
        given["threshold"] = args.threshold
    return given | table_options.reading(args) | {"profile": args.profile}


def metrics(args: Namespace) -> list[str] | str | None:
    """Return the ids of the metrics that were named, "all", or None. UnknownNameError for an unknown one."""
    from referee.metrics.registry import ALL, metrics_named

    return args.metrics if args.metrics in (None, ALL) else list(metrics_named(args.metrics))


def check_files(paths: Sequence[str]) -> None:
    """Raise OptionError if standard input is asked for more than once: it can be read only once."""
    if paths.count("-") > 1:
        raise OptionError("- is standard input, which can be read only once; found it as more than one file")


def names(given: str | None, files: Sequence[str]) -> list[str]:
    """Return the names of systems: those given, with commas between them, or those of files. OptionError if they do not fit."""
    return names_of(files) if given is None else names_given(given, len(files))


def formats(args: Namespace) -> tuple[str | None, str | None]:
    """Return the format of the key, and that of responses: one of answers is meant for responses."""
    of_answers = args.format is not None and args.format.partition(":")[0] in ANSWERS
    return args.key_format or (None if of_answers else args.format), args.response_format or args.format


def pair(text: str, option: str) -> tuple[str, str]:
    """Return a name and a number, as text; OptionError if the text is anything else."""
    name, equals, value = text.partition("=")
    try:
        is_number = not math.isnan(float(value))
    except ValueError:
        is_number = False
    if not (equals and is_number):
        raise OptionError(f"{option} takes NAME=NUMBER; found {text!r}")
    return name, value
