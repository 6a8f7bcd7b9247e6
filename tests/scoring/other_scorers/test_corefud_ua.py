"""A mention listed twice, under the policies of the CorefUD and the Universal Anaphora scorers."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from referee import CorpusBuilder, score
from tests.support.metrics import ENTITY_METRICS

pytestmark = pytest.mark.filterwarnings("ignore::referee.basics.exceptions.RefereeWarning")

PROGRAMS = ("corefud", "ua")


def corpus(*entities):
    """Mentions of one word each."""
    builder = CorpusBuilder("x")
    builder.document("d", [f"w{n}" for n in range(9)])
    for label, words in enumerate(entities):
        for word in words:
            builder.mention(word, word + 1, str(label), head=word)
    return builder.corpus()


def test_copies_count_in_the_size_of_their_entities_and_belong_to_the_last():
    # Word 1 is in both response entities; the last of them has it.
    e = score(
        corpus([0, 1], [2, 3]), corpus([0, 1], [1, 2, 3]), repeated_mentions="ua", metrics=["muc", "b_cubed", "ceaf_m", "lea"]
    )
    assert e["muc"].recall == pytest.approx(1 / 2)  # 0 and 1 are apart, 2 and 3 together
    assert e["muc"].precision == pytest.approx((1 + 1) / (1 + 2))
    assert e["b_cubed"].precision == pytest.approx(float((Fraction(4, 2) + Fraction(1 + 4, 3)) / 5))
    assert e["ceaf_m"].recall == pytest.approx(4 / 4)
    assert e["ceaf_m"].precision == pytest.approx(4 / 5)
    assert e["lea"].recall == pytest.approx(2 / 4)


def test_a_copy_in_the_same_entity_counts_for_one_program_and_not_for_the_other():
    key, response = corpus([0, 1]), corpus([0, 0, 1])
    assert score(key, response, repeated_mentions="corefud", metrics=["muc"])["muc"].precision == 1
    assert score(key, response, repeated_mentions="ua", metrics=["ceaf_m"])["ceaf_m"].precision == pytest.approx(2 / 3)


entities = st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=4), max_size=4)


@pytest.mark.parametrize("policy", PROGRAMS)
@given(key=entities, response=entities)
def test_no_metric_leaves_its_range_but_blanc_and_ceaf_which_do_in_the_programs_too(policy, key, response):
    e = score(corpus(*key), corpus(*response), repeated_mentions=policy, metrics=list(ENTITY_METRICS))
    ceaf = (
        ("ceaf_m", "ceaf_e", "conll") if policy == "corefud" else ()
    )  # a copy in the key is found as often as it stands there
    for name in ("mentions", "muc", "b_cubed", "lea", "core_mr", "links", *ceaf):
        for value in (e[name].recall, e[name].precision, e[name].value):
            assert value is None or not value > 1 + 1e-12


@pytest.mark.parametrize("policy", PROGRAMS)
@given(key=st.sets(st.integers(0, 8)), response=st.permutations(range(9)))
def test_without_copies_nothing_changes(policy, key, response):
    sides = corpus(sorted(key), sorted(set(range(9)) - key)), corpus(response[:4], response[4:])
    plain = score(*sides, metrics=list(ENTITY_METRICS)).counts
    for name, counts in score(*sides, repeated_mentions=policy, metrics=list(ENTITY_METRICS)).counts.items():
        assert all((counts.columns[c] == column).all() for c, column in plain[name].columns.items())
