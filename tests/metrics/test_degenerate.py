"""Every metric where there is nothing, one, or all in one: values worked out by hand from the definitions.

A row is a metric, (recall, precision, F) or the one number. U is undefined, 0/0. Fractions say what is divided by what
where that is not obvious; the logarithms are those of three or six equally likely mentions.
"""

import math

import pytest

from tests.support.metrics import ENTITY_METRICS as METRICS
from tests.support.partitions import table_of

U = math.nan
LOG3 = math.log2(3)

CASES = {
    "no document": [],
    "no mention": [([], [])],
    "empty response": [([{1, 2}, {3}], [])],
    "empty key": [([], [{1, 2}, {3}])],
    "one mention": [([{1}], [{1}])],
    "singletons": [([{1}, {2}, {3}], [{1}, {2}, {3}])],
    "one entity": [([{1, 2, 3}], [{1, 2, 3}])],
    "nothing shared": [([{1, 2}, {3}], [{4, 5}, {6}])],
    "all merged": [([{1}, {2}, {3}], [{1, 2, 3}])],
    "all split": [([{1, 2, 3}], [{1}, {2}, {3}])],
}

NOTHING = (U, U, U)
ZERO = (0, 0, 0)
ONE = (1, 1, 1)
NO_RESPONSE = (0, U, 0)  # recall 0 of something, precision 0 of nothing
NO_KEY = (U, 0, 0)

# Half of the information: key {1, 2} {3} against three singletons. H(K|R) = 0, H(R) = lg 3, H(R|K) = 2/3.
SPLIT = 1 - (2 / 3) / LOG3
F_SPLIT = 2 * SPLIT / (1 + SPLIT)
# Nothing shared: six mentions, the entities on either side of sizes 2, 1, 1, 1, 1. H = 1/3 lg 3 + 2/3 lg 6, H(K|R) = 2/6.
APART = 1 - (1 / 3) / (LOG3 + 2 / 3)

TWO_SIDES = {
    "no mention": NOTHING, "empty response": NO_RESPONSE, "empty key": NO_KEY, "one mention": ONE, "singletons": ONE,
    "one entity": ONE, "nothing shared": ZERO,
}  # fmt: skip
"""What a measure of mentions or entities gives, unless a metric says otherwise below."""
WITHOUT_LINKS = {"one mention": NOTHING, "singletons": NOTHING}
"""Singletons have no links."""

