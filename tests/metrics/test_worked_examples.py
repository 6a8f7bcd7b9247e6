"""Worked examples as exact fractions; those of the papers that `referee reproduce` knows are in `tests/compat/papers`.

Entities are given as strings, one letter a mention, or as sets of numbers.
"""

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

from tests.support.metrics import ENTITY_METRICS as METRICS
from tests.support.partitions import table_of


def entities(*letters):
    return [set(map(ord, entity)) for entity in letters]


def score(name, key, response, *, listed=None):
    return METRICS[name].count(table_of([(key, response)], listed=listed)).total().score()[0]


def exactly(*values):
    """Fractions as the nearest floats, None as undefined; recall and precision in that order."""
    floats = tuple(float("nan") if value is None else float(value) for value in values)
    return pytest.approx(floats if len(floats) > 1 else floats[0], abs=1e-15, rel=0, nan_ok=True)


def sides(name, key, response, *, listed=None):
    found = score(name, key, response, listed=listed)
    return found.recall, found.precision


# Bagga and Baldwin (1998), Figures 1 to 4, and the same with two more responses in Luo (2005), Figure 1. The mentions are
# 1 to 9, A, B, C.
TRUE = entities("12345", "67", "89ABC")
RESPONSES = {
    "a": entities("12345", "6789ABC"),
    "b": entities("1234589ABC", "67"),
    "c": entities("123456789ABC"),
    "d": entities(*"123456789ABC"),
}
BAGGA_LUO = [
    # Mention 6 has precision 2/7 in response a, mention A 5/10 in response b.
    ("muc", "a", F(1), F(9, 10)),
    ("muc", "b", F(1), F(9, 10)),
    ("muc", "c", F(1), F(9, 11)),
    ("muc", "d", F(0, 9), None),
    ("b_cubed", "a", F(1), (5 + 2 * F(2, 7) + 5 * F(5, 7)) / 12),  # 76 %
    ("b_cubed", "b", F(1), (10 * F(5, 10) + 2) / 12),  # 58 %
    ("b_cubed", "c", F(1), (10 * F(5, 12) + 2 * F(2, 12)) / 12),
    ("b_cubed", "d", (10 * F(1, 5) + 2 * F(1, 2)) / 12, F(1)),
    # Each class once: the document recall that the survey writes out, 1/n sum R_i over n classes.
    ("b_cubed_entity", "a", F(1), (1 + (2 * F(2, 7) + 5 * F(5, 7)) / 7) / 2),
    ("b_cubed_entity", "b", F(1), (F(1, 2) + 1) / 2),
    ("ceaf_m", "a", F(10, 12), F(10, 12)),  # .833
    ("ceaf_m", "b", F(7, 12), F(7, 12)),  # .583
    ("ceaf_m", "c", F(5, 12), F(5, 12)),  # .417
    ("ceaf_m", "d", F(3, 12), F(3, 12)),  # .250
    ("ceaf_e", "a", (1 + F(10, 12)) / 3, (1 + F(10, 12)) / 2),  # F .733
    ("ceaf_e", "b", (F(10, 15) + 1) / 3, (F(10, 15) + 1) / 2),  # F .667
    ("ceaf_e", "c", F(10, 17) / 3, F(10, 17)),  # F .294
    ("ceaf_e", "d", F(4, 3) / 3, F(4, 3) / 12),  # F .178
    ("exact", "a", F(1, 3), F(1, 2)),
    ("ceaf_phi2", "a", F(2, 3), F(2, 2)),
    ("exact", "b", F(1, 3), F(1, 2)),
]


@pytest.mark.parametrize(("name", "response", "recall", "precision"), BAGGA_LUO)
def test_the_twelve_mentions_of_bagga_and_baldwin_and_of_luo(name, response, recall, precision):
    assert sides(name, TRUE, RESPONSES[response]) == exactly(recall, precision)


LUO_PRINTED = [
    ("muc", ".947 .947 .900"),
    ("b_cubed", ".865 .737 .545 .400"),
    ("ceaf_m", ".833 .583 .417 .250"),
    ("ceaf_e", ".733 .667 .294 .178"),
]


@pytest.mark.parametrize(("name", "printed"), LUO_PRINTED)
def test_the_f_measures_of_luo(name, printed):
    """Luo (2005), the table beside Figure 1: three digits, a to d; MUC prints nothing for d."""
    for response, value in zip("abcd", printed.split(), strict=False):
        assert score(name, TRUE, RESPONSES[response]).value == pytest.approx(float(value), abs=0.0005 + 1e-12)


