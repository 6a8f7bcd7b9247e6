"""Each policy for repeated mentions, against what it says of sets of mentions."""

import math
import re
import warnings

import pytest
from hypothesis import given, strategies as st

from referee import score
from referee.basics.exceptions import MismatchError, RefereeWarning, UnknownNameError
from referee.inputs.plain import corpus_of_plain as corpus_of
from referee.matching.repeated_mentions import (
    COUNTED_REPEATEDLY,
    REPEATED_MENTIONS,
    repeated,
    resolve_repeated_mentions,
    without_repeated_mentions,
)
from tests.support.warned import silenced

Entities = list[list[str]]

entities = st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4), min_size=1, max_size=4)


def entities_of(corpus):
    """The items of each entity, in the order of the file."""
    found = {}
    for m, item in enumerate(corpus.items or []):
        found.setdefault(int(corpus.file_order[corpus.entity[m]]), []).append(item)
    return [sorted(found[e]) for e in sorted(found)]


def resolved(key, response, policy):
    with silenced():
        sides = resolve_repeated_mentions(corpus_of(key), corpus_of(response), policy)
    return entities_of(sides[0]), entities_of(sides[1])


def mentions(side):
    return sorted(mention for entity in side for mention in entity)


@given(entities)
def test_a_mention_is_repeated_once_less_than_it_is_annotated(side):
    corpus = corpus_of(side)
    assert repeated(corpus).sum() == len(mentions(side)) - len(set(mentions(side)))
    assert mentions(entities_of(without_repeated_mentions(corpus))) == sorted(set(mentions(side)))


@pytest.mark.parametrize("policy", sorted(set(REPEATED_MENTIONS) - {"error"}))
@given(key=entities, response=entities)
def test_what_is_not_repeated_stays_as_it_is(policy, key, response):
    once = [[[mention] for mention in sorted(set(mentions(side)))] for side in (key, response)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sides = resolve_repeated_mentions(corpus_of(once[0]), corpus_of(once[1]), policy)
    assert [entities_of(side) for side in sides] == once


@given(entities, entities)
def test_first_leaves_each_mention_in_one_of_its_entities(key, response):
    for before, after in zip((key, response), resolved(key, response, "first"), strict=True):
        assert mentions(after) == sorted(set(mentions(before)))
        assert all(any(set(entity) <= set(old) for old in before) for entity in after)


def connected(side):
    wholes = []
    for entity in map(set, side):
        touching = [whole for whole in wholes if whole & entity]
        wholes = [whole for whole in wholes if not whole & entity] + [entity.union(*touching)]
    return sorted(sorted(whole) for whole in wholes)


@given(entities, entities)
def test_merge_makes_one_entity_of_those_that_share_a_mention(key, response):
    for before, after in zip((key, response), resolved(key, response, "merge"), strict=True):
        assert sorted(after) == connected(before)


@given(entities, entities)
def test_corefud_keeps_a_mention_once_an_entity_and_ua_as_often_as_it_is_annotated(key, response):
    for before, corefud, ua in zip(
        (key, response), resolved(key, response, "corefud"), resolved(key, response, "ua"), strict=True
    ):
        assert sorted(corefud) == sorted(sorted(set(entity)) for entity in before)
        assert sorted(ua) == sorted(sorted(entity) for entity in before)


@given(entities, entities)
def test_conll_keeps_the_first_in_the_file_of_what_the_key_has(key, response):
    in_key = set(mentions(key))
    expected = []
    seen = set()
    for entity in response:
        kept = []
        for mention in entity:
            if mention not in seen or mention not in in_key:
                kept.append(mention)
            seen.add(mention)
        if kept:
            expected.append(sorted(kept))
    found = resolved(key, response, "conll")
    assert found[1] == expected
    assert sorted(found[0]) == sorted(sorted(entity) for entity in key)


def test_error_names_the_first_of_them():
    twice = corpus_of([["a", "b"], ["b", "c"]], source="twice.jsonlines")
    with pytest.raises(
        MismatchError, match=r"^twice.jsonlines: 1 repeated mention, .*: 'b' in entities 0 and 1; expected each"
    ):
        resolve_repeated_mentions(corpus_of([["a"]]), twice, "error")


def test_the_policies_of_other_scorers_are_policies():
    assert set(COUNTED_REPEATEDLY) < set(REPEATED_MENTIONS)


def test_an_unknown_policy_is_an_error():
    with pytest.raises(UnknownNameError, match="no policy for repeated mentions named 'frist'; did you mean first"):
        resolve_repeated_mentions(corpus_of([["a"]]), corpus_of([["a"]]), "frist")


def test_a_repeated_mention_is_resolved_by_the_option_and_never_without_a_warning():
    key, response = [{"a", "b"}, {"c", "d"}], [["a", "b"], ["b", "c", "d"]]
    with pytest.warns(
        RefereeWarning,
        match=r"^<response>: 1 repeated mention, .* 'b' in entities .*; each stays in the entity that comes first",
    ):
        first = score(key, response)
    assert first["b_cubed"].f1 == 1
    with pytest.warns(RefereeWarning, match="merged their entities"):
        merged = score(key, response, repeated_mentions="merge")
    assert (merged["muc"].recall, merged["muc"].precision) == (1, 2 / 3)
    with pytest.raises(MismatchError, match=r"^<response>: 1 repeated mention, .*; expected each mention once: remove it, or"):
        score(key, response, repeated_mentions="error")
    assert score(key, key, repeated_mentions="error")["b_cubed"].f1 == 1


def test_the_same_mention_twice_in_one_entity_counts_once():
    with pytest.warns(RefereeWarning, match=r"1 repeated mention, .* in entity 0, twice; each counts once"):
        e = score([["a", "b"]], [["a", "b", "b"]])
    assert all(e[m].value in (0, 1) or math.isnan(e[m].value) or e.counts[m].unit for m in e)
    assert e["ceaf_e"].f1 == e["b_cubed"].f1 == e["lea"].f1 == 1


@pytest.mark.parametrize(
    ("entities", "message"),
    [
        ([{(3, 4)}, {(3, 4)}], "1 repeated mention, the first: token 3 in entities 0 and 1"),
        ([[(3, 5), (3, 5), (3, 5)]], "2 repeated mentions, the first: tokens 3 to 4 in entity 0, twice"),
        ([{"Ann"}, {"Bob"}, {"Bob"}], "1 repeated mention, the first: 'Bob' in entities 1 and 2"),
    ],
)
def test_the_first_repeated_mention_is_shown(entities, message):
    repeats, once = (
        corpus_of(entities, source="x"),
        corpus_of([entities[0][:1] if len(entities) == 1 else entities[0]], source="x"),
    )
    for policy in ("ua", "conll"):
        with pytest.warns(RefereeWarning, match=re.escape(f"x: {message}; all of them count")):
            resolve_repeated_mentions(repeats, once, policy)
    for sides in ((repeats, once), (once, repeats)):
        with pytest.raises(MismatchError, match=re.escape(f"x: {message}; expected each mention once")):
            resolve_repeated_mentions(*sides, "error")
        with pytest.warns(RefereeWarning, match=re.escape(message)):
            resolve_repeated_mentions(*sides, "ua")
