"""One clustering whose cells do not fit into memory, counted in parts with whole components: `Parts`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import EngineError, OptionError
from referee.basics.extras import arrow
from referee.metrics.metric import Metric
from referee.metrics.parts import Ledger, LedgerPart, Totals, Whole, add_part
from referee.metrics.registry import METRICS
from referee.metrics.table import Table
from referee.stats.counts import Counts
from referee.tables.blocks import without_singletons
from referee.tables.cells import NO_REST, RestColumns, beside, component, rest_columns
from referee.tables.engine import Cells, CountingRules
from referee.tables.large import add_large

SHARE = 0.4
"""Of the memory for everything, what cells may take while they are counted."""

BYTES = 260
"""Memory for each cell that is counted by all metrics."""

BYTES_ALIGNED, BYTES_BOUNDED = 130, 80
"""Memory for each cell of a component that is aligned at its best, or within bounds."""

NO_TYPES = np.empty((4, 0), dtype=np.int64)


@dataclass(frozen=True)
class PartKernel:
    """Counts a part of a clustering.

    Parameters
    ----------
    metrics : mapping
        Name -> metric of the package.
    totals : Totals
        Of the whole clustering.
    singletons : bool
        Whether entities of one mention are scored.
    """

    metrics: Mapping[str, Metric]
    totals: Totals
    singletons: bool = True

    def __call__(self, part: arrow.Table, whole: Whole) -> Ledger:
        """Return the sums of some cells of the rest."""
        return self._ledger(rest_columns(part), NO_TYPES, whole)

    def types(self, types: Ints) -> Ledger:
        """Return the sums of pairs of entities that overlap with no others, and of entities without a partner."""
        return self._ledger(NO_REST, types, "component")

    def counts(self, ledger: Ledger) -> dict[str, Counts]:
        """Return the counts of the clustering from the sums of all parts."""
        return add_part(ledger, self._table(NO_REST, NO_TYPES, ledger, "component"), self.metrics)

    def _ledger(self, rest: RestColumns, types: Ints, whole: Whole) -> Ledger:
        ledger = Ledger()
        table = self._table(rest, types, ledger, whole)
        add_part(ledger, table if self.singletons else without_singletons(table), self.metrics)
        return ledger

    def _table(self, rest: RestColumns, types: Ints, ledger: Ledger, whole: Whole) -> Table:
        return beside(rest, types, LedgerPart(ledger, self.totals, np.concatenate([[1], types[3]]), whole), whole)


@dataclass
class Parts:
    """The parts of one clustering.

    Parameters
    ----------
    cells : Cells
    metrics : mapping
        Name -> metric.
    rules : Rules
    memory : int
        Bytes for everything together.

    Attributes
    ----------
    facts : dict
        What the JSON report says of the run.
    """

    cells: Cells
    metrics: Mapping[str, Metric]
    rules: CountingRules
    memory: int
    facts: dict[str, object] = field(default_factory=dict)

    @property
    def needed(self) -> bool:
        """Whether all cells together do not fit."""
        return self.cells.rest.cells > self.limit

    @property
    def limit(self) -> int:
        """The cells of a part."""
        return min(max(int(SHARE * self.memory) // BYTES, 1), self.cells.rest.most)

    def counts(self, totals: Totals) -> tuple[dict[str, Counts], Totals]:
        """Return the counts of the clustering, and the mentions that the parts had.

        Parameters
        ----------
        totals : Totals
            The mentions that are expected.

        Raises
        ------
        OptionError
            If a metric is a function of the caller, which may be no formula of sums.
        EngineError
            If a component does not fit.
        """
        for name, metric in self.metrics.items():
            if METRICS.get(metric.id) is not metric:
                needed = f"{self.cells.rest.cells} cells of {BYTES} bytes"
                raise OptionError(f"{name} is a function of your own, which gets all {needed} at once: raise --memory")
        if self.rules.singletons:
            kernel = PartKernel(self.metrics, totals)
            ledger = self._sums(kernel)
            found = ledger.mentions
        else:
            found = self._sums(PartKernel({}, totals)).mentions
            scored = self._sums(PartKernel({}, totals, singletons=False)).mentions
            kernel = PartKernel(self.metrics, scored, singletons=False)
            ledger = self._sums(kernel)
        self._add_large(ledger)
        return kernel.counts(ledger), found

    def _sums(self, kernel: PartKernel) -> Ledger:
        """The sums of all parts, but for what is aligned in components that are too large."""
        ledger = kernel.types(self.cells.types)
        parts = 0
        for part in self.cells.rest.parts(self.limit, kernel):
            ledger.merge(part)
            parts += 1
        self.facts = {"rest_cells": self.cells.rest.cells, "rest_parts": parts}
        return ledger

    def _add_large(self, ledger: Ledger) -> None:
        """Add what is aligned in components that are too large for a part."""
        bounded, share = [], int(SHARE * self.memory)
        for size, table in self.cells.rest.large():
            if not self.rules.singletons or size * BYTES_BOUNDED > share:
                problem = f"{size} cells overlap one with another, directly or through others"
                needed = size * (BYTES_BOUNDED if self.rules.singletons else BYTES) / SHARE / 1e9
                remedy = f"raise --memory to {needed:.2g}GB or more"
                raise EngineError(f"{problem}, more than fit into memory; nothing is reported: {remedy}")
            exact = size * BYTES_ALIGNED <= share
            add_large(ledger, component(rest_columns(table())), exact=exact)
            if not exact:
                bounded.append(size)
        if bounded:
            self.facts["components_with_bounds"] = bounded
