"""What most annotators agree on, against the definition computed mention by mention."""

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.agreement import majority
from referee.agreement.majority import Conflict, decided
from tests.support.examples import examples


def slowly(labels):
    """The entities and the undecided mentions, as the definition has them, one pair of mentions after the other."""
    annotators, size = len(labels), len(labels[0])
    marks = [sum(row[m] >= 0 for row in labels) for m in range(size)]
    undecided = {m for m in range(size) if 2 * marks[m] == annotators}
    alive = {m for m in range(size) if 2 * marks[m] > annotators}
    vote = {}
    voted = set()
    for a, b in combinations(sorted(alive), 2):
        given_ = [row[a] == row[b] for row in labels if row[a] >= 0 and row[b] >= 0]
        vote[a, b] = sum(1 if same else -1 for same in given_)
        if any(given_):
            voted.add((a, b))
    linked_at_first = {m for pair, votes in vote.items() if votes > 0 for m in pair}
    while True:
        entity = {m: m for m in alive}
        for _ in alive:
            for (a, b), votes in vote.items():
                if a in alive and b in alive and votes > 0:
                    entity[a] = entity[b] = min(entity[a], entity[b])
        conflicts = dict.fromkeys(alive, 0)
        for (a, b), votes in vote.items():
            if a in alive and b in alive:
                same = entity[a] == entity[b]
                if (same and votes < 0) or (not same and votes == 0 and (a, b) in voted):
                    conflicts[a] += 1
                    conflicts[b] += 1
        most = max(conflicts.values(), default=0)
        if not most:
            break
        worst = {m for m, number in conflicts.items() if number == most}
        undecided |= worst
        alive -= worst
    members = {}
    for m in alive:
        members.setdefault(entity[m], set()).add(m)
    lost = {m for group in members.values() if len(group) == 1 for m in group if m in linked_at_first}
    return [frozenset(group) for group in members.values() if not group & lost], undecided | lost


def quickly(labels):
    decision = decided(np.array(labels).reshape(len(labels), -1))
    members = {}
    for m, entity in enumerate(decision.entity.tolist()):
        members.setdefault(entity, set()).add(m)
    members.pop(-1, None)
    return [frozenset(group) for group in members.values()], set(decision.undecided)


@st.composite
def annotations(draw):
    annotators, size = draw(st.integers(2, 5)), draw(st.integers(1, 7))
    row = st.lists(st.integers(-1, 3), min_size=size, max_size=size)
    return draw(st.lists(row, min_size=annotators, max_size=annotators))


@examples(6)
@given(annotations(), st.sampled_from([1, 3, majority.PAIRS]))
def test_it_is_what_the_definition_says(labels, pairs):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(majority, "PAIRS", pairs)  # as many blocks as in a long text
        entities, undecided = quickly(labels)
    expected, open_ = slowly(labels)
    assert (set(entities), undecided) == (set(expected), open_)


@examples(1.2)
@given(annotations(), st.randoms(use_true_random=False))
def test_the_order_of_annotators_and_mentions_does_not_matter(labels, random):
    assert hasattr(random, "shuffle")
    rows = labels.copy()
    random.shuffle(rows)
    place = list(range(len(labels[0])))
    random.shuffle(place)
    entities, undecided = quickly([[row[m] for m in place] for row in rows])
    expected, open_ = quickly(labels)
    assert {frozenset(place[m] for m in group) for group in entities} == set(expected)
    assert {place[m] for m in undecided} == open_


@examples(1.2)
@given(annotations())
def test_most_annotators_with_the_same_annotation_decide_all(labels):
    row = labels[0]
    entities, undecided = quickly([row, *labels, *[row] * len(labels)])
    assert not undecided
    assert set(entities) == {frozenset(m for m, e in enumerate(row) if e == of) for of in set(row) - {-1}}


@pytest.mark.parametrize(
    ("labels", "entities", "undecided"),
    [
        ([[0, 0, 0], [0, 0, 1]], {(0, 1)}, {2: Conflict(other=0, mentions=2)}),
        ([[0, 0], [0, 1]], set(), {0: Conflict(other=1, mentions=1), 1: Conflict(other=0, mentions=1)}),
        ([[0], [-1]], set(), {0: "marked by 1 of 2"}),
        ([[0], [-1], [-1]], set(), {}),
        ([[0, 0], [0, 0], [0, 1]], {(0, 1)}, {}),
        ([[0, 0], [0, 1], [0, -1]], set(), {0: Conflict(other=1, mentions=1), 1: Conflict(other=0, mentions=1)}),
        ([[-1, 0, 0], [-1, 0, 1], [-1, 0, -1]], set(), {1: Conflict(other=2, mentions=1), 2: Conflict(other=1, mentions=1)}),
    ],
)
def test_small_cases(labels, entities, undecided):
    assert {tuple(sorted(group)) for group in quickly(labels)[0]} == entities
    assert decided(np.array(labels)).undecided == undecided


def test_links_that_contradict_each_other_are_undecided_and_what_hangs_on_them_too():
    # a~b and b~c by two of three each, but a and c are apart for two: a and c are in as many conflicts, and b hangs on both
    decision = decided(np.array([[0, 0, 0], [0, 0, 1], [0, 1, 1]]))
    assert decision.entity.tolist() == [-1, -1, -1]
    assert decision.undecided[0] == Conflict(other=2, mentions=1)
    assert decision.undecided[1] == "all that it is linked to is undecided"


@pytest.mark.parametrize(("annotators", "mentions", "decided_"), [(10, 6_000, 5_600), (2, 20_000, 12_000)])
def test_a_book_needs_no_square_of_its_mentions(annotators, mentions, decided_):
    """The square would be 36 MB for each annotator, or 400 MB. Ties of two annotators hold nearly all mentions together."""
    rng = np.random.default_rng(1)
    shape, entities = (annotators, mentions), mentions // 4
    entity = rng.integers(0, entities, mentions)
    labels = np.where(rng.random(shape) < 0.1, rng.integers(0, entities, shape), entity)
    tracemalloc.start()
    decision = decided(labels)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.count_nonzero(decision.entity >= 0) > decided_
    assert peak < 200_000_000
