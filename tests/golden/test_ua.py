"""The numbers of the Universal Anaphora scorer 2.0 (and 1, where it alone gives them) on the same files, to 1e-9.

BLANC with split antecedents depends on the order of Python's sets in that program, and is left out. The kit is no part of the
repository (its texts have licences of their own).
"""

import warnings
from functools import cache

import pytest

from referee import score
from referee.basics.exceptions import RefereeWarning
from referee.inputs.reading import read
from tests.support.corefud_kit import NAMES, cases, differences, needed

pytestmark = needed

MATCH = {"exact": "exact", "partial-corefud": "min", "partial-craft": "craft"}


@cache
def corpus(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefereeWarning)
        return read(path, format="ua")


def evaluation(key, response, options):
    settings = {
        "match": MATCH[options["match"]],
        "zeros": "linear" if options["zeros"] else "drop",
        "singletons": "keep" if options["singletons"] else "drop-annotated",
        "repeated_mentions": "corefud"
        if options["split_antecedents"]
        else "ua",  # with these, the program makes sets of entities
    }
    metrics = [name + split for name in NAMES.values() for split in ("", "_split")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RefereeWarning)
        return score(corpus(key), corpus(response), metrics=metrics, profile="ua-2.0", tokens="warn", **settings)


@pytest.mark.parametrize(("key", "response", "case"), cases("corefud-tests", "ua"))
def test_the_peers_own_tests(key, response, case):
    e = evaluation(key, response, case["options"])
    if "error" in case:  # the program fails; there is a score all the same
        assert all(0 <= e[name].value <= 1 for name in NAMES.values())
        return
    names = NAMES
    if case["options"]["split_antecedents"]:
        names = {theirs: f"{ours}_split" for theirs, ours in NAMES.items() if ours != "blanc"}
    assert not differences(e, case["scores"], names, 1e-9)
