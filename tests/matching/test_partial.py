"""Partial matching, by heads and by minimum spans; `test_matchers` has the definitions."""

import pytest

from referee.basics.exceptions import RefereeWarning
from tests.support.sides import matched_spans, spans


def test_partial_matching_takes_less_than_the_key_with_its_head():
    assert matched_spans(spans((3, 6, 4)), spans((4, 6, 5)), matcher="partial") == {((3, 6), (4, 6))}
    assert matched_spans(spans((3, 6, 4)), spans((5, 6, 5)), matcher="partial") == set()
    assert matched_spans(spans((3, 6, 4)), spans((3, 7, 4)), matcher="partial") == set()
    assert matched_spans(spans((0, 3, 0)), spans((0, 2, 1)), matcher="partial") == {((0, 3), (0, 2))}


def test_the_greatest_total_weight_is_not_the_greatest_number_of_pairs():
    # K1-S1 is 4/5 of K1, K1-S2 2/5, K2-S1 1/3 of K2: one pair of 4/5 is more than two of 11/15.
    key, response = spans((0, 5, 2), (1, 7, 2)), spans((1, 5, 2), (2, 4, 2))
    assert ((0, 5), (1, 5)) in matched_spans(key, response, matcher="partial")


def test_min_matching_without_any_min_is_exact_and_says_so():
    with pytest.warns(RefereeWarning, match="x has no minimum spans"):
        key, response = spans((0, 2, 0), (4, 6, 5)), spans((0, 2, 0), (4, 5, 4))
        assert matched_spans(key, response, matcher="min") == {((0, 2), (0, 2))}
