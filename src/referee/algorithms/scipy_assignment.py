"""The assignment that SciPy chooses, ties included: to print what programs that use it print."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Floats, Ints


def scipy_assignment(weight: Floats) -> tuple[Ints, Ints]:
    """Choose one to one with the greatest total weight.

    Parameters
    ----------
    weight : float64, shape (rows, columns)

    Returns
    -------
    row, column : int64, shape (min(rows, columns),)
        What ``scipy.optimize.linear_sum_assignment(-weight)`` returns, also where several choices are best.

    References
    ----------
    Crouse, D. F. (2016). On implementing 2D rectangular assignment algorithms. *IEEE Transactions on Aerospace and Electronic
    Systems*, 52(4). SciPy 1.6 and later: the rules for ties are those of its implementation.
    """
    if weight.shape[1] < weight.shape[0]:
        column, row = scipy_assignment(weight.T)
        order = np.argsort(row)
        return row[order], column[order]
    rows, columns = weight.shape
    cost = -weight
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    column_of, row_of = np.full(rows, -1), np.full(columns, -1)
    for new in range(rows):
        before, least, visited, shortest, sink = _path(cost, row_price, column_price, row_of, new)
        row_price[new] += least
        row_price[visited[1:]] += least - shortest[column_of[visited[1:]]]
        scanned = np.append(column_of[visited[1:]], sink)
        column_price[scanned] -= least - shortest[scanned]
        end = sink
        while end >= 0:  # the new row, where the path starts, had no column
            row_of[end] = before[end]
            column_of[row_of[end]], end = end, int(column_of[row_of[end]])
    return np.arange(rows), column_of


def _path(
    cost: Floats, row_price: Floats, column_price: Floats, row_of: Ints, row: int
) -> tuple[Ints, float, list[int], Floats, int]:
    """The shortest augmenting path from a row: the row before each column, length, visited rows, lengths to columns, end."""
    columns = len(row_of)
    left = np.arange(columns)[::-1].copy()  # the last of them are the first
    before, shortest = np.full(columns, -1), np.full(columns, np.inf)
    least, visited = 0.0, []
    while True:
        visited.append(row)
        length = least + cost[row, left] - row_price[row] - column_price[left]
        better = length < shortest[left]
        before[left[better]] = row
        shortest[left[better]] = length[better]
        reached = shortest[left]
        least = float(reached.min())
        nearest = np.flatnonzero(reached == least)
        free = nearest[row_of[left[nearest]] == -1]
        place = free[-1] if len(free) else nearest[0]
        column = int(left[place])
        if row_of[column] == -1:
            return before, least, visited, shortest, column
        row = int(row_of[column])
        left[place] = left[-1]
        left = left[:-1]
