"""Trees from both sides: the proof that prices give, scipy's solver, and what is left when the budget is short."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import numpy as np
import pytest

from referee.algorithms.meeting_trees import MeetingTrees
from referee.algorithms.shortest_paths import shortest_paths

Array: TypeAlias = np.ndarray[Any, Any]

UNIT = 2.0**-52


def sparse_graph(rng: np.random.Generator, kind: str, size: int) -> tuple[Array, Array, Array]:
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


def units(weights: Array) -> int:
    """The exact sum."""
    return sum(int(weight / UNIT) for weight in weights.tolist())


@pytest.mark.parametrize("kind", ["dice", "equal", "ties", "floats"])
@pytest.mark.parametrize(("size", "graphs"), [(4, 300), (12, 150), (150, 10)])
def test_an_assignment_weighs_what_scipy_finds(kind: str, size: int, graphs: int) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(size)
    for _ in range(graphs):
        row, column, weight = sparse_graph(rng, kind, size)
        chosen, slack = shortest_paths(row, column, weight, size, sys.maxsize)
        assert slack is None
        assert len({*row[chosen].tolist()}) == len({*column[chosen].tolist()}) == len(chosen)
        dense = np.zeros((size, size))
        dense[row, column] = weight
        best = optimize.linear_sum_assignment(dense, maximize=True)
        assert weight[chosen].sum() == pytest.approx(dense[best].sum(), rel=1e-14)


@pytest.mark.parametrize("kind", ["dice", "equal", "ties"])
@pytest.mark.parametrize(("size", "graphs"), [(3, 400), (30, 100), (2000, 2)])
@pytest.mark.parametrize("of_columns", [0.0, 0.5, 1.0])
def test_prices_prove_the_optimum_without_rounding(kind: str, size: int, graphs: int, of_columns: float) -> None:
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
def test_prices_are_valid_when_the_budget_is_spent(budget: int) -> None:
    """No edge has a gap below 0, and no matched edge has one."""
    rng = np.random.default_rng(budget)
    for _ in range(40):
        row, column, weight = sparse_graph(rng, "dice", 40)
        price, mate = [1.0] * 40 + [0.0] * 40, [-1] * 80
        MeetingTrees(row, column + 40, weight, price, mate).grow(budget)
        gap = np.array(price)[row] + np.array(price)[column + 40] - weight
        assert gap.min() >= 0
        assert not gap[np.array(mate)[row] == column + 40].any()


class Watched(list[int]):
    """Knows how many of its items were taken in slices."""

    taken = 0

    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        self.taken += len(found)
        return found


def test_the_work_of_both_sides_is_the_edges_that_are_visited() -> None:
    row, column, weight = sparse_graph(np.random.default_rng(1), "dice", 150)
    price = [1.0] * 150 + [0.5] * 150
    trees = MeetingTrees(row, column + 150, weight, price, [-1] * 300)
    trees.to = Watched(trees.to)
    assert trees.grow(sys.maxsize)
    assert min(trees.work) > 0
    assert sum(trees.work) == trees.to.taken


@pytest.mark.parametrize("budget", [0, 1, 3, 10, 40, 160, 640])
def test_a_short_budget_says_by_how_much_it_may_fall_short(budget: int) -> None:
    rng = np.random.default_rng(budget)
    for kind in ("dice", "equal", "ties", "floats"):
        for _ in range(60):
            row, column, weight = sparse_graph(rng, kind, 40)
            best = weight[shortest_paths(row, column, weight, 40, sys.maxsize)[0]].sum()
            chosen, slack = shortest_paths(row, column, weight, 40, budget)
            total = weight[chosen].sum()
            assert len({*row[chosen].tolist()}) == len({*column[chosen].tolist()}) == len(chosen)
            assert total <= best + 1e-12
            assert best <= total + (1e-12 if slack is None else slack.sum() + 1e-12)
            assert slack is None or (slack >= 0).all()