def test_lea_weighs_entities_by_the_importance_they_are_given():
    """Key importance 2 and 1, response 1, 1 and 3; in Moosavi and Strube (2016), importance is any function."""
    sizes = table_of([(entities("abc", "defg"), entities("ab", "cd", "fghi"))])
    given = replace(sizes, key_importance=np.array([2.0, 1.0]), response_importance=np.array([1.0, 1.0, 3.0]))
    found = METRICS["lea"].count(given).total().score()[0]
    assert (found.recall, found.precision) == exactly((2 * F(1, 3) + F(1, 6)) / 3, (1 + 3 * F(1, 6)) / 5)


# The examples of Popescu-Belis and Robba, 1998.

TOY = (
    [{1, 2}, {3, 4, 5}, {6, 7, 8, 9, 10, 11, 12}, {13, 14, 15, 16, 17}],
    [{1, 2, 6, 7, 8, 9, 10}, {3, 4, 5, 11, 12, 13, 14, 15, 16}, {17}],
)


def test_the_d_error_is_negative_where_the_response_undergroups():
    assert score("d_error", TOY[1], TOY[0]).value == exactly(F(-2, 5))


def test_ties_of_exclusive_core_mr_go_to_the_greater_dice_and_then_to_the_first_in_the_text():
    """The paper leaves ties open, and they matter: 1/3 or 2/3 in the first case, 2/5 or 3/5 in the second. All cells are 1."""
    assert sides("exclusive_core_mr", [{1, 3}, {2}], [{1}, {2, 3}]) == exactly(F(2, 3), F(2, 3))
    assert sides("exclusive_core_mr", [{1}, {2, 5}, {3, 4}], [{1, 2}, {3, 5}, {4}]) == exactly(F(3, 5), F(3, 5))
    # All cells are 1 with Dice 1/2, and any of the four pairs might come first; {1 4} and {1 2} do, then {2 3 5} gets {3 4}.
    assert sides("exclusive_core_mr", [{1, 4}, {2, 3}], [{1, 2}, {3, 4}]) == exactly(F(2, 4), F(2, 4))


def test_the_greedy_pairs_of_exclusive_core_mr_can_be_worse_than_the_best_alignment():
    """{1 ... 5} takes the response entity that it shares 3 with, and leaves {6 7} nothing; 2 + 2 would have been better."""
    key, response = [{1, 2, 3, 4, 5}, {6, 7}], [{1, 2, 3, 6, 7}, {4, 5}]
    assert sides("exclusive_core_mr", key, response) == exactly(F(3, 7), F(5, 7))
    assert sides("ceaf_m", key, response) == exactly(F(4, 7), F(4, 7))


# Worked out by hand, where the seeds have no example: key {a b c} {d}, response {a b} {c d}


def test_comparisons_of_clusterings_on_four_items():
    """One pair together in both sides, 3 in the key, 2 in the response, of 6; by chance 3 * 2 / 6 = 1."""
    key, response = entities("abc", "d"), entities("ab", "cd")
    assert sides("links", key, response) == exactly(F(1, 3), F(1, 2))
    assert score("ari", key, response).value == exactly(0)
    assert score("fowlkes_mallows", key, response).value == exactly(1 / 6**0.5)
    assert sides("purity", key, response) == exactly(F(3, 4), F(3, 4))
    assert score("merge_distance", key, response).value == exactly(2)  # split {c d}, merge {c} with {a b}


def test_entropies_of_four_items():
    """Key {a b} {c d}, response {a b} {c} {d}: H(K) = 1 bit, H(R) = 3/2 bits, H(K|R) = 0, H(R|K) = 1/2, I = 1."""
    key, response = entities("ab", "cd"), entities("ab", "c", "d")
    assert score("homogeneity", key, response).value == exactly(1)
    assert score("completeness", key, response).value == exactly(F(2, 3))
    assert score("v_measure", key, response).value == exactly(F(4, 5))
    assert sides("v_measure", key, response) == exactly(F(1), F(2, 3))
    assert score("vi", key, response).value == exactly(F(1, 2))


def test_independent_partitions_share_no_information():
    key, response = entities("ab", "cd"), entities("ac", "bd")
    assert score("homogeneity", key, response).value == exactly(0)
    assert sides("v_measure", key, response) == exactly(0, 0)
    assert score("vi", key, response).value == exactly(2)
    assert score("ari", key, response).value == exactly(F(0 - F(4, 6)) / (2 - F(4, 6)))
