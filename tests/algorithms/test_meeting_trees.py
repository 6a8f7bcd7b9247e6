"""Trees from both sides: the proof that prices give, scipy's solver, and what is left when the budget is short."""

import sys
from typing import Any

import numpy as np
import pytest

from referee.algorithms.assignment import assign
from referee.algorithms.meeting_trees import MeetingTrees

Array = np.ndarray[Any, Any]

UNIT = 2.0**-52


def sparse_graph(rng, kind, size):
    """Edges of a random graph, some with ends of very many edges, and their weights: whole multiples of `UNIT`, up to 1."""
    rows, columns = rng.integers(1, size, size=2, endpoint=True).tolist()
    edges = int(rng.integers(1, 5 * size))
    skew = float(rng.choice([1.0, 1.0, 3.0]))
    ends = (rng.random((2, edges)) ** skew * [[rows], [columns]]).astype(np.int64)
    (row, column), shared = np.unique(ends, axis=1, return_counts=True)
    if kind == "dice":
        sizes = np.bincount(row, shared)[row] + np.bincount(column, shared)[column]
        return row, column, np.rint(shared * (2 / UNIT) / sizes) * UNIT
    if kind == "equal":
        return row, column, np.full(len(row), 0.75)
    values = 4 if kind == "ties" else 2**30
    return row, column, rng.integers(1, values, size=len(row), endpoint=True) / values


def units(weights):
    """The exact sum."""
    return sum(int(weight / UNIT) for weight in weights.tolist())


@pytest.mark.parametrize("kind", ["dice", "equal", "ties"])
@pytest.mark.parametrize(("size", "graphs"), [(3, 400), (30, 100), (2000, 2)])
@pytest.mark.parametrize("of_columns", [0.0, 0.5, 1.0])
def test_prices_prove_the_optimum_without_rounding(kind, size, graphs, of_columns):
    """Prices from 0, no gap below 0, and a sum that is the weight: then no assignment weighs more."""
    rng = np.random.default_rng(size + 1)
    for _ in range(graphs):
        row, column, weight = sparse_graph(rng, kind, size)
        rows, columns = int(row.max()) + 1, int(column.max()) + 1
        price = [1 - of_columns] * rows + [of_columns] * columns
        mate = [-1] * (rows + columns)
        assert MeetingTrees(row, column + rows, weight, price, mate).grow(sys.maxsize)
        prices, mates = np.array(price), np.array(mate)
        assert (prices >= 0).all()
        assert (prices[row] + prices[column + rows] >= weight).all()
        chosen = mates[row] == column + rows
        assert (mates[column[chosen] + rows] == row[chosen]).all()
        assert (mates >= 0).sum() == 2 * chosen.sum()
        assert units(weight[chosen]) == units(prices)


@pytest.mark.parametrize("budget", [0, 1, 10, 40, 160])
def test_prices_are_valid_when_the_budget_is_spent(budget):
    """No edge has a gap below 0, and no matched edge has one."""
    rng = np.random.default_rng(budget)
    for _ in range(40):
        row, column, weight = sparse_graph(rng, "dice", 40)
        price, mate = [1.0] * 40 + [0.0] * 40, [-1] * 80
        MeetingTrees(row, column + 40, weight, price, mate).grow(budget)
        gap = np.array(price)[row] + np.array(price)[column + 40] - weight
        assert gap.min() >= 0
        assert not gap[np.array(mate)[row] == column + 40].any()


@pytest.mark.parametrize("digits", [0, 1, 15, 80])
def test_prices_of_whole_numbers_of_any_size_are_exact(digits):
    rng = np.random.default_rng(digits)
    for _ in range(100):
        row, column, weight = sparse_graph(rng, "ties", 12)
        weight = np.array([int(4 * w) * 10**digits + int(rng.integers(3)) for w in weight.tolist()], dtype=object)
        price, mate = [int(weight.max())] * 12 + [0] * 12, [-1] * 24
        assert MeetingTrees(row, column + 12, weight, price, mate).grow(sys.maxsize)
        assert sum(weight[np.array(mate)[row] == column + 12].tolist()) == sum(price)


@pytest.mark.parametrize("budget", [0, 1, 3, 10, 40, 160, 640])
def test_a_short_budget_says_by_how_much_it_may_fall_short(budget):
    rng = np.random.default_rng(budget)
    for kind in ("dice", "equal", "ties", "floats"):
        for _ in range(60):
            row, column, weight = sparse_graph(rng, kind, 40)
            best = weight[assign(row, column, weight, 40, 40).edges].sum()
            chosen, slack = assign(row, column, weight, 40, 40, budget)
            total = weight[chosen].sum()
            assert len({*row[chosen].tolist()}) == len({*column[chosen].tolist()}) == len(chosen)
            assert total <= best + 1e-12
            assert best <= total + (1e-12 if slack is None else slack.sum() + 1e-12)
            assert slack is None or (slack >= 0).all()
