#!/usr/bin/env python
"""Mutation testing: changes one operator or number of the package at a time, and says which changes no test notices.

    python scripts/mutate.py --sample 500 --seed 7          500 mutants by chance
    python scripts/mutate.py metrics/ceaf.py stats          all mutants of a file and of a folder below src/referee

Mutants are of functions' bodies: comparisons, arithmetic, logic, numbers, conditions, and statements left out. All is one
process. First, each test is run once to see which functions it calls, and how long it takes. Then a process is forked for each
mutant: the mutated function gets its new code wherever it is known, and those tests that call it are run until one fails: first
those that killed another mutant of the function or of its file, then the mirroring test file, the fastest first. Values that
are computed when a module is imported are not mutated.

A mutant that survives lacks a test, or does the same as the code. `scripts/equivalent_mutants.txt` lists the latter, below the
reason; those of its lines that name no mutant are printed. A mutant whose tests wait for too long counts as not killed: on a
busy machine, repeat these with `--again`. Remove what is kept (`--calls`, `--journal`) when code or tests have changed. The
exit status is 1 if fewer than 95 % of those that are not equivalent are killed. Needs `os.fork`.
"""

from __future__ import annotations

import ast
import gc
import mmap
import os
import pickle
import resource
import signal
import sys
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple, TypeAlias, TypeVar

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src/referee"
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.txt")
MUTATED = ["metrics", "algorithms", "matching", "stats", "formats/conll"]
MUTATED += [f"formats/{name}.py" for name in ("shared/brackets", "shared/byte_words", "corefud/rows", "corefud/entity")]
MUTATED += ["answers/occurrences.py"]
TESTED = ["algorithms", "corpus", "matching", "metrics", "stats", "scoring", "comparison", "error_analysis", "golden"]
TESTED += ["answers", "formats/conll", "formats/corefud", "inputs", "tables", "test_api.py"]
TESTED += ["formats/test_patterns.py"]

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd, ast.MatMult: ast.Add, ast.Break: ast.Continue, ast.Continue: ast.Break,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum"}
IGNORED = {"strict", "dtype", "kind", "stacklevel", "copy"}
"""Keywords that check or choose what is the same anyway."""

KILLED, BROKEN = 1, 3
OUTCOMES = {0: "survived", BROKEN << 8: "broken", int(signal.SIGALRM): "timeout"}
"""Status of a process -> what became of the mutant; others, with those that ran out of CPU time or memory, are killed."""

LEAST = 95
"""Percent of the mutants that are not equivalent."""

Key: TypeAlias = tuple[str, int, str]
Called: TypeAlias = tuple[str, str]
"""A function: file, line and name. What is called is kept without the line, for the next time."""


class Mutant(NamedTuple):
    """A field of a node, or an item of it, and what it becomes; `name` says this for people, without line numbers."""

    path: Path
    function: Key
    name: str
    node: ast.AST
    field: str
    index: int | None
    new: Any


def put(node: ast.AST, field: str, index: int | None, new: object) -> None:
    """Set a field, or an item of it."""
    if index is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[index] = new


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """What a node may become."""
    if type(node) in SWAPS:
        yield SWAPS[type(node)]()
    match node:
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.Constant("left" | "right"):
            yield ast.Constant({"left": "right", "right": "left"}[node.value])
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand
        case ast.Name(name, ast.Load()) if name in NAMES:
            yield ast.Name(NAMES[name], ast.Load())
        case ast.Attribute(value, name, ast.Load()) if name in NAMES:
            yield ast.Attribute(value, NAMES[name], ast.Load())
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Assign([ast.Subscript() | ast.Attribute()]):
            yield ast.Pass()


