"""The choice among candidates, against the Hungarian method on whole numbers; ties; and groups that are too large for these."""

from math import lcm

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.basics.exceptions import RefereeWarning
from referee.matching import one_to_one as module
from referee.matching.one_to_one import one_to_one
from referee.matching.spans import Candidates
from tests.support.hungarian import hungarian
from tests.support.sides import spans

Pair = tuple[int, int]


def by_definition(candidates, key, response):
    """The weight on a common denominator, then a digit for each key mention, in reading order, for its partner's place."""
    places = []
    for side in (key, response):
        order = sorted(range(len(side.document)), key=lambda m, s=side: (s.document[m], s.start[m], s.end[m], m))
        places.append({m: n for n, m in enumerate(order)})
    n, m = map(len, places)
    common = lcm(*candidates.size.tolist())
    weight = {}
    for k, r, shared, size in zip(*(column.tolist() for column in candidates), strict=True):
        i, j = places[0][k], places[1][r]
        weight[i, j] = shared * (common // size) * (m + 1) ** n + (m - j) * (m + 1) ** (n - 1 - i)
    mentions = [{place: m for m, place in side.items()} for side in places]
    return {(mentions[0][i], mentions[1][j]) for i, j in hungarian(weight, n, m)}


def chosen(candidates, key, response):
    return {(int(k), int(r)) for k, r in zip(*one_to_one(candidates, key, response), strict=True)}


mentions = st.lists(st.tuples(st.integers(0, 4), st.integers(5, 9), st.just(4)), min_size=1, max_size=7)


@given(mentions, mentions, st.data())
def test_the_heaviest_matching_is_chosen_and_ties_go_by_reading_order(key_spans, response_spans, data):
    key, response = spans(*key_spans), spans(*response_spans)
    edges = st.tuples(st.integers(0, len(key_spans) - 1), st.integers(0, len(response_spans) - 1))
    pairs = data.draw(st.lists(edges, unique=True, max_size=20))
    size = data.draw(st.lists(st.integers(1, 4), min_size=len(pairs), max_size=len(pairs)))
    shared = [data.draw(st.integers(1, n)) for n in size]
    k, r = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    candidates = Candidates(k, r, np.array(shared, dtype=np.int64), np.array(size, dtype=np.int64))
    assert chosen(candidates, key, response) == by_definition(candidates, key, response)


def test_fractions_that_floats_take_for_equal_are_told_apart():
    key, response = spans((0, 5, 4)), spans((0, 5, 4), (1, 5, 4))
    ones = np.array([0, 0]), np.array([0, 1])
    large = 10**17
    assert large / (large + 1) == (large - 1) / large
    less_first = Candidates(*ones, np.array([large - 1, large]), np.array([large, large + 1]))
    assert chosen(less_first, key, response) == {(0, 1)}


def test_no_candidates_give_no_pairs():
    none = np.empty(0, dtype=np.int64)
    assert chosen(Candidates(none, none, none, none), spans(), spans()) == set()


def dense(n):
    rng = np.random.default_rng(2)
    k, r = (a.ravel() for a in np.indices((n, n)))
    side = spans(*((0, 5 + m, 4) for m in range(n)), words=5 + n)
    return Candidates(k, r, rng.integers(900, 1000, n * n), 1000 * rng.integers(1, 3, n * n)), side, side


@pytest.mark.parametrize("n", [64, 65])
def test_groups_above_the_limit_have_the_greatest_weight_as_well(n):
    candidates, key, response = dense(n)
    weights = (candidates.shared * 2000 // candidates.size).tolist()
    weight = dict(zip(zip(*(c.tolist() for c in candidates[:2]), strict=True), weights, strict=True))
    assert (n > module.LARGEST) == (n == 65)
    expected = hungarian(weight, n, n)
    assert sum(map(weight.__getitem__, chosen(candidates, key, response))) == sum(map(weight.__getitem__, expected))


@pytest.mark.parametrize("sides", [(1, 4), (4, 1), (3, 3), (4, 4)])
def test_a_group_is_large_if_one_of_its_sides_is(sides, monkeypatch):
    large = []
    monkeypatch.setattr(module, "LARGEST", 3)
    monkeypatch.setattr(module, "_by_floats", lambda _, group: large.append(len(group)) or group[:1])
    k, r = (a.ravel() for a in np.indices(sides))
    mentions = spans(*((0, 5 + m, 4) for m in range(4)))
    one_to_one(Candidates(k, r, np.ones_like(k), np.full(len(k), 2)), mentions, mentions)
    assert large == [len(k)] * (max(sides) > 3)


def test_a_large_group_that_exceeds_the_budget_is_matched_with_a_warning(monkeypatch):
    monkeypatch.setattr("referee.algorithms.assignment.BUDGET", 0)
    candidates, key, response = dense(65)
    with pytest.warns(RefereeWarning, match="65 key mentions and 65 response mentions overlap each other"):
        k, r = one_to_one(candidates, key, response)
    assert len(set(k.tolist())) == len(set(r.tolist())) == len(k) == 65
    one_to_one(*dense(64))  # small groups have no budget
