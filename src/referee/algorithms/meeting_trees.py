"""Alternating trees that grow from both sides of a sparse bipartite graph until they meet.

Vertices are rows and columns. Each has a price ≥ 0, and the prices of the two ends of an edge add to its weight or more: what
they add to beyond it is the gap of the edge. Matched edges have no gap. When every free vertex has the price 0, the assignment
weighs as much as all prices together, and is optimal.

Each free vertex with a price is the root of a tree. As the clock of its side goes on, the prices of the vertices at even depth
fall, and those at odd depth rise by as much. An edge without a gap to a matched vertex adds that vertex and its partner. A
tree ends, and the path from its root is flipped, at an edge without a gap to a free vertex or to a tree of the other side, or
at a vertex whose price has fallen to 0, which is left free.

All trees grow at once, so that a vertex is in one tree only: when a tree has ended, its vertices are there for the others.
And the side that has done less work goes on. Where many vertices are near, as in a large random graph, two trees that meet
halfway are much smaller than one that goes all the way.

References
----------
Edmonds, J. (1965). Maximum matching and a polyhedron with 0,1-vertices. *Journal of Research of the National Bureau of
Standards* 69B: the trees and prices, of which bipartite graphs are the case without blossoms.
Pohl, I. (1971). Bi-directional search. *Machine Intelligence* 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints, Weights, argsort, tally

Number: TypeAlias = float
"""A weight or a price: a float, or a whole number of any size, with which all is exact."""

Edge: TypeAlias = tuple[int, Number]
"""The other end, and the weight."""

Event: TypeAlias = tuple[Number, int, int, Number]
"""When an edge has no gap left, both ends and the weight; the other end is -1 where the price of the first is 0 then."""


class MeetingTrees:
    """Edges by vertex, the heaviest first; prices, the assignment so far, and the trees.

    Plain lists, because they are read and written one number at a time.

    Parameters
    ----------
    row, column : int64, shape (edges,)
        The ends of each edge. Columns are numbered after the rows.
    weight : float64, or object (Python integers), shape (edges,)
    price : list of numbers
        Of each vertex. No edge has a gap below 0.
    mate : list of int
        The partner of each vertex, -1 for none. Matched edges have no gap.
    """

    def __init__(self, row: Ints, column: Ints, weight: Weights, price: list[Number], mate: list[int]) -> None:
        heaviest = np.argsort(-weight, kind="stable")
        ends, others = (np.concatenate([a[heaviest], b[heaviest]]) for a, b in ((row, column), (column, row)))
        order = argsort(ends)
        edges: list[Edge] = list(zip(others[order].tolist(), weight[heaviest[order % len(weight)]].tolist(), strict=True))
        ends_of = [0, *tally(ends, minlength=len(price)).cumsum().tolist()]
        self.edges = [edges[begin:end] for begin, end in pairwise(ends_of)]
        self.first_column = int(column.min())
        self.price, self.mate = price, mate
        self.root = [-1] * len(price)  # of the tree that each vertex is in
        self.even = [False] * len(price)  # whether each vertex is at even depth of a tree
        self.parent = [-1] * len(price)  # of vertices at odd depth
        self.base: list[Number] = [0] * len(price)  # of vertices in trees: the price if the clock were at 0
        self.members: dict[int, list[int]] = {}  # of each tree, by its root
        self.end: dict[int, Number] = {}  # of each tree: the time at which the first price is 0
        self.events: tuple[list[Event], list[Event]] = [], []  # heaps of the trees of rows, and of columns
        self.meetings: list[Event] = []  # a heap by the sum of both clocks
        self.clock: list[Number] = [0, 0]
        self.work = [0, 0]

    def grow(self, budget: float, among: Iterable[int] | None = None) -> bool:
        """Grow trees until the assignment is optimal, or so many edges are visited; return whether it is.

        Their roots are the free vertices with a price, which may be looked for among few.
        """
        for vertex in range(len(self.price)) if among is None else among:
            if self.mate[vertex] < 0 and self.price[vertex] > 0:
                self.members[vertex], self.end[vertex] = [], self.price[vertex]
                self._join(vertex, vertex, ends=True)
        while self.members and sum(self.work) <= budget:
            side = int(self.work[0] > self.work[1])
            side = side if self.events[side] else 1 - side
            if self.meetings and self.meetings[0][0] - self.clock[1 - side] <= self.events[side][0][0]:
                self._meet(heappop(self.meetings), side)
            else:
                self._reach(heappop(self.events[side]), side)
        certain = not self.members
        self._dissolve(*self.members)
        return certain

    def _join(self, vertex: int, root: int, *, ends: bool = False) -> None:
        """Add a vertex at even depth to a tree, and look at its edges."""
        side = int(vertex >= self.first_column)
        events, now = self.events[side], self.clock[side]
        self.root[vertex], self.even[vertex] = root, True
        self.members[root].append(vertex)
        base = self.base[vertex] = self.price[vertex] + now
        end = self.end[root]
        if ends or base < end:
            end = self.end[root] = base
            heappush(events, (end, vertex, -1, 0))
        roots, even, price = self.root, self.even, self.price
        for other, weight in self.edges[vertex]:
            early = base - weight
            if early >= end:
                break  # the tree ends before this edge matters, whatever the price of its other end; so with lighter ones
            if roots[other] < 0:
                if (time := early + price[other]) < end:
                    heappush(events, (max(now, time), vertex, other, weight))
            elif even[other]:
                heappush(self.meetings, (early + self.base[other], vertex, other, weight))
        self.work[side] += len(self.edges[vertex])

    def _reach(self, event: Event, side: int) -> None:
        """Let a tree of this side end at a vertex, or grow by two, unless the event is out of date."""
        time, vertex, other, weight = event
        if not self.even[vertex]:
            return
        root = self.root[vertex]
        if other < 0:
            if self.base[vertex] <= time:
                self.clock[side] = time
                self._lift(vertex)
                self._dissolve(root)
        elif self.root[other] < 0 and self.base[vertex] - weight + self.price[other] <= time:
            self.clock[side] = time
            if self.mate[other] < 0:
                self._match(vertex, other)
                self._dissolve(root)
            else:
                self.root[other], self.parent[other] = root, vertex
                self.base[other] = self.price[other] - time
                self.members[root].append(other)
                self._join(self.mate[other], root)

    def _meet(self, event: Event, side: int) -> None:
        """Match two trees, unless the event is out of date; the clock of this side has come to it."""
        time, vertex, other, weight = event
        if self.even[vertex] and self.even[other] and self.base[vertex] - weight + self.base[other] <= time:
            self.clock[side] = max(self.clock[side], time - self.clock[1 - side])
            roots = self.root[vertex], self.root[other]
            self._lift(other)
            self._match(vertex, other)
            self._dissolve(*roots)

    def _lift(self, vertex: int) -> None:
        """Free a vertex at even depth: each vertex above it goes over to the one below."""
        mate = self.mate
        other, mate[vertex] = mate[vertex], -1
        while other >= 0:
            vertex = self.parent[other]
            above = mate[vertex]
            mate[vertex], mate[other] = other, vertex
            other = above

    def _match(self, vertex: int, other: int) -> None:
        self._lift(vertex)
        self.mate[vertex], self.mate[other] = other, vertex

    def _dissolve(self, *roots: int) -> None:
        """Take the vertices out of these trees, and let the other trees look at them."""
        leaving = [vertex for root in roots for vertex in self.members.pop(root)]
        for vertex in leaving:
            side = int(vertex >= self.first_column)
            change = -self.clock[side] if self.even[vertex] else self.clock[1 - side]
            self.price[vertex] = max(0, self.base[vertex] + change)
            self.root[vertex], self.even[vertex] = -1, False
        even = self.even
        for vertex in leaving if self.members else ():
            side = int(vertex < self.first_column)
            events, now, price = self.events[side], self.clock[side], self.price[vertex]
            for other, weight in self.edges[vertex]:
                if even[other]:
                    time = self.base[other] - weight + price
                    if time < self.end[self.root[other]]:
                        heappush(events, (max(now, time), other, vertex, weight))
            self.work[side] += len(self.edges[vertex])
