"""The greatest weight of an assignment after a change of few columns, from the assignment and the prices before.

What does not change keeps its prices and its partners. A changed column has the least price that its new edges allow, and no
partner. So only the changed columns, and the rows that were their partners, may be free and have a price. Trees grow from
these alone (`meeting_trees`), and mostly end nearby. Then all is put back for the next change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from typing import NamedTuple, TypeAlias

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.meeting_trees import MeetingTrees

Edge: TypeAlias = tuple[int, float]
"""The other end, and the weight."""


class Gain(NamedTuple):
    """By how much the greatest weight grows, and how many edges were visited.

    The gain is the sum of two floats, as one may not have bits enough; None if the budget did not suffice.
    """

    gain: tuple[float, float] | None
    visited: int


class Realignment(MeetingTrees):
    """An assignment of greatest weight, of which changes are tried.

    Parameters
    ----------
    edges : tuple of arrays
        Shapes (edges,): the row, the column, and the weight of each edge, above 0.
    row_prices, column_prices : three of float64, shapes (rows,) and (columns,)
        Prices that prove that the assignment is the best one: at least 0; 0 for what is free; those of the ends of an edge add
        to its weight or more, and those of a pair to its weight. The first ones are those for changes that leave as many
        columns. If there are fewer columns some row has to stay free, and low prices of rows (the second ones) tell which one;
        if there are more, high prices (the third ones) tell which columns.
    partner : int64, shape (rows,)
        The column of each row, -1 for none.
    """

    def __init__(
        self,
        edges: tuple[Ints, Ints, Floats],
        row_prices: Sequence[Floats],
        column_prices: Sequence[Floats],
        partner: Ints,
    ) -> None:
        row, column, weight = edges
        prices = [[*of.tolist(), *to.tolist()] for of, to in zip(row_prices, column_prices, strict=True)]
        self.rows, self.vertices = len(partner), len(prices[0])
        mate = [-1] * self.vertices
        for of, to in enumerate(partner.tolist()):
            if to >= 0:
                mate[of], mate[self.rows + to] = self.rows + to, of
        super().__init__(row, self.rows + column, weight, prices[0], mate)
        self._prices, self._mate_before = [(price, price.copy()) for price in prices], mate.copy()
        self._left = set[int]()  # the vertices that have been in trees
        self._near = dict[int, list[Edge]]()  # the edges of vertices that were visited, with those of changed columns
        self._more = dict[int, list[Edge]]()  # the edges of changed columns, of both ends

    def gain(self, columns: Sequence[int], edges: Sequence[Sequence[Edge]], budget: float) -> Gain:
        """Try a change of columns.

        Parameters
        ----------
        columns : sequence of int
            The columns that change. Those past the last one are new.
        edges : sequence
            The edges that each changed column has then: distinct rows, and weights above 0.
        budget : number
            How many edges may be visited.
        """
        mate = self._mate_before
        old = [vertex for column in columns if (vertex := self.rows + column) < self.vertices]
        freed = [mate[vertex] for vertex in old if mate[vertex] >= 0]
        new_columns = [of for of in edges if of]
        more = len(new_columns) - len(freed)
        self.price, price = self._prices[0 if not more else 1 if more < 0 else 2]
        for vertex in old:
            self.root[vertex] = vertex  # as in a tree, at odd depth: no tree looks at it
        for vertex in freed:
            self.mate[vertex] = -1
        new = [self._added(of) for of in new_columns]
        certain = self.grow(budget, [*freed, *new])
        grown = [self.price[vertex] - price[vertex] for vertex in self._left if vertex < self.vertices]
        terms = [*grown, *(self.price[vertex] for vertex in new), *(-price[vertex] for vertex in old)]
        gain = fsum(terms)
        found = Gain((gain, fsum([*terms, -gain])) if certain else None, sum(self.work))
        self._put_back([*old, *freed, *self._left], price)
        return found

    def _added(self, edges: Sequence[Edge]) -> int:
        """Add a column with these edges, and return its vertex."""
        vertex = len(self.price)
        price = max(0.0, *(weight - self.price[row] for row, weight in edges))
        self.price.append(price)
        self.base.append(0.0)
        self.mate.append(-1)
        self.root.append(-1)
        self.parent.append(-1)
        self.even.append(False)
        self.begin.append(self.begin[-1])
        self._more[vertex] = list(edges)
        for row, weight in edges:
            self._more.setdefault(row, []).append((vertex, weight))
            self._near.pop(row, None)
        return vertex

    def _edges(self, vertex: int) -> Iterable[Edge]:
        if vertex not in self._near:
            self._near[vertex] = sorted([*super()._edges(vertex), *self._more.get(vertex, ())], key=_lightness)
        return self._near[vertex]

    def _dissolve(self, *roots: int) -> None:
        for root in roots:
            self._left.update(self.members[root])
        super()._dissolve(*roots)

    def _put_back(self, vertices: Sequence[int], price: Sequence[float]) -> None:
        """Make all as it was; these vertices, and their partners, may have changed."""
        mate = self._mate_before
        for vertex in {*vertices, *(self.mate[vertex] for vertex in vertices)}:
            if 0 <= vertex < self.vertices:
                self.price[vertex], self.mate[vertex], self.root[vertex] = price[vertex], mate[vertex], -1
        del self.price[self.vertices :], self.base[self.vertices :], self.mate[self.vertices :], self.root[self.vertices :]
        del self.parent[self.vertices :], self.even[self.vertices :], self.begin[self.vertices + 1 :]
        for vertex in self._more:
            self._near.pop(vertex, None)
        self._left.clear()
        self._more.clear()
        self.end.clear()
        self.events, self.meetings, self.clock, self.work = ([], []), [], [0.0, 0.0], [0, 0]


def _lightness(edge: Edge) -> float:
    """What sorts the heaviest edges first."""
    return -edge[1]