def mutants_of(path: Path) -> tuple[ast.Module, list[Mutant]]:
    """Return the tree of a file, and all mutants of its functions."""
    text = path.read_text(encoding="utf-8")
    tree, lines = ast.parse(text), text.split("\n")
    found: list[Mutant] = []
    names: Counter[str] = Counter()

    def visit(node: ast.AST, function: Key, line: int) -> None:
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "defaults", "kw_defaults", "ctx"):
                continue
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(child, ast.AST) or isinstance(child, ast.Assert):
                    continue
                if isinstance(child, ast.keyword) and child.arg in IGNORED:
                    continue
                at = getattr(child, "lineno", line)
                tested = field in ("test", "ifs") and not isinstance(child, ast.Compare | ast.UnaryOp | ast.BoolOp)
                news = [*replacements(child), *([ast.UnaryOp(ast.Not(), child)] if tested else [])]
                for new in news:
                    whole = child if hasattr(child, "lineno") and not isinstance(node, ast.UnaryOp) else node
                    before = ast.unparse(whole)
                    put(node, field, index, new)
                    after = ast.unparse(new if whole is child else node)
                    put(node, field, index, child)
                    name = f"{path.relative_to(SOURCE)} {function[2]}: {before} -> {after}"
                    if before not in lines[at - 1].strip() or len(before) < 8:
                        name += f" in {lines[at - 1].strip()}"
                    name = " ".join(name.split())
                    names[name] += 1
                    name += f" #{names[name]}" * (names[name] > 1)
                    found.append(Mutant(path, function, name, node, field, index, new))
                visit(child, function, at)

    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for kind in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        functions += [node for node in kind.body if isinstance(node, ast.FunctionDef)]
    for node in functions:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        if not any("overload" in ast.unparse(decorator) for decorator in node.decorator_list):
            visit(node, (str(path), first, node.name), node.lineno)
    return tree, found


def code_of(code: CodeType, wanted: Key) -> CodeType | None:
    """The code of a function, wherever it is in a module."""
    if (code.co_filename, code.co_firstlineno, code.co_name) == wanted:
        return code
    inner = (code_of(c, wanted) for c in code.co_consts if isinstance(c, CodeType))
    return next((found for found in inner if found is not None), None)


