"""Components that grow as edges are added one after another: which of them merge, and which nodes meet where.

The nodes are put in an order in which each component, at any time, is a row of neighbours. Between two neighbours is the edge
that joined what is on its left to what is on its right. So two nodes are joined by the last of the edges between them, and all
that is asked about merging is about stretches of one row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, argsort, inverse, starts_of_runs

NEVER = np.iinfo(np.int64).max
"""In place of an edge between neighbours that no edge joins."""


class Merging(NamedTuple):
    """How components merge.

    Parameters
    ----------
    place : int64, shape (nodes,)
        The place of each node in the row.
    edge : int64, shape (merges,)
        The edges that join two components, ascending.
    at : int64, shape (merges,)
        The place left of which each of them joins: the last of the component on the left.
    left, right : int64, shape (merges,)
        The nodes of the two components.
    """

    place: Ints
    edge: Ints
    at: Ints
    left: Ints
    right: Ints

    @property
    def between(self) -> Ints:
        """The number of the merge between each place and the next one; `NEVER` where there is none."""
        gaps = np.full(max(len(self.place) - 1, 0), NEVER)
        gaps[self.at] = np.arange(len(self.at))
        return gaps


def merging(nodes: int, first: Ints, second: Ints) -> Merging:
    """Add edges one after another.

    Parameters
    ----------
    nodes : int
    first, second : int64, shape (edges,)
        The ends of the edges, in the order in which they are added.

    Notes
    -----
    An edge that is the first one of both of its components joins them, whatever other edges do. So all such edges are added at
    once, as long as they are many; the rest, in long chains, one by one.

    Examples
    --------
    >>> m = merging(4, np.array([3, 0, 0]), np.array([1, 3, 1]))
    >>> m.edge.tolist(), m.left.tolist(), m.right.tolist()
    ([0, 1], [1, 1], [1, 2])
    """
    rows = _MergedRows(np.ones(nodes, dtype=np.int64), np.arange(nodes), np.arange(nodes), np.full(nodes, -1))
    edge, a, b = np.arange(len(first)), first.astype(np.int64), second.astype(np.int64)
    joins: list[Ints] = []
    while True:
        apart = a != b
        edge, a, b = edge[apart], a[apart], b[apart]
        number = np.arange(len(edge))
        earliest = np.full(nodes, NEVER)
        earliest[b[::-1]] = number[::-1]  # the last of several is kept
        of_a = np.full(nodes, NEVER)
        of_a[a[::-1]] = number[::-1]
        earliest = np.minimum(earliest, of_a)
        both = np.flatnonzero((earliest[a] == number) & (earliest[b] == number))
        if len(both) * FEW < len(edge) or not len(edge):
            break
        u, v = a[both], b[both]
        joins.append(np.stack([edge[both], *rows.join(u, v)], axis=1))
        label = np.arange(nodes)
        label[v] = u
        a, b = label[a], label[b]
    low, high = np.minimum(a, b), np.maximum(a, b)
    order = argsort(low, high)  # stable, so that the first of parallel edges comes first
    chosen = np.sort(order[starts_of_runs(low[order], high[order])])
    joins.append(_one_by_one(rows, edge[chosen], a[chosen], b[chosen]))
    edge, last, left, right = np.concatenate(joins)[np.argsort(np.concatenate([join[:, 0] for join in joins]))].T
    place = inverse(rows.order()).astype(np.int64)
    return Merging(place, edge, place[last], left, right)


FEW = 200
"""Edges are added one by one if no more than one of so many can be added at once."""


class _MergedRows(NamedTuple):
    """Rows of nodes, by the number of the component: its size, its first and its last node; and which node comes after each."""

    size: Ints
    head: Ints
    tail: Ints
    after: Ints

    def join(self, u: Ints, v: Ints) -> tuple[Ints, Ints, Ints]:
        """Put rows behind others, each once; return the last nodes of those on the left, and the sizes of both."""
        joins = self.tail[u], self.size[u], self.size[v]
        self.after[self.tail[u]] = self.head[v]
        self.tail[u] = self.tail[v]
        self.size[u] += self.size[v]
        self.head[v] = -1
        return joins

    def order(self) -> Ints:
        """All nodes, one row after another."""
        after, order = self.after.tolist(), list[int]()
        for node in self.head[self.head >= 0].tolist():
            while node >= 0:
                order.append(node)
                node = after[node]  # noqa: PLW2901  # along the row
        return np.array(order, dtype=np.int64)


def _one_by_one(rows: _MergedRows, edges: Ints, first: Ints, second: Ints) -> Ints:
    """Add edges between components; return the edges that join two, with what `_MergedRows.join` returns."""
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        while (higher := parent.get(node, node)) != node:
            parent[node] = node = parent.get(higher, higher)
        return node

    size, tail = rows.size.tolist() if len(edges) else [], rows.tail.tolist() if len(edges) else []
    merges: list[tuple[int, int, int, int]] = []
    for edge, a, b in zip(edges.tolist(), first.tolist(), second.tolist(), strict=True):
        u, v = root(a), root(b)
        if u != v:
            if size[u] < size[v]:
                u, v = v, u
            merges.append((edge, tail[u], size[u], size[v]))
            parent[v] = u
            rows.after[tail[u]] = rows.head[v]
            tail[u] = tail[v]
            size[u] += size[v]
            rows.head[v] = -1
    return np.array(merges, dtype=np.int64).reshape(-1, 4)


def last_between(gaps: Ints, first: Ints, after: Ints) -> Ints:
    """The largest of the gaps from `first` up to `after`, at least one, for many stretches.

    >>> last_between(np.array([3, 9, 1, 4]), np.array([0, 2, 2]), np.array([2, 4, 3])).tolist()
    [9, 4, 1]
    """
    largest = np.empty(len(first), dtype=gaps.dtype)
    level = np.frexp(after - first)[1] - 1  # 2 ** level is at most the length
    current, width = gaps, 1
    for n in range(int(level.max(initial=-1)) + 1):
        here = np.flatnonzero(level == n)
        largest[here] = np.maximum(current[first[here]], current[after[here] - width])
        current = np.maximum(current[:-width], current[width:]) if len(current) > width else current
        width *= 2
    return largest
