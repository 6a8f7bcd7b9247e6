"""`assign` against scipy's dense solver, and against what it promises when its budget is short."""

import sys
from typing import Any

import numpy as np
import pytest

from referee.algorithms.assignment import assign
from tests.support.hungarian import hungarian

optimize = pytest.importorskip("scipy.optimize", reason="the oracle is scipy's dense solver")

Array = np.ndarray[Any, Any]


def optimum(graph):
    row, column, weight, rows, columns = graph
    dense = np.zeros((rows, columns))
    dense[row, column] = np.maximum(weight, 0.0)  # an edge that costs something is left out instead
    chosen = optimize.linear_sum_assignment(dense, maximize=True)
    return float(dense[chosen].sum())


def total(graph, assignment):
    return float(graph[2][assignment.edges].sum())


def is_one_to_one(graph, assignment):
    row, column, weight, _, _ = graph
    edges = assignment.edges
    return (
        len(set(row[edges].tolist())) == len(set(column[edges].tolist())) == len(edges)
        and bool((weight[edges] > 0).all())
        and edges.tolist() == sorted(edges.tolist())
    )


def random_graph(rng, rows, columns, density, kind):
    row, column = np.nonzero(rng.random((rows, columns)) < density)
    if kind == "ties":
        weight = rng.integers(-1, 4, size=len(row)).astype(float)
    elif kind == "counts":
        weight = rng.geometric(0.3, size=len(row)).astype(float)
    elif kind == "dice":  # shared mentions over sizes that are at least the sums of what is shared
        shared = rng.geometric(0.5, size=len(row))
        row_size = np.bincount(row, shared, rows) + rng.integers(0, 3, rows)
        column_size = np.bincount(column, shared, columns) + rng.integers(0, 3, columns)
        weight = 2 * shared / (row_size[row] + column_size[column])
    else:
        weight = rng.normal(size=len(row))
    mixed = rng.permutation(len(row))
    return row[mixed], column[mixed], weight[mixed], rows, columns


def hard_graph(rng, side):
    """A dense graph of nearly equal weights, which neither dominance nor leaves reduce."""
    row, column = (a.ravel() for a in np.indices((side, side)))
    return row, column, 10 + rng.random(side * side), side, side


@pytest.mark.parametrize("kind", ["ties", "counts", "dice", "floats"])
def test_small_random_graphs_get_the_optimum_one_to_one(kind):
    rng = np.random.default_rng(1)
    for _ in range(1500):
        density = float(rng.choice([0.15, 0.35, 0.7, 1.0]))
        graph = random_graph(rng, int(rng.integers(1, 9)), int(rng.integers(1, 9)), density, kind)
        found = assign(*graph)
        assert found.slack is None
        assert is_one_to_one(graph, found), graph
        assert total(graph, found) == pytest.approx(optimum(graph), abs=1e-9), graph


