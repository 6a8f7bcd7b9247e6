"""One-to-one assignment with the greatest total weight, on a sparse bipartite graph.

CEAF aligns entities with it, and matching chooses among candidates. Weights are either floats, or whole numbers of any size,
with which everything below is exact. Two reductions keep the optimum and decide nearly everything. They are applied to all
edges at once until they no longer help:

* **Dominance.** Take an edge that weighs at least as much as the heaviest other edge of its row plus the heaviest other edge
  of its column: no assignment gains by doing without it. Its row and its column are done.
* **Leaf folding.** A leaf is a row with a single edge (i, j). Its decision can wait:
  opt(G) = w_ij + opt(G without i, where every other edge of j weighs w_ij less, and edges without weight are gone).
  Of several leaves that hang from one column (their stem), only the heaviest counts. A stem that ends up without a partner
  takes its leaf. The same with rows and columns exchanged.

What is left, in real corpora next to nothing, is decided by trees that grow from both sides (`meeting_trees`). They find the
optimum, or stop at a budget of work; then prices say by how much the result may fall short.

No dense matrix is ever built.

References
----------
Kuhn, H. W. (1955). The Hungarian method for the assignment problem. *Naval Research Logistics Quarterly* 2.
Luo, X. (2005). On coreference resolution performance metrics. *HLT/EMNLP*.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, Weights, tally, unique

BUDGET = 50_000_000
"""Default for the edges that trees may visit in one call, one at a time: at most a minute or two."""

WORTHWHILE = 0.98
"""Rounds of reductions that leave a larger share of the edges than this are idle; after three of them, reductions stop."""


class Assignment(NamedTuple):
    """A one-to-one assignment.

    Parameters
    ----------
    edges : int64, shape (chosen,)
        The numbers of the chosen edges, ascending.
    slack : float64, shape (rows,), or None
        How much weight each row may have missed; the optimum is at most the total weight plus the sum of the slack. None when
        the assignment is certainly optimal.
    """

    edges: Ints
    slack: Floats | None = None


def assign(row: Ints, column: Ints, weight: Weights, rows: int, columns: int, budget: int | None = None) -> Assignment:
    """Assign rows to columns with the greatest total weight.

    Parameters
    ----------
    row, column : int64, shape (edges,)
        The ends of each edge. No pair twice.
    weight : float64, or object (Python integers), shape (edges,)
        An edge of weight 0 or less is never chosen.
    rows, columns : int
        How many of each there are.
    budget : int, optional
        How many edges trees may visit after the reductions; `BUDGET` by default.

    Returns
    -------
    Assignment
        With equal optima, which one depends on the order of the edges.

    Examples
    --------
    >>> assign(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([3.0, 2.0, 2.0]), 2, 2).edges.tolist()
    [1, 2]
    """
    positive = np.flatnonzero(weight > 0)
    graph = _Graph(row[positive], column[positive], weight[positive], positive, rows, columns)
    graph, dominant, folds = _reduced(graph)
    solved, slack = _solved(graph, BUDGET if budget is None else budget)
    edges = np.concatenate([*dominant, graph.edge[solved]])
    return Assignment(_unfolded(edges, folds, row, column, rows, columns), slack)


class _Graph(NamedTuple):
    """The edges that are still undecided."""

    row: Ints
    column: Ints
    weight: Weights  # as reduced so far
    edge: Ints  # number of the edge in the caller's arrays
    rows: int
    columns: int

    def keep(self, which: Bools, weight: Weights | None = None) -> _Graph:
        """Some of the edges, perhaps with new weights."""
        w, kept = self.weight if weight is None else weight, np.flatnonzero(which)
        return _Graph(self.row[kept], self.column[kept], w[kept], self.edge[kept], self.rows, self.columns)


class _Fold(NamedTuple):
    """Leaves that wait for their stems."""

    side: int  # 0: leaves are rows, stems are columns; 1: the other way round
    stem: Ints
    edge: Ints  # from each stem to its heaviest leaf, numbered as in the caller's arrays


def _reduced(graph: _Graph) -> tuple[_Graph, list[Ints], list[_Fold]]:
    """The graph without what the reductions decide, the edges that dominance took, and the folds."""
    taken: list[Ints] = []
    folds: list[_Fold] = []
    idle = 0
    while len(graph.edge) and idle < 3:
        before = len(graph.edge)
        graph = _without_dominant(graph, taken)
        graph = _fold_leaves(graph, folds, 0)
        graph = _fold_leaves(graph, folds, 1)
        if len(graph.edge) == before:
            break
        idle = idle + 1 if len(graph.edge) > WORTHWHILE * before else 0
    return graph, taken, folds


def _solved(graph: _Graph, budget: int) -> tuple[Ints, Floats | None]:
    """The positions of the chosen edges of a graph that does not reduce, and the slack of each row."""
    if not len(graph.edge):
        return np.empty(0, dtype=np.int64), None
    from referee.algorithms.meeting_trees import MeetingTrees  # few corpora need it

    (names, row), (_, column), weight = unique(graph.row), unique(graph.column), graph.weight
    row_price, column_price = _halved_prices(row, column, weight)
    rows, price, mate = len(names), [*row_price.tolist(), *column_price.tolist()], [-1] * (len(row_price) + len(column_price))
    certain = MeetingTrees(row, rows + column, weight, price, mate).grow(budget)
    if certain:
        return np.flatnonzero(np.array(mate)[row] == rows + column), None
    # Columns without a partner lose their price, and rows cost what they need instead.
    column_price = np.where(np.array(mate[rows:]) < 0, 0, price[rows:])
    row_price = np.maximum(price[:rows], _needed(row, weight - column_price[column]))
    for edge in np.argsort(-weight, kind="stable").tolist():
        if mate[row[edge]] < 0 and mate[rows + column[edge]] < 0:
            mate[row[edge]], mate[rows + column[edge]] = rows + column[edge], row[edge]
    chosen = np.flatnonzero(np.array(mate)[row] == rows + column)
    row_price[row[chosen]] -= weight[chosen] - column_price[column[chosen]]
    slack = np.zeros(graph.rows)
    slack[names] = np.maximum(row_price, 0)
    return chosen, slack


def _halved_prices(row: Ints, column: Ints, weight: Weights) -> tuple[Weights, Weights]:
    """Prices with which trees begin: columns have what half the heaviest edge of each row leaves, rows what they need then.

    The half of a float has 24 bits, so that prices of whole multiples of 2⁻⁵² up to 1 are such multiples.
    """
    heaviest = _needed(row, weight)
    half = heaviest // 2 if weight.dtype == object else heaviest.astype(np.float32).astype(np.float64) / 2
    column_price = _needed(column, weight - half[row])
    return _needed(row, weight - column_price[column]), column_price


def _needed(vertex: Ints, worth: Weights) -> Weights:
    """The greatest worth of each vertex, at least 0."""
    needed = np.zeros(int(vertex.max()) + 1, dtype=worth.dtype)
    np.maximum.at(needed, vertex, worth)
    return needed


def _without_dominant(g: _Graph, taken: list[Ints]) -> _Graph:
    """Take all dominant edges at once; those of one call never share a row or column, since each is the heaviest of both."""
    row_best, row_second = _two_heaviest(g.row, g.weight, g.rows)
    column_best, column_second = _two_heaviest(g.column, g.weight, g.columns)
    of_rows = row_best[row_best >= 0]
    mutual = of_rows[column_best[g.column[of_rows]] == of_rows]
    dominant = mutual[g.weight[mutual] >= row_second[g.row[mutual]] + column_second[g.column[mutual]]]
    if not len(dominant):
        return g
    taken.append(g.edge[dominant])
    row_done, column_done = np.zeros(g.rows, dtype=bool), np.zeros(g.columns, dtype=bool)
    row_done[g.row[dominant]] = True
    column_done[g.column[dominant]] = True
    return g.keep(~(row_done[g.row] | column_done[g.column]))


def _two_heaviest(vertex: Ints, weight: Weights, vertices: int) -> tuple[Ints, Weights]:
    """For each vertex the position of one heaviest edge (-1 without edges) and the weight of the next one (0 without)."""
    first = np.zeros(vertices, dtype=weight.dtype)
    np.maximum.at(first, vertex, weight)
    best = np.full(vertices, -1, dtype=np.int64)
    heaviest = np.flatnonzero(weight == first[vertex])
    best[vertex[heaviest]] = heaviest
    others = weight.copy()
    others[best[best >= 0]] = 0
    second = np.zeros(vertices, dtype=weight.dtype)
    np.maximum.at(second, vertex, others)
    return best, second


def _fold_leaves(g: _Graph, folds: list[_Fold], side: int) -> _Graph:
    """Fold the leaves among the rows (side 0) or the columns (side 1) into their stems."""
    sides = (g.row, g.rows), (g.column, g.columns)
    (leaf_end, leaves), (stem_end, stems) = sides[side], sides[1 - side]
    leaf = np.flatnonzero(tally(leaf_end, minlength=leaves)[leaf_end] == 1)
    if not len(leaf):
        return g
    heaviest = np.zeros(stems, dtype=g.weight.dtype)
    np.maximum.at(heaviest, stem_end[leaf], g.weight[leaf])
    best = leaf[g.weight[leaf] == heaviest[stem_end[leaf]]]
    leaf_edge = np.full(stems, -1, dtype=np.int64)
    leaf_edge[stem_end[best]] = g.edge[best]
    stem = np.flatnonzero(leaf_edge >= 0)
    folds.append(_Fold(side, stem, leaf_edge[stem]))
    weight = g.weight - heaviest[stem_end]  # that of a leaf is 0 or less now
    return g.keep(weight > 0, weight)


def _unfolded(edges: Ints, folds: list[_Fold], row: Ints, column: Ints, rows: int, columns: int) -> Ints:
    """The chosen edges, and the leaves of all stems that they leave free; the last fold first."""
    row_taken, column_taken = np.zeros(rows, dtype=bool), np.zeros(columns, dtype=bool)
    row_taken[row[edges]] = True
    column_taken[column[edges]] = True
    for fold in reversed(folds):
        back = fold.edge[~(column_taken if fold.side == 0 else row_taken)[fold.stem]]
        row_taken[row[back]] = True
        column_taken[column[back]] = True
        edges = np.concatenate([edges, back])
    return np.sort(edges)
