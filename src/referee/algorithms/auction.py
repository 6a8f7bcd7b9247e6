"""Prices and most of the pairs of a large sparse assignment problem, by auctions at which free rows and columns bid in turn.

All free rows bid at once, each for the column that gains most. A row raises the price of that column, and lowers its own,
until the next best column gains as much, or until its own price is 0, and a little further: the raise. The highest bid takes
the column, and the row that had it is free again. Columns bid for rows in the same way. The side with more free vertices
bids, and both in turn where they have as many, until hardly any is free that has a price. This is repeated with a smaller
raise, from the prices of the columns so far and without any pairs, until the raise hardly matters.

If rows alone bid, prices of columns never fell: a few rows too many would raise all of them, a little at a time.

References
----------
Bertsekas, D. P. (1988). The auction algorithm: a distributed relaxation method for the assignment problem. *Annals of
Operations Research* 14.
Bertsekas, D. P. and Castañon, D. A. (1992). A forward/reverse auction algorithm for asymmetric assignment problems.
*Computational Optimization and Applications* 1.
"""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, argsort, ranges, repeat, tally

RAISES = (0.05, 0.005, 0.0005, 1e-7)
"""The raise of each auction, as a share of the greatest weight."""
LEFT, ROUNDS = 5000, 1000
"""An auction ends when one of so many vertices is free, or at most `FEW` are, or after so many rounds."""
FEW = 16
TURN = 50
"""Rounds that each side bids in turn while as many rows as columns are free."""
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
    bidders.price[:] = np.rint(bidders.price / unit) * unit
    bidders.tighten()
    row_price, column_price = bidders.gains(), bidders.price[bidders.rows :]
    taken = (bidders.mate[row] == bidders.rows + column) & (row_price[row] + column_price[column] == weight)
    return row_price, column_price, taken


class _Bidders:
    """Edges by vertex, prices, and the partner of each vertex, -1 for none. Columns are numbered after the rows."""

    def __init__(self, row: Ints, column: Ints, weight: Floats) -> None:
        self.rows = int(row.max()) + 1
        ends = np.concatenate([row, self.rows + column])
        order = argsort(ends)
        self.degree = tally(ends).astype(np.intp)  # which `reduceat` asks for where addresses have 32 bits
        self.begin = self.degree.cumsum() - self.degree
        self.to = np.concatenate([self.rows + column, row])[order]
        self.weight = np.concatenate([weight, weight])[order]
        self.price = np.zeros(len(self.degree))
        self.mate, self.winner = (np.full(len(self.degree), -1) for _ in range(2))

    def gains(self) -> Floats:
        """What each row gains by its best edge, or by none."""
        gain = np.maximum.reduceat(self.weight - self.price[self.to], self.begin)
        return np.maximum(gain[: self.rows], 0)

    def sell(self, least: float) -> None:
        """Pair all vertices anew, or nearly all that have a price."""
        self.mate[:] = -1
        self.price[: self.rows] = self.gains()
        free = np.arange(self.rows), np.arange(self.rows, len(self.price))
        few = max(FEW, len(self.price) // LEFT)
        for number in range(ROUNDS):
            rows, columns = (side[(self.mate[side] < 0) & (self.price[side] > 0)] for side in free)
            if len(rows) + len(columns) <= few:
                return
            more = len(rows) - len(columns)
            if more > 0 or (more == 0 and number // TURN % 2 == 0):
                free = self._round(rows, least), columns
            else:
                free = rows, self._round(columns, least)

    def _round(self, free: Ints, least: float) -> Ints:
        """These free vertices of a side bid; return those of them that are free now, and others in the place of the rest."""
        return np.concatenate([self._block(free[at : at + BLOCK], least) for at in range(0, len(free), BLOCK)])

    def _block(self, free: Ints, least: float) -> Ints:
        """As `_round`, for vertices that see the same prices."""
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

    def tighten(self) -> None:
        """Raise prices of columns until what rows have is worth most to them, where that ends soon."""
        ends = repeat(np.arange(len(self.degree)), self.degree)
        pairs = np.flatnonzero(self.mate[ends] == self.to)
        worth = np.zeros(len(self.degree))
        worth[ends[pairs]] = self.weight[pairs]
        rows = np.flatnonzero(self.mate[: self.rows] >= 0)
        for _ in range(ROUNDS // 10):
            place, edge = ranges(self.begin[rows], self.begin[rows] + self.degree[rows])
            needed = self.weight[edge] - (worth[rows] - self.price[self.mate[rows]])[place]
            more = needed > self.price[self.to[edge]]
            raised = self.to[edge[more]]
            np.maximum.at(self.price, raised, needed[more])
            rows = np.unique(self.mate[raised])
            rows = rows[rows >= 0]  # the others are as they were
            if not len(rows):
                return
