"""The options that take others from the file of a task, or from a signature. Those of the command go before these."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from referee.basics.exceptions import OptionError, warn
from referee.basics.options.documents import DOCUMENT_OPTIONS
from referee.basics.options.options import RECORDS
from referee.basics.options.reading import READ_OPTIONS
from referee.basics.version import VERSION
from referee.cli.help import TakesOptions, rare


def add_arguments(group: TakesOptions, *, is_rare: bool = False) -> None:
    """Add the options."""
    few = rare(group)
    (few if is_rare else group).add_argument(
        "--task", metavar="FILE", help="key and options of a shared task, from a TOML file"
    )
    few.add_argument("--like", metavar="SIGNATURE", help="the options of a signature, as 'referee 0.3.0 | conll | ...'")


def fill(args: Namespace) -> None:
    """Set what the call leaves out, as a task file or a signature says it.

    Raises
    ------
    FormatError, MissingExtraError, OptionError, UnknownNameError
        If these cannot be read, or the verb lacks something that they ask for.
    """
    if args.task is not None and args.like is not None:
        raise OptionError("found --task and --like; expected one of them")
    if args.task is not None:
        _fill_from_task(args)
    else:
        _fill_from_signature(args)


def warn_of_difference(args: Namespace, signatures: Mapping[str, str]) -> None:
    """Warn if scores have another signature than --like asks for; `signatures` are those of the systems."""
    if getattr(args, "like", None) is None:
        return
    from referee.scoring.signature import naming
    from referee.scoring.signed_options import SignedScores

    signed = SignedScores.parse(args.like)
    if signed.version != VERSION:
        warn(f"--like is a signature of referee {signed.version}, not {VERSION}: the changelog has the numbers that changed")
    fewer = [signed.metrics] if getattr(args, "quiet", False) else []
    for difference in dict.fromkeys(signed.difference(naming(s, fewer) if fewer else s) for s in signatures.values()):
        if difference:
            warn(difference)


def _fill_from_task(args: Namespace) -> None:
    from referee.scoring.task_file import read_task

    task = read_task(args.task)
    if task.key is not None:
        _place_key(args, task.key)
    options = task.options
    if "responses" not in args and args.key is None:  # files alone, whose options are those of reading
        options = {name: value for name, value in options.items() if name in READ_OPTIONS and name not in DOCUMENT_OPTIONS}
    _set(args, options)
    if "by" in args:
        _set(args, task.grouping)
    if not getattr(args, "title", "named"):
        args.title = task.name
    if "fail_under" in args:
        args.fail_under = [*args.fail_under, *(f"{name}={limit}" for name, limit in task.limits.items())]


def _place_key(args: Namespace, key: str) -> None:
    """Take the key of a task: then the first file of the call is a response."""
    if "responses" not in args:  # validate, which names files
        args.key = args.key or key
        return
    responses = [path for path in (args.key, *args.responses) if path is not None]
    if again := [path for path in responses if os.path.exists(path) and os.path.realpath(path) == os.path.realpath(key)]:
        raise OptionError(f"{again[0]} is the key that {args.task} names; expected responses alone")
    args.key, args.responses = key, responses


def _fill_from_signature(args: Namespace) -> None:
    from referee.scoring.signed_options import SignedScores

    signed = SignedScores.parse(args.like)
    signed.check_version([name for name in (*RECORDS, "metrics") if getattr(args, name, None) is not None])
    _set(args, signed.options)
    resampling = signed.resampling
    if "intervals" in args and resampling and not args.quiet and "test" not in resampling:
        args.intervals = True
    if getattr(args, "intervals", True):
        _set(args, {name: value for name, value in resampling.items() if name in args})
    if "all_pairs" in args:
        args.all_pairs = args.all_pairs or "pairs" in signed.fields
    if "baseline" in args and args.baseline is None:
        args.baseline = signed.fields.get("baseline")


def _set(args: Namespace, values: Mapping[str, Any]) -> None:
    """Set options that the call does not have. OptionError for one that the verb has not."""
    for name, value in values.items():
        if name not in args:
            raise OptionError(
                f"found {name} in {args.task or '--like'}; referee {args.parser.prog.split()[1]} has no such option"
            )
        if getattr(args, name) is None:
            setattr(args, name, ",".join(value) if name == "metrics" and isinstance(value, list) else value)
