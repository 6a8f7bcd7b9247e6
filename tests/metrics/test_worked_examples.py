"""The worked examples of the papers, as exact fractions.

Where a paper prints something else than its own formula gives, the test says what is printed and why it is not expected here.
Entities are given as strings, one letter a mention, or as sets of numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from referee.counts import Score
from tests.support.metrics import ENTITY_METRICS as METRICS
from tests.support.partitions import Document, Entities, Listed, table_of


def entities(*letters: str) -> Entities:
    return [set(map(ord, entity)) for entity in letters]


def score(name: str, key: Entities, response: Entities, *, listed: Sequence[Listed] | None = None) -> Score:
    return METRICS[name].count(table_of([(key, response)], listed=listed)).total().score()[0]


def exactly(*values: Any) -> Any:
    """Fractions as the nearest floats, None as undefined; recall and precision in that order."""
    floats = tuple(float("nan") if value is None else float(value) for value in values)
    return pytest.approx(floats if len(floats) > 1 else floats[0], abs=1e-15, rel=0, nan_ok=True)


def sides(name: str, key: Entities, response: Entities, *, listed: Sequence[Listed] | None = None) -> tuple[float, float]:
    found = score(name, key, response, listed=listed)
    return found.recall, found.precision


# Vilain et al. (1995)


def links_of(text: str) -> list[tuple[int, int]]:
    """The links of "A-B B-C", as the paper writes them."""
    return [(ord(a), ord(b)) for a, b in (link.split("-") for link in text.split())]


def closure(links: Iterable[tuple[int, int]]) -> Entities:
    """The equivalence classes that links generate."""
    classes: Entities = []
    for link in links:
        touched = [c for c in classes if c & set(link)]
        classes = [c for c in classes if c not in touched] + [set(link).union(*touched)]
    return classes


VILAIN = [
    # key, response, MUC recall and precision, recall and precision of the links as listed
    ("A-B B-C B-D", "A-B C-D", (F(2, 3), F(2, 2)), (F(1, 3), F(2, 2))),
    ("A-B B-C C-D", "A-B C-D", (F(2, 3), F(2, 2)), (F(2, 3), F(2, 2))),
    ("A-B B-C", "A-C", (F(1, 2), F(1, 1)), (F(0, 2), F(1, 1))),
    ("B-C", "A-B B-C", (F(1, 1), F(1, 2)), (F(1, 1), F(1, 2))),
    ("A-B B-C B-D", "A-B", (F(1, 3), F(1, 1)), (F(1, 3), F(1, 1))),  # p(S) = {A B} {C} {D}
    ("B-C C-D D-E E-G G-H H-J", "A-B B-C D-E E-F G-H H-I", (F(3, 6), F(3, 6)), (F(3, 6), F(3, 6))),
    ("A-B B-C D-E E-F F-G", "A-B C-D F-G G-H", (F(2, 5), F(2, 4)), (F(2, 5), F(2, 4))),
]


@pytest.mark.parametrize(("key", "response", "muc", "syntactic"), VILAIN)
def test_the_link_examples_of_vilain_et_al(key: str, response: str, muc: tuple[F, F], syntactic: tuple[F, F]) -> None:
    """Vilain et al. (1995), section by section, MUC and the scorer that it replaces.

    That one looks for the links as listed in the transitive closure of the other side: it depends on which spanning tree a
    file happens to list (first and second row), and gives no recall to A-C where the key lists A-B and B-C.
    """
    links = links_of(key), links_of(response)
    document = closure(links[0]), closure(links[1])
    assert sides("muc", *document) == exactly(*muc)
    assert sides("syntactic_links", *document, listed=[links]) == exactly(*syntactic)


# Measures as the survey of seed 001 explains them: MUC and B-cubed's objections to it, CEAF, LEA


def test_muc_takes_no_notice_of_singletons_found() -> None:
    """The survey: key {A B C} {D}, response {B C} {D} scores as key {A B C}, response {B C} does."""
    for key, response in ((("ABC",), ("BC",)), (("ABC", "D"), ("BC", "D"))):
        assert sides("muc", entities(*key), entities(*response)) == exactly(F(1, 2), F(1, 1))


def test_muc_counts_the_parts_of_an_entity() -> None:
    """The survey: S = {a b c d} against {a b} {e f} has the parts {a b} {c} {d}; S' = {a b c} against {a b} {c} has two."""
    assert sides("muc", entities("abcd"), entities("ab", "ef")) == exactly(F(1, 3), F(1, 2))
    assert sides("muc", entities("ab", "c"), entities("abc")) == exactly(F(1, 1), F(1, 2))


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
def test_the_twelve_mentions_of_bagga_and_baldwin_and_of_luo(name: str, response: str, recall: F, precision: F | None) -> None:
    assert sides(name, TRUE, RESPONSES[response]) == exactly(recall, precision)


