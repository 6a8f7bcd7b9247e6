"""The assignment problem by successive shortest paths, with prices that prove the result.

Each row i has a price u_i ≥ 0 and each column j a price v_j ≥ 0, such that u_i + v_j ≥ w_ij for every edge. Whatever is
assigned, its weight is at most sum(u) + sum(v). The rows are matched one after another. Each step keeps the prices valid,
and keeps two equations: u_i + v_j = w_ij on matched edges, and price 0 for free columns and for rows that it decided to leave
free. When all rows are done, the two sums are therefore equal, and the assignment is optimal.

First, rows bid for columns: a row takes the column that gains most, raises its price until the next best column gains as
much, and the row that had the column bids again. This decides most rows, but not where columns are equally good. In sparse
graphs with floats, free columns begin with prices, too, and trees grow from both sides (`meeting_trees`); many rows bid all at
once (`auction`). Otherwise the rows that are left search. Whole numbers of any size are hardly ever equal, and rows that
compete for columns would raise prices by little, many times: a row that loses its column to another waits for its search. Rows
with many floats do not bid (`wide_searches`).

A search is that of Dijkstra, where a step from row i to column j costs the gap u_i + v_j - w_ij, and the step back from a
matched column to its row costs nothing. It ends at a free column, or at a row (perhaps the root) that is better left free,
which costs the price of that row. Then the path is flipped. Of steps that cost the same, the last one found is taken first: a
search that goes deep ends after a few steps where many ways are equally short. A free column that a step reaches for nothing
ends it at once.

References
----------
Jonker, R. and Volgenant, A. (1987). A shortest augmenting path algorithm for dense and sparse linear assignment problems.
*Computing* 38: the bids are their augmenting row reduction.

Kuhn, H. W. (1955). The Hungarian method for the assignment problem. *Naval Research Logistics Quarterly* 2.
Tomizawa, N. (1971). On some techniques useful for solution of transportation network problems. *Networks* 1.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Ints, Weights, argsort, ranked, repeat, tally
from referee.algorithms.auction import auction
from referee.algorithms.meeting_trees import MeetingTrees
from referee.algorithms.wide_searches import wide_searches

Number: TypeAlias = float
"""A weight or price: a float, or a whole number of any size."""

BIDS = 25
"""How many edges of each row may be visited for bids, on average, in each of two rounds. Where rows have many edges that weigh
nearly the same, bids raise prices by little many times, and searches are better."""

SPARSE = 16
"""Edges a row, on average, up to which trees from both sides are better than a search from each row, if there are few rows."""

LARGE = 200
"""Rows from which on auctions are worth their start."""


def shortest_paths(row: Ints, column: Ints, weight: Weights, rows: int, budget: int) -> tuple[Ints, Floats | None]:
    """Assign rows to columns with the greatest total weight, in Python, for the few edges that reductions leave.

    Parameters
    ----------
    row, column : int64, shape (edges,), at least one edge
        The ends of each edge. No pair twice.
    weight : float64, or object (Python integers), shape (edges,)
        Above 0.
    rows : int
        How many rows there are.
    budget : int
        How many edges may be visited: all those of each row that a search reaches. Edges that NumPy looks at together count
        for less (`wide_searches`). The search or tree that exceeds it is the last; rows that still wait then take a free column
        each, if they have one.

    Returns
    -------
    chosen : int64
        The numbers of the chosen edges, by their rows.
    slack : float64, shape (rows,), or None
        How much each row may have missed, if the budget did not suffice.
    """
    edges = tally(row)
    row_numbers = np.flatnonzero(edges)
    begin = np.concatenate([[0], np.cumsum(edges[row_numbers])])
    column = ranked(column)
    wide = weight.dtype != object and _is_wide(len(row), len(row_numbers), int(column.max()) + 1)
    by_row = argsort(row) if wide else np.lexsort((-weight, row))
    solved = wide_searches if wide else _bids_and_searches
    edge_of_row, of_rows = solved(begin, column[by_row], weight[by_row], budget)
    chosen = by_row[edge_of_row[edge_of_row >= 0]]
    if of_rows is None:
        return chosen, None
    slack = np.zeros(rows)
    slack[row_numbers] = of_rows
    return chosen, slack


def _is_wide(edges: int, rows: int, columns: int) -> bool:
    """Whether searches that look at all edges of a row together are best: many edges a row, and in a large graph most pairs.

    Where nearly all pairs are edges, as those of mentions one inside another, columns are alike, and auctions take long.
    """
    return edges > SPARSE * rows and (rows < LARGE or 4 * edges > rows * columns)


def _bids_and_searches(begin: Ints, column: Ints, weight: Weights, budget: int) -> tuple[Ints, Floats | None]:
    """The chosen edge of each row, -1 for none, and how much each may have missed; edges are by row, the heaviest first."""
    state, floats = _State(begin, column, weight), weight.dtype != object
    rows = len(begin) - 1
    waiting = list(range(rows))
    if floats and rows >= LARGE:
        _sell(state)
    else:
        if floats:
            _share_prices(state)
        for _ in range(2):
            waiting = _bid(state, waiting, min(budget, BIDS * rows), again=floats)
    certain = _meet(state, budget) if floats else _search_all(state, waiting, budget)
    return np.array(state.edge_of_row), None if certain else np.array(_slack(state))


class _State:
    """Edges by row, the heaviest of each row first; prices; and the assignment so far, -1 for what is free.

    Rows that have an edge are numbered from 0. Plain lists, because they are read and written one number at a time.
    """

    __slots__ = ("begin", "column", "column_price", "edge_of_row", "edges", "free_from", "row_of_column", "row_price", "weight")

    def __init__(self, begin: Ints, column: Ints, weight: Weights) -> None:
        rows, columns = len(begin) - 1, int(column.max()) + 1
        self.edges = repeat(np.arange(rows), np.diff(begin)), column, weight  # as arrays: row, column and weight of each
        self.begin: list[int] = begin.tolist()
        self.column: list[int] = column.tolist()
        self.weight: list[Number] = weight.tolist()
        zero = self.weight[0] * 0  # 0.0 among floats, to which adding 0 is slower
        self.free_from: list[int] = begin[:-1].tolist()  # of each row, an edge before which all columns are and stay matched
        self.row_price = [self.weight[edge] for edge in self.begin[:-1]]
        self.column_price = [zero] * columns
        self.edge_of_row = [-1] * rows
        self.row_of_column = [-1] * columns


class _SearchTree(NamedTuple):
    """A search: what is reached, at which distance, and where its path ends."""

    root: int
    row_distance: dict[int, Number]
    column_distance: dict[int, Number]  # of columns whose distance is final
    reached_by: dict[int, tuple[int, int]]  # column -> the row and the edge before it
    length: Number  # of the path
    free_column: int  # at its end, or -1: it ends at a row
    last_row: int  # the row to be left free if it ends at a row
    visited: int  # edges


def _bid(state: _State, rows: list[int], budget: int, *, again: bool) -> list[int]:
    """Match rows to the columns that gain most, raising the prices of these; return the rows that have to wait.

    These are rows whose best columns are equally good, and taken; those that lost their column and may not bid `again`; and
    those that the budget does not reach.
    """
    bidding, waiting = rows[::-1], list[int]()
    while bidding and budget > 0:
        row = bidding.pop()
        best, second, edge, visited = _two_best(state, row)
        budget -= visited
        state.row_price[row] = second
        if edge < 0:
            continue
        column = state.column[edge]
        previous = state.row_of_column[column]
        if previous >= 0 and best == second:
            waiting.append(row)
            continue
        state.column_price[column] += best - second
        state.row_of_column[column], state.edge_of_row[row] = row, edge
        if previous >= 0:
            state.edge_of_row[previous] = -1
            (bidding if again else waiting).append(previous)
    return sorted(bidding + waiting)


def _two_best(state: _State, row: int) -> tuple[Number, Number, int, int]:
    """The two largest gains of a row, at least 0; the edge of the first, to a free column if two gain the same; visited edges.

    The edge is -1 if no edge gains.
    """
    columns, weight, price, row_of_column = state.column, state.weight, state.column_price, state.row_of_column
    first, after = state.begin[row], state.begin[row + 1]
    best = second = weight[first] * 0
    chosen = -1
    for edge in range(first, after):
        if weight[edge] <= second:
            return best, second, chosen, edge - first + 1
        column = columns[edge]
        gain = weight[edge] - price[column]
        if gain > best or (gain == best and chosen >= 0 and row_of_column[column] < 0 <= row_of_column[columns[chosen]]):
            best, second, chosen = gain, best, edge
        elif gain > second:
            second = gain
    return best, second, chosen, after - first


def _share_prices(state: _State) -> None:
    """Let columns have half of the weights, in 24 bits, so that prices of whole multiples of 2⁻⁵² are such multiples."""
    row, column, weight = state.edges
    share = np.array(state.row_price, dtype=np.float32).astype(np.float64) / 2
    price = np.zeros(len(state.column_price))
    np.maximum.at(price, column, weight - share[row])
    state.column_price = price.tolist()


def _sell(state: _State) -> None:
    """Match most rows by auctions."""
    row, column, weight = state.edges
    row_price, column_price, taken = auction(row, column, weight)
    state.row_price, state.column_price = row_price.tolist(), column_price.tolist()
    for edge, of, to in zip(np.flatnonzero(taken).tolist(), row[taken].tolist(), column[taken].tolist(), strict=True):
        state.edge_of_row[of], state.row_of_column[to] = edge, of


def _meet(state: _State, budget: int) -> bool:
    """Match rows and columns by trees from both sides; return whether the assignment is optimal."""
    row, column, weight = state.edges
    rows = len(state.row_price)
    mate = [state.column[edge] + rows if edge >= 0 else -1 for edge in state.edge_of_row] + state.row_of_column
    price = state.row_price + state.column_price
    certain = MeetingTrees(row, column + rows, weight, price, mate).grow(budget)
    chosen = np.flatnonzero(np.array(mate)[row] == column + rows)
    state.row_of_column, state.edge_of_row = mate[rows:], [-1] * rows
    for edge, of in zip(chosen.tolist(), row[chosen].tolist(), strict=True):
        state.edge_of_row[of] = edge
    state.row_price, state.column_price = price[:rows], price[rows:]
    if not certain:
        _waive(state)
        _take_any(state, [r for r, edge in enumerate(state.edge_of_row) if edge < 0])
    return certain


def _waive(state: _State) -> None:
    """Let free columns have no price, and rows what they need instead."""
    row, column, weight = state.edges
    row_price = np.array(state.row_price)
    column_price = np.where(np.array(state.row_of_column) < 0, 0.0, state.column_price)
    np.maximum.at(row_price, row, weight - column_price[column])
    state.row_price, state.column_price = row_price.tolist(), column_price.tolist()


def _search_all(state: _State, waiting: list[int], budget: int) -> bool:
    """Match waiting rows by a search from each; return whether the assignment is optimal."""
    visited = 0
    while waiting and visited <= budget:
        tree = _search(state, waiting.pop())
        visited += tree.visited
        _update_prices(state, tree)
        _flip(state, tree)
    _take_any(state, waiting)
    return not waiting


def _take_any(state: _State, waiting: list[int]) -> None:
    """Match each waiting row along its heaviest edge to a free column, out of budget."""
    for row in waiting:
        for edge in range(state.begin[row], state.begin[row + 1]):
            column = state.column[edge]
            if state.row_of_column[column] < 0:
                state.row_of_column[column], state.edge_of_row[row] = row, edge
                break


def _search(state: _State, root: int) -> _SearchTree:
    """Grow the tree of shortest paths from a free row until the cheapest end is certain."""
    begin, columns, weight = state.begin, state.column, state.weight
    row_price, column_price, row_of_column = state.row_price, state.column_price, state.row_of_column
    row_distance: dict[int, Number] = {root: 0}
    column_distance, reached_by = dict[int, Number](), dict[int, tuple[int, int]]()
    tentative: dict[int, Number] = {}  # distances of columns, final or not
    heap: list[tuple[Number, int, int]] = []  # of equal distances, the column that was reached last is the first
    length, last_row, free_column = row_price[root], root, -1  # the cheapest end so far is to leave the root free
    row, visited, at = root, 0, row_distance[root]
    while True:
        price, first, after = row_price[row], begin[row], begin[row + 1]
        visited += after - first
        edge = _first_free(state, row)
        if edge < after and price <= weight[edge]:  # no end is nearer
            length, free_column = at, columns[edge]
            reached_by[free_column] = row, edge
            break
        for edge in range(first, after):
            if at + (price - weight[edge]) >= length:
                break  # this edge is too long whatever its column costs, and the next ones are no heavier
            column = columns[edge]
            distance = at + price + column_price[column] - weight[edge]
            if distance < length and distance < tentative.get(column, length):
                tentative[column] = distance
                reached_by[column] = row, edge
                if row_of_column[column] < 0:
                    length, free_column = distance, column
                else:
                    heappush(heap, (distance, -len(tentative), column))
        while heap and heap[0][0] > tentative[heap[0][2]]:  # a shorter way was found since
            heappop(heap)
        if not heap or heap[0][0] >= length:
            break
        at, _, column = heappop(heap)
        column_distance[column] = at
        row = row_of_column[column]
        row_distance[row] = at
        if at + row_price[row] < length:
            length, last_row, free_column = at + row_price[row], row, -1
    return _SearchTree(root, row_distance, column_distance, reached_by, length, free_column, last_row, visited)


def _first_free(state: _State, row: int) -> int:
    """The heaviest edge of a row to a free column, or the end of the row."""
    edge, after = state.free_from[row], state.begin[row + 1]
    while edge < after and state.row_of_column[state.column[edge]] >= 0:
        edge += 1
    state.free_from[row] = edge
    return edge


def _update_prices(state: _State, tree: _SearchTree) -> None:
    """Make the edges of the path tight: rows closer than its end get cheaper, columns dearer, by what they are closer."""
    row_price, column_price, length = state.row_price, state.column_price, tree.length
    for row, distance in tree.row_distance.items():
        if distance < length:
            row_price[row] -= length - distance
    for column, distance in tree.column_distance.items():
        if distance < length:
            column_price[column] += length - distance


def _flip(state: _State, tree: _SearchTree) -> None:
    """Match the root along the path; each row on it goes over to the column that the path takes from it."""
    column = tree.free_column
    if column < 0:  # the path ends at a row, which is left free
        if tree.last_row == tree.root:
            return
        column = state.column[state.edge_of_row[tree.last_row]]
        state.edge_of_row[tree.last_row] = -1
    while True:
        row, edge = tree.reached_by[column]
        state.row_of_column[column] = row
        previous, state.edge_of_row[row] = state.edge_of_row[row], edge
        if previous < 0:
            return
        column = state.column[previous]


def _slack(state: _State) -> list[Number]:
    """Of each row, what the prices allow above its weight: its gap, or its price if it is free."""
    slack = []
    for row, edge in enumerate(state.edge_of_row):
        price = state.row_price[row]
        slack.append(price if edge < 0 else max(0.0, price + state.column_price[state.column[edge]] - state.weight[edge]))
    return slack
