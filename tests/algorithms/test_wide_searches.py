"""Searches that look at all edges of a row together: the proof that prices give, and what is left when the budget is short."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import numpy as np
import pytest

from referee.algorithms.assignment import assign
from referee.algorithms.wide_searches import WideSearches

Array: TypeAlias = np.ndarray[Any, Any]


def wide_graph(rng: np.random.Generator, rows: int, columns: int, values: int) -> tuple[Array, Array, Array, Array]:
    """The row and column of each edge, where the edges of each row begin, and weights, which are fractions of 2³⁰."""
    there = rng.random((rows, columns)) < rng.choice([0.3, 0.7, 1.0])
    there[np.arange(rows), rng.integers(columns, size=rows)] = True
    row, column = np.nonzero(there)
    weight = rng.integers(1, values, size=len(row), endpoint=True) / 2.0**30
    return row, column, np.searchsorted(row, np.arange(rows + 1)), weight


@pytest.mark.parametrize("values", [1, 2, 8, 2**30])
@pytest.mark.parametrize(("rows", "columns", "graphs"), [(3, 3, 300), (4, 9, 100), (9, 4, 100), (40, 40, 20), (60, 25, 10)])
def test_prices_prove_the_optimum_without_rounding(values: int, rows: int, columns: int, graphs: int) -> None:
    """Prices from 0, no gap below 0, and a sum that is the weight: then no assignment weighs more."""
    rng = np.random.default_rng(rows)
    for _ in range(graphs):
        row, column, begin, weight = wide_graph(rng, rows, columns, values)
        searches = WideSearches(begin, column, weight)
        assert searches.match(sys.maxsize)
        prices = searches.row_price, searches.column_price
        assert all((of_side >= 0).all() for of_side in prices)
        assert (prices[0][row] + prices[1][column] >= weight).all()
        chosen = searches.edge_of_row[searches.edge_of_row >= 0]
        assert len({*row[chosen].tolist()}) == len({*column[chosen].tolist()}) == len(chosen)
        assert (searches.row_of_column[column[chosen]] == row[chosen]).all()
        assert weight[chosen].sum() == prices[0].sum() + prices[1].sum()  # sums of a few fractions of 2³⁰ are exact
        assert not searches.slack().any()


@pytest.mark.parametrize("budget", [-1, 0, 10, 100, 1000])
def test_a_short_budget_says_by_how_much_it_may_fall_short(budget: int) -> None:
    rng = np.random.default_rng(budget + 1)
    for _ in range(60):
        row, column, begin, weight = wide_graph(rng, *rng.integers(2, 30, size=2).tolist(), 8)
        best, short = WideSearches(begin, column, weight), WideSearches(begin, column, weight)
        assert best.match(sys.maxsize)
        certain = short.match(budget)
        chosen = short.edge_of_row[short.edge_of_row >= 0]
        assert len({*row[chosen].tolist()}) == len({*column[chosen].tolist()}) == len(chosen)
        optimum = weight[best.edge_of_row[best.edge_of_row >= 0]].sum()
        assert weight[chosen].sum() <= optimum <= weight[chosen].sum() + short.slack().sum()
        assert not certain or weight[chosen].sum() == optimum


def test_edges_that_are_looked_at_together_do_not_count_one_by_one() -> None:
    """Searches from 300 rows see 1.2 million edges, which takes as long as a tenth of them one at a time."""
    n = 300
    row, column = np.indices((n, n)).reshape(2, -1)
    assert assign(row, column, np.random.default_rng(0).random(n * n), n, n, budget=120_000).slack is None


def test_a_row_that_waits_takes_its_heaviest_free_column() -> None:
    weight = np.array([3.0, 2.0, 1.0, 3.0, 2.0, 1.0])
    searches = WideSearches(np.array([0, 3, 6]), np.array([0, 1, 2, 0, 1, 2]), weight)
    assert not searches.match(-1)
    assert searches.edge_of_row.tolist() == [0, 4]
    assert searches.slack().tolist() == [0.0, 1.0]


def test_of_columns_that_are_equally_near_the_last_that_was_reached_is_next() -> None:
    """Rows 2 and 1 take columns 1 and 0. From row 0 both are at no distance; column 1 comes last, and its row has a way out."""
    begin, column = np.array([0, 2, 4, 6]), np.array([0, 1, 0, 2, 1, 3])
    searches = WideSearches(begin, column, np.ones(6))
    assert searches.match(sys.maxsize)
    assert searches.edge_of_row.tolist() == [1, 2, 5]
