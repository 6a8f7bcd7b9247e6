"""Matchings with the most edges, in a bipartite graph without weights.

Each round grows a forest of alternating paths, breadth first, from all free rows at once. A column joins one tree only, so the
trees are disjoint, and one path to a free column in each of them can be flipped: free edges become matched ones and the other
way round, which matches one row more. When no tree reaches a free column, no larger matching exists (Berge 1957).

References
----------
Azad, A., Buluç, A. and Pothen, A. (2017). Computing maximum cardinality matchings in parallel on bipartite graphs via
tree-grafting. *IEEE Transactions on Parallel and Distributed Systems* 28.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, argsort, ranked, repeat


def cardinality_matching(row: Ints, column: Ints) -> Ints:
    """Match as many rows to columns as possible.

    Parameters
    ----------
    row, column : int64, shape (edges,), at least one edge
        The ends of each edge.

    Returns
    -------
    int64, shape (matched,)
        The numbers of the chosen edges, by their rows.

    Examples
    --------
    >>> cardinality_matching(np.array([0, 0, 1]), np.array([0, 1, 0])).tolist()
    [1, 2]
    """
    by_row = argsort(row)
    graph = _SortedEdges.of(row[by_row], column[by_row])
    edge_of_row = np.full(len(graph.degree), -1, dtype=np.int64)
    row_of_column = np.full(int(graph.column.max()) + 1, -1, dtype=np.int64)
    while len((forest := _grown(graph, edge_of_row, row_of_column)).free_columns):
        _flip(graph, forest, edge_of_row, row_of_column)
    return by_row[edge_of_row[edge_of_row >= 0]]


class _SortedEdges(NamedTuple):
    """Edges sorted by row; rows and columns that have an edge, numbered from 0."""

    row: Ints
    column: Ints
    begin: Ints  # of each row, its first edge
    degree: Ints

    @classmethod
    def of(cls, row: Ints, column: Ints) -> _SortedEdges:
        row, column = ranked(row), ranked(column)
        begin = np.searchsorted(row, np.arange(row[-1] + 2))
        return cls(row, column, begin[:-1], np.diff(begin))


class _Forest(NamedTuple):
    """Alternating trees."""

    reached_by: Ints  # of each column, the edge by which a tree reached it
    free_columns: Ints  # one of each tree that has any


def _grown(graph: _SortedEdges, edge_of_row: Ints, row_of_column: Ints) -> _Forest:
    """Trees from all free rows. A tree that has reached a free column grows no further."""
    rows, columns = len(edge_of_row), len(row_of_column)
    free = np.flatnonzero(edge_of_row < 0)
    root = np.full(rows, -1, dtype=np.int64)  # of the tree that each row is in
    root[free] = free
    reached_by = np.full(columns, -1, dtype=np.int64)
    goal = np.full(rows, -1, dtype=np.int64)  # of each root, a free column
    frontier = free
    while len(frontier):
        size = graph.degree[frontier]
        # All edges of the rows of the frontier, one row after another.
        edges = np.arange(size.sum()) + repeat(graph.begin[frontier] - np.cumsum(size) + size, size)
        edges = edges[reached_by[graph.column[edges]] < 0]
        reached_by[graph.column[edges]] = edges
        edges = edges[reached_by[graph.column[edges]] == edges]  # one of several that reach the same column
        partner = row_of_column[graph.column[edges]]
        tree = root[graph.row[edges]]
        goal[tree[partner < 0]] = graph.column[edges[partner < 0]]
        frontier = partner[partner >= 0]
        root[frontier] = tree[partner >= 0]
        frontier = frontier[goal[root[frontier]] < 0]
    return _Forest(reached_by, goal[goal >= 0])


def _flip(graph: _SortedEdges, forest: _Forest, edge_of_row: Ints, row_of_column: Ints) -> None:
    """Flip the paths to all free columns at once, from their ends to their roots."""
    at = forest.free_columns
    while len(at):
        edges = forest.reached_by[at]
        previous = edge_of_row[graph.row[edges]]
        edge_of_row[graph.row[edges]] = edges
        row_of_column[at] = graph.row[edges]
        at = graph.column[previous[previous >= 0]]
