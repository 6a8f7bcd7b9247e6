"""The options that say how intervals and tests are made."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import referee
from referee.basics.exceptions import OptionError, warn
from referee.cli.help import TakesOptions, rare
from referee.stats.choices import INTERVALS, MOST, TESTS, UNITS

if TYPE_CHECKING:
    from referee.scoring.systems import Systems


def add_arguments(parser: ArgumentParser, *, verb: str = "score") -> None:
    """Add those that the verb `of` needs."""
    sure = parser.add_argument_group("intervals and tests (all options are in the signature)")
    few = rare(sure)
    if verb in ("score", "phrases"):
        units = "sentences" if verb == "phrases" else "documents"
        sure.add_argument("--intervals", action="store_true", help=f"show an interval for each score, from resampled {units}")
    few.add_argument("--method", choices=INTERVALS, help="kind of interval (default: percentile; linear above 100,000 units)")
    few.add_argument("--level", type=float, metavar="NUMBER", help="level of the intervals (default: 0.95)")
    few.add_argument("--resamples", type=int, metavar="N", help=f"number of resamples, at most {MOST} (default: 10000)")
    few.add_argument("--seed", type=int, metavar="N", help="seed of the random numbers (default: 0)")
    if verb in ("score", "compare"):
        few.add_argument(
            "--unit",
            choices=UNITS,
            help="the resampling unit; sentence: only for mentions; entity: those that responses merge together, not for blanc "
            "(default: document; entity for records in one document)",
        )
    if verb in ("compare", "phrases compare"):
        few.add_argument("--test", choices=TESTS, help="the test that gives p, corrected after Holm (default: randomization)")


def add_systems(group: TakesOptions) -> None:
    """Add the names of the systems that are compared, and the baseline."""
    group.add_argument("--names", metavar="A,B,...", help="names of the systems (default: those of the files)")
    text = "the system with which the others are compared, or its file (default: the first)"
    group.add_argument("--baseline", metavar="NAME", help=text)


def resampling(args: Namespace) -> referee.Resampling:
    """Return what was given. OptionError for a wrong value."""
    return referee.Resampling(**_options(args))


def of_scores(args: Namespace, unit: str = "") -> referee.Resampling | None:
    """Return what was given, or another `unit`, if --intervals was given; else None. OptionError if no interval is shown."""
    if args.intervals and args.quiet:
        raise OptionError("--quiet prints one number, without an interval; expected --intervals without it")
    if not are_intervals_shown(args, args.intervals, "--intervals with it"):
        return None
    return resampling(Namespace(**{**vars(args), "unit": unit})) if unit else resampling(args)


def are_intervals_shown(args: Namespace, yes: bool, expected: str) -> bool:
    """Return whether intervals are shown, `yes`. OptionError if they are not, but one of their options was given."""
    if _options(args) and not yes:
        raise OptionError(f"--{min(_options(args))} is of intervals; expected {expected}")
    return yes


def with_intervals(
    systems: Systems, evaluations: Sequence[referee.Evaluation | referee.StoredScores], settings: referee.Resampling
) -> Systems:
    """Return the scores with their intervals; warn where these are missing or rough."""
    from referee.scoring.intervals import intervals

    by_system = {e.name: intervals(e, e.key_name, settings) for e in evaluations}
    for note in dict.fromkeys(note for i in by_system.values() for note in i.notes):
        warn(note)
    made = next(iter(by_system.values())).resampling
    return replace(systems, intervals={name: i.sides for name, i in by_system.items()}, resampling=made)


def _options(args: Namespace) -> dict[str, Any]:
    names = ("method", "level", "resamples", "seed", "unit", "test")
    return {name: getattr(args, name) for name in names if getattr(args, name, None) is not None}
