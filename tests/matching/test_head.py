"""Head matching; `test_matchers` has its definition."""

import pytest

from referee.basics.exceptions import MismatchError
from referee.corpus.builder import CorpusBuilder
from referee.matching.matchers import match
from tests.support.sides import matched_spans, spans


def test_head_matching_takes_any_extent_around_the_head():
    assert matched_spans(spans((3, 6, 4)), spans((0, 9, 4)), matcher="head") == {((3, 6), (0, 9))}
    assert matched_spans(spans((3, 6, 4)), spans((3, 6, 5)), matcher="head") == set()
    assert matched_spans(spans((0, 2, 0)), spans((0, 3, 0)), matcher="head") == {((0, 2), (0, 3))}


def test_the_only_token_of_a_mention_is_its_head():
    builder = CorpusBuilder("x")
    builder.document("d", [f"w{n}" for n in range(9)])
    builder.mention(4, 5, "1")
    assert matched_spans(spans((3, 6, 4)), builder.corpus(), matcher="head") == {((3, 6), (4, 5))}


def test_mentions_of_one_token_need_no_other_heads():
    builder = CorpusBuilder("x")
    builder.document("d", ["a", "b"])
    builder.mention(0, 1, "1")
    assert matched_spans(builder.corpus(), builder.corpus(), matcher="head") == {((0, 1), (0, 1))}


def test_a_head_outside_of_both_mentions_does_not_match_them():
    assert matched_spans(spans((3, 6, 8)), spans((0, 2, 8)), matcher="head") == set()


def test_heads_are_asked_for_even_where_everything_is_matched_without():
    builder = CorpusBuilder("plain.jsonlines")
    builder.document("d", ["a", "b"])
    builder.mention(0, 2, "x")
    with pytest.raises(MismatchError, match=r"plain\.jsonlines has no heads"):
        match(builder.corpus(), builder.corpus(), matcher="head")


def test_large_groups_of_mentions_around_one_head_are_matched_too():
    key = spans(*((n, 200 - n, 100) for n in range(99)), words=200)
    response = spans(*((n, 201 - n, 100) for n in range(1, 100)), words=201)
    assert len(match(key, response, matcher="head").key_mention) == 99
