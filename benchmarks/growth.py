"""How processor time and memory grow: curves for verbs, formats and hard shapes of data.

    python benchmarks/growth.py WORK                            # all curves, small sizes
    python benchmarks/growth.py WORK --large score documents    # some curves, up to a hundred times as large

A curve is a command and its sizes: mentions, documents, mentions one inside another, errors, responses. Prints a table for
each, with median processor time, peak memory and their growth exponents: b in time ~ size^b between a size and the one before.
Near 0, the fixed cost of a start dominates; 1 is linear; the quadratic table of some scorers would show as 2. The user time has
a column of its own, without what the system takes to clear new memory. Where its last exponent is above 1.15, the curve has a
reason. Draws all curves, both axes logarithmic, if matplotlib is installed.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import formats
from measure import NotMeasuredError
from roads import in_turns, paths_of
from run import machine, markdown, three_digits
from trees import sources, step

STEEP = 1.15
COLUMNS = ("size", "CPU s", "exponent", "user s", "exponent", "peak MB", "exponent", "size/s")
COSTS = ("cpu", "user", "peak")


class Curve(NamedTuple):
    """A command with `{n}` for the size, `{sides}` for so many files; sizes, and those of --large; why it is steep."""

    command: str
    sizes: Sequence[int] = (100, 1_000, 10_000, 100_000)
    large: Sequence[int] = (1_000_000, 10_000_000)
    reason: str = ""


KEY = "one-{n}.key.conll"
ONE = "one-{n}.key.conll one-{n}.medium.conll"
MANY = "many-{n}.key.conll many-{n}.response.conll"
SIDE = "many-1000.side{}.conll"
FEW, MORE = (100, 1_000, 10_000), (100_000,)
MILLION = (1_000_000,)  # of most formats, ten million mentions take more than 24 GB
ASSIGNED = "mentions that are not equal are an assignment problem, and any two of n mentions one inside another are candidates"


def read(format: str) -> str:
    """The command that scores files of a format; answers of language models stand beside a key with words."""
    key, response = (formats.file_of(format, side) for side in ("key", "response"))
    if format in ("tagged", "quotes"):
        return f"score {KEY} {response} --response-format {format}"
    return f"score {key} {response} --format {format}"


CURVES = {
    "score": Curve(f"score {ONE}"),
    "score-mild": Curve("score one-{n}.key.conll one-{n}.mild.conll"),
    "score-severe": Curve("score one-{n}.key.conll one-{n}.severe.conll"),
    "score-all": Curve(f"score {ONE} --metrics all", large=MILLION),
    "dense": Curve(
        "score dense-{n}.key.conll dense-{n}.response.conll",
        (1_000, 4_000, 16_000),
        (64_000,),
        "a response that is independent of the key keeps its whole graph of overlaps, on which CEAF is an assignment problem",
    ),
    "repeated": Curve("score repeated-{n}.key.conll repeated-{n}.response.conll"),
    "errors": Curve(f"errors {ONE}"),
    "inspect": Curve(f"inspect {ONE} -o -"),
    "agree": Curve(f"agree {ONE}"),
    "agree-merged": Curve(f"agree {ONE} --merged merged-{{n}}.conll"),
    "sample": Curve(f"sample {ONE}"),
    "validate": Curve("validate one-{n}.medium.conll"),
    "convert": Curve(f"convert {KEY} - --to jsonlines"),
    "compare": Curve(f"compare {ONE} one-{{n}}.severe.conll"),
    "correlate": Curve(f"correlate {ONE} one-{{n}}.mild.conll one-{{n}}.severe.conll"),
    "phrases": Curve(f"phrases score {ONE}"),
    "resolve": Curve("resolve trees-{n}.conllu -o -", large=MILLION),
    "thresholds": Curve("thresholds records-{n}.key.csv weighed-{n}.response.csv"),
    "estimate": Curve("estimate records-{n}.key.csv records-{n}.response.csv"),
    "as-scorer.pl": Curve(f"as scorer.pl all {ONE} none"),
    "as-coval": Curve(f"as coval {ONE}"),
    "as-corefud-scorer": Curve("as corefud-scorer one-{n}.key.corefud one-{n}.medium.corefud", large=MILLION),
    "as-ua-scorer": Curve("as ua-scorer one-{n}.key.ua one-{n}.medium.ua", large=MILLION),
    **{
        f"score-{ending}": Curve(f"score one-{{n}}.key.{ending} one-{{n}}.medium.{ending} --format {ending}", large=MILLION)
        for ending in (
            *("jsonlines", "corefud", "ua", "muc", "sacr"),
            *("webanno", "brat", "labelstudio", "preco", "clusters"),
        )
    },
    **{f"read-{name}": Curve(read(name), large=MILLION) for name in formats.FORMATS},
    **{
        f"score-{ending}": Curve(f"score records-{{n}}.key.{ending} records-{{n}}.response.{ending} --format {ending} -m links")
        for ending in ("csv", "tsv", "links", "s2and")
    },
    "score-pairs": Curve("score pairs-{n}.key.csv pairs-{n}.response.csv -m links"),
    "documents": Curve(f"score {MANY}", FEW, MORE),
    "documents-csv": Curve(f"score {MANY} --by document --report csv", FEW, MORE),
    "documents-compare": Curve(f"compare {MANY} many-{{n}}.response2.conll --by document", FEW, MORE),
    "documents-correlate": Curve(f"correlate {MANY} --by document", FEW, MORE),
    "documents-sample": Curve("sample many-{n}.response.conll many-{n}.response2.conll", FEW, MORE),
    "documents-as-scorer.pl": Curve(f"as scorer.pl all {MANY} none", FEW, MORE),
    "documents-as-coval": Curve(f"as coval {MANY}", FEW, MORE),
    "documents-board": Curve("board many-{n}.key.conll systems-{n}.folder -o site-{n}.folder", FEW, MORE),
    "documents-inspect": Curve(f"inspect {MANY} -o -", FEW, MORE),
    **{
        f"nested-{match}": Curve(
            f"score nested-{{n}}.key.corefud nested-{{n}}.response.corefud --match {match}",
            (50, 100, 200, 400),
            (800, 1_600),
            "" if match == "exact" else ASSIGNED,
        )
        for match in ("exact", "head", "partial", "overlap")
    },
    "nested-conll": Curve("score nested-{n}.key.conll nested-{n}.response.conll", (100, 1_000), (10_000,)),
    "responses": Curve("score many-1000.key.conll {sides}", (2, 8, 32), (128,)),
    "annotators": Curve("agree {sides}", (2, 4, 8), (16,), "any two annotators are compared: n (n - 1) / 2 comparisons"),
    **{f"errors-{kind}": Curve(f"validate {kind}-{{n}}.conll") for kind in ("cells", "open", "closed")},
}


@dataclass(frozen=True, slots=True)
class Point:
    """Medians at a size."""

    curve: str
    size: int
    cpu: float
    user: float
    peak: float


def command_of(curve: str, size: int) -> str:
    return CURVES[curve].command.format(n=size, sides=" ".join(SIDE.format(number) for number in range(size)))


def measured(curve: str, size: int, *, work: Path, runs: int, timeout: float) -> Point:
    verb, *arguments = paths_of(command_of(curve, size), work, None)
    counted = in_turns({curve: [step(sources(work), verb, *arguments)]}, work=work, runs=runs, timeout=timeout)[curve]
    if isinstance(counted, str):
        raise NotMeasuredError(f"{curve} {size}: {counted}")
    cpu, user, peak = (statistics.median(getattr(run, cost) for run in counted) for cost in COSTS)
    print(f"{curve} {size}: {cpu:.3f} s, {peak:.0f} MB", file=sys.stderr)
    return Point(curve, size, cpu, user, peak)


def table(points: Sequence[Point]) -> str:
    rows = [COLUMNS]
    for before, point in zip((None, *points), points, strict=False):
        exponents = [
            exponent(before.size, point.size, getattr(before, cost), getattr(point, cost)) if before else "-" for cost in COSTS
        ]
        costs = (three_digits(point.cpu), three_digits(point.user), f"{point.peak:.0f}")
        pairs = chain.from_iterable(zip(costs, exponents, strict=True))
        rows.append((str(point.size), *pairs, f"{point.size / point.cpu:.0f}"))
    steep = float(rows[-1][COLUMNS.index("user s") + 1]) > STEEP if len(points) > 1 else False
    return markdown(rows) + f"\n\nSteep: {CURVES[points[0].curve].reason or 'no reason known'}." * steep


def exponent(size_before: int, size: int, cost_before: float, cost: float) -> str:
    return f"{math.log(cost / cost_before) / math.log(size / size_before):.2f}"


def draw(points: Sequence[Point], target: Path) -> None:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print("no picture: matplotlib is not installed (pip install matplotlib)", file=sys.stderr)
        return
    figure = Figure(figsize=(11, 6), layout="constrained")
    for axes, cost, title in zip(figure.subplots(1, 2), ("cpu", "peak"), ("CPU s", "peak MB"), strict=True):
        for curve in dict.fromkeys(point.curve for point in points):
            here = [point for point in points if point.curve == curve]
            axes.plot([point.size for point in here], [getattr(point, cost) for point in here], "o-", label=curve)
        axes.set(xscale="log", yscale="log", xlabel="size", ylabel=title)
        axes.grid(True, which="both", alpha=0.25)
    figure.legend(loc="outside right upper", fontsize="small")
    figure.savefig(target, dpi=150)
    print(f"picture: {target}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder for the files that are read and for the results")
    parser.add_argument("curves", nargs="*", metavar="CURVE", help=f"default: all; {' '.join(CURVES)}")
    parser.add_argument("--large", action="store_true", help="large sizes, too")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="other sizes, in rising order")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="runs at each point (default: 3)")
    parser.add_argument("--timeout", type=float, default=900, metavar="S", help="seconds for one run (default: 900)")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="picture, .png or .svg (default: WORK/growth.svg)")
    options = parser.parse_intermixed_args()
    if unknown := set(options.curves) - set(CURVES):
        parser.error(f"found {', '.join(sorted(unknown))}; expected some of {', '.join(CURVES)}")
    points: list[Point] = []
    for name in options.curves or CURVES:
        curve, here = CURVES[name], []
        sizes = options.sizes or (*curve.sizes, *curve.large * options.large)
        print(f"### {name}\n\n`{curve.command}`\n", flush=True)
        for size in sizes:
            try:
                here.append(measured(name, size, work=options.work, runs=options.runs, timeout=options.timeout))
            except NotMeasuredError as problem:
                print(f"{problem}\n")
                break
        if here:
            print(table(here) + "\n", flush=True)
        points += here
    (options.work / "growth.json").write_text(json.dumps(machine() | {"points": [asdict(p) for p in points]}, indent=1) + "\n")
    draw(points, options.plot or options.work / "growth.svg")


if __name__ == "__main__":
    main()
