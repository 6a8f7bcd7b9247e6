"""The options that say how intervals and tests are made."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import Any

from referee.exceptions import OptionError, warn
from referee.reports import Results
from referee.stats.intervals import INTERVALS
from referee.stats.settings import MOST, UNITS, Resampling
from referee.stats.significance import TESTS


def add_arguments(parser: ArgumentParser, *, of: str = "score") -> None:
    sure = parser.add_argument_group("intervals and tests (all options are in the signature)")
    if of in ("score", "phrases"):
        units = "sentences" if of == "phrases" else "documents"
        sure.add_argument("--intervals", action="store_true", help=f"show an interval for each score, from resampled {units}")
    sure.add_argument("--method", choices=INTERVALS, help="kind of interval (default: percentile)")
    sure.add_argument("--level", type=float, metavar="NUMBER", help="level of the intervals (default: 0.95)")
    sure.add_argument("--resamples", type=int, metavar="N", help=f"number of resamples, at most {MOST} (default: 10000)")
    sure.add_argument("--seed", type=int, metavar="N", help="seed of the random numbers (default: 0)")
    if of in ("score", "compare"):
        sure.add_argument(
            "--unit", choices=UNITS, help="the resampling unit; sentence only for the metric mentions (default: document)"
        )
    if of == "compare":
        sure.add_argument("--test", choices=TESTS, help="the test that gives p, corrected after Holm (default: randomization)")


def resampling(args: Namespace) -> Resampling:
    """What was given. OptionError for what is wrong with it."""
    return Resampling(**_given(args))


def of_score(args: Namespace) -> Resampling | None:
    """What was given, if --intervals was; else None. OptionError for one without the other, and where none are shown."""
    if args.intervals and args.quiet:
        raise OptionError("--quiet prints one number, without an interval; expected --intervals without it")
    if args.intervals and args.report in ("csv", "tsv"):
        raise OptionError(f"--intervals is not in {args.report}; expected --report json, or referee compare")
    return resampling(args) if shown(args, args.intervals, "--intervals with it") else None


def of_phrases(args: Namespace) -> Resampling | None:
    """What was given, over sentences, if --intervals was; else None. OptionError for one without the other."""
    return replace(resampling(args), unit="sentence") if shown(args, args.intervals, "--intervals with it") else None


def shown(args: Namespace, yes: bool, expected: str) -> bool:
    """Whether intervals are shown. OptionError for options of theirs if they are not."""
    if _given(args) and not yes:
        raise OptionError(f"--{min(_given(args))} is of intervals; expected {expected}")
    return yes


def with_intervals(results: Results, asked: Resampling) -> Results:
    """The results, with an interval of each number; warns where none can be given."""
    from referee.comparison.comparing import about_intervals, intervals  # a plain score has no use for it

    found = [intervals(e, asked) for e in results.evaluations]
    notes = dict.fromkeys(note for c in found for note in about_intervals(c.parts, asked, c.metrics))
    for note in notes:
        warn(note)
    cells = [{m: cell.intervals for m, cell in c.parts[-1].cells[c.baseline].items()} for c in found]
    return replace(results, intervals=cells, resampling=asked.signature, warnings=[*results.warnings, *notes])


def _given(args: Namespace) -> dict[str, Any]:
    names = ("method", "level", "resamples", "seed", "unit", "test")
    return {name: getattr(args, name) for name in names if getattr(args, name, None) is not None}
