"""One document that is counted in parts, such as a clustering of 10⁹ records: the parts are added without rounding.

Metrics are sums over cells and over entities, and a formula of these sums. So each part is counted like a document. A `Ledger`
keeps the sums for which metrics ask, in their order, as integers. When all parts have been counted, the metrics count a table
without entities, whose sums are those of the ledger: that gives the counts of the document, to the last bit.

A part has whole components of overlapping entities. Of a component that is too large, a part has whole key entities, or whole
response entities, with all their cells. Such a part is counted for one side; nothing is aligned there. What is aligned is
added to the ledger by its label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints, Numbers
from referee.algorithms.sums import sum_runs
from referee.metrics.folded import Multiples
from referee.metrics.metric import Metric
from referee.metrics.table import Sizes, Table
from referee.stats.counts import Counts

Whole: TypeAlias = Literal["component", "key", "response"]
"""What a part has as a whole: components, or entities of one side."""


class Totals(NamedTuple):
    """The mentions of a document: those of the key, of the response, and those in both."""

    key: int
    response: int
    common: int


MENTIONS = "mentions"
"""The label of the first sums of a ledger: the mentions of the key, of the response, and those in both."""


class Ledger:
    """The sums of the parts of a document."""

    def __init__(self) -> None:
        self.sums: list[Numbers] = []
        self.labels: dict[str, list[int]] = {}
        self.sizes: list[Counter[int]] = []

    def begin(self) -> None:
        """Begin a part."""
        self._sum = self._sizes = 0

    def add(self, sums: Numbers, label: str) -> Numbers:
        """Add the next sum of a part; return what it is by now."""
        place, self._sum = self._sum, self._sum + 1
        if place == len(self.sums):
            self.sums.append(sums)
            self.labels.setdefault(label, []).append(place)
        else:
            self.sums[place] = self.sums[place] + sums
        return self.sums[place]

    def add_sizes(self, sizes: Mapping[int, int]) -> Counter[int]:
        """Add the next histogram of sizes; return what it is by now."""
        place, self._sizes = self._sizes, self._sizes + 1
        if place == len(self.sizes):
            self.sizes.append(Counter())
        self.sizes[place].update(sizes)
        return self.sizes[place]

    def merge(self, other: Ledger) -> None:
        """Add the sums of other parts."""
        self.begin()
        named = {place: label for label, places in other.labels.items() for place in places}
        for place, sums in enumerate(other.sums):
            self.add(sums, named[place])
        for sizes in other.sizes:
            self.add_sizes(sizes)

    @property
    def mentions(self) -> Totals:
        """The mentions of all parts."""
        return Totals(*(int(self.sums[place][0]) for place in self.labels[MENTIONS]))

    def add_aligned(self, label: str, values: Numbers) -> None:
        """Add values of aligned cells to all sums of a label."""
        limbs: list[Numbers] = []

        def kept(sums: Numbers) -> Numbers:
            limbs.append(sums.astype(object))
            return sums

        sum_runs(values, np.array([0, len(values)]), kept)
        for place in self.labels.get(label, ()):
            self.sums[place] = self.sums[place] + limbs[0]


class LedgerPart(Multiples):
    """How sums over a document are made of those of a part: they are added to what a ledger has.

    Parameters
    ----------
    ledger : Ledger
    totals : Totals
        Of the whole document.
    times : int64, shape (parts,)
        How often the document has each part of this part.
    whole : str
        What the part has as a whole.
    """

    def __init__(self, ledger: Ledger, totals: Totals, times: Ints, whole: Whole = "component") -> None:
        super().__init__(times)
        self.ledger, self.whole, self.mentions = ledger, whole, totals
        self.totals = tuple(np.array([n]) for n in totals)  # type: ignore[assignment]  # of three
        self.pieces = whole != "component"

    @property
    def T(self) -> LedgerPart:
        """The same for the table with key and response exchanged."""
        key, response, common = self.mentions
        exchanged: dict[Whole, Whole] = {"key": "response", "response": "key", "component": "component"}
        return LedgerPart(self.ledger, Totals(response, key, common), self.times, exchanged[self.whole])

    @property
    def extended(self) -> LedgerPart:
        """The same for the table over one set of mentions."""
        key, response, common = self.mentions
        mentions = key + response - common
        return LedgerPart(self.ledger, Totals(mentions, mentions, mentions), self.times, self.whole)

    def labelled(self, label: str) -> Callable[[Numbers], Numbers]:
        """The same for a sum that goes by a name."""
        return partial(self._added, label=label)

    def __call__(self, sums: Numbers) -> Numbers:
        """The sum of the parts so far; Python integers."""
        return self._added(sums, "")

    def sizes(self, size: Ints, part: Ints) -> Sizes:
        """The sizes of key entities of the parts so far, and how many entities have each."""
        sizes: Counter[int] = Counter()
        if self.whole != "response":
            of, place = np.unique(size, return_inverse=True)
            number = np.zeros(len(of), dtype=np.int64)
            np.add.at(number, place, self.times[part])
            sizes.update(dict(zip(of.tolist(), number.tolist(), strict=True)))
        found = self.ledger.add_sizes(sizes)
        size, number = np.array([*found], dtype=np.int64), np.array([*found.values()], dtype=np.int64)
        return Sizes(size, number, np.zeros_like(size))

    def _added(self, sums: Numbers, label: str) -> Numbers:
        counted = super().__call__(sums)
        return self.ledger.add(counted * 0 if self.whole == "response" else counted, label)


def add_part(ledger: Ledger, table: Table, metrics: Mapping[str, Metric]) -> dict[str, Counts]:
    """Count a table whose fold is a `LedgerPart` of this ledger; the counts are those of the document after the last part."""
    ledger.begin()
    for t in (table, table.T):
        t.sum_keys(t.key_size, MENTIONS)
    table.sum_cells(table.shared, MENTIONS)
    return {name: metric.count(table) for name, metric in metrics.items()}
