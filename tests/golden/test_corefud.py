"""The numbers of the CorefUD scorer 1.2 on the same files, to 1e-9.

Where that program contradicts its own matching of zeros, the kit gives the scores of its own pairs (`alignment_consistent`),
and these are what we must give. Ties in inexact matching are settled by its solver, in the order of the whole document's
matrix: on real documents a score may differ by up to 5e-4. The kit is no part of the repository (its texts have licences of
their own).
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
    "mor": "mention_overlap",
    "zero": "zero_anaphora",
    "conll": "conll",
}
TIES = ("gum", "gum-by", "gum-by-zeros")


def file(folder: str, name: str) -> Path:
    """A file of the kit, which may be compressed."""
    path = KIT / folder / name
    return path if path.exists() else path.with_name(path.name + ".gz")


KNOWN = {
    "empty-ids-10.sys.conllu": "the program takes 5.1 and 5.10 for one node",
    "duplicate-in-entity.sys.conllu head": "the program takes one span with two heads for two mentions of its entity",
}


def cases(folder: str) -> list[Any]:
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
        if c.get("format", "corefud") == "corefud"
    ]


@cache
def corpus(path: Path) -> Corpus:
    return read(path, format="corefud")


def agrees(key: Path, response: Path, case: dict[str, Any], tolerance: float) -> None:
    options = case["options"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkableWarning)
        e = score(
            corpus(key), corpus(response), metrics=list(NAMES.values()), profile="corefud-1.2",
            match=options["match"], zeros=options["zeros"], singletons="keep" if options["singletons"] else "drop-listed",
        )  # fmt: skip
    if "error" in case:  # the program fails; there is a score all the same
        assert all(0 <= e[name].value <= 1 for name in NAMES.values())
        return
    consistent = case.get("alignment_consistent")
    expected = {**case["scores"], **(consistent if isinstance(consistent, dict) else {})}
    different = {}
    for theirs, ours in NAMES.items():
        if theirs in expected:
            found, want = e[ours], expected[theirs]
            sides = (
                [("f1", found.value)] if theirs == "conll" else [("r", found.recall), ("p", found.precision), ("f1", found.f1)]
            )
            for side, value in sides:
                if value is not None and value != pytest.approx(want[side], abs=tolerance, rel=0):
                    different[theirs, side] = (value, want[side])
    assert not different


@pytest.mark.parametrize(("key", "response", "case"), [c for f in ("adversarial", "corefud-tests") for c in cases(f)])
def test_the_peers_own_tests_and_the_adversarial_ones(key: Path, response: Path, case: dict[str, Any]) -> None:
    for name, why in KNOWN.items():
        if f"{response.name} {case['options']['match']}".startswith(name):
            pytest.skip(why)
    agrees(key, response, case, 1e-9)


@pytest.mark.parametrize(("key", "response", "case"), [c for f in TIES for c in cases(f)])
def test_corpora(key: Path, response: Path, case: dict[str, Any]) -> None:
    agrees(key, response, case, 1e-9 if case["options"]["match"] == "exact" else 5e-4)
