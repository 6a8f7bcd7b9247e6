"""The options that say how files are read and scored, for all verbs that score."""

from __future__ import annotations

import dataclasses
import math
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Sequence
from typing import Any

from referee.corpus.cross_document import GROUPINGS
from referee.exceptions import OptionError, check_name
from referee.formats.registry import FORMATS
from referee.matching.matchers import MATCHERS
from referee.matching.repeated_mentions import REPEATED_MENTIONS
from referee.metrics.registry import METRICS
from referee.scoring.options import CHOICES, PROFILES, Options


def add_arguments(parser: ArgumentParser) -> None:
    how = parser.add_argument_group("how it is scored (all of it stands in the signature)")
    how.add_argument("-p", "--profile", choices=PROFILES, default="default", help="settings of another program")
    how.add_argument("--match", choices=MATCHERS, help="which mentions are the same (default: exact)")
    how.add_argument(
        "--overlap",
        type=float,
        metavar="NUMBER",
        help="for --match overlap: least share (below 1) or number of positions (default: 0.5)",
    )
    how.add_argument("--zeros", choices=CHOICES["zeros"], help="how zeros are matched (default: dependent)")
    how.add_argument("--duplicates", choices=REPEATED_MENTIONS, help="a mention listed twice (default: first)")
    how.add_argument("--singletons", choices=CHOICES["singletons"], help="entities of one mention (default: keep)")
    how.add_argument("--across", choices=GROUPINGS, help="entities of one document, topic, or the corpus (default: document)")
    how.add_argument("--undefined", type=float, metavar="NUMBER", help="value of 0/0 (default: nan, printed as -)")
    how.add_argument("--average", choices=CHOICES["average"], help="add counts, or average documents (default: micro)")
    how.add_argument("--tokens", choices=CHOICES["tokens"], help="check that the words are the same (default: compare)")
    how.add_argument(
        "--extra-documents", choices=CHOICES["extra_documents"], help="documents only in the response (default: score)"
    )
    how.add_argument("--beta", type=float, metavar="NUMBER", help="weight of recall in F (default: 1)")
    how.add_argument("--decimals", choices=CHOICES["decimals"], help="round percentages, or cut them (default: round)")
    how.add_argument("--lea-importance", metavar="TYPE=NUMBER,...", help="weights of entity types for LEA (default: sizes)")
    read = parser.add_argument_group("how files are read")
    read.add_argument(
        "--format", choices=FORMATS, metavar="FORMAT", help="format of all files (default: told from the content)"
    )
    read.add_argument("--key-format", choices=FORMATS, metavar="FORMAT", help="format of the key")
    read.add_argument("--response-format", choices=FORMATS, metavar="FORMAT", help="format of the responses")


def options(args: Namespace) -> dict[str, Any]:
    """What was given, as arguments of `referee.score`. OptionError for what is wrong with it, before any file is read."""
    given = {
        field.name: getattr(args, field.name)
        for field in dataclasses.fields(Options)
        if getattr(args, field.name, None) is not None and field.name not in ("profile", "lea_importance")
    }
    if args.lea_importance:
        pairs = (pair(text, "--lea-importance") for text in args.lea_importance.split(","))
        given["lea_importance"] = {type_: float(weight) for type_, weight in pairs}
    dataclasses.replace(PROFILES[args.profile].options, **given)
    return given | {"profile": args.profile}


def metrics(args: Namespace, known: Collection[str] = METRICS) -> list[str] | None:
    """The measures that were named, with commas between them; None for none. UnknownNameError."""
    if not args.metrics:
        return None
    names = list(dict.fromkeys(name.strip() for name in args.metrics.split(",")))
    for name in names:
        check_name("metric", name, known)
    return names


def check_files(paths: Sequence[str]) -> None:
    """OptionError if standard input is asked for more than once: it can be read only once."""
    if paths.count("-") > 1:
        raise OptionError("- is standard input, which can be read only once; found it as more than one file")


def formats(args: Namespace) -> tuple[str | None, str | None]:
    """Of the key, and of responses."""
    return args.key_format or args.format, args.response_format or args.format


def pair(text: str, option: str) -> tuple[str, str]:
    """A name and a number, as text. OptionError if it is anything else."""
    name, equals, value = text.partition("=")
    try:
        is_number = not math.isnan(float(value))
    except ValueError:
        is_number = False
    if not (equals and is_number):
        raise OptionError(f"{option} takes NAME=NUMBER; found {text!r}")
    return name, value
