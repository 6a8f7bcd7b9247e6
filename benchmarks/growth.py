"""How time and memory of `referee score` grow with the number of mentions of one document.

    python benchmarks/growth.py WORK

Prints, for each share of moved mentions, a table with wall time, peak memory and their growth exponents: b in time ~ size^b
between a size and the one before. Near 0, the fixed cost of a start dominates; 1 is linear; the quadratic table of some
scorers would show as 2. Draws the same numbers, both axes logarithmic, if matplotlib is installed.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import corpora
from measure import NotMeasuredError
from run import executable_of, machine, markdown, ours, run_once, three_digits, version_of

SIZES = (10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
COLUMNS = ("mentions", "file MB", "median s", "exponent", "peak MB", "exponent", "mentions/s")


@dataclass(frozen=True, slots=True)
class Point:
    """Medians at a size; `megabytes` is key and response together."""

    level: str
    mentions: int
    megabytes: float
    wall: float
    peak: float


def measured(size: int, level: str, *, executable: str, work: Path, runs: int, timeout: float) -> Point:
    pair = corpora.make(work, corpora.synthetic_name(size, level), data=None)
    tool = ours(executable)
    _, *counted = [run_once(tool, pair, work=work, timeout=timeout) for _ in range(1 + runs)]  # the first warms up
    wall = statistics.median(run.wall for run in counted)
    peak = statistics.median(run.peak for run in counted)
    print(f"{pair.name}: {wall:.3f} s, {peak:.0f} MB", file=sys.stderr)
    return Point(level, size, pair.megabytes, wall, peak)


def table(points: Sequence[Point]) -> str:
    rows = [COLUMNS]
    for before, point in zip((None, *points), points, strict=False):
        wall_exponent = exponent(before.mentions, point.mentions, before.wall, point.wall) if before else "-"
        peak_exponent = exponent(before.mentions, point.mentions, before.peak, point.peak) if before else "-"
        speed = f"{point.mentions / point.wall:.0f}"
        sizes = (str(point.mentions), three_digits(point.megabytes))
        rows.append((*sizes, three_digits(point.wall), wall_exponent, f"{point.peak:.0f}", peak_exponent, speed))
    return markdown(rows)


def exponent(size_before: int, size: int, cost_before: float, cost: float) -> str:
    return f"{math.log(cost / cost_before) / math.log(size / size_before):.2f}"


def draw(points: Sequence[Point], target: Path) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("no picture: matplotlib is not installed (pip install matplotlib)", file=sys.stderr)
        return
    figure = Figure(figsize=(9, 4), layout="constrained")
    time, memory = figure.subplots(1, 2)
    for axes, cost, title in ((time, "wall", "seconds"), (memory, "peak", "peak MB")):
        for level, share in corpora.MOVED.items():
            here = [point for point in points if point.level == level]
            if here:
                xs = [point.mentions for point in here]
                axes.plot(xs, [getattr(point, cost) for point in here], "o-", label=f"{level}: {share:.0%} moved")
        axes.set(xscale="log", yscale="log", xlabel="mentions in one document", ylabel=title)
        axes.grid(True, which="both", alpha=0.25)
    last = max(points, key=lambda point: (point.mentions, point.wall))
    ends = (min(point.mentions for point in points), last.mentions)
    time.plot(ends, [last.wall * end / last.mentions for end in ends], "--", color="grey", label="linear")
    time.legend()
    figure.savefig(target, dpi=150)
    print(f"picture: {target}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder for the files that are read and for the results")
    parser.add_argument("--referee", metavar="EXE", help="our command (default: beside this interpreter, then on the PATH)")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="mentions, in rising order")
    parser.add_argument("--levels", nargs="+", default=list(corpora.MOVED), choices=corpora.MOVED)
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="counted runs at each point (default: 5)")
    parser.add_argument("--timeout", type=float, default=900, metavar="S", help="seconds for one run (default: 900)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="picture, .png or .svg (default: WORK/growth.svg)")
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs is at least 1")
    executable = executable_of(options.referee)
    points: list[Point] = []
    try:
        for level in options.levels:
            for size in options.sizes:
                point = measured(
                    size, level, executable=executable, work=options.work, runs=options.runs, timeout=options.timeout
                )
                points.append(point)
            print(f"### {level}: {corpora.MOVED[level]:.0%} of the mentions moved\n")
            print(table([point for point in points if point.level == level]) + "\n", flush=True)
    except NotMeasuredError as trouble:
        raise SystemExit(f"referee score: {trouble}") from None
    about = machine() | {"referee": version_of(executable)}
    (options.work / "growth.json").write_text(json.dumps(about | {"points": [asdict(p) for p in points]}, indent=1) + "\n")
    draw(points, options.plot or options.work / "growth.svg")


if __name__ == "__main__":
    main()
