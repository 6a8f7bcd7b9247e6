"""All thresholds at once: the same as the table of entities at each of them."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee.algorithms import merging
from referee.algorithms.components import joined
from referee.metrics.registry import METRICS
from referee.metrics.table import Table
from referee.scoring.sweep import KeyOfRecords, sweep


@st.composite
def keys_and_pairs(draw):
    """The key entity of each record, and different pairs of them."""
    records = draw(st.integers(2, 12))
    entity = np.array(draw(st.lists(st.integers(-1, 4), min_size=records, max_size=records)))
    known = entity >= 0
    entity[known] = np.unique(entity[known], return_inverse=True)[1]
    ends = st.integers(0, records - 1)
    pairs = draw(st.lists(st.tuples(ends, ends).filter(lambda pair: pair[0] < pair[1]), min_size=1, max_size=20, unique=True))
    return entity, *map(np.array, zip(*pairs, strict=True))


@pytest.mark.parametrize("few", [merging.FEW, 1])  # with 1, all but the simplest merges are made one by one
@given(case=keys_and_pairs())
def test_counts_at_each_threshold_are_those_of_the_table(case, few):
    entity, first, second = case
    before, merging.FEW = merging.FEW, few
    try:
        check(entity, first, second)
    finally:
        merging.FEW = before


def check(entity, first, second):
    key = KeyOfRecords(entity, np.bincount(entity[entity >= 0]))
    record = np.flatnonzero(entity >= 0)
    last = np.arange(len(first) + 1)
    found = {metric: counts.score() for metric, counts in sweep(key, first, second, last).items()}
    assert [*found] == ["links", "b_cubed", "exact"]
    for place in last.tolist():
        _, response = np.unique(joined(np.arange(len(entity)), first[:place], second[:place]), return_inverse=True)
        size = np.bincount(response)
        documents = np.zeros_like(key.size), np.zeros_like(size)
        table = Table.of(entity[record], response[record], key.size, size, *documents, 1)
        for metric, columns in found.items():
            want = METRICS[metric].count(table).score()[0]
            got = columns[place]
            sides = (got.recall, got.precision, got.value), (want.recall, want.precision, want.value)
            assert sides[0] == pytest.approx(sides[1], abs=1e-12, nan_ok=True)


def test_a_row_has_each_component_side_by_side():
    """Edges 3-1, 1-0, 4-5 join; 3-0 does not. At each merge the nodes of both components are neighbours."""
    m = merging.merging(6, np.array([3, 3, 1, 4]), np.array([1, 0, 0, 5]))
    assert m.edge.tolist() == [0, 1, 3]
    assert sorted(zip(m.left.tolist(), m.right.tolist(), strict=True)) == [(1, 1), (1, 1), (1, 2)] or (
        sorted(zip(m.left.tolist(), m.right.tolist(), strict=True)) == [(1, 1), (1, 1), (2, 1)]
    )
    for edge, (a, b) in zip(m.edge, [({3}, {1}), ({3, 1}, {0}), ({4}, {5})], strict=True):
        n = m.edge.tolist().index(edge)
        left = {m.place.tolist().index(place) for place in range(m.at[n] - m.left[n] + 1, m.at[n] + 1)}
        right = {m.place.tolist().index(place) for place in range(m.at[n] + 1, m.at[n] + m.right[n] + 1)}
        assert {frozenset(left), frozenset(right)} == {frozenset(a), frozenset(b)}
