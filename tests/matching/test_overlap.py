"""Mentions that overlap, and overlap matching; `test_matchers` has its definition."""

import pytest
from hypothesis import given

from referee.matching.matchers import match
from referee.matching.overlap import overlapping
from tests.support.sides import matched_spans, positions_of, sides, spans


@given(sides(nodes=False))
def test_mentions_overlap_where_their_positions_do(pair):
    key, response = pair
    expected = {
        (k, r, len(positions_of(key, k) & positions_of(response, r)))
        for k in range(len(key.document))
        for r in range(len(response.document))
        if positions_of(key, k) & positions_of(response, r)
    }
    found = list(zip(*(column.tolist() for column in overlapping(key, response)), strict=True))
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_overlap_goes_by_share_or_by_number_of_words():
    key, response = spans((0, 4, 0)), spans((2, 6, 2))
    assert matched_spans(key, response, matcher="overlap") == set()  # 2 of 6 words
    assert matched_spans(key, response, matcher="overlap", min_overlap=0.3) == {((0, 4), (2, 6))}
    assert matched_spans(key, response, matcher="overlap", min_overlap=2) == {((0, 4), (2, 6))}
    assert matched_spans(key, response, matcher="overlap", min_overlap=3) == set()


@pytest.mark.parametrize(("shared", "either"), [(7, 25), (11, 20), (14, 25), (17, 25), (7, 100)])
def test_a_share_that_equals_the_threshold_is_enough(shared, either):
    key, response = spans((0, either, 0), words=either), spans((0, shared, 0), words=either)
    assert len(match(key, response, matcher="overlap", min_overlap=shared / either).key_mention) == 1


def test_from_one_on_the_least_overlap_is_a_number_of_words():
    key, response = spans((0, 4, 0)), spans((3, 7, 3))
    assert matched_spans(key, response, matcher="overlap", min_overlap=1) == {((0, 4), (3, 7))}
    assert matched_spans(key, response, matcher="overlap", min_overlap=0.99) == set()
