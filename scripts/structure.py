#!/usr/bin/env python
"""Measures how the package is built, and prints the figures of docs/architecture.md: `python scripts/structure.py`.

A room is a module or package at the top of `referee`. An arrow leads from a room to another one that it imports, if only for
types. A room stands on the floor above all that it imports. A circle is a set of files that import each other.

A move is a call of a function in one room by a function in another one while an example is computed; each two functions
count once. A climb is a move to a room on a floor above.

`--source` measures the source of another version, which must run with the libraries that are installed.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "referee"
KEY, RESPONSE, SECOND = (str(ROOT / "examples" / name) for name in ("key.conll", "response.conll", "second.jsonlines"))

WALKS: Mapping[str, Callable[[Any], object]] = {
    "`score(key, response)`": lambda referee: referee.score(KEY, RESPONSE),
    "`compare(key, responses)`": lambda referee: referee.compare(KEY, [RESPONSE, SECOND]),
    "`errors(key, response)`": lambda referee: referee.errors(KEY, RESPONSE),
    "`inspect(key, response)`": lambda referee: referee.inspect(KEY, RESPONSE),
    "`agree(annotations)`": lambda referee: referee.agree([KEY, RESPONSE, SECOND]),
    "`resolve(text)`": lambda referee: referee.resolve(str(ROOT / "examples" / "story.conllu")),
}
"""What is computed; the page shows the moves of each."""


INSIDE = re.compile(r"(\.<locals>)?\.<(?!locals)[^>]+>")
"""What the name of a comprehension, or of a function without one, has after that of the function in which it stands."""


def modules(source: Path) -> dict[str, Path]:
    """Dotted name below the package -> file; a package has the name of its folder."""
    files = sorted(source.rglob("*.py"))
    names = [".".join(file.relative_to(source).with_suffix("").parts).removesuffix(".__init__") for file in files]
    return dict(zip(names, files, strict=True))


def imports(name: str, files: Mapping[str, Path]) -> Iterator[str]:
    """The modules that one imports from the package, wherever in its file."""
    for full in parts(files[name])[0]:
        own = full.removeprefix("referee.")
        if own != full:
            yield own if own in files else own.rpartition(".")[0] or "__init__"


def room(name: str) -> str:
    """The room of a module."""
    return name.partition(".")[0]


def floors(arrows: set[tuple[str, str]]) -> dict[str, int]:
    """The floor of each room, from 1."""
    below: dict[str, list[str]] = {}
    for above, other in arrows:
        below.setdefault(above, []).append(other)
        below.setdefault(other, [])

    @cache
    def floor(name: str) -> int:
        return 1 + max(map(floor, below[name]), default=0)

    return {name: floor(name) for name in below}


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """The sets of files that import each other."""
    left = {name: set(others) for name, others in graph.items()}
    while ends := {name for name, others in left.items() if not others & left.keys()}:
        left = {name: others - ends for name, others in left.items() if name not in ends}

    def reached(name: str) -> set[str]:
        seen: set[str] = set()
        new = left[name] & left.keys()
        while new:
            seen |= new
            new = {other for one in new for other in left[one] & left.keys()} - seen
        return seen

    far = {name: reached(name) for name in left}
    return [*map(set, {frozenset(other for other in far[name] if name in far[other]) for name in far if name in far[name]})]


@cache
def parts(file: Path) -> tuple[list[str], list[str]]:
    """The full names of what a file imports, and the names of its classes; the syntax of all files is too much to keep."""
    imported, classes = [], []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imported += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ClassDef):
            classes.append(node.name)
    return imported, classes


def class_names(files: Mapping[str, Path]) -> Counter[str]:
    """How many classes have a name, without the line in front of private ones."""
    return Counter(name.lstrip("_") for file in files.values() for name in parts(file)[1])


def moves(run: Callable[[], object], source: Path, floor: Mapping[str, int]) -> tuple[int, int]:
    """The moves while something runs, and the climbs among them."""
    found: set[tuple[str, str, str, str]] = set()
    prefix = str(source) + "/"
    memo = prefix + "basics/memo.py"

    def place(frame: FrameType | None) -> tuple[str, str] | None:
        """The room and the function that run; None for what is not of the package, or runs when it is imported."""
        if frame is None or not frame.f_code.co_filename.startswith(prefix) or frame.f_code.co_name == "<module>":
            return None
        own = frame.f_code.co_filename[len(prefix) :]
        function = INSIDE.sub("", frame.f_code.co_qualname)
        return own.partition("/")[0].removesuffix(".py"), f"{own}:{function}"

    def follow(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or (here := place(frame)) is None:
            return
        above = frame.f_back
        while above and above.f_code.co_filename == memo:  # who asks for what is kept, calls what makes it
            above = above.f_back
        if (before := place(above)) and here[0] != before[0] and frame.f_code.co_filename != memo:
            found.add((*before, *here))

    run()  # what is imported and kept
    sys.setprofile(follow)
    try:
        run()
    finally:
        sys.setprofile(None)
    return len(found), sum(floor[above] < floor[below] for above, _, below, _ in found)


def walks(source: Path = SOURCE) -> dict[str, tuple[int, int]]:
    """The moves and climbs of each of `WALKS`."""
    sys.path.insert(0, str(source.parent))
    referee = import_module("referee")
    if Path(str(referee.__file__)).parent != source:
        raise SystemExit(f"expected that referee is not imported yet; found {referee.__file__}")
    floor = floors(structure(source)[0])
    return {name: moves(partial(walk, referee), source, floor) for name, walk in WALKS.items()}


def structure(source: Path) -> tuple[set[tuple[str, str]], dict[str, set[str]]]:
    """The arrows between rooms, and what each file imports."""
    files = modules(source)
    graph = {name or "__init__": set(imports(name, files)) - {name} for name in files}
    arrows = {(room(name), room(other)) for name, others in graph.items() for other in others if room(name) != room(other)}
    return arrows, {name: {other for other in others if other in graph} for name, others in graph.items()}


def figures(source: Path = SOURCE) -> dict[str, int]:
    """Figure -> value, of the source alone."""
    arrows, graph = structure(source)
    rooms = {room(name) for name in graph}
    return {
        "names at the top level": len([path for path in source.iterdir() if path.name != "__pycache__"]),
        "rooms": len(rooms),
        "floors": max(floors(arrows).values()),
        "arrows between rooms": len(arrows),
        "circles": len(circles(graph)),
        "class names that stand twice": sum(count > 1 for count in class_names(modules(source)).values()),
    }


def main() -> None:
    """Print the figures as rows of a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, default=SOURCE, help="the folder of the package")
    source = parser.parse_args().source.resolve()
    for name, value in figures(source).items():
        print(f"| {name} | {value} |")
    for name, (count, climbs) in walks(source).items():
        print(f"| moves (climbs) of {name} | {count} ({climbs}) |")


if __name__ == "__main__":
    main()
