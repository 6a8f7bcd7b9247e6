"""Successive shortest paths: whole numbers of any size against the Hungarian method, and the proof that prices give."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from referee.algorithms.assignment import assign
from referee.algorithms.shortest_paths import shortest_paths
from tests.support.hungarian import hungarian

Array = np.ndarray[Any, Any]


def whole_numbers(rng: np.random.Generator, size: int, digits: int) -> tuple[Array, Array, Array]:
    row, column = np.nonzero(rng.random((size, size)) < 0.6)
    weight = [1 + int(rng.integers(0, 4)) * 10**digits + int(rng.integers(0, 3)) for _ in row]
    return row, column, np.array(weight, dtype=object)


def greatest_weight(row: Array, column: Array, weight: Array, size: int) -> int:
    """That of the Hungarian method."""
    of_pair = dict(zip(zip(row.tolist(), column.tolist(), strict=True), weight.tolist(), strict=True))
    return sum(of_pair[pair] for pair in hungarian(of_pair, size, size))


@pytest.mark.parametrize("digits", [0, 1, 15, 80])
def test_whole_numbers_of_any_size_get_the_optimum_exactly(digits: int) -> None:
    rng = np.random.default_rng(digits)
    for _ in range(200):
        row, column, weight = whole_numbers(rng, int(rng.integers(1, 8)), digits)
        if not len(row):
            continue
        best = greatest_weight(row, column, weight, 8)
        assert sum(weight[shortest_paths(row, column, weight, 8, sys.maxsize)[0]]) == best
        assert sum(weight[assign(row, column, weight, 8, 8, budget=sys.maxsize).edges]) == best


def test_searches_for_whole_numbers_go_on_from_the_prices_of_those_before() -> None:
    rng = np.random.default_rng(1)
    for _ in range(10):
        row, column = (a.ravel() for a in np.indices((20, 20)))
        weight = np.array(rng.integers(1, 1000, 400).tolist(), dtype=object)
        best = greatest_weight(row, column, weight, 20)
        assert sum(weight[shortest_paths(row, column, weight, 20, sys.maxsize)[0]]) == best


def test_slack_is_of_the_rows_that_have_it() -> None:
    rng = np.random.default_rng(3)
    row, column = (a.ravel() for a in np.indices((30, 30)))
    weight = 10 + rng.random(900)
    chosen, slack = shortest_paths(row * 2, column, weight, 60, 0)
    assert slack is not None
    assert not slack[1::2].any()
    best = weight[shortest_paths(row, column, weight, 30, sys.maxsize)[0]].sum()
    assert weight[chosen].sum() <= best <= weight[chosen].sum() + slack.sum()


def test_without_any_budget_a_row_may_miss_what_its_heaviest_edge_weighs_more() -> None:
    rng = np.random.default_rng(5)
    row, column = (a.ravel() for a in np.indices((20, 12)))
    weight = 10 + rng.random(240)
    chosen, slack = shortest_paths(row, column, weight, 20, 0)
    taken = np.zeros(20)
    taken[row[chosen]] = weight[chosen]
    assert len(chosen) == 12
    assert slack is not None
    assert slack.tolist() == pytest.approx((weight.reshape(20, 12).max(axis=1) - taken).tolist(), abs=1e-12)


def test_a_row_that_has_its_column_keeps_it_when_the_budget_is_spent() -> None:
    """Two rows bid for the two heaviest columns, and the third one takes the heaviest column that is free."""
    row, column, weight = np.repeat([0, 1, 2], 4), np.tile(np.arange(4), 3), np.tile([4.0, 3.0, 2.0, 1.0], 3)
    chosen, slack = shortest_paths(row, column, weight, 3, 1)
    assert chosen.tolist() == [0, 5, 10]
    assert slack is not None


def test_searches_for_whole_numbers_stop_at_the_budget() -> None:
    """The budget is for two bids and one search; the other rows wait."""
    row, column, weight = np.repeat(np.arange(6), 6), np.tile(np.arange(6), 6), np.array([7] * 36, dtype=object)
    assert shortest_paths(row, column, weight, 6, sys.maxsize)[1] is None
    chosen, slack = shortest_paths(row, column, weight, 6, 1)
    assert slack is not None
    assert len(chosen) == 6
    assert sum(weight[chosen]) <= 42 <= sum(weight[chosen]) + sum(slack)


def test_whole_numbers_with_many_edges_a_row_keep_their_digits() -> None:
    row, column = (a.ravel() for a in np.indices((3, 60)))
    weight = np.array([10**40 + (c == r + 7) for r, c in zip(row.tolist(), column.tolist(), strict=True)], dtype=object)
    assert column[shortest_paths(row, column, weight, 3, sys.maxsize)[0]].tolist() == [7, 8, 9]


@pytest.mark.parametrize("kind", [np.float64, object])
def test_a_budget_of_all_edges_for_each_row_is_enough(kind: type) -> None:
    """A search visits no edge twice, and each row is searched from once."""
    rng = np.random.default_rng(6)
    row, column = (a.ravel() for a in np.indices((40, 40)))
    weight = 10 + rng.integers(6, size=1600).astype(kind)
    assert shortest_paths(row, column, weight, 40, 40 * 1600)[1] is None


@pytest.mark.parametrize("values", [2, 6, 10_000])
def test_larger_graphs_have_the_weight_that_scipy_finds(values: int) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(values)
    for _ in range(20):
        rows, columns = rng.integers(2, 40, size=2).tolist()
        dense = rng.integers(1, values, size=(rows, columns), endpoint=True) * (rng.random((rows, columns)) < 0.7)
        row, column = np.nonzero(dense)
        if not len(row):
            continue
        chosen, slack = shortest_paths(row, column, dense[row, column].astype(np.float64), rows, sys.maxsize)
        assert slack is None
        assert len({*row[chosen].tolist()}) == len({*column[chosen].tolist()}) == len(chosen)
        assert dense[row[chosen], column[chosen]].sum() == dense[optimize.linear_sum_assignment(dense, maximize=True)].sum()
