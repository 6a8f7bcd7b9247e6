"""Changes of an assignment, against assignments from scratch."""

import sys
from itertools import permutations
from math import inf
from typing import Any

import numpy as np
import pytest

from referee.algorithms.meeting_trees import MeetingTrees
from referee.algorithms.realignment import Realignment
from tests.algorithms.test_meeting_trees import sparse_graph, units

Array = np.ndarray[Any, Any]


def optimal(row, column, weight, rows, columns):
    """Prices of rows and of columns, and the partner of each row."""
    price, mate = [1.0] * rows + [0.0] * columns, [-1] * (rows + columns)
    assert MeetingTrees(row, column + rows, weight, price, mate).grow(sys.maxsize)
    partner = np.array(mate[:rows])
    return np.array(price[:rows]), np.array(price[rows:]), np.where(partner >= 0, partner - rows, -1)


def realignment(row, column, weight, rows, columns):
    row_price, column_price, partner = optimal(row, column, weight, rows, columns)
    return Realignment((row, column, weight), [row_price] * 3, [column_price] * 3, partner)


@pytest.mark.parametrize("kind", ["dice", "ties", "floats"])
@pytest.mark.parametrize(("size", "graphs"), [(4, 150), (30, 30)])
def test_a_change_gains_what_an_assignment_from_scratch_does(kind, size, graphs):
    rng = np.random.default_rng(size)
    for _ in range(graphs):
        row, column, weight = sparse_graph(rng, kind, size)
        known = realignment(row, column, weight, size, size)
        before = sum(units(price) for price in optimal(row, column, weight, size, size)[:2])
        for _ in range(5):  # each from the state before
            changed = rng.choice(size + 2, size=int(rng.integers(1, 4)), replace=False).tolist()
            other = sparse_graph(rng, kind, size)
            edges = [(other[0][other[1] == c % size], other[2][other[1] == c % size]) for c in changed]
            kept = ~np.isin(column, changed)
            new = [np.concatenate([row[kept], *(rows for rows, _ in edges)])]
            new.append(
                np.concatenate([column[kept], *(np.full(len(rows), c) for c, (rows, _) in zip(changed, edges, strict=True))])
            )
            new.append(np.concatenate([weight[kept], *(weights for _, weights in edges)]))
            after = sum(units(p) for p in optimal(*new, size, size + 2)[:2]) if len(new[0]) else 0
            listed = [list(zip(rows.tolist(), weights.tolist(), strict=True)) for rows, weights in edges]
            gain = known.gain(changed, listed, inf)[0]
            assert gain is not None
            assert sum(units(np.array([term])) for term in gain) == after - before


def test_a_change_gains_what_all_assignments_show():
    weight = np.array([[3.0, 1.0, 0.0], [2.0, 2.0, 1.0], [0.0, 1.0, 1.0]])
    new = [2.0, 0.0, 3.0]  # the first column after the change

    def best(w):
        return max(sum(float(w[r, c]) for r, c in enumerate(order)) for order in permutations(range(3)))

    row, column = np.nonzero(weight)
    price, mate = [3.0] * 3 + [0.0] * 3, [-1] * 6
    assert MeetingTrees(row, column + 3, weight[row, column], price, mate).grow(sys.maxsize)
    partner = np.array(mate[:3]) - 3
    known = Realignment((row, column, weight[row, column]), [np.array(price[:3])] * 3, [np.array(price[3:])] * 3, partner)
    after = weight.copy()
    after[:, 0] = new
    found = known.gain([0], [[(0, 2.0), (2, 3.0)]], inf)[0]
    assert found == (best(after) - best(weight), 0)


def test_a_change_without_budget_has_no_gain_and_does_no_harm():
    rng = np.random.default_rng(2)
    graph = sparse_graph(rng, "dice", 40)
    known = realignment(*graph, 40, 40)
    column = int(graph[1][0])
    edges = [[(int(r), 1.0) for r in np.unique(graph[0])]]
    enough = known.gain([column], edges, inf)
    assert enough[0][0] > 0
    assert known.gain([column], edges, -1)[0] is None
    assert known.gain([column], edges, inf) == enough
