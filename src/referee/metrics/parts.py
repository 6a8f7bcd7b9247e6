"""One document that is counted in parts, such as a clustering of 10⁸ records: the parts are added without rounding.

Metrics are sums over cells and over entities, and a formula of these sums. So each part, of whole components of overlapping
entities, is counted like a document. A `SumAccumulator` adds the sums for which metrics ask, in their order, as integers, to
those of the parts before. So the counts of the last part are those of the document, to the last bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from referee.algorithms.arrays import Ints, Numbers
from referee.metrics.folded import FoldedTable, RepeatedParts
from referee.metrics.metric import Metric
from referee.metrics.table import Sizes, Table
from referee.stats.counts import Counts


class SumAccumulator:
    """The sums of the parts of a document, in the order in which metrics ask for them."""

    def __init__(self) -> None:
        self._sums: list[Numbers] = []
        self._sizes: list[Counter[int]] = []

    def begin(self) -> None:
        """Begin a part."""
        self._next_sum = self._next_sizes = 0

    def add(self, sums: Numbers) -> Numbers:
        """Add the next sum of a part; return what it is by now."""
        place, self._next_sum = self._next_sum, self._next_sum + 1
        if place == len(self._sums):
            self._sums.append(sums)
        else:
            self._sums[place] = self._sums[place] + sums
        return self._sums[place]

    def add_sizes(self, sizes: Mapping[int, int]) -> Counter[int]:
        """Add the next histogram of sizes; return what it is by now."""
        place, self._next_sizes = self._next_sizes, self._next_sizes + 1
        if place == len(self._sizes):
            self._sizes.append(Counter())
        self._sizes[place].update(sizes)
        return self._sizes[place]


class AccumulatedParts(RepeatedParts):
    """How sums over a document are made of those of a part: they are added to those of the parts before.

    Parameters
    ----------
    accumulator : SumAccumulator
    totals : tuple of int64, shape (1,)
        The mentions of the whole document: those of the key, of the response, and common ones.
    times : int64, shape (parts,)
        How often the document has each part of this part.
    """

    def __init__(self, accumulator: SumAccumulator, totals: tuple[Ints, Ints, Ints], times: Ints) -> None:
        super().__init__(times)
        self.accumulator, self.totals, self._mentions = accumulator, totals, totals

    @property
    def T(self) -> AccumulatedParts:
        """The same for the table with key and response exchanged."""
        key, response, common = self._mentions
        return AccumulatedParts(self.accumulator, (response, key, common), self.times)

    @property
    def extended(self) -> AccumulatedParts:
        """The same for the table over one set of mentions."""
        key, response, common = self._mentions
        mentions = key + response - common
        return AccumulatedParts(self.accumulator, (mentions, mentions, mentions), self.times)

    def __call__(self, sums: Numbers) -> Numbers:
        """The sum of the parts so far; Python integers."""
        return self.accumulator.add(super().__call__(sums))

    def sizes(self, size: Ints, part: Ints) -> Sizes:
        """The sizes of key entities of the parts so far, and how many entities have each."""
        distinct, place = np.unique(size, return_inverse=True)
        number = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(number, place, self.times[part])
        total = self.accumulator.add_sizes(dict(zip(distinct.tolist(), number.tolist(), strict=True)))
        sizes, times = np.array([*total], dtype=np.int64), np.array([*total.values()], dtype=np.int64)
        return Sizes(sizes, times, np.zeros_like(sizes))


def count_parts(
    parts: Iterable[tuple[Table, Ints]], totals: tuple[Ints, Ints, Ints], metrics: Mapping[str, Metric]
) -> dict[str, Counts]:
    """Return the counts of a document from tables of its parts, each with how often the document has the parts of the table."""
    accumulator, counts = SumAccumulator(), dict[str, Counts]()
    for table, times in parts:
        accumulator.begin()
        part = FoldedTable(
            table.key, table.response, table.shared, table.key_size, table.response_size,
            table.key_document, table.response_document, 1, fold=AccumulatedParts(accumulator, totals, times),
        )  # fmt: skip
        counts = {name: metric.count(part) for name, metric in metrics.items()}
    return counts
