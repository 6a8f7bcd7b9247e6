"""Times whole commands in turns: this tree of Referee, another version of it, other scorers, and what bounds a command.

    python benchmarks/run.py WORK tiny score@100000                              # two cases, which need no other files
    python benchmarks/run.py WORK gum litbank --data KIT --coval DIR             # beside another scorer
    python benchmarks/run.py WORK gum --data KIT --against v0.2.0                # beside another version; fails if slower
    python benchmarks/run.py WORK score errors --large                           # curves over sizes
    python benchmarks/run.py WORK formats --data KIT --bounds --beside gum       # a group of cases, and their bounds
    python benchmarks/run.py WORK --plot curves.svg                              # curves of all runs in WORK

`cases.py` has the cases and the groups. There is a table of each case, and one of all at the end. The tools take turns (ours,
a peer, the next peer, ours again, ...), so that a busy minute of the machine hits all of them. The first turn warms up the
disk cache and is not counted, except with `--runs 1`, and for a tool that needs longer than `--slow-after` seconds: for such a
tool it is the first of `--slow-runs` runs. With --against, the exit status is 1 if a case needs more than 5 % more processor
time than with the other version: in the median of the pairs of runs, and in the fastest run of each, so that a busy machine
raises few false alarms. It is 1, too, if a case has other scores than its plain files. See `README.md` for what the numbers
mean.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeAlias

import files
import peers
from cases import CASES, GROUPS, PROGRAMS, SIDE, Case
from measure import NotMeasuredError, Run, Step, measure, sources, step
from reporting import exponent, machine, markdown, three_digits

OURS = "referee"
WORSE = 1.05
"""Times as much processor time as the other version needs, above which --against fails."""
STEEP = 1.15
"""The exponent of user time above which a case needs a reason."""
COLUMNS = ("size", "tool", "runs", "wall s", "min - max", "× wall", "CPU s", "growth", "× CPU", "× bound", "user s", "growth",
           "peak MB", "growth", "size / CPU s")  # fmt: skip

Tool: TypeAlias = Callable[[Path], list[Step]]
"""The steps of a tool, with a folder for files in between."""


@dataclass(slots=True)
class Result:
    """The counted runs of a tool, or why there are none."""

    runs: list[Run] = field(default_factory=list)
    trouble: str = ""

    def median(self, cost: str) -> float:
        return statistics.median(getattr(run, cost) for run in self.runs) if self.runs else float("nan")


def case_of(name: str) -> tuple[Case, int | None]:
    """A case, and its size if the name says one."""
    base, _, size = name.partition("@")
    if base not in CASES:
        raise SystemExit(f"no case named {base!r}; expected some of {', '.join(CASES)}; or a group: {', '.join(GROUPS)}")
    return CASES[base], int(float(size)) if size else None


def steps(case: Case, size: int | None, referee: Path, options: argparse.Namespace) -> list[Step]:
    """The commands of a case, whose files are made."""
    sides = " ".join(SIDE.format(number) for number in range(size or 0))
    found = []
    for command in case.command.format(n=size, sides=sides, work=options.work).split(" && "):
        verb, *words = files.paths_of(command.split(), options.work, options.data)
        if verb in PROGRAMS:
            found.append(Step((sys.executable, "-c", PROGRAMS[verb], *words)))
        else:
            found.append(step(referee, verb, *words))
    return found


def less_of(case: Case) -> str:
    """The case that is no part of the bound of another."""
    return case_of(case.bound)[0].less if case.bound in CASES else ""


def tools_of(name: str, size: int | None, options: argparse.Namespace) -> tuple[dict[str, Tool], dict[str, Result]]:
    """What takes turns, ours first; and peers that would take too long."""
    case = CASES[name]

    def of(other: str, referee: Path) -> Tool:
        beside, at = case_of(other)
        made = steps(beside, at or size, referee, options)
        return lambda _: made

    tools = {version: of(name, referee) for version, referee in options.versions.items()}
    bounds = [*case.bound.split(), less_of(case)] if options.bounds else []
    for other in dict.fromkeys((options.beside, case.plain, *bounds)):
        if other:
            tools[other] = of(other, options.versions[OURS])
    unfit = {}
    for peer in peers.chosen(case.peers, options) if case.peers else []:
        if name in peer.unfit and not options.unfit_too:
            unfit[peer.name] = Result(trouble=f"not run: {peer.unfit[name]}")
        else:
            key, response = map(
                Path, files.paths_of(case.command.format(n=size, work="").split()[1:3], options.work, options.data)
            )
            tools[peer.name] = lambda scratch, peer=peer, pair=(key, response): peer.recipe(*pair, scratch)  # type: ignore[misc]
    return tools, unfit


def take_turns(tools: Mapping[str, Tool], case: str, options: argparse.Namespace) -> dict[str, Result]:
    """The runs of each tool; what it printed stays in WORK/output, where one can see that it scored."""
    results = {tool: Result() for tool in tools}
    wanted = dict.fromkeys(results, options.runs)
    warm = int(options.runs > 1)
    (options.work / "output").mkdir(exist_ok=True)
    for turn in range(options.runs + warm):
        for tool, recipe in tools.items():
            result = results[tool]
            if result.trouble or len(result.runs) >= wanted[tool]:
                continue
            log = options.work / "output" / f"{case}.{Path(tool).name}.txt"
            try:
                with tempfile.TemporaryDirectory(dir=options.work) as scratch:
                    run = measure(recipe(Path(scratch).resolve()), log=log, timeout=options.timeout)
            except NotMeasuredError as trouble:
                result.trouble = str(trouble)
                print(f"  {tool}: {trouble}", file=sys.stderr)
                continue
            slow = turn == 0 and run.wall > options.slow_after
            if slow:
                wanted[tool] = min(options.runs, options.slow_runs)
            if turn >= warm or slow:
                result.runs.append(run)
            note = "" if turn >= warm or slow else " (warm-up)"
            print(f"  {tool}: {run.wall:.3f} s, {run.peak:.0f} MB{note}", file=sys.stderr)
    return results


def worse(name: str, after: Result, before: Result) -> list[str]:
    """How much slower a case has become, in the pairs of runs and in the fastest runs; empty if it has not in both."""
    if after.trouble or before.trouble:
        return [f"{name} {after.trouble or before.trouble}"]
    costs = [[run.cpu for run in result.runs] for result in (after, before)]
    times = min(statistics.median(a / b for a, b in zip(*costs, strict=False)), min(costs[0]) / min(costs[1]))
    return [f"{name} {times:.3f}"] if times > WORSE else []


def bound_of(case: Case, results: Mapping[str, Result]) -> float:
    """The processor time that bounds a case, or nan."""
    costs = [results[name].median("cpu") for name in case.bound.split() if name in results]
    less = less_of(case)
    return case.times * (max(costs) - (results[less].median("cpu") if less else 0)) if costs else math.nan


def rows(
    case: Case, size: int | None, results: Mapping[str, Result], before: Mapping[str, tuple[int, Result]]
) -> Iterator[list[str]]:
    """A row of each tool."""
    ours, bound = results[OURS], bound_of(case, results)
    for tool, result in results.items():
        if result.trouble:
            yield [str(size or "-"), tool, "-", result.trouble.replace("|", r"\|"), *["-"] * (len(COLUMNS) - 4)]
            continue
        wall, cpu, user, peak = map(result.median, ("wall", "cpu", "user", "peak"))
        walls = [run.wall for run in result.runs]

        def growth(cost: str, tool: str = tool, result: Result = result) -> str:
            if size is None or tool not in before:
                return "-"
            smaller, past = before[tool]
            return exponent(smaller, size, past.median(cost), result.median(cost))

        beside = tool != OURS and bool(ours.runs)
        yield [
            str(size or "-"), tool, str(len(walls)), three_digits(wall),
            f"{three_digits(min(walls))} - {three_digits(max(walls))}" if len(walls) > 1 else "-",
            three_digits(wall / ours.median("wall")) if beside else "-",
            three_digits(cpu), growth("cpu"), three_digits(cpu / ours.median("cpu")) if beside else "-",
            f"{cpu / bound:.2f}" if tool == OURS and not math.isnan(bound) else "-",
            three_digits(user), growth("user"), f"{peak:.0f}", growth("peak"), f"{size / cpu:.0f}" if size else "-",
        ]  # fmt: skip


def report(name: str, case: Case, found: Sequence[Sequence[str]]) -> str:
    """The table of a case, without columns that have nothing to say."""
    used = [at for at in range(len(COLUMNS)) if any(row[at] != "-" for row in found)]
    shown = markdown([[row[at] for at in used] for row in (COLUMNS, *found)])
    bound = f", bound: {f'{case.times} × ' if case.times > 1 else ''}{case.bound}" if case.bound else ""
    growth = [row[COLUMNS.index("user s") + 1] for row in found if row[1] == OURS][-1]
    steep = f"\nSteep: {case.reason or 'no reason known'}.\n" if growth != "-" and float(growth) > STEEP else ""
    return f"### {name}\n\n`{case.command}`{bound}\n\n{shown}\n{steep}"


def files_of(words: Sequence[str], options: argparse.Namespace) -> list[Path]:
    """The files that a command names, and those of its folders."""
    paths = [options.work / word for word in words if files.IS_FILE.match(word)]
    return [file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()]


def amount(name: str, options: argparse.Namespace) -> str:
    """How much the files of a case are, and words of texts with trees."""
    paths = files_of(CASES[name.partition("@")[0]].command.split(), options)
    tokens = sum(files.words_of(path) for path in paths[:1] if name in GROUPS["resolver"])
    return f" ({megabytes(paths)} MB{f', {tokens} tokens' * bool(tokens)})" if paths else ""


def megabytes(paths: Sequence[Path]) -> str:
    return three_digits(sum(path.stat().st_size for path in paths) / 1e6)


def scores_of(path: Path) -> dict[str, list[float]]:
    """The scores of a report as text: numbers behind the name of each metric."""
    lines = path.read_text("utf-8").partition("\n\n")[0].splitlines()[1:]
    return {
        name: [math.nan if number == "-" else float(number) for number in numbers] for name, *numbers in map(str.split, lines)
    }


def other_scores(name: str, options: argparse.Namespace) -> list[str]:
    """In what a case has other scores than its plain files, of the metrics that both have; empty if in nothing."""
    case, logs = CASES[name], options.work / "output"
    ours, plain = (scores_of(logs / f"{name}.{tool}.txt") for tool in (OURS, case.plain))
    common = ours.keys() & plain.keys()
    apart = [max(abs(a - b) for a, b in zip(ours[metric], plain[metric], strict=True)) for metric in common]
    return [] if apart and max(apart) <= case.within + 1e-9 else [f"{name}: {max(apart, default=math.nan):.2f} points"]


@dataclass(slots=True)
class Summary:
    """One table of all cases, and one of all curves; what has become slower; and what has other scores."""

    cases: list[list[str]] = field(default_factory=list)
    curves: list[list[str]] = field(default_factory=list)
    slower: list[str] = field(default_factory=list)
    other: list[str] = field(default_factory=list)

    def add(self, name: str, found: Mapping[int | None, dict[str, Result]], options: argparse.Namespace) -> None:
        """A case at one size or at several."""
        case, (size, results) = CASES[name], list(found.items())[-1]
        if len(found) > 1:
            sizes = [size or 0 for size in found]
            ours = [of[OURS] for of in found.values()]
            seconds = [result.trouble or three_digits(result.median("cpu")) for result in ours]
            growth = exponent(*sizes[-2:], *(result.median("user") for result in ours[-2:]))
            peak = f"{ours[-1].median('peak'):.0f}"
            self.curves.append([name, ", ".join(map(str, sizes)), ", ".join(seconds), growth, peak])
            return
        ours, bound = results[OURS], bound_of(case, results)
        words = case.command.format(n=size, sides="", work="").split()
        shown = [name + (f"@{size}" if size else ""), megabytes(files_of(words, options))]
        if ours.trouble:
            self.cases.append([*shown, ours.trouble, "-", "-", "-", "-", "-"])
            return
        cpu, before = ours.median("cpu"), [*options.versions, ""][1]
        times = [results.get(other, Result()).median("cpu") for other in (before, options.beside, case.plain)]
        ratios = ["-" if math.isnan(time) else three_digits(cpu / time) for time in (*times, bound)]
        self.cases.append([*shown, three_digits(cpu), *ratios, f"{ours.median('peak'):.0f}"])

    def __str__(self) -> str:
        of_cases = ("case", "MB of files", "CPU s", "× before", "× beside", "× plain", "× bound", "peak MB"), *self.cases
        used = [at for at in range(len(of_cases[0])) if any(row[at] != "-" for row in of_cases[1:])]
        of_curves = ("curve", "sizes", "CPU s", "last exponent", "peak MB"), *self.curves
        tables = [[row[at] for at in used] for row in of_cases], of_curves
        return "\n\n".join(markdown(table) for table in tables if len(table) > 1)


def timed(name: str, options: argparse.Namespace, known: list[dict[str, object]], summary: Summary) -> None:
    """Run a case at all of its sizes, print its table, keep its runs."""
    case, given = case_of(name)
    base = name.partition("@")[0]
    sizes: Sequence[int | None] = [given] if given else options.sizes or [*case.sizes, *case.large * options.large]
    before: dict[str, tuple[int, Result]] = {}
    found: list[list[str]] = []
    of_sizes: dict[int | None, dict[str, Result]] = {}
    for size in sizes if case.sizes else [None]:
        load = os.getloadavg()[0]
        print(f"{base} {size or ''}", file=sys.stderr)
        tools, unfit = tools_of(base, size, options)
        results = of_sizes[size] = take_turns(tools, name, options) | unfit
        found += rows(case, size, results, before)
        known += [
            machine() | {"load": load, "case": base, "size": size, "tool": tool} | asdict(result)
            for tool, result in results.items()
        ]
        if options.against:
            summary.slower += worse(f"{base} {size or ''}".strip(), *(results[version] for version in options.versions))
        if case.plain and results[OURS].runs and results[case.plain].runs:
            summary.other += other_scores(base, options)
        before |= {tool: (size, result) for tool, result in results.items() if size and result.runs}
        if results[OURS].trouble:
            break
    print(report(name + amount(name, options), case, found), flush=True)
    summary.add(base, of_sizes, options)


def draw(known: Sequence[dict[str, object]], names: Sequence[str], target: Path) -> None:
    """Curves of what was measured in a folder, both axes logarithmic; of the last runs at each size."""
    import matplotlib as mpl

    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "benchmarks"})
    from matplotlib.figure import Figure

    points: dict[str, dict[int, Result]] = {}
    for entry in known:
        if entry["size"] and entry["runs"] and (not names or entry["case"] in names):
            curve = str(entry["case"]) + (f", {entry['tool']}" if entry["tool"] != OURS else "")
            points.setdefault(curve, {})[int(str(entry["size"]))] = Result([Run(**run) for run in entry["runs"]])  # type: ignore[attr-defined]
    figure = Figure(figsize=(11, 6), layout="constrained")
    for axes, cost, title in zip(figure.subplots(1, 2), ("cpu", "peak"), ("CPU s", "peak MB"), strict=True):
        for curve, of in points.items():
            sizes = sorted(of)
            axes.plot(sizes, [of[size].median(cost) for size in sizes], "o-", label=curve)
        axes.set(xscale="log", yscale="log", xlabel="size", ylabel=title)
        axes.grid(True, which="both", alpha=0.25)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside right upper", fontsize="small")
    figure.savefig(target, metadata={"Date": None} if target.suffix == ".svg" else None)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder for the files that are read and for the results")
    parser.add_argument(
        "cases", nargs="*", metavar="CASE", help=f"a case, one at a size (CASE@N), or a group: {', '.join(GROUPS)}"
    )
    parser.add_argument(
        "--data", type=Path, nargs="+", default=[], metavar="FOLDER", help="where key and response of texts are"
    )
    parser.add_argument(
        "--against", metavar="VERSION", help="beside this revision, or this executable; fail if it was 5 %% faster"
    )
    parser.add_argument("--bounds", action="store_true", help="also run what bounds the time of a case")
    parser.add_argument("--beside", default="", metavar="CASE", help="a case that takes turns with each, to compare with")
    parser.add_argument("--referee", metavar="EXE", help="an installed command (default: the source tree of this script)")
    parser.add_argument("--large", action="store_true", help="large sizes, too")
    parser.add_argument("--sizes", type=lambda n: int(float(n)), nargs="+", metavar="N", help="other sizes, in rising order")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="counted runs of each tool (default: 5)")
    parser.add_argument("--slow-runs", type=int, default=1, metavar="N", help="of a tool that is slow (default: 1)")
    parser.add_argument("--slow-after", type=float, default=20, metavar="S", help="seconds that make it slow (default: 20)")
    parser.add_argument("--timeout", type=float, default=900, metavar="S", help="seconds for one run (default: 900)")
    parser.add_argument("--unfit-too", action="store_true", help="also run peers where they are known not to end in time")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="curves of the cases, or of all, over sizes, .svg or .png")
    peers.add_arguments(parser)
    options = parser.parse_intermixed_args()
    if min(options.runs, options.slow_runs) < 1:
        parser.error("--runs and --slow-runs are at least 1")
    options.cases = [case for name in options.cases for case in GROUPS.get(name, [name])]
    for name in (*options.cases, *filter(None, [options.beside])):
        case_of(name)
    options.work.mkdir(parents=True, exist_ok=True)
    options.work = options.work.resolve()
    executable = shutil.which(options.referee) if options.referee else None
    if options.referee and not executable:
        parser.error(f"no command {options.referee}")
    options.versions = {OURS: Path(executable) if executable else sources(options.work)}
    if options.against:
        other = shutil.which(options.against) if os.sep in options.against else None
        options.versions["before" if other else options.against] = (
            Path(other) if other else sources(options.work, options.against)
        )
    return options


def main() -> None:
    options = parse()
    kept = options.work / "results.json"
    known: list[dict[str, object]] = json.loads(kept.read_text()) if kept.exists() else []
    summary = Summary()
    for name in options.cases:
        timed(name, options, known, summary)
        kept.write_text(json.dumps(known, indent=1) + "\n")  # after each case: a stop loses one case only
    print(summary)
    if options.plot:
        draw(known, [name.partition("@")[0] for name in options.cases], options.plot)
    if summary.slower:
        print(f"slower than {options.against}, times its processor time: {', '.join(summary.slower)}", file=sys.stderr)
    if summary.other:
        print(f"other scores than the plain files: {'; '.join(summary.other)}", file=sys.stderr)
    raise SystemExit(bool(summary.slower or summary.other))


if __name__ == "__main__":
    main()