LUO_PRINTED = [
    ("muc", ".947 .947 .900"),
    ("b_cubed", ".865 .737 .545 .400"),
    ("ceaf_m", ".833 .583 .417 .250"),
    ("ceaf_e", ".733 .667 .294 .178"),
]


@pytest.mark.parametrize(("name", "printed"), LUO_PRINTED)
def test_the_f_measures_of_luo(name: str, printed: str) -> None:
    """Luo (2005), the table beside Figure 1: three digits, a to d; MUC prints nothing for d."""
    for response, value in zip("abcd", printed.split(), strict=False):
        assert score(name, TRUE, RESPONSES[response]).value == pytest.approx(float(value), abs=0.0005 + 1e-12)


def test_the_example_of_lea() -> None:
    """Moosavi and Strube (2016): key {a b c} {d e f g}, response {a b} {c d} {f g h i}.

    One link of 3 and one of 6 are found: (3 * 1/3 + 4 * 1/6) / 7. Right are 1 of 1, 0 of 1 and 1 of 6: (2 + 0 + 4/6) / 8.
    """
    found = score("lea", entities("abc", "defg"), entities("ab", "cd", "fghi"))
    assert (found.recall, found.precision) == exactly(F(5, 21), F(1, 3))
    assert found.value == exactly(F(5, 18))


def test_lea_weighs_entities_by_the_importance_they_are_given() -> None:
    """The same example, importance 2 and 1 in the key, 1, 1 and 3 in the response; importance is any function in the paper."""
    sizes = table_of([(entities("abc", "defg"), entities("ab", "cd", "fghi"))])
    given = replace(sizes, key_importance=np.array([2.0, 1.0]), response_importance=np.array([1.0, 1.0, 3.0]))
    found = METRICS["lea"].count(given).total().score()[0]
    assert (found.recall, found.precision) == exactly((2 * F(1, 3) + F(1, 6)) / 3, (1 + 3 * F(1, 6)) / 5)


# The examples of Popescu-Belis and Robba, 1998.

TOY: Document = (
    [{1, 2}, {3, 4, 5}, {6, 7, 8, 9, 10, 11, 12}, {13, 14, 15, 16, 17}],
    [{1, 2, 6, 7, 8, 9, 10}, {3, 4, 5, 11, 12, 13, 14, 15, 16}, {17}],
)


def test_table_3_of_popescu_belis_and_robba() -> None:
    """Table 3 prints 9/17 for XPS too, a misprint: the formula of the paper gives 10/17.

    xc*(K3) = R1 has 1 and 2 wrong, xc*(K4) = R2 has 3, 4, 5, 11 and 12 wrong, together 7. Mention 17 is in R3, which nothing
    owns and which costs nothing: were it charged, XPS would always equal XRS, against Table 4 of the paper (.56 and .69).
    """
    assert sides("muc", *TOY) == exactly(F(11, 13), F(11, 14))
    assert sides("core_mr", *TOY) == exactly(F(10, 13), F(7, 14))
    assert sides("exclusive_core_mr", *TOY) == exactly(F(9, 17), F(10, 17))


def test_the_distributions_of_popescu_belis_and_robba() -> None:
    """Overlap 76 % and d-error "40 % precision", the sizes 7, 5, 3, 2 and 9, 7, 1.

    They print the key as (7, 5, 3, 1), which does not add up to 17. The d-error has no printed formula; the rank of the key's
    surplus is (3 * 2 + 4 * 2) / 4, that of the response's (1 * 2 + 2 * 2) / 4, their distance over N + 1 = 5 is 2/5.
    """
    assert score("overlap", *TOY).value == exactly(F(13, 17))
    assert score("d_error", *TOY).value == exactly(F(2, 5))


def test_the_d_error_is_negative_where_the_response_undergroups() -> None:
    assert score("d_error", TOY[1], TOY[0]).value == exactly(F(-2, 5))


def test_one_large_part_and_many_small_ones_differ_for_muc_and_not_for_core_mr() -> None:
    """K = {1 ... 6}: both 2/5 for {1 2 3} {4} {5} {6}; MUC 4/5 but core-MR 2/5 for {1 2 3} {4 5 6}."""
    key = [{1, 2, 3, 4, 5, 6}]
    small, large = [{1, 2, 3}, {4}, {5}, {6}], [{1, 2, 3}, {4, 5, 6}]
    assert score("muc", key, small).recall == exactly(F(2, 5))
    assert score("core_mr", key, small).recall == exactly(F(2, 5))
    assert score("muc", key, large).recall == exactly(F(4, 5))
    assert score("core_mr", key, large).recall == exactly(F(2, 5))


