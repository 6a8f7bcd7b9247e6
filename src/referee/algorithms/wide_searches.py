"""The assignment problem by a search from each row, for rows with many edges, which are looked at together.

Prices and searches are those of `shortest_paths`. Weights are floats, and rows do not bid.

References
----------
Jonker, R. and Volgenant, A. (1987). A shortest augmenting path algorithm for dense and sparse linear assignment problems.
*Computing* 38.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, repeat

STEP, TOGETHER = 16, 128
"""Work is measured in edges that Python visits one at a time, a microsecond each, as in `shortest_paths`. A row costs `STEP` of
them, and one more for each `TOGETHER` of its edges, which NumPy looks at in one go."""


def wide_searches(begin: Ints, column: Ints, weight: Floats, budget: int) -> tuple[Ints, Floats | None]:
    """Assign rows to columns with the greatest total weight.

    Parameters
    ----------
    begin : int64, shape (rows + 1,)
        Where the edges of each row begin. Each row has an edge.
    column, weight : int64 and float64, shape (edges,)
        Weights are above 0.
    budget : int
        How much work may be done, in edges visited one at a time: the search that exceeds it is the last.

    Returns
    -------
    edge_of_row : int64, shape (rows,)
        The chosen edge of each row, -1 for none.
    slack : float64, shape (rows,), or None
        How much each row may have missed, if the budget did not suffice.
    """
    searches = WideSearches(begin, column, weight)
    certain = searches.match(budget)
    return searches.edge_of_row, None if certain else searches.slack()


class _Path(NamedTuple):
    """A search: its length, the rows and columns at their distances, and its end."""

    length: float
    rows: list[int]
    columns: list[int]  # that of each row but the first, which has none
    distances: list[float]  # of each row, and of its column
    free_column: int  # at the end, or -1: the path ends at a row
    last_row: int  # the row to be left free if the path ends at a row
    work: int  # in edges visited one at a time


class WideSearches:
    """Edges by row, prices, and the assignment so far, -1 for what is free. Parameters are those of `wide_searches`."""

    def __init__(self, begin: Ints, column: Ints, weight: Floats) -> None:
        rows, columns = len(begin) - 1, int(column.max()) + 1
        self.begin: list[int] = begin.tolist()
        self.row, self.column, self.weight = repeat(np.arange(rows), np.diff(begin)), column, weight
        self.row_price: Floats = np.maximum.reduceat(weight, begin[:-1])
        self.column_price = np.zeros(columns)
        self.edge_of_row, self.row_of_column = np.full(rows, -1), np.full(columns, -1)
        # Of a search: the columns that it reaches, their distances, and the latest edge to each; and the distances of those
        # that are matched and whose row is not reached.
        self.reached, self.edge_before = (np.empty(columns, dtype=np.int64) for _ in range(2))
        self.distance, self.ahead = (np.full(columns, np.inf) for _ in range(2))
        self.turn = np.empty(columns, dtype=np.int64)

    def match(self, budget: int) -> bool:
        """Search from each row until the assignment is optimal, or more work is done; return whether it is."""
        waiting = list(range(len(self.edge_of_row)))
        while waiting and budget >= 0:
            path = self._search(waiting[-1])
            budget -= path.work
            self._update_prices(path)
            self._flip(waiting.pop(), path)
        for row in waiting:
            self._take_any(row)
        return not waiting

    def slack(self) -> Floats:
        """Of each row, what the prices allow above its weight: its gap, or its price if it is free."""
        edge = self.edge_of_row
        gap = self.row_price + self.column_price[self.column[edge]] - self.weight[edge]
        return np.where(edge < 0, self.row_price, np.maximum(gap, 0.0))

    def _search(self, root: int) -> _Path:
        """Grow the tree of shortest paths from a free row until the cheapest end is certain."""
        rows, columns, distances = [root], list[int](), [0.0]
        length, last_row, free_column = float(self.row_price[root]), root, -1  # the cheapest end so far: leave the root free
        number = visited = 0
        while True:
            found, distance = self._step(rows[-1], distances[-1], length, visited)
            visited += self.begin[rows[-1] + 1] - self.begin[rows[-1]]
            new = found[np.isinf(self.distance[found])]
            self.reached[number : number + len(new)] = new
            number += len(new)
            is_free = self.row_of_column[found] < 0
            self.distance[found] = distance
            self.ahead[found] = np.where(is_free, np.inf, distance)
            if is_free.any():
                end = np.where(is_free, distance, np.inf).argmin()
                length, free_column = float(distance[end]), int(found[end])
            reached = self.reached[:number]
            ahead = self.ahead[reached]
            at = float(ahead.min(initial=np.inf))
            if at >= length:
                break
            nearest = reached[ahead == at]
            column = int(nearest[self.turn[nearest].argmax()])  # of those equally near, the one that was reached last
            self.ahead[column] = np.inf
            row = int(self.row_of_column[column])
            rows.append(row)
            columns.append(column)
            distances.append(at)
            if at + self.row_price[row] < length:
                length, last_row, free_column = at + float(self.row_price[row]), row, -1
        self.distance[reached] = self.ahead[reached] = np.inf
        return _Path(length, rows, columns, distances, free_column, last_row, STEP * len(rows) + visited // TOGETHER)

    def _step(self, row: int, at: float, length: float, turn: int) -> tuple[Ints, Floats]:
        """The columns that are nearer by way of this row than before, and than the cheapest end; and how far they are."""
        edges = slice(self.begin[row], self.begin[row + 1])
        column = self.column[edges]
        gap = self.row_price[row] + self.column_price[column] - self.weight[edges]
        distance = at + np.maximum(gap, 0.0)  # rounding must not make a step shorter than nothing
        nearer = np.flatnonzero(distance < np.minimum(self.distance[column], length))
        found = column[nearer]
        self.edge_before[found], self.turn[found] = edges.start + nearer, turn + nearer
        return found, distance[nearer]

    def _update_prices(self, path: _Path) -> None:
        """Make the edges of the path tight: rows closer than its end get cheaper, columns dearer, by what they are closer."""
        closer = path.length - np.array(path.distances)  # above 0: the search ends at the length of the path
        self.row_price[path.rows] = np.maximum(self.row_price[path.rows] - closer, 0.0)
        self.column_price[path.columns] += closer[1:]

    def _flip(self, root: int, path: _Path) -> None:
        """Match the root along the path; each row on it goes over to the column that the path takes from it."""
        column = path.free_column
        if column < 0:  # the path ends at a row, which is left free
            if path.last_row == root:
                return
            column = self.column[self.edge_of_row[path.last_row]]
            self.edge_of_row[path.last_row] = -1
        while True:
            edge = self.edge_before[column]
            row = self.row[edge]
            self.row_of_column[column] = row
            previous, self.edge_of_row[row] = self.edge_of_row[row], edge
            if previous < 0:
                return
            column = self.column[previous]

    def _take_any(self, row: int) -> None:
        """Match a waiting row along its heaviest edge to a free column, out of budget."""
        edges = np.arange(self.begin[row], self.begin[row + 1])
        free = edges[self.row_of_column[self.column[edges]] < 0]
        if len(free):
            edge = free[self.weight[free].argmax()]
            self.edge_of_row[row], self.row_of_column[self.column[edge]] = edge, row
