"""Times whole commands, ours and those of the peers, on the sets of `corpora.py`, and prints a table for each set.

    python benchmarks/run.py WORK --data KIT --coval DIR --scorch DIR tiny litbank gum

    python benchmarks/run.py WORK --data KIT --against main~1 tiny litbank gum         # this tree and one of the past

With --against, the tools are two versions of Referee: the tree that the script is in, and a revision of it. Then the exit
status is 1 if a set needs more than 5 % more processor time than with the revision: in the median of the pairs of runs, and in
the fastest run of each, so that a busy machine raises few false alarms.

The tools take turns (ours, a peer, the next peer, ours again, ...), so that a busy minute of the machine hits all of them.
The first turn warms up the disk cache and is not counted, except for a tool that needs longer than `--slow-after` seconds:
for such a tool it counts as the first of `--slow-runs` runs. See `README.md` for what the numbers mean.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import corpora
import peers
from measure import NotMeasuredError, Run, Step, measure
from peers import Tool
from trees import sources, step

OURS = "referee"
WORSE = 1.05
"""Times as much processor time as the other revision needs, above which --against fails."""
COLUMNS = ("tool", "runs", "median s", "min - max s", "CPU s", "peak MB", "ratio")


@dataclass(slots=True)
class Result:
    """The counted runs of a tool on a set, or why there are none."""

    tool: str
    runs: list[Run] = field(default_factory=list)
    trouble: str = ""

    @property
    def wall(self) -> float:
        return statistics.median(run.wall for run in self.runs)

    @property
    def cpu(self) -> float:
        return statistics.median(run.cpu for run in self.runs)


def ours(executable: str) -> Tool:
    """`referee score KEY RESPONSE`: all measures, all checks of the input."""

    def recipe(key: Path, response: Path, scratch: Path) -> list[Step]:
        return [Step((executable, "score", str(key), str(response)))]

    return Tool(OURS, recipe, {})


def of_tree(name: str, folder: Path) -> Tool:
    """The same from a source tree."""

    def recipe(key: Path, response: Path, scratch: Path) -> list[Step]:
        return [step(folder, "score", str(key), str(response))]

    return Tool(name, recipe, {})


def executable_of(given: str | None) -> str:
    """The command to time: the one given, or the one installed beside this interpreter, or the first on the PATH."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which(given) if given else shutil.which(OURS, path=beside) or shutil.which(OURS)
    if found is None:
        raise SystemExit(f"no command {given or OURS}; say --referee EXE")
    return str(Path(found).absolute())


def version_of(executable: str) -> str:
    shown = subprocess.run([executable, "--version"], capture_output=True, text=True, check=False)
    return shown.stdout.strip() if shown.returncode == 0 else "unknown"


def run_once(tool: Tool, pair: corpora.Pair, *, work: Path, timeout: float) -> Run:
    """One run; what the tool printed stays in WORK/output, where one can see that it scored."""
    log = work / "output" / f"{pair.name}.{tool.name}.txt"
    log.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=work) as scratch:
        steps = tool.recipe(pair.key.resolve(), pair.response.resolve(), Path(scratch).resolve())
        return measure(steps, log=log, timeout=timeout)


def take_turns(
    tools: Sequence[Tool], pair: corpora.Pair, *, work: Path, runs: int, slow_runs: int, slow_after: float, timeout: float
) -> list[Result]:
    results = {tool.name: Result(tool.name) for tool in tools}
    wanted = dict.fromkeys(results, runs)
    for turn in range(runs + 1):
        for tool in tools:
            result = results[tool.name]
            if result.trouble or len(result.runs) >= wanted[tool.name]:
                continue
            try:
                run = run_once(tool, pair, work=work, timeout=timeout)
            except NotMeasuredError as trouble:
                result.trouble = str(trouble)
                print(f"  {tool.name}: {trouble}", file=sys.stderr)
                continue
            slow = turn == 0 and run.wall > slow_after
            if slow:
                wanted[tool.name] = min(runs, slow_runs)
            if turn > 0 or slow:
                result.runs.append(run)
            note = "" if turn > 0 or slow else " (warm-up)"
            print(f"  {tool.name}: {run.wall:.3f} s, {run.peak:.0f} MB{note}", file=sys.stderr)
    return list(results.values())


def worse(name: str, after: Result, before: Result) -> list[str]:
    """How much slower a set has become, in the pairs of runs and in the fastest runs; empty if it has not in both."""
    if after.trouble or before.trouble:
        return [f"{name} {after.trouble or before.trouble}"]
    costs = [[run.cpu for run in result.runs] for result in (after, before)]
    times = min(statistics.median(a / b for a, b in zip(*costs, strict=False)), min(costs[0]) / min(costs[1]))
    return [f"{name} {times:.3f}"] if times > WORSE else []


