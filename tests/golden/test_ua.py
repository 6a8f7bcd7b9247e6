"""The numbers of the Universal Anaphora scorer 2.0 (and 1, where it alone gives them) on the same files, to 1e-9.

BLANC with split antecedents depends on the order of Python's sets in that program, and is left out. The kit is no part of the
repository (its texts have licences of their own).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee import score
from referee.corpus.corpus import Corpus
from referee.inputs.reading import read
from referee.scoring.evaluation import Evaluation
from tests.support.corefud_kit import NAMES, cases, differences, needed
from tests.support.warned import silenced

pytestmark = needed

MATCH = {"exact": "exact", "partial-corefud": "min", "partial-craft": "craft"}


@cache
def corpus(path: Path) -> Corpus:
    with silenced():
        return read(path, format="ua")


def evaluation(key: Path, response: Path, options: dict[str, Any]) -> Evaluation:
    settings: dict[str, Any] = {
        "match": MATCH[options["match"]],
        "zeros": "linear" if options["zeros"] else "drop",
        "singletons": "keep" if options["singletons"] else "drop-annotated",
        "repeated_mentions": "corefud"
        if options["split_antecedents"]
        else "ua",  # with these, the program makes sets of entities
    }
    metrics = [name + split for name in NAMES.values() for split in ("", "_split")]
    with silenced():
        return score(corpus(key), corpus(response), metrics=metrics, profile="ua-2.0", tokens="warn", **settings)


@pytest.mark.parametrize(("key", "response", "case"), cases("corefud-tests", "ua"))
def test_the_peers_own_tests(key: Path, response: Path, case: dict[str, Any]) -> None:
    e = evaluation(key, response, case["options"])
    if "error" in case:  # the program fails; there is a score all the same
        assert all(0 <= e[name].value <= 1 for name in NAMES.values())
        return
    names = NAMES
    if case["options"]["split_antecedents"]:
        names = {theirs: f"{ours}_split" for theirs, ours in NAMES.items() if ours != "blanc"}
    assert not differences(e, case["scores"], names, 1e-9)
