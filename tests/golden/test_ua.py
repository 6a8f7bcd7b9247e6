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
from markable.evaluation import Evaluation
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


def file(folder: str, name: str) -> Path:
    """A file of the kit, which may be compressed."""
    path = KIT / folder / name
    return path if path.exists() else path.with_name(path.name + ".gz")


def cases(folder: str, *, failing: bool = False) -> list[Any]:
    path = KIT / folder / "expected.json"
    found = json.loads(path.read_text())["cases"] if path.is_file() else []
    return [
        pytest.param(
            file(folder, c["key"]),
            file(folder, c["response"]),
            c,
            id=f"{c['response']} {' '.join(map(str, c['options'].values()))}",
        )
        for c in found
        if c.get("format") == "ua" and ("error" in c) == failing
    ]


@cache
def corpus(path: Path) -> Corpus:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkableWarning)
        return read(path, format="ua")


def evaluation(key: Path, response: Path, options: dict[str, Any]) -> Evaluation:
    settings: dict[str, Any] = {
        "match": MATCH[options["match"]],
        "zeros": "linear" if options["zeros"] else "drop",
        "singletons": "keep" if options["singletons"] else "drop-listed",
        "duplicates": "corefud" if options["split_antecedents"] else "ua",  # with these, the program makes sets of entities
    }
    metrics = [name + split for name in NAMES.values() for split in ("", "_split")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkableWarning)
        return score(corpus(key), corpus(response), metrics=metrics, profile="ua-2.0", tokens="warn", **settings)


@pytest.mark.parametrize(("key", "response", "case"), cases("corefud-tests"))
def test_the_peers_own_tests(key: Path, response: Path, case: dict[str, Any]) -> None:
    e = evaluation(key, response, case["options"])
    different = {}
    for theirs, name in NAMES.items():
        ours = name + "_split" if case["options"]["split_antecedents"] else name
        if theirs in case["scores"] and ours != "blanc_split":
            found, want = e[ours], case["scores"][theirs]
            sides = (
                [("f1", found.value)] if theirs == "conll" else [("r", found.recall), ("p", found.precision), ("f1", found.f1)]
            )
            for side, value in sides:
                if value is not None and value != pytest.approx(want[side], abs=1e-9, rel=0):
                    different[theirs, side] = (value, want[side])
    assert not different


@pytest.mark.parametrize(("key", "response", "case"), cases("corefud-tests", failing=True))
def test_where_the_program_fails_there_is_a_score(key: Path, response: Path, case: dict[str, Any]) -> None:
    e = evaluation(key, response, case["options"])
    assert all(0 <= e[name].value <= 1 for name in NAMES.values())