def test_exclusive_core_mr_can_be_as_low_as_one_of_n() -> None:
    """Note 9 of the paper."""
    one, singletons = [set(range(1, 8))], [{i} for i in range(1, 8)]
    assert sides("exclusive_core_mr", one, singletons) == exactly(F(1, 7), F(1))
    assert sides("exclusive_core_mr", singletons, one) == exactly(F(1, 7), F(1, 7))


def walkthrough() -> tuple[Entities, Entities, Entities]:
    """A key like that of the MUC-6 walkthrough article; what is left of it without pronouns; the pronouns.

    Published: 147 referring expressions in 15 entities; 50 are pronouns, in 5 of the entities. The largest entity has 46, the
    only size for which both CPS and overlap of row 5 print as 31. The other sizes are ours and do not matter to the tests.
    """
    all_sizes = [46, 20, 15, 12, 10, 8, 6, 6, 5, 5, 4, 4, 2, 2, 2]
    pronouns_of = [24, 10, 7, 5, 4] + [0] * 10
    key, rest, pronouns, start = [], [], [], 0
    for size, pronoun in zip(all_sizes, pronouns_of, strict=True):
        key.append(set(range(start, start + size)))
        pronouns.append(set(range(start, start + pronoun)))
        rest.append(key[-1] - pronouns[-1])
        start += size
    assert (start, len(key), sum(map(len, pronouns))) == (147, 15, 50)
    return key, rest, pronouns


TEN = [{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}]


def test_table_2_row_1_ten_mentions_without_resolution() -> None:
    """Printed 0, 100, 0, 100: precision is 0/0, which the paper prints as 100 and we leave undefined."""
    singletons = [{i} for i in range(1, 11)]
    assert sides("muc", TEN, singletons) == exactly(F(0, 8), None)
    assert sides("core_mr", TEN, singletons) == exactly(F(0, 8), None)


def test_table_2_row_2_ten_mentions_in_one_entity() -> None:
    """Printed 100, 89, 100, 44."""
    assert sides("muc", TEN, [set(range(1, 11))]) == exactly(F(8, 8), F(8, 9))
    assert sides("core_mr", TEN, [set(range(1, 11))]) == exactly(F(8, 8), F(4, 9))


def test_table_2_row_3_the_walkthrough_without_its_pronouns() -> None:
    """Printed 62, 100, 62, 100: each pronoun is an entity of its own, of 132 links 50 are missing."""
    key, rest, pronouns = walkthrough()
    response = rest + [{mention} for some in pronouns for mention in some]
    assert sides("muc", key, response) == exactly(F(82, 132), F(82, 82))
    assert sides("core_mr", key, response) == exactly(F(82, 132), F(82, 82))


def test_table_2_row_4_the_walkthrough_with_all_pronouns_in_one_entity() -> None:
    """Printed MRS 97, MPS 96; the formulas give 96.2 and 96.9, so the columns are exchanged in print.

    CRS 63 and CPS 81 are not reproducible: CPS 81 needs 25 pronouns in one entity, of at most 47 mentions (as row 5 says), and
    then CRS is at least 64.4.
    """
    key, rest, pronouns = walkthrough()
    response = [*rest, set().union(*pronouns)]
    assert sides("muc", key, response) == exactly(F(127, 132), F(127, 131))


def test_table_2_row_5_the_walkthrough_in_one_entity() -> None:
    """Printed 100, 90, 100, 31; the text has overlap 31 %. (Its d-error, 25 % precision, depends on sizes it does not give.)"""
    key, _, _ = walkthrough()
    response = [set(range(147))]
    assert sides("muc", key, response) == exactly(F(132, 132), F(132, 146))
    assert sides("core_mr", key, response) == exactly(F(132, 132), F(45, 146))
    assert score("overlap", key, response).value == exactly(F(46, 147))
    assert score("d_error", key, response).value > 0


def test_ties_of_exclusive_core_mr_go_to_the_greater_dice_and_then_to_the_first_in_the_text() -> None:
    """The paper leaves ties open, and they matter: 1/3 or 2/3 in the first case, 2/5 or 3/5 in the second. All cells are 1."""
    assert sides("exclusive_core_mr", [{1, 3}, {2}], [{1}, {2, 3}]) == exactly(F(2, 3), F(2, 3))
    assert sides("exclusive_core_mr", [{1}, {2, 5}, {3, 4}], [{1, 2}, {3, 5}, {4}]) == exactly(F(3, 5), F(3, 5))
    # All cells are 1 with Dice 1/2, and any of the four pairs might come first; {1 4} and {1 2} do, then {2 3 5} gets {3 4}.
    assert sides("exclusive_core_mr", [{1, 4}, {2, 3}], [{1, 2}, {3, 4}]) == exactly(F(2, 4), F(2, 4))


