"""Imports point downwards only: who may import whom, as a picture of levels."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import chain, pairwise
from pathlib import Path

import pytest

import referee

ROOT = Path(referee.__file__).parent

MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in sorted(ROOT.rglob("*.py"))}
"""Dotted name below referee -> file."""

# A module or package, and its level. It may import what is on a lower level, and what is beside it in its own package.
LEVELS = {
    "algorithms": 0,
    "basics": 0,
    "corpus": 1,
    "formats": 2,
    "stats": 2,
    "answers": 3,
    "reports": 3,
    "tabular": 3,
    "inputs": 4,
    "matching": 5,
    "metrics": 6,
    "error_analysis": 7,
    "tables": 7,
    "scoring": 8,
    "comparison": 9,
    "agreement": 10,
    "pages": 10,
    "phrases": 10,
    "compat": 11,
    "parsing": 11,
    "training": 11,
    "resolver": 12,
    "corrections": 13,
    "__init__": 14,  # names, which it imports when they are used
    "cli": 15,
    "__main__": 16,
}

REMEDY = "move the code down, or the module to a higher level"


def level_of(name: str) -> int | None:
    """The level of a module or package: its own, or that of the package that has it."""
    while name and name not in LEVELS:
        name = name.rpartition(".")[0]
    return LEVELS.get(name)


def imports_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line, and dotted name, of each module that a file imports, wherever in the file, and be it for types alone.

    What is imported from a package is a module of it, or else a name that its `__init__` has. `import_module` imports, too.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, "referee.__init__" if alias.name == "referee" else alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = "." * node.level + (node.module or "")
            for alias in node.names:
                whole = f"{package}.{alias.name}"
                yield node.lineno, whole if package == "referee" or is_module(whole) else package
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            yield from ((node.lineno, name.value) for name in node.args[:1] if isinstance(name, ast.Constant))


def names_in(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line, and name, of each module of ours that a text of a file names: tables of names are imported later."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value.partition(":")[0]
            if is_module(name):
                yield node.lineno, name.removeprefix("referee.")


def is_module(name: str) -> bool:
    top, _, below = name.partition(".")
    return top == "referee" and (below in MODULES or f"{below}.__init__" in MODULES)


def tree_of(name: str) -> ast.Module:
    """The syntax tree of one of our modules: all of them together are millions of objects."""
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@cache
def imports() -> dict[str, list[tuple[int, str]]]:
    """What each of our modules imports."""
    return {name: [*imports_of(tree_of(name))] for name in MODULES}


def ours() -> Iterator[tuple[str, int, str]]:
    """Module, line, and the name below referee of what it imports from us."""
    for name, found in imports().items():
        for line, imported in found:
            if imported.partition(".")[0] == "referee":
                yield name, line, imported.removeprefix("referee.")


def at(name: str, line: int) -> str:
    return f"{MODULES[name].relative_to(ROOT).as_posix()}:{line}"


def listed(faults: list[str]) -> str:
    return "\n".join(["", *faults])


def test_every_module_has_a_level_and_every_level_a_module() -> None:
    assert {name.partition(".")[0] for name in MODULES} == {name for name in LEVELS if "." not in name}
    assert all(is_module(f"referee.{name}") for name in LEVELS)


def test_imports_are_absolute() -> None:
    faults = [f"{at(name, line)} imports {i}" for name, found in imports().items() for line, i in found if i.startswith(".")]
    assert not faults, listed(faults)


def test_a_module_imports_only_what_is_below_it() -> None:
    faults = []
    named = ((name, line, imported) for name in MODULES for line, imported in names_in(tree_of(name)))
    for name, line, imported in chain(ours(), named):
        own, other = level_of(name), level_of(imported)
        if own is None or other is None:
            faults.append(f"{at(name, line)}: {imported} is no module of ours")
        elif other >= own and imported.partition(".")[0] != name.partition(".")[0]:
            faults.append(f"{at(name, line)} imports {imported}, which is not below it: {REMEDY}")
        elif other > own:
            faults.append(f"{at(name, line)} imports {imported}, which is above it: {REMEDY}")
    assert not faults, listed(faults)


def test_a_package_says_what_others_import_from_it() -> None:
    """A package whose docstring names such modules and folders keeps all others to itself."""
    used: dict[str, set[str]] = {}
    for name, _, imported in ours():
        room, _, below = imported.partition(".")
        if below and room not in {name.partition(".")[0], "__init__"} and name != "__init__":
            used.setdefault(room, set()).add(below.partition(".")[0])
    stated = {}
    for room in LEVELS:
        doc = ast.get_docstring(tree_of(f"{room}.__init__")) if f"{room}.__init__" in MODULES else None
        if found := re.search(r"^Other packages import (.*?)\.$", doc or "", re.DOTALL | re.MULTILINE):
            stated[room] = set(re.findall(r"`(\w+)`", found[1]))
    assert len(stated) > 8
    assert stated == {room: used[room] for room in stated}, "say it in the docstring of the package, or import something else"


def test_nothing_is_imported_in_a_circle() -> None:
    # What a package's own __init__ imports may not import the package; others may.
    graph: dict[str, dict[str, int]] = {}
    for name, line, imported in ours():
        graph.setdefault(name, {})[imported if imported in MODULES else f"{imported}.__init__"] = line
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = error.args[1]  # each is imported by the next
        faults = [f"{at(b, graph[b][a])} imports {a}" for a, b in pairwise(circle)]
        pytest.fail(f"{listed(faults)}\nin a circle: {REMEDY}")


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from referee.formats import conll", "referee.formats.conll"),
        ("def f():\n    from referee.formats import conll as c", "referee.formats.conll"),
        ("from referee.formats import read", "referee.formats"),
        ("from referee.formats.conll import read", "referee.formats.conll"),
        ("from referee import formats", "referee.formats"),
        ("import referee.formats.conll", "referee.formats.conll"),
        ("import_module('referee.formats.conll')", "referee.formats.conll"),
        ("importlib.import_module('referee.formats.conll').read", "referee.formats.conll"),
        ("__import__('referee.formats')", "referee.formats"),
        ("from . import conll", "."),
        ("from .conll import read", ".conll"),
        ("from math import nan", "math"),
    ],
)
def test_what_is_imported_is_found(source: str, found: str) -> None:
    assert [name for _, name in imports_of(ast.parse(source))] == [found]


def test_numpy_is_all_that_the_core_needs() -> None:
    optional = {
        "duckdb": {"basics.extras"}, "pyarrow": {"basics.extras"},  # for types alone
        "pyspark": {"basics.extras", "tables.spark_session"}, "spacy": {"basics.extras"},
        "datasets": {"compat.lm_eval"},
        "inspect_ai": {"compat.inspect_ai"},
        "scipy": {"algorithms.assignment"},
        "shtab": {"cli.completion"},
        "torch": {"training.torchmetrics"},
        "torchmetrics": {"training.torchmetrics"},
        "typing_extensions": {  # for types alone
            "agreement.agreeing", "agreement.sampling",
            "comparison.comparing", "pages.inspector.inspection", "metrics.metric", "scoring.estimates", "scoring.thresholds",
            "scoring.response_scores", "scoring.score", "scoring.submissions", "compat.programs.universal_anaphora",
            "compat.seqeval", "training.evaluators", "training.scorer",
            "training.torchmetrics",
        },
    }  # fmt: skip
    known = {"referee", "numpy", "__future__", *sys.stdlib_module_names}
    faults = []
    for name, found in imports().items():
        for line, imported in found:
            top = imported.partition(".")[0]
            if top not in known and name not in optional.get(top, ()):
                faults.append(f"{at(name, line)} imports {top}: expected NumPy, the standard library, or an extra listed here")
    assert not faults, listed(faults)
