"""The options that say what is scored, how it is scored, and how files are read: for all verbs that score."""

from __future__ import annotations

import math
import os
from argparse import ArgumentParser, Namespace, _ArgumentGroup
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.basics.exceptions import OptionError
from referee.basics.options.choices import ANSWERS, READABLE
from referee.basics.options.options import RECORDS, check_threshold, names_given
from referee.basics.system_names import names_of
from referee.cli import table_options
from referee.cli.help import TakesOptions, add_format, rare

KEY = "the key: gold-standard annotation"
RESPONSE = "the response: system output"
BY = "also score each document; file or folder of KEY; prefix of names; or a FIELD of --metadata"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of scoring and reading."""
    add_options(parser.add_argument_group("scoring (all options are in the signature)"), *RECORDS)
    table_options.add_skipping(rare(add_files(parser, READABLE)))
    table_options.add_threshold(table_options.add_reading(parser), "the responses are")


def add_options(group: TakesOptions, *names: str) -> None:
    """Add options of scoring, as their records describe them."""
    few = rare(group)
    for name in names:
        record = RECORDS[name]
        of_value: dict[str, Any] = (
            {"choices": record.choices, "type": record.meant} if record.choices else {"metavar": record.metavar}
        )
        if record.number is not None:
            of_value["type"] = float
        flags = [record.flag] * bool(record.flag) + [f"--{name.replace('_', '-')}"]
        (few if record.is_rare else group).add_argument(*flags, help=record.help, **of_value)


def add_files(parser: ArgumentParser, formats: Collection[str]) -> _ArgumentGroup:
    """Add the formats of the files, chosen from `formats`."""
    read = parser.add_argument_group("files")
    add_format(
        read, "--format", formats, "format of all files; of responses alone, if it is tagged or quotes (default: detected)"
    )
    few = rare(read)
    add_format(few, "--key-format", formats, "format of the key")
    add_format(few, "--response-format", formats, "format of the responses")
    return read


def add_metrics(
    group: TakesOptions, text: str = "metrics, separated by commas", default: str = "those that papers report"
) -> None:
    """Add the metrics."""
    group.add_argument("-m", "--metrics", metavar="NAMES", help=f"{text} (default: {default})")


def add_names(group: TakesOptions, whose: str = "systems", default: str = "those of the files") -> None:
    """Add the names of what the files have."""
    group.add_argument("--names", metavar="A,B,...", help=f"names of the {whose} (default: {default})")


def request(args: Namespace) -> dict[str, Any]:
    """Return the metrics, the formats and the options of scoring, as arguments of `referee.score`."""
    key_format, response_format = formats(args)
    return {"metrics": metrics(args), "key_format": key_format, "response_format": response_format, **options(args)}


def options(args: Namespace) -> dict[str, Any]:
    """Return what was given, as arguments of `referee.score`; OptionError for a wrong value, before any file is read."""
    from referee.scoring.other_scorers.profiles import profile_named

    names = [name for name in RECORDS if name not in ("profile", "lea_importance")]
    values = {name: value for name in names if (value := getattr(args, name, None)) is not None}
    if isinstance(args.lea_importance, Mapping):  # of a task
        values["lea_importance"] = args.lea_importance
    elif args.lea_importance:
        pairs = (pair(text, "--lea-importance") for text in args.lea_importance.split(","))
        values["lea_importance"] = {name: float(weight) for name, weight in pairs}
    profile = args.profile or "default"
    replace(profile_named(profile).options, **values)
    if args.threshold is not None:
        check_threshold(args.threshold, probable=False)
        values["threshold"] = args.threshold
    return values | table_options.reading(args) | {"profile": profile}


def metrics(args: Namespace) -> list[str] | str | None:
    """Return the ids of the metrics that were named, "all", or None. UnknownNameError for an unknown one."""
    from referee.metrics.registry import ALL, metrics_named

    return args.metrics if args.metrics in (None, ALL) else list(metrics_named(args.metrics))


def check_files(paths: Sequence[str]) -> None:
    """Raise OptionError if standard input is asked for more than once: it can be read only once."""
    if paths.count("-") > 1:
        raise OptionError("- is standard input, which can be read only once; found it as more than one file")
    for path in (path for path in paths if path.isidentifier() and not os.path.exists(path)):
        from referee.metrics.registry import METRICS, id_of

        if id_of(path) in METRICS:
            raise OptionError(f"found {path}, a metric, among the files; expected commas between metrics, as -m lea,{path}")


def names(values: str | None, files: Sequence[str]) -> list[str]:
    """Return the names of systems: those given, with commas between them, or those of files. OptionError if they do not fit."""
    return names_of(files) if values is None else names_given(values, len(files))


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
