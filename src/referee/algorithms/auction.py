"""Prices and most of the pairs of a large sparse assignment problem, by auctions at which free rows and columns bid in turn.

All free rows bid at once, each for the column that gains most. It raises the price of the column, and lowers its own, until the next best column
gains as much, or until its own price is 0, and a little further: the raise. The highest bid takes the column, and the row that
had it is free again. Columns bid for rows in the same way. The side with more free vertices bids, until hardly any is free that
has a price. This is repeated with a smaller raise, from the prices of the columns so far and without any pairs, until the raise
hardly matters.

Where columns alone never bid, their prices would not fall. A few rows too many would then raise all prices, a little at a time.

References
----------
Bertsekas, D. P. (1988). The auction algorithm: a distributed relaxation method for the assignment problem. *Annals of
Operations Research* 14.
Bertsekas, D. P. and Castañon, D. A. (1992). A forward/reverse auction algorithm for asymmetric assignment problems.
*Computational Optimization and Applications* 1.
"""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, order_by, repeat, tally

RAISES = (0.05, 0.005, 0.0005, 1e-7)
"""The raise of each auction, as a share of the greatest weight."""
LEFT, ROUNDS = 5000, 1000
"""An auction ends when one of so many vertices is free, or at most `FEW` are, or after so many rounds."""
FEW = 16
BLOCK = 2048
"""Vertices that bid at once: what is made of them stays in the cache of a processor, and the next ones see their prices."""
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
    bidders, most = _Bidders(row, column, weight), float(weight.max())
    for share in RAISES:
        bidders.sell(most * share)
    unit = 2.0 ** (np.frexp(most)[1] - BITS)
    rows = bidders.rows
    column_price = np.rint(bidders.price[rows:] / unit) * unit
    return _tightened(row, column, weight, column_price, bidders.mate[:rows] - rows)


class _Bidders:
    """Edges by vertex, prices, and the partner of each vertex, -1 for none. Columns are numbered after the rows."""

    def __init__(self, row: Ints, column: Ints, weight: Floats) -> None:
        self.rows = int(row.max()) + 1
        ends = np.concatenate([row, self.rows + column])
        order = order_by(ends)
        self.degree = tally(ends)
        self.begin = self.degree.cumsum() - self.degree
        self.to = np.concatenate([self.rows + column, row])[order]
        self.weight = np.concatenate([weight, weight])[order]
        self.price = np.zeros(len(self.degree))
        self.mate, self.winner = (np.full(len(self.degree), -1) for _ in range(2))

    def sell(self, least: float) -> None:
        """Pair all vertices anew, or nearly all that have a price."""
        self.mate[:] = -1
        gain = self.weight - self.price[self.to]
        self.price[: self.rows] = np.maximum(np.maximum.reduceat(gain, self.begin)[: self.rows], 0)
        free = np.arange(self.rows), np.arange(self.rows, len(self.price))
        few = max(FEW, len(self.price) // LEFT)
        for _ in range(ROUNDS):
            rows, columns = (side[(self.mate[side] < 0) & (self.price[side] > 0)] for side in free)
            if len(rows) + len(columns) <= few:
                return
            free = (self._round(rows, least), columns) if len(rows) >= len(columns) else (rows, self._round(columns, least))

    def _round(self, free: Ints, least: float) -> Ints:
        """These free vertices of a side bid; return those of them that are free now, and others in the place of the rest."""
        return np.concatenate([self._block(free[at : at + BLOCK], least) for at in range(0, len(free), BLOCK)])

    def _block(self, free: Ints, least: float) -> Ints:
        to, own, bid = self._bids(free, least)
        np.maximum.at(self.price, to, bid)
        best = np.flatnonzero(self.price[to] == bid)
        self.winner[to[best]] = best  # the last one of equal bids
        best = best[self.winner[to[best]] == best]
        taken, takers = to[best], free[best]
        before = self.mate[taken]
        before = before[before >= 0]
        self.mate[before] = -1
        self.mate[taken], self.mate[takers], self.price[takers] = takers, taken, own[best]
        return np.concatenate([free[self.mate[free] < 0], before])

    def _bids(self, free: Ints, least: float) -> tuple[Ints, Floats, Floats]:
        """The vertex for which each one bids, its own price if it takes it, and the price that it bids."""
        degree = self.degree[free]
        after = degree.cumsum()
        first = after - degree
        edge = np.arange(after[-1]) + repeat(self.begin[free] - first, degree)
        gain = self.weight[edge] - self.price[self.to[edge]]
        best = np.maximum.reduceat(gain, first)
        hits = np.flatnonzero(gain == repeat(best, degree))
        chosen = hits[hits.searchsorted(first)]
        gain[chosen] = 0
        own = np.maximum(np.maximum.reduceat(gain, first) - least, 0)
        self.price[free[best <= 0]] = 0
        to = self.to[edge[chosen]]
        return to, own, self.price[to] + (best - own)


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
