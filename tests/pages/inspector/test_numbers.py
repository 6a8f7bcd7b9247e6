"""The page prints scores and costs with the digits that reports print."""

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import referee
from referee import inspect
from referee.pages.inspector.overview import overview
from referee.pages.inspector.packing import json_of
from referee.pages.inspector.response import ScoredResponse
from referee.reports.numbers import cost, cost_decimals, number

SCRIPT = Path(referee.__file__).parent / "pages" / "inspector" / "assets" / "scores" / "format.js"


def of_the_page(function, values):
    """What a function of the page, an expression, makes of values."""
    functions = re.sub(r"^export ", "", SCRIPT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    call = f"console.log(JSON.stringify({json.dumps(values)}.map({function})))"
    done = subprocess.run(["node", "-"], input=functions + call, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def values():
    """Many of them exactly between two that can be printed."""
    rng = random.Random(17)
    fractions = [a / b for b in (3, 7, 8, 32, 64, 800, 6400, 32768) for a in range(-b, b + 1)]
    return fractions + [rng.random() for _ in range(2000)]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("truncate", [False, True])
def test_the_page_rounds_as_reports_do(truncate):
    page = f"{{truncate: {str(truncate).lower()}}}"
    shown = of_the_page(f"v => formatScore({page}, undefined, v)", values())
    assert shown == [number(value, truncate=truncate).replace("-", "−") for value in values()]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_numbers_with_a_unit_and_costs_are_those_of_reports():
    bits = [8 * value for value in values()]
    assert of_the_page("v => formatScore({}, {unit: 'bits'}, v)", bits) == [
        number(value, "bits").replace("-", "−") for value in bits
    ]
    for decimals in range(2, 7):
        shown = of_the_page(f"v => formatCost({{}}, undefined, v, {decimals})", values())
        assert shown == [cost(value, decimals=decimals).replace("-", "−") for value in values()]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_costs_have_the_decimals_of_reports():
    lists = [[0.0], [0.05, 0.01, 0.0], [0.01, 0.00002, 0.00001], [-3e-7, 2e-9], [1e-5] * 3 + [-1.0] * 2]
    found = of_the_page("costDecimals", lists)
    assert found == [cost_decimals(costs) for costs in lists]


def test_scores_enter_the_page_with_all_their_digits():
    # Two of 100,003 mentions missed: 99.9980…; six digits of the fraction would be a rounding of their own.
    e = inspect([[str(n) for n in range(100_003)]], [[str(n) for n in range(2, 100_003)]], metrics=["mentions"]).evaluations[0]
    record = json.loads(json_of(overview([ScoredResponse(e)], e.documents)))
    assert record["responses"][0]["scores"]["mentions"] == [100_001 / 100_003, 1.0, e["mentions"].value]
