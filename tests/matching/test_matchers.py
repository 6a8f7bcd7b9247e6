"""Every matcher against its definition, on sets of positions, with all one-to-one matchings tried."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from referee import score
from referee.basics.exceptions import MismatchError, UnknownNameError
from referee.corpus.builder import CorpusBuilder
from referee.matching.matchers import MATCHERS, match
from tests.support.examples import examples
from tests.support.sides import head_of, minimum_of, positions_of, reading_order, sides, spans
from tests.support.warned import silenced


def exact(key, k, response, r):
    return Fraction(0)


def head(key, k, response, r):
    ours, theirs = positions_of(key, k), positions_of(response, r)
    return Fraction(len(ours & theirs), len(ours)) if head_of(key, k) == head_of(response, r) else Fraction(0)


def partial(key, k, response, r):
    ours, theirs = positions_of(key, k), positions_of(response, r)
    return Fraction(len(theirs), len(ours)) if head_of(key, k) in theirs and theirs <= ours else Fraction(0)


def minimum_span(key, k, response, r):
    ours, theirs, minimum = positions_of(key, k), positions_of(response, r), minimum_of(key, k)
    return Fraction(len(theirs), len(ours)) if minimum and minimum <= theirs <= ours else Fraction(0)


def overlap(key, k, response, r):
    ours, theirs = positions_of(key, k), positions_of(response, r)
    share = Fraction(len(ours & theirs), len(ours | theirs))
    return share if share >= Fraction(1, 2) else Fraction(0)


DEFINITIONS = {"exact": exact, "head": head, "partial": partial, "min": minimum_span, "overlap": overlap}


def in_order(corpus, mentions):
    """By first position, then last; empty nodes are where they stand."""

    def key(m):
        spread = sorted(map(reading_order, positions_of(corpus, m)))
        return spread[0], spread[-1], m

    return sorted(mentions, key=key)


def matchings(weight, keys, responses):
    """All one-to-one matchings, those that give earlier key mentions earlier partners first."""
    if not keys:
        yield {}
        return
    for r in responses:
        if weight.get((keys[0], r), 0) > 0:
            for rest in matchings(weight, keys[1:], [other for other in responses if other != r]):
                yield {keys[0]: r, **rest}
    yield from matchings(weight, keys[1:], responses)


def expected(key, response, name):
    def same(k, r):
        heads = name != "head" or head_of(key, k) == head_of(response, r)
        return positions_of(key, k) == positions_of(response, r) and heads

    found = {k: r for k in range(len(key.document)) for r in range(len(response.document)) if same(k, r)}
    keys = in_order(key, [k for k in range(len(key.document)) if k not in found])
    responses = in_order(response, [r for r in range(len(response.document)) if r not in found.values()])
    weight = {(k, r): DEFINITIONS[name](key, k, response, r) for k in keys for r in responses}
    best = max(matchings(weight, keys, responses), key=lambda m: sum(weight[pair] for pair in m.items()))
    return {**found, **best}


@examples(5)
@given(pair=sides())
def test_a_matcher_finds_the_best_matching_and_settles_ties_by_reading_order(pair):
    key, response = pair
    if any(len(s.document) == 0 for s in pair):
        return
    for name in DEFINITIONS:
        if name != "min" or all(s.minimum_span is not None for s in pair):
            found = match(key, response, matcher=name, zeros="linear")
            pairs = dict(zip(found.key_mention.tolist(), found.response_mention.tolist(), strict=True))
            assert pairs == expected(key, response, name), name


def test_every_matcher_has_its_definition_here():
    assert set(MATCHERS) - {"craft"} == set(DEFINITIONS)  # which is one only by the order of the text


@given(pair=sides())
def test_matching_is_one_to_one(pair):
    for name in MATCHERS:
        with silenced():
            found = match(*pair, matcher=name)
        assert len(set(found.key_mention.tolist())) == len(found.key_mention), name
        assert len(set(found.response_mention.tolist())) == len(found.response_mention), name


@given(pair=sides(nodes=False))
def test_the_order_of_mentions_in_a_file_does_not_matter(pair):
    found = match(*pair, matcher="head") if all(len(s.document) for s in pair) else match(*pair)
    back = found.T
    assert np.array_equal(back.key_mention, found.response_mention)
    assert back.on_common_positions == found.on_common_positions[::-1]


@pytest.mark.parametrize(("name", "lacks"), [("head", "has no heads"), ("partial", "has no heads")])
def test_a_matcher_says_what_it_lacks(name, lacks):
    builder = CorpusBuilder("plain.jsonlines")
    builder.document("d", ["a", "b"])
    builder.mention(0, 2, "x")
    with pytest.raises(MismatchError, match=f"plain.jsonlines {lacks}"):
        match(builder.corpus(), builder.corpus().select(np.array([True])).select(np.array([False])), matcher=name)


def test_an_unknown_matcher_is_told():
    with pytest.raises(UnknownNameError, match="did you mean head"):
        match(spans(), spans(), matcher="haed")


@pytest.mark.parametrize(
    ("start", "end", "matched"), [(0, 4, [0]), (1, 2, [0]), (1, 4, [0]), (2, 4, []), (0, 1, []), (1, 5, [])]
)
def test_a_mention_is_matched_by_its_minimum_span_if_it_has_all_of_it_and_nothing_more_than_the_key(start, end, matched):
    def corpus(a, b):
        builder = CorpusBuilder("x")
        builder.document("d", list("abcdef"))
        builder.mention(a, b, "e", minimum_span=(1, 2) if (a, b) == (0, 4) else None)
        return builder.corpus()

    assert match(corpus(0, 4), corpus(start, end), matcher="min").key_mention.tolist() == matched


def test_names_are_only_matched_exactly():
    for matcher in MATCHERS:
        e = score({"d": [{"a", "b"}]}, {"d": [{"a", "c"}]}, match=matcher, metrics=["mentions"])
        assert e["mentions"].recall == 0.5


def test_copies_of_a_mention_are_matched_one_to_one():
    found = match(spans((0, 1, 0), (0, 1, 0)), spans((0, 1, 0), (0, 1, 0), (0, 1, 0)))
    assert sorted(found.key_mention.tolist()) == [0, 1]


@pytest.mark.parametrize(("matcher", "matched"), [("exact", [0]), ("overlap", [0]), ("head", [])])
def test_heads_are_of_importance_for_head_matching_alone(matcher, matched):
    sides = []
    for head in (0, 2):
        builder = CorpusBuilder("x")
        builder.document("d")
        builder.mention(0, 3, "e", head=head)
        sides.append(builder.corpus())
    assert match(*sides, matcher=matcher).key_mention.tolist() == matched


def test_zeros_that_stand_in_other_places_are_matched_by_their_dependencies_alone():
    def corpus(node):
        builder = CorpusBuilder("x")
        builder.document("d", ["w", "w"])
        builder.empty_node(node, 1, 0, "1:nsubj")
        builder.mention(node, node + 1, "1")
        return builder.corpus()

    assert [len(match(corpus(0), corpus(1), zeros=zeros).key_mention) for zeros in ("dependent", "linear")] == [1, 0]