def row(result: Result, *, base: Result) -> tuple[str, ...]:
    if result.trouble:
        return (result.tool, "-", result.trouble.replace("|", r"\|"), *["-"] * (len(COLUMNS) - 3))
    walls = [run.wall for run in result.runs]
    return (
        result.tool,
        str(len(walls)),
        three_digits(result.wall),
        f"{three_digits(min(walls))} - {three_digits(max(walls))}",
        three_digits(result.cpu),
        f"{statistics.median(run.peak for run in result.runs):.0f}",
        f"{three_digits(result.wall / base.wall)} x" if base.runs else "-",
    )


def three_digits(value: float) -> str:
    """Three significant digits, without an exponent: 0.0312, 1.25, 173."""
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}"


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """A table whose first row is the head; columns are as wide as their widest cell."""
    lines = [list(cells) for cells in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |" for cells in lines
    )


def report(pair: corpora.Pair, results: Sequence[Result]) -> str:
    title = f"### {pair.name} ({pair.megabytes:.3g} MB)"
    return f"{title}\n\n{markdown([COLUMNS, *(row(result, base=results[0]) for result in results)])}\n"


def machine() -> dict[str, object]:
    """What the numbers hold for; no names of folders or hosts."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor())


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder for the files that are read and for the results")
    parser.add_argument("sets", nargs="*", default=corpora.SETS, metavar="SET", help=f"default: {' '.join(corpora.SETS)}")
    parser.add_argument("--data", type=Path, metavar="KIT", help="folder of the conformance kit, for files not made yet")
    parser.add_argument("--referee", metavar="EXE", help="our command (default: beside this interpreter, then on the PATH)")
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="counted runs of each tool (default: 5)")
    parser.add_argument("--slow-runs", type=int, default=1, metavar="N", help="of a tool that is slow on a set (default: 1)")
    parser.add_argument("--slow-after", type=float, default=20, metavar="S", help="seconds that make it slow (default: 20)")
    parser.add_argument("--timeout", type=float, default=900, metavar="S", help="seconds for one run (default: 900)")
    parser.add_argument("--unfit-too", action="store_true", help="also run peers where they are known not to end in time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the results go (default: WORK/results.json)")
    parser.add_argument("--against", metavar="REVISION", help="run this version instead of peers; fail if it was 5 %% faster")
    peers.add_arguments(parser)
    options = parser.parse_intermixed_args()  # sets may stand after options
    if min(options.runs, options.slow_runs) < 1:
        parser.error("--runs and --slow-runs are at least 1")
    return options


def main() -> None:
    options = parse()
    if options.against:
        main_tool = of_tree(OURS, sources(options.work))
        others, version = [of_tree(options.against, sources(options.work, options.against))], "this tree"
    else:
        executable = executable_of(options.referee)
        main_tool, others, version = ours(executable), peers.chosen(options), version_of(executable)
    for name in options.sets:
        corpora.check_name(name)
    about = machine() | {"referee": version}
    sets, slower = [], []
    for name in options.sets:
        pair = corpora.make(options.work, name, data=options.data)
        synthetic = (
            name.startswith("one-") and not options.against
        )  # ours only: the peers need memory or time that grows with the square
        fit = [tool for tool in others if not synthetic and (options.unfit_too or name not in tool.unfit)]
        unfit = [] if synthetic else [tool for tool in others if tool not in fit]
        print(name, file=sys.stderr)
        load = os.getloadavg()[0]
        results = take_turns(
            [main_tool, *fit],
            pair,
            work=options.work,
            runs=options.runs,
            slow_runs=options.slow_runs,
            slow_after=options.slow_after,
            timeout=options.timeout,
        )
        results += [Result(tool.name, trouble=f"not run: {tool.unfit[name]}") for tool in unfit]
        print(report(pair, results), flush=True)
        sets.append({"set": name, "megabytes": pair.megabytes, "load": load, "results": [asdict(each) for each in results]})
        if options.against:
            slower += worse(name, *results)
        target = options.json or options.work / "results.json"
        target.write_text(json.dumps(about | {"sets": sets}, indent=1) + "\n")  # after each set: a stop loses one set only
    if slower:
        raise SystemExit(f"slower than {options.against}, times its processor time: {', '.join(slower)}")


if __name__ == "__main__":
    main()
