"""$REFEREE_EXAMPLES reaches each property: none has a number of examples of its own."""

import ast

from hypothesis import settings

from tests.support.examples import examples
from tests.support.paths import ROOT

ALLOWED = {"conftest.py", "support/examples.py"}
"""Where the number is read, and where it is multiplied."""


def fixed(text):
    """The lines of a file that say how many examples there are."""
    return [node.lineno for node in ast.walk(ast.parse(text)) if isinstance(node, ast.keyword) and node.arg == "max_examples"]


def test_no_property_has_a_number_of_examples_of_its_own():
    tests = ROOT / "tests"
    files = {path.relative_to(tests).as_posix(): path.read_text(encoding="utf-8") for path in sorted(tests.rglob("*.py"))}
    found = [f"{name}:{line}" for name, text in files.items() if "max_examples" in text for line in fixed(text)]
    assert {place.partition(":")[0] for place in found} == ALLOWED, f"expected @examples(times) in place of {found}"


def test_examples_are_a_multiple_of_those_that_are_asked_for():
    asked = settings().max_examples
    assert [examples(times).max_examples for times in (2, 1, 0)] == [2 * asked, asked, 1]
