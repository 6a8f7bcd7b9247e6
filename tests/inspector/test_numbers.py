"""The page prints a score with the digits that reports print."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import referee
from referee.reports.numbers import number

SCRIPT = Path(referee.__file__).parent / "inspector" / "assets" / "scores" / "format.js"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
@pytest.mark.parametrize("truncate", [False, True])
def test_the_page_rounds_as_reports_do(truncate: bool) -> None:
    rng = random.Random(17)
    values = [a / b for b in (3, 7, 8, 32, 64, 800, 6400) for a in range(b + 1)] + [rng.random() for _ in range(2000)]
    functions = re.sub(r"^export ", "", SCRIPT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    call = f"console.log(JSON.stringify({json.dumps(values)}.map(v => percent({{truncate: {str(truncate).lower()}}}, v))))"
    done = subprocess.run(["node", "-"], input=functions + call, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [number(value, truncate=truncate) for value in values]
