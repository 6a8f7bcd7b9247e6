"""The options that let a build fail if a system is worse than the baseline.

Modules of the package are imported only when a build may fail: most calls need none of them.
"""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import referee
from referee.basics.exceptions import OptionError, one_line
from referee.cli.help import TakesOptions, rare

if TYPE_CHECKING:
    from referee.comparison.values import Worse


def add_arguments(group: TakesOptions, *, verb: str = "compare") -> None:
    """Add the metrics by which a system may not be worse, and by how much it may be."""
    first, units = ("exact_match", "sentences") if verb == "phrases compare" else ("conll, or the first", "documents")
    rest = f" by a metric (default: {first}); few {units} need --tolerance"
    text = (
        "exit with 1 if it is significantly worse by a metric"
        if verb == "score"
        else (f"exit with 1 if a system is significantly worse than the baseline{rest}")
    )
    group.add_argument("--fail-if-worse", metavar="NAMES", nargs="?", const="", help=text)
    few = rare(group) if verb == "score" else group
    few.add_argument("--tolerance", type=float, metavar="POINTS", help="for --fail-if-worse: no test; this much worse is well")


def check(args: Namespace) -> None:
    """OptionError for a tolerance that is none, or is for nothing."""
    if args.tolerance is not None and (args.fail_if_worse is None or not 0 <= args.tolerance < math.inf):
        raise OptionError("--tolerance takes points, 0 or more, and is for --fail-if-worse")


def worse(compared: referee.Comparison, args: Namespace, named: Callable[[str], Iterable[str]] | None = None) -> list[Worse]:
    """The systems that are worse than the baseline, if they may not be; `named` reads the names of metrics."""
    if args.fail_if_worse is None:
        return []
    from referee.comparison.regression import worse
    from referee.metrics.registry import metrics_named

    metrics = list((named or metrics_named)(args.fail_if_worse)) if args.fail_if_worse else None
    return worse(compared, metrics, args.tolerance)


def status(worse: list[Worse], baseline: str) -> int:
    """Say which systems are worse; return the exit status."""
    for system, metric, why in worse:
        print(f"referee: {one_line(system)}: {metric} is worse than that of {one_line(baseline)}: {why}", file=sys.stderr)
    return 1 if worse else 0