@pytest.mark.parametrize("kind", ["ties", "counts", "dice", "floats"])
@pytest.mark.parametrize(
    ("rows", "columns", "density"), [(150, 120, 0.02), (100, 200, 0.1), (80, 80, 0.8), (300, 300, 0.01), (250, 400, 0.01)]
)
def test_larger_random_graphs_get_the_optimum_one_to_one(kind, rows, columns, density):
    graph = random_graph(np.random.default_rng(2), rows, columns, density, kind)
    found = assign(*graph)
    assert found.slack is None
    assert is_one_to_one(graph, found)
    assert total(graph, found) == pytest.approx(optimum(graph), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("digits", [0, 1, 15, 80])
def test_whole_numbers_of_any_size_get_the_optimum_exactly(digits):
    rng = np.random.default_rng(digits)
    for size in rng.integers(1, 9, size=200).tolist():
        row, column = np.nonzero(rng.random((size, size)) < 0.6)
        numbers = [1 + int(rng.integers(4)) * 10**digits + int(rng.integers(3)) for _ in row]
        weights = dict(zip(zip(row.tolist(), column.tolist(), strict=True), numbers, strict=True))
        best = sum(weights[pair] for pair in hungarian(weights, size, size))
        for budget in (0, 5, 20, sys.maxsize):
            found = assign(row, column, np.array(numbers, dtype=object), size, size, budget)
            weight = sum(numbers[edge] for edge in found.edges.tolist())
            bound = 0 if found.slack is None else float(found.slack.sum())
            assert 0 <= best - weight <= bound * (1 + 1e-12)
            assert budget < sys.maxsize or found.slack is None


def test_whole_numbers_with_many_edges_a_row_keep_their_digits():
    row, column = (a.ravel() for a in np.indices((3, 60)))
    weight = np.array([10**40 + (c == r + 7) for r, c in zip(row.tolist(), column.tolist(), strict=True)], dtype=object)
    assert column[assign(row, column, weight, 3, 60, sys.maxsize).edges].tolist() == [7, 8, 9]


def test_slack_is_of_the_rows_that_have_it():
    row, column, weight, rows, columns = hard_graph(np.random.default_rng(3), 30)
    slack = assign(row * 2, column, weight, 2 * rows, columns, budget=0).slack
    assert slack[::2].any()
    assert not slack[1::2].any()


def test_equal_weights_take_as_many_edges_as_there_are():
    """Rows n have columns n and n + 1, but the last row only the column that all others push along."""
    n = 500
    row = np.append(np.repeat(np.arange(n), 2), n)
    column = np.append(np.arange(n).repeat(2) + np.tile([0, 1], n), 0)
    assert len(assign(row, column, np.ones(2 * n + 1), n + 1, n + 1).edges) == n + 1


def test_trees_fold_away_and_unfold_to_the_optimum():
    """A tree has no cycle, so leaves are folded until nothing is left, and a budget of nothing is enough."""
    rng = np.random.default_rng(3)
    for _ in range(1500):
        vertices = int(rng.integers(2, 25))
        depth = [0] * vertices
        ends = []
        for vertex in range(1, vertices):
            parent = int(rng.integers(max(0, vertex - int(rng.integers(1, 6))), vertex))
            depth[vertex] = depth[parent] + 1
            ends.append((parent, vertex) if depth[parent] % 2 == 0 else (vertex, parent))
        row, column = np.array(ends).T
        graph = row, column, rng.integers(1, 5, size=len(row)).astype(float), vertices, vertices
        found = assign(*graph, budget=0)
        assert is_one_to_one(graph, found), graph
        bound = 0.0 if found.slack is None else float(found.slack.sum())
        assert total(graph, found) <= optimum(graph) <= total(graph, found) + bound, graph
        assert total(graph, assign(*graph)) == optimum(graph), graph


def test_a_star_takes_its_heaviest_edge():
    for graph in ((np.zeros(4, dtype=np.int64), np.arange(4)), (np.arange(4), np.zeros(4, dtype=np.int64))):
        assert assign(*graph, np.array([2.0, 5.0, 3.0, 5.0]), 4, 4).edges.tolist() in ([1], [3])


def test_a_stem_that_is_taken_elsewhere_leaves_its_leaf_alone():
    """The path 4-7-4: the middle edge is the heaviest, its neighbours together are heavier."""
    row, column, weight = np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([4.0, 7.0, 4.0])
    assert assign(row, column, weight, 2, 2).edges.tolist() == [0, 2]
    assert assign(row, column, np.array([4.0, 9.0, 4.0]), 2, 2).edges.tolist() == [1]


@pytest.mark.parametrize("budget", [0, 1, 2, 5, 20, 100])
def test_a_short_budget_says_by_how_much_it_may_fall_short(budget):
    rng = np.random.default_rng(4)
    graphs = [hard_graph(rng, int(rng.integers(2, 12))) for _ in range(60)]
    graphs += [random_graph(rng, 8, 8, 0.6, kind) for kind in ("ties", "counts", "dice", "floats") for _ in range(60)]
    for graph in graphs:
        found, best = assign(*graph, budget=budget), optimum(graph)
        assert is_one_to_one(graph, found)
        assert total(graph, found) <= best + 1e-9
        if found.slack is None:
            assert total(graph, found) == pytest.approx(best, abs=1e-9)
        else:
            assert found.slack.shape == (graph[3],)
            assert (found.slack >= 0).all()
            assert total(graph, found) + found.slack.sum() >= best - 1e-9


def test_a_budget_of_nothing_is_noticed_on_a_graph_that_does_not_reduce():
    graph = hard_graph(np.random.default_rng(5), 30)
    found = assign(*graph, budget=0)
    assert found.slack.sum() > 0
    assert total(graph, found) > 0


def test_out_of_budget_the_heaviest_free_edges_are_taken():
    row, column, weight = np.repeat([0, 1, 2], 4), np.tile(np.arange(4), 3), np.tile([4.0, 3.0, 2.0, 1.0], 3)
    found = assign(row, column, weight, 3, 4, budget=0)
    assert found.edges.tolist() == [0, 5, 10]
    assert found.slack is not None


def test_edges_that_weigh_nothing_are_not_chosen():
    zeros = np.zeros(2, dtype=np.int64)
    assert assign(zeros, np.arange(2), np.array([0.0, -1.0]), 1, 2).edges.tolist() == []


@pytest.mark.parametrize(("rows", "columns"), [(0, 0), (3, 0), (0, 3), (2, 2)])
def test_a_graph_without_edges_has_an_empty_assignment(rows, columns):
    none = np.empty(0, dtype=np.int64)
    found = assign(none, none, np.empty(0), rows, columns)
    assert found.edges.tolist() == []
    assert found.edges.dtype == np.int64
    assert found.slack is None


def test_the_order_of_the_edges_does_not_change_the_total():
    rng = np.random.default_rng(6)
    for _ in range(200):
        graph = random_graph(rng, 7, 7, 0.5, "counts")
        mixed = rng.permutation(len(graph[0]))
        other = graph[0][mixed], graph[1][mixed], graph[2][mixed], 7, 7
        assert total(other, assign(*other)) == total(graph, assign(*graph))
