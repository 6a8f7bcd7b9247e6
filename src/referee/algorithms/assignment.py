"""Exact one-to-one assignment with the greatest total weight, on a sparse bipartite graph, as CEAF needs it.

Two reductions that lose nothing, applied to all edges at once until they no longer bite, decide nearly everything:

* **Dominance.** An edge that weighs at least as much as the heaviest other edge of its row and the heaviest other edge of its
  column together is in some optimum: taking it loses no more than it gains. Take it, delete its row and column.
* **Leaf folding.** A row with a single edge (i, j) can wait: opt(G) = w_ij + opt(G without i, where every other edge of
  j weighs w_ij less, and edges that weigh nothing are gone). Only the heaviest leaf of a column counts. If j ends up
  unmatched it takes its leaf. The same with rows and columns exchanged.

What is left, if all its edges weigh the same, is a problem of maximum matching, solved by growing and flipping disjoint
alternating trees from all free rows at once (Azad, Buluç and Pothen 2017). Otherwise it goes to successive shortest paths,
whose potentials u, v >= 0 with u_i + v_j >= w_ij are also a certificate: sum(u) + sum(v) is at least the optimum at any
moment. If the work exceeds a budget, the matching so far is completed greedily and `Assignment.slack` says by how much it
may fall short.

No dense matrix is ever built. Source of the problem: Kuhn (1955); for coreference Luo (2005).
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats, Ints

BUDGET = 50_000_000
"""Edges that the shortest paths may look at, all problems of one call together: about half a minute."""


class Assignment(NamedTuple):
    """A one-to-one assignment.

    edges : int64, the numbers of the chosen edges, ascending
    slack : float64, shape (rows,), how much of the optimum each row may have missed; None when the optimum is certain
    """

    edges: Ints
    slack: Floats | None = None


def assign(row: Ints, column: Ints, weight: Floats, rows: int, columns: int, budget: int | None = None) -> Assignment:
    """The assignment of rows to columns with the greatest total weight; edges of weight 0 or less are never chosen.

    row, column : int64, shape (edges,), the ends of each edge; no pair twice
    weight      : float64, shape (edges,)
    rows, columns : how many of each there are
    budget      : how many edges the solver may look at after the reductions; None for `BUDGET`

    >>> assign(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0]), 2, 2).edges.tolist()
    [1, 2]
    """
    positive = np.flatnonzero(weight > 0)
    graph = _Graph(row[positive], column[positive], weight[positive], positive, rows, columns)
    taken: list[Ints] = []
    folds: list[tuple[int, Ints, Ints]] = []
    idle = 0
    while len(graph.edge) and idle < 3:
        before = len(graph.edge)
        graph = _dominance(graph, taken)
        graph = _fold_leaves(graph, folds, 0)
        graph = _fold_leaves(graph, folds, 1)
        idle = idle + 1 if len(graph.edge) > 0.98 * before else 0
    slack = None
    if len(graph.edge) and (graph.weight == graph.weight[0]).all():
        taken.append(_maximum_matching(graph))
    elif len(graph.edge):
        chosen, slack = _shortest_paths(graph, BUDGET if budget is None else budget)
        taken.append(chosen)
    edges = np.concatenate([*taken, np.empty(0, dtype=np.int64)])
    return Assignment(_unfold(edges, folds, row, column, rows, columns), slack)


class _Graph(NamedTuple):
    row: Ints
    column: Ints
    weight: Floats  # as reduced so far
    edge: Ints  # number of the edge in the caller's arrays
    rows: int
    columns: int

    def keep(self, which: NDArray[np.bool_], weight: Floats | None = None) -> _Graph:
        w = self.weight if weight is None else weight
        return _Graph(self.row[which], self.column[which], w[which], self.edge[which], self.rows, self.columns)


def _dominance(g: _Graph, taken: list[Ints]) -> _Graph:
    row_best, row_second = _two_heaviest(g.row, g.weight, g.rows)
    column_best, column_second = _two_heaviest(g.column, g.weight, g.columns)
    edges = np.arange(len(g.edge))
    mutual = np.flatnonzero((row_best[g.row] == edges) & (column_best[g.column] == edges))
    fixed = mutual[g.weight[mutual] >= row_second[g.row[mutual]] + column_second[g.column[mutual]]]
    if not len(fixed):
        return g
    taken.append(g.edge[fixed])
    row_gone, column_gone = np.zeros(g.rows, dtype=bool), np.zeros(g.columns, dtype=bool)
    row_gone[g.row[fixed]] = True
    column_gone[g.column[fixed]] = True
    return g.keep(~(row_gone[g.row] | column_gone[g.column]))


def _two_heaviest(vertex: Ints, weight: Floats, vertices: int) -> tuple[Ints, Floats]:
    """For each vertex the position of one heaviest edge (-1 without edges) and the weight of the next one (0 without)."""
    first = np.zeros(vertices)
    np.maximum.at(first, vertex, weight)
    best = np.full(vertices, -1, dtype=np.int64)
    heaviest = np.flatnonzero(weight == first[vertex])
    best[vertex[heaviest]] = heaviest
    others = best[vertex] != np.arange(len(vertex))
    second = np.zeros(vertices)
    np.maximum.at(second, vertex[others], weight[others])
    return best, second


def _fold_leaves(g: _Graph, folds: list[tuple[int, Ints, Ints]], side: int) -> _Graph:
    """Fold the leaves among the rows (side 0) or the columns (side 1) into the vertices that they hang from."""
    leaf_end, stem_end, leaves, stems = (
        (g.row, g.column, g.rows, g.columns) if side == 0 else (g.column, g.row, g.columns, g.rows)
    )
    leaf = np.flatnonzero(np.bincount(leaf_end, minlength=leaves)[leaf_end] == 1)
    if not len(leaf):
        return g
    heaviest = np.zeros(stems)
    np.maximum.at(heaviest, stem_end[leaf], g.weight[leaf])
    best = leaf[g.weight[leaf] == heaviest[stem_end[leaf]]]
    chosen = np.full(stems, -1, dtype=np.int64)
    chosen[stem_end[best]] = g.edge[best]
    stem = np.flatnonzero(chosen >= 0)
    folds.append((side, stem, chosen[stem]))
    kept = np.ones(len(g.edge), dtype=bool)
    kept[leaf] = False
    weight = g.weight - heaviest[stem_end]
    return g.keep(kept & (weight > 0), weight)


def _unfold(edges: Ints, folds: list[tuple[int, Ints, Ints]], row: Ints, column: Ints, rows: int, columns: int) -> Ints:
    """Give the stems that ended unmatched their leaves, last fold first."""
    row_taken, column_taken = np.zeros(rows, dtype=bool), np.zeros(columns, dtype=bool)
    row_taken[row[edges]] = True
    column_taken[column[edges]] = True
    for side, stem, leaf_edge in reversed(folds):
        back = leaf_edge[~(column_taken if side == 0 else row_taken)[stem]]
        row_taken[row[back]] = True
        column_taken[column[back]] = True
        edges = np.concatenate([edges, back])
    return np.sort(edges)


def _maximum_matching(g: _Graph) -> Ints:
    """Edges of a matching that no other exceeds in number.

    Each round grows a forest of alternating paths, breadth first, from all free rows; every column joins one tree, so paths
    of different trees are disjoint and all trees that reach a free column are augmented at once.
    """
    by_row = np.argsort(g.row, kind="stable")
    _, row = np.unique(g.row[by_row], return_inverse=True)
    _, column = np.unique(g.column[by_row], return_inverse=True)
    begin = np.searchsorted(row, np.arange(row[-1] + 2))
    degree = np.diff(begin)
    rows, columns = len(degree), int(column.max()) + 1
    edge_of_row = np.full(rows, -1, dtype=np.int64)
    row_of_column = np.full(columns, -1, dtype=np.int64)
    while True:
        free = np.flatnonzero(edge_of_row < 0)
        tree = np.full(rows, -1, dtype=np.int64)  # the free row at the root of each row's tree
        tree[free] = free
        reached_by = np.full(columns, -1, dtype=np.int64)  # an edge
        goal = np.full(rows, -1, dtype=np.int64)  # of each tree, a free column
        frontier = free
        while len(frontier):
            size = degree[frontier]
            edges = np.arange(size.sum()) + np.repeat(begin[frontier] - np.cumsum(size) + size, size)
            edges = edges[reached_by[column[edges]] < 0]
            reached_by[column[edges]] = edges
            edges = edges[reached_by[column[edges]] == edges]  # one of several that reach the same column
            owner = row_of_column[column[edges]]
            root = tree[row[edges]]
            goal[root[owner < 0]] = column[edges[owner < 0]]
            frontier = owner[owner >= 0]
            tree[frontier] = root[owner >= 0]
            frontier = frontier[goal[tree[frontier]] < 0]
        at = goal[goal >= 0]
        if not len(at):
            return g.edge[by_row[edge_of_row[edge_of_row >= 0]]]
        while len(at):  # flip all paths, from their ends to their roots
            edges = reached_by[at]
            previous = edge_of_row[row[edges]]
            edge_of_row[row[edges]] = edges
            row_of_column[at] = row[edges]
            at = column[previous[previous >= 0]]


def _shortest_paths(g: _Graph, budget: int) -> tuple[Ints, Floats | None]:
    """The chosen edges, and the slack of each row if the budget did not suffice."""
    by_row = np.lexsort((-g.weight, g.row))
    weight: list[float] = g.weight[by_row].tolist()
    column: list[int] = g.column[by_row].tolist()
    row_numbers, first = np.unique(g.row[by_row], return_index=True)
    begin: dict[int, int] = dict(zip(row_numbers.tolist(), first.tolist(), strict=True))
    end: dict[int, int] = dict(zip(row_numbers.tolist(), [*first[1:].tolist(), len(weight)], strict=True))
    u = {i: weight[begin[i]] for i in begin}  # the heaviest edge stands first
    v: dict[int, float] = {}
    edge_of_row: dict[int, int] = {}
    row_of_column: dict[int, int] = {}
    spent = 0

    def grow(root: int) -> int:
        """Match `root`, or leave free the row on its alternating tree that loses least; gives the edges looked at."""
        looked = 0
        distance_row = {root: 0.0}
        distance: dict[int, float] = {}
        reached_by: dict[int, tuple[int, int]] = {}  # column -> (row, edge)
        done: dict[int, float] = {}
        heap: list[tuple[float, int]] = []
        best, best_row = u[root], root  # the cheapest end so far: leave best_row without a column
        row, at, target = root, 0.0, -1
        while True:
            for e in range(begin[row], end[row]):
                j = column[e]
                if j in done:
                    continue
                d = at + max(0.0, u[row] + v.get(j, 0.0) - weight[e])  # rounding must not make a cost negative
                if d < best and d < distance.get(j, best):
                    distance[j] = d
                    reached_by[j] = (row, e)
                    heappush(heap, (d, j))
            looked += end[row] - begin[row]
            while heap and (heap[0][1] in done or heap[0][0] > distance[heap[0][1]]):
                heappop(heap)
            if not heap or heap[0][0] >= best:
                break
            at, j = heappop(heap)
            done[j] = at
            if j not in row_of_column:
                best, target = at, j
                break
            row = row_of_column[j]
            distance_row[row] = at
            if at + u[row] < best:
                best, best_row = at + u[row], row
        for i, d in distance_row.items():
            u[i] = max(0.0, u[i] - (best - d)) if d < best else u[i]
        for j, d in done.items():
            if d < best:
                v[j] = v.get(j, 0.0) + (best - d)
        if target < 0 and best_row == root:
            return looked
        if target < 0:
            target = column[edge_of_row.pop(best_row)]
        while True:
            i, e = reached_by[target]
            row_of_column[target] = i
            previous = edge_of_row.get(i)
            edge_of_row[i] = e
            if previous is None:
                return looked
            target = column[previous]

    rest = []
    for i, e in begin.items():  # a heaviest edge that nobody has taken is as good as any: no search
        if column[e] in row_of_column:
            rest.append(i)
        else:
            row_of_column[column[e]], edge_of_row[i] = i, e
    while rest and spent <= budget:
        spent += grow(rest.pop())
    for i in rest:  # out of budget: take what is free
        for e in range(begin[i], end[i]):
            if column[e] not in row_of_column:
                row_of_column[column[e]], edge_of_row[i] = i, e
                break
    chosen = g.edge[by_row[np.array(sorted(edge_of_row.values()), dtype=np.int64)]]
    if not rest:
        return chosen, None
    slack = np.zeros(g.rows)
    for i in begin:
        e = edge_of_row.get(i, -1)
        slack[i] = u[i] if e < 0 else max(0.0, u[i] + v.get(column[e], 0.0) - weight[e])
    return chosen, slack
