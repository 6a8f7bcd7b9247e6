"""The greatest weight of an assignment after a change of few columns, from the assignment and the prices before.

What does not change keeps its prices and its partners. A changed column has the least price that its new edges allow, and no
partner. So only the changed columns, and the rows that were their partners, may be free and have a price. Trees grow from
these alone (`meeting_trees`), and mostly end nearby. Then all is put back for the next change.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from math import fsum

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.meeting_trees import Edge, MeetingTrees


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
        prices = [[*r.tolist(), *c.tolist()] for r, c in zip(row_prices, column_prices, strict=True)]
        self.rows, self.vertices = len(partner), len(prices[0])
        mate = [-1] * self.vertices
        for row_number, to in enumerate(partner.tolist()):
            if to >= 0:
                mate[row_number], mate[self.rows + to] = self.rows + to, row_number
        super().__init__(row, self.rows + column, weight, prices[0], mate)
        self._prices, self._mate_before = [(price, price.copy()) for price in prices], mate.copy()
        self._left = set[int]()  # the vertices that have been in trees
        self._edges_before = dict[int, list[Edge]]()  # of the vertices that have an edge to a changed column

    def gain(
        self, columns: Sequence[int], edges: Sequence[Sequence[Edge]], budget: float
    ) -> tuple[tuple[float, float] | None, int]:
        """Try a change of columns.

        Parameters
        ----------
        columns : sequence of int
            The columns that change. Those past the last one are new.
        edges : sequence
            The edges that each changed column has then: distinct rows, and weights above 0.
        budget : number
            How many edges may be visited.

        Returns
        -------
        gain : two floats or None
            By how much the greatest weight grows, as a sum, since one float may not have bits enough; None if the budget did
            not suffice.
        visited : int
            How many edges were visited.
        """
        mate = self._mate_before
        old = [vertex for column in columns if (vertex := self.rows + column) < self.vertices]
        freed = [mate[vertex] for vertex in old if mate[vertex] >= 0]
        added = [some for some in edges if some]
        more = len(added) - len(freed)
        self.price, price = self._prices[0 if not more else 1 if more < 0 else 2]
        for vertex in old:
            self.root[vertex] = vertex  # as in a tree, at odd depth: no tree looks at it
        for vertex in freed:
            self.mate[vertex] = -1
        new = [self._add(some) for some in added]
        certain = self.grow(budget, [*freed, *new])
        grown = [self.price[vertex] - price[vertex] for vertex in self._left if vertex < self.vertices]
        terms = [*grown, *(self.price[vertex] for vertex in new), *(-price[vertex] for vertex in old)]
        gain, visited = fsum(terms), sum(self.work)
        self._put_back([*old, *freed, *self._left], price)
        return (gain, fsum([*terms, -gain])) if certain else None, visited

    def _add(self, edges: Sequence[Edge]) -> int:
        """Add a column with these edges, and return its vertex."""
        vertex = len(self.price)
        self.price.append(max(0.0, *(weight - self.price[row] for row, weight in edges)))
        self.base.append(0.0)
        self.mate.append(-1)
        self.root.append(-1)
        self.parent.append(-1)
        self.even.append(False)
        self.edges.append(sorted(edges, key=_lightness))
        for row, weight in edges:
            self._edges_before.setdefault(row, self.edges[row])
            self.edges[row] = self.edges[row].copy()
            insort(self.edges[row], (vertex, weight), key=_lightness)
        return vertex

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
        del self.parent[self.vertices :], self.even[self.vertices :], self.edges[self.vertices :]
        for vertex, edges in self._edges_before.items():
            self.edges[vertex] = edges
        self._left.clear()
        self._edges_before.clear()
        self.end.clear()
        self.events, self.meetings, self.clock, self.work = ([], []), [], [0, 0], [0, 0]


def _lightness(edge: Edge) -> float:
    """What sorts the heaviest edges first."""
    return -edge[1]
