"""Auctions: prices are valid whatever the graph, and nearly optimal; what is taken has no gap."""

from __future__ import annotations

import sys
from fractions import Fraction as F
from typing import Any, TypeAlias

import numpy as np
import pytest

from referee.algorithms import auction as module
from referee.algorithms import shortest_paths as solver
from referee.algorithms.auction import auction
from referee.algorithms.shortest_paths import shortest_paths

Array: TypeAlias = np.ndarray[Any, Any]

UNIT = 2.0**-52


def overlaps(rng: np.random.Generator, rows: int, columns: int, mentions: int) -> tuple[Array, Array, Array]:
    """Entities of two sides by chance, and their Dice weights as whole multiples of `UNIT`."""
    ends = np.stack([rng.integers(rows, size=mentions), rng.integers(columns, size=mentions)])
    (row, column), shared = np.unique(ends, axis=1, return_counts=True)
    row, column = (np.unique(side, return_inverse=True)[1].ravel() for side in (row, column))
    sizes = np.bincount(row, shared)[row] + np.bincount(column, shared)[column]
    return row, column, np.rint(shared * (2 / UNIT) / sizes) * UNIT


def units(weights: Array) -> int:
    """The exact sum."""
    return sum(int(weight / UNIT) for weight in weights.tolist())


@pytest.mark.parametrize(
    ("rows", "columns", "mentions"), [(1, 1, 1), (5, 3, 9), (40, 60, 200), (300, 300, 900), (300, 80, 3000)]
)
@pytest.mark.parametrize("scale", [1.0, 2.0**-30, 2.0**20])
def test_prices_are_valid_and_what_is_taken_has_no_gap(rows: int, columns: int, mentions: int, scale: float) -> None:
    rng = np.random.default_rng(rows)
    row, column, weight = overlaps(rng, rows, columns, mentions)
    row_price, column_price, taken = auction(row, column, weight * scale)
    assert (row_price >= 0).all()
    assert (column_price >= 0).all()
    prices = row_price[row] + column_price[column]
    assert (prices >= weight * scale).all()
    assert (prices[taken] == weight[taken] * scale).all()
    assert len({*row[taken].tolist()}) == len({*column[taken].tolist()}) == taken.sum()


@pytest.mark.parametrize("smallest", [0, 40])
def test_prices_of_many_graphs_need_no_rounding_and_no_column_is_taken_twice(smallest: int) -> None:
    rng = np.random.default_rng(7)
    for _ in range(150):
        row, column, weight = overlaps(rng, 40, 40, 160)
        weight = np.ceil(weight * 2.0 ** -rng.integers(smallest, size=len(row), endpoint=True) / UNIT) * UNIT
        *prices, taken = auction(row, column, weight)
        gaps = [F(u) + F(v) - F(w) for u, v, w in zip(prices[0][row], prices[1][column], weight, strict=True)]
        assert min(gaps) >= 0
        assert len({*row[taken].tolist()}) == len({*column[taken].tolist()}) == taken.sum()


@pytest.mark.parametrize("mentions", [600, 900, 1200, 3000, 12000])
def test_the_sum_of_prices_is_hardly_above_the_greatest_weight(mentions: int) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    row, column, weight = overlaps(np.random.default_rng(mentions), 300, 300, mentions)
    row_price, column_price, taken = auction(row, column, weight)
    dense = np.zeros((300, 300))
    dense[row, column] = weight
    best = dense[optimize.linear_sum_assignment(dense, maximize=True)].sum()
    assert best <= row_price.sum() + column_price.sum() + 1e-12
    assert row_price.sum() + column_price.sum() <= best + 0.5  # of about 100: rows that the last auctions left free
    assert weight[taken].sum() >= 0.9 * best


def test_prices_of_auctions_that_are_not_stopped_exceed_the_greatest_weight_by_less_than_the_last_raises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    monkeypatch.setattr(module, "FEW", 0)
    monkeypatch.setattr(module, "ROUNDS", 1 << 20)
    rng = np.random.default_rng(4)
    for size in range(1, 50, 4):
        row, column, weight = overlaps(rng, size, size, 4 * size)
        row_price, column_price, _ = auction(row, column, weight)
        dense = np.zeros((size, size))
        dense[row, column] = weight
        best = dense[optimize.linear_sum_assignment(dense, maximize=True)].sum()
        raises = module.RAISES[-1] * weight.max() * (len(row_price) + len(column_price))
        assert row_price.sum() + column_price.sum() <= best + raises + 1e-9


def test_prices_are_raised_until_pairs_of_the_greatest_weight_have_no_gap() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(2)
    for _ in range(100):
        row, column, weight = overlaps(rng, 6, 6, 20)
        bidders = module._Bidders(row, column, weight)
        dense = np.zeros((bidders.rows, int(column.max()) + 1))
        dense[row, column] = weight
        r, c = optimize.linear_sum_assignment(dense, maximize=True)
        r, c = r[dense[r, c] > 0], c[dense[r, c] > 0]
        bidders.mate[r], bidders.mate[bidders.rows + c] = bidders.rows + c, r
        bidders.tighten()
        assert (bidders.gains()[r] == dense[r, c] - bidders.price[bidders.rows + c]).all()


def test_the_only_pair_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FEW", 0)
    nothing = np.zeros(1, dtype=np.int64)
    assert auction(nothing, nothing, np.ones(1))[2].tolist() == [True]


@pytest.mark.parametrize("mentions", [600, 900, 1200, 3000, 9000])
def test_large_graphs_have_the_weight_that_scipy_finds(mentions: int) -> None:
    """Without rounding: weights are whole multiples of a unit, and so are all prices."""
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(mentions)
    for rows, columns in ((300, 300), (250, 400), (400, 220)):
        row, column, weight = overlaps(rng, rows, columns, mentions)
        assert row.max() >= solver.LARGE
        chosen, slack = shortest_paths(row, column, weight, rows, sys.maxsize)
        assert slack is None
        assert len({*row[chosen].tolist()}) == len({*column[chosen].tolist()}) == len(chosen)
        dense = np.zeros((rows, columns))
        dense[row, column] = weight
        best = optimize.linear_sum_assignment(dense, maximize=True)
        assert units(weight[chosen]) == units(dense[best])
