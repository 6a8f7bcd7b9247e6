"""Imports point downwards only: who may import whom, as a picture of levels."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
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
    "options": 1,
    "formats": 2,
    "stats": 2,
    "matching": 3,
    "reports": 3,
    "metrics": 4,
    "error_analysis": 5,
    "phrases": 5,
    "tables": 5,
    "scoring": 6,
    "comparison": 7,
    "compat": 7,
    "papers": 7,
    "training": 7,
    "agreement": 8,
    "pages": 8,
    "resolver": 8,
    "cli": 9,
    "__init__": 9,  # names, which it imports when they are used
    "__main__": 10,
}


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line, and dotted name below referee, of what a file imports from us, wherever in the file, and be it for types alone."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.split(".")[0] == "referee")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: expected an absolute import"
            if node.module == "referee":
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif (node.module or "").startswith("referee."):
                yield node.lineno, str(node.module).removeprefix("referee.")


def test_every_module_has_a_level_and_every_level_a_module() -> None:
    assert {name.partition(".")[0] for name in MODULES} == set(LEVELS)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_is_below_it(name: str) -> None:
    own = name.partition(".")[0]
    for line, imported in imports(MODULES[name]):
        other = imported.partition(".")[0]
        assert other in LEVELS, f"{name}:{line}: {imported} is no module of ours"
        assert other == own or LEVELS[other] < LEVELS[own], f"{name}:{line} imports {imported}, which is not below it"


def test_within_a_package_nothing_is_imported_in_a_circle() -> None:
    # What a package's own __init__ imports may not import the package; others may.
    graph = {
        name: {i for _, i in imports(path) if i.partition(".")[0] == name.partition(".")[0]} for name, path in MODULES.items()
    }
    graph = {name: {i if i in graph else f"{i}.__init__" for i in found} for name, found in graph.items()}

    def reach(name: str, seen: frozenset[str]) -> None:
        assert name not in seen, f"{name} imports itself by way of {', '.join(sorted(seen))}"
        for other in graph.get(name, ()):
            reach(other, seen | {name})

    for name in graph:
        reach(name, frozenset())


def test_numpy_is_all_that_the_core_needs() -> None:
    optional = {
        "scipy": {"algorithms.assignment"},
        "shtab": {"cli.completion"},
        "torch": {"training.torchmetrics"},
        "torchmetrics": {"training.torchmetrics"},
        "typing_extensions": {  # for types alone
            "agreement.agreeing", "agreement.sampling",
            "comparison.comparing", "pages.inspector.inspection", "metrics.metric", "scoring.estimates", "scoring.thresholds",
                "scoring.evaluation",
            "scoring.score", "scoring.stored", "compat.programs.universal_anaphora", "training.evaluators", "training.scorer",
            "training.torchmetrics",
        },
    }  # fmt: skip
    ours = {"referee", "numpy", "__future__"}
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text())):
            found = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            found += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for top in {f.partition(".")[0] for f in found} - ours - sys.stdlib_module_names:
                assert name in optional.get(top, ()), f"{name}:{node.lineno} imports {top}"  # type: ignore[attr-defined]
