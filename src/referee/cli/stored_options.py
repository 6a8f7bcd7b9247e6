"""Counts files on the command line: written by `score`, read by `score` and `compare`.

Modules of the package are imported only when a counts file is read or written: most scores need none of them.
"""

from __future__ import annotations

import os
from argparse import Namespace, _ArgumentGroup
from collections.abc import Mapping, Sequence
from dataclasses import replace

import referee
from referee.basics.exceptions import OptionError, one_line
from referee.cli import gate_options, scoring_options, table_options


def add_arguments(show: _ArgumentGroup) -> None:
    """Add the option that writes a counts file, and the one that compares with it."""
    show.add_argument("--counts", metavar="FILE", help="write the counts of documents to a .parquet file")
    show.add_argument("--against", metavar="FILE", help="compare with the --counts of another run")


def check(args: Namespace) -> None:
    """OptionError unless there is a response, and only one if there is a counts file to be written."""
    if not args.responses:
        raise OptionError("found no response; expected KEY RESPONSE, or counts files that --counts has written")
    if args.counts and len(args.responses) > 1:
        raise OptionError(f"--counts writes the counts of one response; found {len(args.responses)}: one file each")


def against(args: Namespace) -> referee.StoredScores | None:
    """The scores of the run that this one is compared with; None without --against.

    Raises
    ------
    OptionError
        If --fail-if-worse has no such run, --counts would overwrite it, or it has not the metrics.
    """
    if args.against is None:
        if args.fail_if_worse is not None:
            raise OptionError(
                "--fail-if-worse needs a run to compare with; expected --against FILE, as --counts has written it"
            )
        return None
    gate_options.check(args)
    if args.counts and os.path.abspath(args.counts) == os.path.abspath(args.against):
        raise OptionError(f"--counts would overwrite {args.against}, with which it is compared; expected another file")
    scores, metrics = referee.read_counts(args.against), scoring_options.metrics(args)
    return scores.only(metrics) if isinstance(metrics, list) else scores


def are_counts(files: Sequence[str]) -> bool:
    """Whether the files are counts files.

    Raises
    ------
    OptionError
        If only some are.
    """
    counts = _counts_among(files)
    if counts and len(counts) < len(files):
        other = next(file for file in files if file not in counts)
        raise OptionError(f"{counts[0]} has counts, and {other} has not; expected counts files alone, or none")
    return bool(counts)


def _counts_among(files: Sequence[str]) -> list[str]:
    if not any(file.endswith(".parquet") for file in files):
        return []
    from referee.inputs.paths import is_counts_file

    return [file for file in files if is_counts_file(file)]


def compared(args: Namespace) -> dict[str, referee.StoredScores]:
    """The scores of the counts files that are compared; none if the files are others.

    Raises
    ------
    OptionError, MismatchError
        As `read`; if KEY is given, and is another file than that of the counts; if some responses are no counts files.
    """
    files = [file for file in (args.key, *args.responses) if file is not None]
    if not _counts_among(files):
        return {}
    key = files[:1] if not _counts_among(files[:1]) else []
    are_counts(files[len(key) :])
    stored = {scores.name: scores for scores in read(files[len(key) :], args)}
    if key:
        from referee.scoring.stored import check_key

        check_key(key[0], stored)
    metrics = scoring_options.metrics(args)
    return {name: s.only(metrics) for name, s in stored.items()} if isinstance(metrics, list) else stored


def files_of(stored: Mapping[str, referee.StoredScores], args: Namespace) -> dict[str, str]:
    """The counts file of each system that is compared."""
    files = [file for file in (args.key, *args.responses) if file is not None]
    return dict(zip(stored, files[-len(stored) :], strict=True))


def read(files: Sequence[str], args: Namespace) -> list[referee.StoredScores]:
    """Read counts files, by the names of the systems.

    Raises
    ------
    OptionError, MismatchError
        If an option of scoring is given, or the files were made with different ones, or from different keys.
    """
    from referee.scoring.stored import check_comparable

    options = scoring_options.options(args) | table_options.options(args)
    refused = sorted(options.keys() - {"profile"}) + ["profile"] * (options["profile"] != "default")
    refused += ["counts"] * (getattr(args, "counts", None) is not None)
    if refused:
        name = refused[0].replace("_", "-")
        raise OptionError(f"--{name} is for files that are scored; found counts, whose options are stored")
    stored = {file: referee.read_counts(file) for file in files}
    check_comparable(stored)
    names = scoring_options.names(args.names, files) if args.names else [scores.name for scores in stored.values()]
    if len(set(names)) < len(names):
        names = scoring_options.names(None, files)
    return [replace(scores, name=one_line(name)) for name, scores in zip(names, stored.values(), strict=True)]