EXPECTED = {
    "mentions": TWO_SIDES | {"all merged": ONE, "all split": ONE},
    "muc": TWO_SIDES | WITHOUT_LINKS | {"all merged": NO_KEY, "all split": NO_RESPONSE},
    "b_cubed": TWO_SIDES | {"all merged": (1, 1 / 3, 1 / 2), "all split": (1 / 3, 1, 1 / 2)},
    "b_cubed_entity": TWO_SIDES | {"all merged": (1, 1 / 3, 1 / 2), "all split": (1 / 3, 1, 1 / 2)},
    "ceaf_m": TWO_SIDES | {"all merged": (1 / 3, 1 / 3, 1 / 3), "all split": (1 / 3, 1 / 3, 1 / 3)},
    # The only pair has similarity 2 * 1 / (1 + 3) = 1/2, of three entities on one side and one on the other.
    "ceaf_e": TWO_SIDES | {"all merged": (1 / 6, 1 / 2, 1 / 4), "all split": (1 / 2, 1 / 6, 1 / 4)},
    "ceaf_phi2": TWO_SIDES | {"all merged": (1 / 3, 1, 1 / 2), "all split": (1, 1 / 3, 1 / 2)},
    "exact": TWO_SIDES | {"all merged": ZERO, "all split": ZERO},
    "lea": TWO_SIDES | {"all merged": ZERO, "all split": ZERO},
    "links": TWO_SIDES | WITHOUT_LINKS | {"all merged": NO_KEY, "all split": NO_RESPONSE},
    # The other side has links of the kind, so 0/0 is 0 here; one mention is the boundary case (1) of Luo et al. (2014).
    "blanc": TWO_SIDES | {"empty response": ZERO, "empty key": ZERO, "all merged": ZERO, "all split": ZERO},
    "conll": {
        "no mention": U,
        "empty response": 0,
        "empty key": 0,
        "one mention": U,  # as MUC is
        "singletons": U,
        "one entity": 1,
        "nothing shared": 0,
        "all merged": 1 / 4,  # (0 + 1/2 + 1/4) / 3
        "all split": 1 / 4,
    },
    # No links are listed in these files.
    "syntactic_links": dict.fromkeys(CASES, NOTHING),
    "rand": {
        "no mention": U,
        "empty response": 2 / 3,  # extended: {1, 2} {3} against singletons; 1-3 and 2-3 are apart on both sides
        "empty key": 2 / 3,
        "one mention": U,  # no pair
        "singletons": 1,
        "one entity": 1,
        "nothing shared": 13 / 15,  # all of 15 pairs but 1-2 and 4-5
        "all merged": 0,
        "all split": 0,
    },
    "core_mr": TWO_SIDES | WITHOUT_LINKS | {"all merged": NO_KEY, "all split": NO_RESPONSE},
    "exclusive_core_mr": {
        "no mention": NOTHING,
        "empty response": (2 / 3, 1, 4 / 5),  # {1, 2} owns {1}, {3} owns {3}
        "empty key": (2 / 3, 2 / 3, 2 / 3),  # {1} owns {1, 2}, {3} owns {3}, {2} owns nothing; 2 is wrong
        "one mention": ONE,
        "singletons": ONE,
        "one entity": ONE,
        "nothing shared": (4 / 6, 5 / 6, 20 / 27),  # {1, 2} owns {1}; {4} owns {4, 5}, with 5 wrong; {3} and {6} are right
        "all merged": (1 / 3, 1 / 3, 1 / 3),
        "all split": (1 / 3, 1, 1 / 2),
    },
    "overlap": {
        "no mention": U,
        "empty response": 2 / 3,  # 2, 1, 0 against 1, 1, 1
        "empty key": 2 / 3,
        "one mention": 1,
        "singletons": 1,
        "one entity": 1,
        "nothing shared": 1,  # the same sizes
        "all merged": 1 / 3,
        "all split": 1 / 3,
    },
    "d_error": {
        "no mention": 0,  # E = 0
        "empty response": -1 / 2,  # (1 * 1 + 2 * 0 - 3 * 1) / (1 * 4)
        "empty key": 1 / 2,
        "one mention": 0,
        "singletons": 0,
        "one entity": 0,
        "nothing shared": 0,
        "all merged": 3 / 8,  # (1 * -2 + 2 * 1 + 3 * 1) / (2 * 4)
        "all split": -3 / 8,
    },
    "purity": TWO_SIDES | {"all merged": (1, 1 / 3, 1 / 2), "all split": (1 / 3, 1, 1 / 2)},
    "homogeneity": {
        "no mention": U,
        "empty response": 1,
        "empty key": SPLIT,
        "one mention": U,  # H(K) = 0
        "singletons": 1,
        "one entity": U,
        "nothing shared": APART,
        "all merged": 0,
        "all split": U,
    },
    "completeness": {
        "no mention": U, "empty response": SPLIT, "empty key": 1, "one mention": U, "singletons": 1, "one entity": U,
        "nothing shared": APART, "all merged": U, "all split": 0,
    },
    "v_measure": {
        "no mention": NOTHING,
        "empty response": (1, SPLIT, F_SPLIT),
        "empty key": (SPLIT, 1, F_SPLIT),
        "one mention": NOTHING,
        "singletons": ONE,
        "one entity": NOTHING,
        "nothing shared": (APART, APART, APART),
        "all merged": NO_RESPONSE,  # 0 of lg 3; 0 of 0
        "all split": NO_KEY,
    },
    "vi": {
        "no mention": U,  # bits per mention
        "empty response": 2 / 3,
        "empty key": 2 / 3,
        "one mention": 0,
        "singletons": 0,
        "one entity": 0,
        "nothing shared": 2 / 3,  # 1/3 either way
        "all merged": LOG3,
        "all split": LOG3,
    },
    "ari": {
        "no mention": U,
        "empty response": 0,  # (0 - 0) / (1/2 - 0)
        "empty key": 0,
        "one mention": U,
        "singletons": U,  # (0 - 0) / (0 - 0)
        "one entity": U,  # (3 - 3) / (3 - 3)
        "nothing shared": -1 / 14,  # chance 1 * 1 / 15: (0 - 1/15) / (1 - 1/15)
        "all merged": 0,
        "all split": 0,
    },
    "fowlkes_mallows": {
        "no mention": U,
        "empty response": 0,  # there is a link to find, and none is found
        "empty key": 0,
        "one mention": U,
        "singletons": U,
        "one entity": 1,
        "nothing shared": 0,
        "all merged": 0,
        "all split": 0,
    },
    "merge_distance": {
        "no mention": 0,
        "empty response": 1,  # merge {1} and {2}
        "empty key": 1,  # split {1, 2}
        "one mention": 0,
        "singletons": 0,
        "one entity": 0,
        "nothing shared": 2,
        "all merged": 2,
        "all split": 2,
    },
}  # fmt: skip
for _rows in EXPECTED.values():
    _rows.setdefault("no document", _rows["no mention"])


def test_every_metric_has_its_degenerate_values_written_down():
    assert set(EXPECTED) == set(METRICS), "add a row to EXPECTED of test_degenerate.py"
    for name, rows in EXPECTED.items():
        assert set(rows) == set(CASES), f"give each of CASES its value in the row {name} of EXPECTED of test_degenerate.py"


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", METRICS)
def test_a_degenerate_corpus_scores_what_the_definition_gives(name, case):
    score = METRICS[name].count(table_of(CASES[case])).total().score()[0]
    expected = EXPECTED[name][case]
    ours = (score.recall, score.precision, score.value) if isinstance(expected, tuple) else score.value
    assert ours == pytest.approx(expected, abs=1e-15, nan_ok=True)
    assert isinstance(expected, tuple) or (score.recall is None and score.precision is None)


@pytest.mark.parametrize("name", METRICS)
def test_an_empty_document_adds_nothing(name):
    for case in CASES.values():
        alone = METRICS[name].count(table_of(case)).total().score()[0]
        among_empty = METRICS[name].count(table_of([([], []), *case, ([], [])])).total().score()[0]
        assert repr(among_empty) == repr(alone)  # to the last digit; nan prints alike, too