class Runner:
    """A plugin of pytest that runs the tests it has collected in forked processes."""

    def __init__(self, args: Namespace) -> None:
        self.args = args
        self.failed = self.skipped = False
        self.status = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed
        self.skipped |= report.skipped

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the mutants instead of the tests."""
        given = [SOURCE / name for name in self.args.modules]
        paths = sorted({path for place in given for path in (place.rglob("*.py") if place.is_dir() else [place])})
        for path in paths:
            import_module(".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__"))
        gc.unfreeze()  # what `tests/conftest.py` has frozen is not listed
        functions: dict[Key, list[FunctionType]] = defaultdict(list)
        for value in gc.get_objects():
            if type(value) is FunctionType and value.__code__.co_filename.startswith(str(SOURCE)):
                code = value.__code__
                functions[code.co_filename, code.co_firstlineno, code.co_name].append(value)
        gc.freeze()
        calls = self.calls(session.items)
        journal = Path(self.args.journal)
        lines = journal.read_text(encoding="utf-8").splitlines() if journal.exists() else []
        known = {name: outcome for outcome, _, name in (line.partition(" ") for line in lines)}
        harmless = equivalent()
        if self.args.again:
            known = {name: outcome for name, outcome in known.items() if outcome == "killed" or name in harmless}
        trees, mutants = {}, []
        for path in paths:
            trees[path], found = mutants_of(path)
            mutants += [m for m in found if functions.get(m.function)]
        print(f"\n{len(mutants)} mutants, {len(calls)} tests", flush=True)
        for name in harmless.keys() - {m.name for m in mutants}:
            if SOURCE / name.partition(" ")[0] in paths:
                print("no such mutant in", EQUIVALENT.name, name, flush=True)
        chosen = Random(self.args.seed).sample(mutants, min(self.args.sample, len(mutants)))  # noqa: S311  # no secret
        items = {item.nodeid: item for item in session.items}
        left = [m for m in chosen if m.name not in known]
        killers: dict[Path | Key, set[str]] = defaultdict(set)
        failed = memoryview(mmap.mmap(-1, 8 * len(left) + 8)).cast("q")  # which test of `calls`, written by the processes

        def test(number: int) -> bool:
            mutant = left[number]
            tests = fitting(mutant, calls, killers, self.args.seconds)
            killed = self.test(mutant, trees[mutant.path], functions[mutant.function], [items[t] for t in tests])
            failed[number] = [*calls].index(killed) if killed else -1
            return killed is not None

        with journal.open("a", encoding="utf-8") as out:
            for number, status in forked([(n, partial(test, n)) for n in range(len(left))], self.args.jobs):
                mutant = left[number]
                known[mutant.name] = OUTCOMES.get(status, "killed")
                if status == KILLED << 8:
                    for place in (mutant.path, mutant.function):
                        killers[place].add([*calls][failed[number]])
                print(known[mutant.name], mutant.name, file=out, flush=True)
        self.status = report([m.name for m in chosen], known)
        return True

    def test(self, mutant: Mutant, tree: ast.Module, functions: list[FunctionType], items: list[pytest.Item]) -> str | None:
        """In a process of its own: mutate, and run tests until one fails; return which."""
        resource.setrlimit(resource.RLIMIT_CPU, (4 * self.args.seconds, 4 * self.args.seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        signal.alarm(30 * self.args.seconds)
        put(mutant.node, mutant.field, mutant.index, mutant.new)
        code = code_of(compile(ast.fix_missing_locations(tree), str(mutant.path), "exec"), mutant.function)
        assert code is not None
        for function in functions:
            function.__code__ = code
        for item, after in zip(items, [*items[1:], None], strict=False):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self.failed:
                return item.nodeid
        return None

    def calls(self, items: list[pytest.Item]) -> dict[str, tuple[float, set[Called]]]:
        """How long each test takes, and what it calls; of those that pass."""
        folder = Path(self.args.calls)
        folder.mkdir(parents=True, exist_ok=True)
        files: dict[Path, list[pytest.Item]] = defaultdict(list)
        for item in items:
            files[folder / str(item.path.relative_to(ROOT)).replace("/", "-")].append(item)
        work = [(out, partial(self.watch, tests, out)) for out, tests in files.items() if not out.exists()]
        for out, status in forked(work, self.args.jobs):
            print(f"{out.name}{': left out' if status else ''}", flush=True)
        found: dict[str, tuple[float, set[Called]]] = {}
        for out in filter(Path.exists, files):
            found |= pickle.loads(out.read_bytes())  # noqa: S301  # written below
        return {item.nodeid: found[item.nodeid] for item in items if item.nodeid in found}

    def watch(self, items: list[pytest.Item], out: Path) -> bool:
        seen: set[Called] = set()

        def call(frame: FrameType, _event: str, _arg: object) -> None:
            code = frame.f_code
            if code.co_filename.startswith(str(SOURCE)):
                seen.add((code.co_filename, code.co_name))

        found = {}
        for item, after in zip(items, [*items[1:], None], strict=True):
            seen.clear()
            self.failed = self.skipped = False
            sys.settrace(call)
            began = time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            sys.settrace(None)
            if seen and not self.failed and not self.skipped:
                found[item.nodeid] = time.process_time() - began, set(seen)
        out.write_bytes(pickle.dumps(found))
        return False


def fitting(
    mutant: Mutant, calls: dict[str, tuple[float, set[Called]]], killers: Mapping[Path | Key, set[str]], seconds: float
) -> list[str]:
    """Tests that call the mutated function, the most promising first, as many as fit into the time."""
    mirror = f"{mutant.path.parent.name}/test_{mutant.path.stem}.py"
    first, second = (killers.get(place, set()) for place in (mutant.function, mutant.path))
    tests = [
        (name not in first, name not in second, mirror not in name, took, name)
        for name, (took, called) in calls.items()
        if (mutant.function[0], mutant.function[2]) in called
    ]
    chosen, total = [], 0.0
    for *_, took, name in sorted(tests):
        if not chosen or total + took <= seconds:
            chosen.append(name)
            total += took
    return chosen


Named = TypeVar("Named")


def forked(work: list[tuple[Named, Callable[[], bool]]], jobs: int) -> Iterator[tuple[Named, int]]:
    """Do each piece of work in a process of its own; give its name and the status of the process, in the order they end.

    The status is `KILLED` if the work returns true.
    """
    running: dict[int, Named] = {}
    waiting = iter(work)
    while True:
        while len(running) < jobs and (piece := next(waiting, None)) is not None:
            pid = os.fork()
            if not pid:
                quiet = os.open(os.devnull, os.O_RDWR)
                for number in range(3):
                    os.dup2(quiet, number)
                try:
                    os._exit(KILLED if piece[1]() else 0)
                except BaseException:  # noqa: BLE001  # of this script
                    os._exit(BROKEN)
            running[pid] = piece[0]
        if not running:
            return
        pid, status = os.wait()
        yield running.pop(pid), status


def equivalent() -> dict[str, str]:
    """The reason for each mutant that is known to be no fault."""
    reasons, reason = {}, ""
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            reason = line.removeprefix("#").strip()
        elif line:
            reasons[line] = reason
    return reasons


def report(chosen: list[str], known: dict[str, str]) -> int:
    """Print the survivors, and how many are killed, a line for each package; return the exit status."""
    harmless = equivalent()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for name in sorted(chosen):
        kind = "equivalent" if known[name] == "survived" and name in harmless else known[name]
        if kind not in ("killed", "equivalent"):
            print(kind, name)
        for part in (name.split(" ")[0].split("/")[0], "all"):
            counts[part][kind] += 1
    for part, of_part in sorted(counts.items(), key=lambda item: item[0] == "all"):
        killed, same = of_part["killed"], of_part["equivalent"]
        share = 100 * killed / max(of_part.total() - same, 1)
        kinds = "".join(f"{of_part[kind]:6} {kind}" for kind in ("killed", "survived", "timeout", "broken", "equivalent"))
        print(f"{part:12}{kinds} {share:6.1f} %")
    return int(share < LEAST)


def main() -> int:
    """Collect the tests, and run the mutants."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument(
        "modules", nargs="*", default=MUTATED, metavar="MODULE", help="below src/referee; default: those of the gate"
    )
    parser.add_argument("--tests", nargs="+", default=TESTED, metavar="PATH", help="below tests")
    parser.add_argument("--sample", type=int, default=1 << 30, metavar="N", help="so many mutants, by chance")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at a time")
    parser.add_argument("--seconds", type=int, default=10, metavar="S", help="of tests for each mutant (default: 10)")
    parser.add_argument(
        "--calls", default="build/mutation/calls", metavar="FOLDER", help="what tests call; kept for the next time"
    )
    parser.add_argument(
        "--journal", default="build/mutation/journal", metavar="FILE", help="results; those in it are not repeated"
    )
    parser.add_argument(
        "--again", action="store_true", help="repeat those of the journal that were not killed, nor are equivalent"
    )
    args = parser.parse_args()
    Path(args.calls).parent.mkdir(parents=True, exist_ok=True)
    settings.register_profile("mutation", phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False)
    settings.load_profile("mutation")  # a failure need not be made small
    runner = Runner(args)
    tests = [str(ROOT / "tests" / name) for name in args.tests] + [
        str(SOURCE / name) for name in ("metrics", "algorithms", "stats")
    ]
    status = pytest.main(["-n", "0", "-p", "no:cacheprovider", "--assert=plain", "--capture=sys", *tests], plugins=[runner])
    return runner.status if status == pytest.ExitCode.OK else int(status)


if __name__ == "__main__":
    sys.exit(main())