def test_the_greedy_pairs_of_exclusive_core_mr_can_be_worse_than_the_best_alignment() -> None:
    """{1 ... 5} takes the response entity that it shares 3 with, and leaves {6 7} nothing; 2 + 2 would have been better."""
    key, response = [{1, 2, 3, 4, 5}, {6, 7}], [{1, 2, 3, 6, 7}, {4, 5}]
    assert sides("exclusive_core_mr", key, response) == exactly(F(3, 7), F(5, 7))
    assert sides("ceaf_m", key, response) == exactly(F(4, 7), F(4, 7))


# Luo et al. (2014)

BLANC = [
    # R_c 1/3, P_c 1/2, R_n 2/3, P_n 2/4: F_c 2/5, F_n 4/7
    ("abc d", "bc de", F(1, 2), F(1, 2), F(17, 35)),
    ("a", "b", F(0), F(0), F(0)),
    ("a b c", "a b d", F(1, 3), F(1, 3), F(1, 3)),
    ("abc", "bc", F(1, 3), F(1), F(1, 2)),
    # The example that section 4 opens with. C_k = ab ac bc de, C_r = bc ef eg fg; N_k = ad ae bd be cd ce,
    # N_r = be bf bg ce cf cg.
    ("abc de", "bc efg", (F(1, 4) + F(2, 6)) / 2, (F(1, 4) + F(2, 6)) / 2, (F(1, 4) + F(1, 3)) / 2),
]


@pytest.mark.parametrize(("key", "response", "recall", "precision", "value"), BLANC)
def test_the_toy_examples_of_luo_et_al(key: str, response: str, recall: F, precision: F, value: F) -> None:
    found = score("blanc", entities(*key.split()), entities(*response.split()))
    assert (found.recall, found.precision, found.value) == exactly(recall, precision, value)


def test_one_mention_found_is_a_perfect_blanc() -> None:
    """Boundary case (1) of Luo et al. (2014): no links, and the mention sets are equal."""
    found = score("blanc", entities("a"), entities("a"))
    assert (found.recall, found.precision, found.value) == exactly(1, 1, 1)


def test_the_rand_index_divides_by_the_links() -> None:
    """Luo et al. (2014), equation (1), prints |T_k| (|T_k| - 1) / 2, where T_k is already the set of all links.

    Of 6 links, ab is together in both sides, ad and bd are apart in both: 3/6, and not 3/15.
    """
    assert score("rand", entities("abc", "d"), entities("ab", "cd")).value == exactly(F(3, 6))


# Worked out by hand, where the seeds have no example: key {a b c} {d}, response {a b} {c d}


def test_comparisons_of_clusterings_on_four_items() -> None:
    """One pair together in both sides, 3 in the key, 2 in the response, of 6; by chance 3 * 2 / 6 = 1."""
    key, response = entities("abc", "d"), entities("ab", "cd")
    assert sides("links", key, response) == exactly(F(1, 3), F(1, 2))
    assert score("ari", key, response).value == exactly(0)
    assert score("fowlkes_mallows", key, response).value == exactly(1 / 6**0.5)
    assert sides("purity", key, response) == exactly(F(3, 4), F(3, 4))
    assert score("merge_distance", key, response).value == exactly(2)  # split {c d}, merge {c} with {a b}


def test_entropies_of_four_items() -> None:
    """Key {a b} {c d}, response {a b} {c} {d}: H(K) = 1 bit, H(R) = 3/2 bits, H(K|R) = 0, H(R|K) = 1/2, I = 1."""
    key, response = entities("ab", "cd"), entities("ab", "c", "d")
    assert score("homogeneity", key, response).value == exactly(1)
    assert score("completeness", key, response).value == exactly(F(2, 3))
    assert score("v_measure", key, response).value == exactly(F(4, 5))
    assert sides("v_measure", key, response) == exactly(F(1), F(2, 3))
    assert score("vi", key, response).value == exactly(F(1, 2))


def test_independent_partitions_share_no_information() -> None:
    key, response = entities("ab", "cd"), entities("ac", "bd")
    assert score("homogeneity", key, response).value == exactly(0)
    assert sides("v_measure", key, response) == exactly(0, 0)
    assert score("vi", key, response).value == exactly(2)
    assert score("ari", key, response).value == exactly(F(0 - F(4, 6)) / (2 - F(4, 6)))
