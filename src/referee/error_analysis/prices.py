"""Prices of entities, which prove that an alignment is the best one.

If each key entity k has a price u and each response entity r a price v, none is negative, and u + v is at least the similarity
of every pair, then no alignment has more similarity than the sum of all prices. The best alignment has as much: its pairs cost
what they are worth, and entities without a partner cost nothing. So prices of one table bound the best alignment of another
one that differs in few response entities: only the prices of these are computed again.

References
----------
Kuhn (1955); Demange, Gale and Sotomayor (1986), "Multi-Item Auctions", on the least prices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, Numbers, argsort, starts_of_runs
from referee.metrics.table import Table

ROUNDS = 1000
"""Rounds in which the least prices are looked for: as many as the longest chain of bids, which is short."""

UNIT = 2.0**-52
"""Similarities that are no whole numbers are multiples of it, up to 1."""


class Prices(NamedTuple):
    """Prices of all entities of a table, in the unit of the similarity, and the partner of each; -1 for none."""

    key: Numbers
    response: Numbers
    key_partner: Ints
    response_partner: Ints


def prices(t: Table, similarity: Callable[[Table], Numbers]) -> list[Prices]:
    """Return prices that prove that the alignment is the best one; nothing if none were found.

    They are halfway between the least and the greatest prices of key entities, the least ones, and the greatest ones. Which of
    them prove something about a table that is a little different depends on the difference. Prices are exact: whole numbers, or
    multiples of `UNIT` up to 1.
    """
    alignment, weight = t.alignment(similarity), similarity(t)
    if alignment.slack is not None:
        return []
    cells = np.flatnonzero(alignment.weight > 0)
    key, response = (_PricedSide.of(side, cells, weight) for side in (t, t.T))
    least, least_of_response = key.least(response), response.least(key)
    if least is None or least_of_response is None:
        return []
    greatest = key.left(least_of_response)
    halfway = np.floor((least + greatest) / (2 * UNIT)) * UNIT if weight.dtype.kind == "f" else (least + greatest) // 2
    return [Prices(price, response.left(price), key.partner, response.partner) for price in (halfway, least, greatest)]


class _PricedSide(NamedTuple):
    """Entities of one side: of each its partner, and the similarity of both; of each cell two entities and their similarity."""

    partner: Ints
    worth: Numbers
    entity: Ints
    other: Ints
    weight: Numbers

    @classmethod
    def of(cls, t: Table, aligned: Ints, weight: Numbers) -> _PricedSide:
        partner, worth = np.full(len(t.key_size), -1), np.zeros(len(t.key_size), dtype=weight.dtype)
        partner[t.key[aligned]], worth[t.key[aligned]] = t.response[aligned], weight[aligned]
        order = argsort(t.key)
        return cls(partner, worth, t.key[order], t.response[order], weight[order])

    def left(self, price: Numbers) -> Numbers:
        """What the prices of the other side leave of the worth of each pair; 0 without a partner."""
        return np.where(self.partner >= 0, self.worth - np.append(price, 0)[self.partner], 0)

    def least(self, others: _PricedSide) -> Numbers | None:
        """The least prices of this side: each entity costs as much as any other partner would bid for it."""
        first, price = np.flatnonzero(starts_of_runs(self.entity)), np.zeros_like(self.worth)
        bidden = self.entity[first]
        for _ in range(ROUNDS):
            left, before = others.left(price), price
            price = before.copy()
            if len(first):
                bids = np.maximum.reduceat(self.weight - left[self.other], first)
                price[bidden] = np.maximum(bids, before[bidden])
            if (price == before).all():
                return price if (left >= 0).all() and not price[self.partner < 0].any() else None
        return None
