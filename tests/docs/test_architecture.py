"""The figures of docs/architecture.md are those that scripts/structure.py measures."""

import json
import re
import subprocess
import sys

import pytest

from scripts import structure
from tests.support.paths import ROOT


def stated():
    """Figure -> what the page says of this version: the last column of its table."""
    rows = re.findall(r"^\| (.+?) \|.*\| ([^|]+) \|$", (ROOT / "docs" / "architecture.md").read_text(), re.MULTILINE)
    return {name: value.strip() for name, value in rows}


@pytest.fixture(scope="module")
def measured():
    """The figures of the source, and the moves and climbs of each example, by a process that has not imported it yet."""
    code = "import json; from scripts import structure; print(json.dumps([structure.figures(), structure.walks()]))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_the_page_has_the_figures_of_the_source(measured):
    figures, _ = measured
    assert {name: stated().get(name) for name in figures} == {name: str(value) for name, value in figures.items()}


def test_the_page_has_the_moves_of_the_examples(measured):
    """Some functions differ with the versions of Python and of libraries."""
    _, walks = measured
    for name, (moves, climbs) in walks.items():
        found = re.fullmatch(r"(\d+) \((\d+)\)", stated()[f"moves (climbs) of {name}"])
        assert found, name
        assert abs(moves - int(found[1])) <= 5, f"{name}: {moves} moves"
        assert abs(climbs - int(found[2])) <= 1, f"{name}: {climbs} climbs"


def test_a_climb_and_a_circle_are_seen():
    assert structure.floors({("a", "b"), ("b", "c"), ("a", "c")}) == {"a": 3, "b": 2, "c": 1}
    assert structure.circles({"a": {"b"}, "b": {"a", "c"}, "c": set()}) == [{"a", "b"}]
