"""Prices and most of the pairs of a large sparse assignment problem, by an auction at which all free rows bid at once.

A row bids for the column that gains most, and raises its price until the next best gains as much, and a little more: the least
raise. The highest bid takes the column, and the row that had it is free again. This is repeated with a smaller raise, from the
prices so far and without any pairs, until the raise hardly matters.

Prices never fall, so a row must not be left out because of them. The auction is of the doubled graph, where each row may go to
a twin of its own for nothing, and each column has a twin that bids, too: there, everything is taken in the end. The means of
both copies are prices of the graph itself. They are valid, and their sum is hardly above the greatest weight.

References
----------
Bertsekas, D. P. (1988). The auction algorithm: a distributed relaxation method for the assignment problem. *Annals of
Operations Research* 14.
Gabow, H. N. and Tarjan, R. E. (1989). Faster scaling algorithms for network problems. *SIAM Journal on Computing* 18: the
doubled graph.
"""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, repeat

RAISES = (*(0.05 / 5**n for n in range(5)), 1e-7)
"""The least raise of each auction, as a share of the greatest weight."""
LEFT, ROUNDS = 5000, 3000
"""An auction ends when one of so many rows is free, or at most `FEW` rows are, or after so many rounds."""
FEW = 16
BLOCK = 2048
"""Rows that bid at once: what is made of them stays in the cache of a processor, and the next ones see their prices."""
BITS = 40
"""Of prices, after the point of the greatest weight: sums with weights of 53 bits need no rounding."""


def auction(row: Ints, column: Ints, weight: Floats) -> tuple[Floats, Floats, Bools]:
    """Find prices, and edges without a gap that have no end in common.

    Parameters
    ----------
    row, column : int64, shape (edges,)
        The ends of each edge. No pair twice, and each number up to the largest occurs.
    weight : float64, shape (edges,)
        Above 0.

    Returns
    -------
    row_price, column_price : float64, shapes (rows,) and (columns,)
        At least 0. The prices of the ends of an edge add to its weight or more.
    taken : bool, shape (edges,)
        Edges whose prices add to the weight, one to one: nearly all of an assignment of greatest weight.
    """
    rows, columns, most = int(row.max()) + 1, int(column.max()) + 1, float(weight.max())
    twins = np.arange(rows), np.arange(columns)
    left = np.concatenate([row, rows + column, twins[0], rows + twins[1]])
    right = np.concatenate([column, columns + row, columns + twins[0], twins[1]])
    weights = np.concatenate([weight, weight, np.zeros(rows + columns)])
    order = np.argsort(left, kind="stable")
    bidders = _Bidders(np.searchsorted(left[order], np.arange(rows + columns + 1)), right[order], weights[order])
    for share in RAISES:
        bidders.sell(most * share)
    gain = bidders.gains()
    column_price = (bidders.price[:columns] + gain[rows:]) / 2
    unit = 2.0 ** (np.frexp(most)[1] - BITS)
    column_price = np.maximum(np.rint(column_price / unit) * unit, 0.0)
    return _tightened(row, column, weight, column_price, bidders.taken()[:rows])


class _Bidders:
    """A graph where each row can have a column: edges by row, prices, and who has which column, -1 for nobody."""

    def __init__(self, begin: Ints, column: Ints, weight: Floats) -> None:
        self.begin, self.degree, self.column, self.weight = begin[:-1], np.diff(begin), column, weight
        self.price = np.zeros(len(begin) - 1)
        self.owner, self.winner = (np.full(len(begin) - 1, -1) for _ in range(2))

    def gains(self) -> Floats:
        """What each row gains by its best edge."""
        gain: Floats = np.maximum.reduceat(self.weight - self.price[self.column], self.begin)
        return gain

    def taken(self) -> Ints:
        """The column that each row has, -1 for none."""
        taken, sold = np.full(len(self.owner), -1), np.flatnonzero(self.owner >= 0)
        taken[self.owner[sold]] = sold
        return taken

    def sell(self, least: float) -> None:
        """Sell all columns anew, or nearly all."""
        self.owner[:] = -1
        free = np.arange(len(self.price))
        few = max(FEW, len(free) // LEFT)
        for _ in range(ROUNDS):
            if len(free) <= few:
                return
            blocks = (free[at : at + BLOCK] for at in range(0, len(free), BLOCK))
            free = np.concatenate([self._round(block, least) for block in blocks])

    def _round(self, free: Ints, least: float) -> Ints:
        """These free rows bid; return those that are free now in their place."""
        column, bid = self._bids(free, least)
        np.maximum.at(self.price, column, bid)
        best = np.flatnonzero(self.price[column] == bid)
        to = column[best]
        self.winner[to] = best  # the last one of equal bids
        best = best[self.winner[to] == best]
        sold = column[best]
        before = self.owner[sold]
        self.owner[sold] = free[best]
        waiting = np.ones(len(free), dtype=bool)
        waiting[best] = False
        return np.concatenate([free[waiting], before[before >= 0]])

    def _bids(self, free: Ints, least: float) -> tuple[Ints, Floats]:
        """The column for which each row bids, and the price."""
        begin, degree = self.begin[free], self.degree[free]
        after = degree.cumsum()
        first = after - degree
        edge = np.arange(after[-1]) + repeat(begin - first, degree)
        gain = self.weight[edge] - self.price[self.column[edge]]
        best = np.maximum.reduceat(gain, first)
        hits = np.flatnonzero(gain == repeat(best, degree))
        chosen = hits[hits.searchsorted(first)]
        gain[chosen] = -np.inf
        column = self.column[edge[chosen]]
        return column, self.price[column] + best - np.maximum.reduceat(gain, first) + least


def _tightened(row: Ints, column: Ints, weight: Floats, price: Floats, taken: Ints) -> tuple[Floats, Floats, Bools]:
    """Raise prices of columns until what rows have is worth most to them, where that ends soon."""
    pairs = np.flatnonzero(taken[row] == column)
    own = np.full(len(taken), -1)
    own[row[pairs]] = pairs
    of_matched = np.flatnonzero(own[row] >= 0)
    k, other, mine = column[of_matched], weight[of_matched], own[row[of_matched]]
    price, had, at = price.copy(), column[mine], np.arange(len(k))
    for _ in range(ROUNDS // 10):
        needed = other[at] - (weight[mine[at]] - price[had[at]])
        more = needed > price[k[at]]
        raised = k[at][more]
        if not len(raised):
            break
        np.maximum.at(price, raised, needed[more])
        dearer = np.zeros(len(price), dtype=bool)
        dearer[raised] = True
        at = np.flatnonzero(dearer[had])  # the others are as they were
    row_price = np.zeros(len(taken))
    np.maximum.at(row_price, row, weight - price[column])
    tight = np.zeros(len(row), dtype=bool)
    tight[pairs] = row_price[row[pairs]] + price[column[pairs]] == weight[pairs]
    return row_price, price, tight
