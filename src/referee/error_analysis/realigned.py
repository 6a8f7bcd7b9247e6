"""The best alignment of a table, of which repairs are tried: how much more similarity the best one has then.

Similarities that are whole numbers have many best alignments, and a search for a better one would have to look at all of them.
So they are told apart by fractions, which together stay below 1: the whole part is the similarity that was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor

import numpy as np

from referee.algorithms.arrays import Floats, Numbers
from referee.algorithms.meeting_trees import Edge
from referee.algorithms.realignment import Realignment
from referee.error_analysis.prices import prices
from referee.metrics.table import Table

BITS = 16
"""Of the fractions that tell whole numbers apart."""


@dataclass
class Visits:
    """How many edges may still be visited to find alignments again."""

    left: float


class Realigned:
    """The best alignment of a table by a similarity, of which changes are tried.

    Parameters
    ----------
    table : Table
        The table as it was.
    similarity : callable
        As of `Table.alignment`. Cells of changed entities are weighed by the attribute of this name, which has the fractions.
    """

    def __init__(self, table: Table, similarity: Callable[[Table], Numbers]) -> None:
        self.whole = similarity(table).dtype.kind != "f"
        self.similarity = break_ties(similarity, len(table.key_size)) if self.whole else similarity
        known, weight = prices(table, self.similarity), self.similarity(table)
        self._fraction = float(table.alignment(self.similarity).weight.sum() % 1) if self.whole else 0.0
        self._realignment: Realignment | None = None
        if known:
            kept, sides = np.flatnonzero(weight > 0), ([p.key for p in known], [p.response for p in known])
            edges = table.key[kept], table.response[kept], weight[kept]
            self._realignment = Realignment(edges, *sides, known[0].key_partner)

    def gain(self, responses: Sequence[int], cells: Sequence[Sequence[Edge]], visits: Visits) -> tuple[float, float] | None:
        """How much more similarity the best alignment has if response entities change, as two terms; None if it is not found.

        Parameters
        ----------
        responses : sequence of int
            The response entities that change. Those past the last one are new.
        cells : sequence
            Key entities and similarities above 0 of the cells that each of them has then.
        visits : Visits
            How many edges may be visited. Those that were are taken off.
        """
        if self._realignment is None:
            return None
        gain, visited = self._realignment.gain(responses, cells, visits.left)
        visits.left -= visited
        return gain if gain is None or not self.whole else (floor(self._fraction + gain[0]), 0)


def break_ties(similarity: Callable[[Table], Numbers], entities: int) -> Callable[[Table], Floats]:
    """A similarity that is a whole number, with a fraction for the Dice overlap; those of so many pairs stay below 1."""

    def with_fraction(t: Table) -> Floats:
        weight, overlap = similarity(t), 2 * t.shared / (t.key_size[t.key] + t.response_size[t.response])
        fraction = np.floor(overlap * (1 << BITS)) / (1 << BITS + entities.bit_length())
        return np.asarray(np.where(weight > 0, weight + fraction, 0.0))

    return with_fraction
