"""The cells that do not stand alone, in DuckDB: all of them, or in parts that fit into memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.extras import arrow
from referee.metrics.parts import Ledger, Whole
from referee.tables.engine import Sums
from referee.tables.rest import Components, check_entity, whole_runs
from referee.tabular.arrow import numbers

SIZED = """
    SELECT k.f AS kf, r.f AS rf, c.n, k.size AS a, r.size AS b FROM rest c JOIN kes k ON c.ke = k.ke JOIN res r ON c.re = r.re
"""
NODES = """
    CREATE TABLE {side}_nodes AS SELECT {side}, f, size, cells, row_number() OVER () - 1 AS node FROM {side}s
    WHERE {side} IN (SELECT {side} FROM rest)
"""
NUMBERED = """
    CREATE TABLE numbered AS SELECT k.node AS k, r.node AS r, k.f AS kf, r.f AS rf, c.n, k.size AS a, r.size AS b
    FROM rest c JOIN ke_nodes k ON c.ke = k.ke JOIN re_nodes r ON c.re = r.re
"""
BINNED = "CREATE TABLE binned AS SELECT bin, kf, rf, n, a, b FROM numbered JOIN bins USING (k)"
COMPONENTS = "SELECT bin, kf, rf, n, a, b FROM binned WHERE bin >= 0 ORDER BY bin"
COMPONENT = "SELECT kf, rf, n, a, b FROM binned WHERE bin = {bin}"
PIECES = """
    SELECT kf, rf, n, a, b,
        CASE row_number() OVER (PARTITION BY kf ORDER BY rf) WHEN 1 THEN a - sum(n) OVER (PARTITION BY kf) ELSE 0 END::BIGINT
            AS missed,
        CASE row_number() OVER (PARTITION BY rf ORDER BY kf) WHEN 1 THEN b - sum(n) OVER (PARTITION BY rf) ELSE 0 END::BIGINT
            AS spurious
    FROM binned WHERE bin = {bin} ORDER BY {by}
"""


class Database(Protocol):
    """What is asked of the engine; see `DuckEngine`."""

    def execute(self, step: str, query: str) -> None:
        """Execute a statement."""
        ...

    def row(self, query: str) -> tuple[int, ...]:
        """Return the only row of a query."""
        ...

    def table(self, step: str, query: str) -> arrow.Table:
        """Return what a query gives."""
        ...

    def stream(self, step: str, query: str) -> Iterator[arrow.RecordBatch]:
        """Return what a query gives, batch by batch."""
        ...

    def register(self, name: str, table: arrow.Table) -> None:
        """Give a table of Arrow a name in queries."""
        ...


class RestInDuckDB:
    """The rest of a database with the tables `rest`, `kes` and `res`.

    Parameters
    ----------
    database : Database
    cells : int
        How many cells there are.
    """

    def __init__(self, database: Database, cells: int) -> None:
        self.database, self._cells = database, cells
        self._large: dict[int, int] | None = None

    @property
    def cells(self) -> int:
        """How many there are."""
        return self._cells

    @property
    def most(self) -> int:
        """Any number."""
        return sys.maxsize

    def table(self) -> arrow.Table:
        """Return all of them."""
        return self.database.table("rest", SIZED)

    def parts(self, limit: int, kernel: Sums) -> Iterator[Ledger]:
        """Count parts of at most so many cells."""
        large = self._large = self._binned(limit) if self._large is None else self._large
        for part in whole_runs(self.database.stream("components", COMPONENTS), "bin", limit):
            yield kernel(part, "component")
        sides: tuple[tuple[Whole, str], ...] = (("key", "kf"), ("response", "rf"))
        for number in large:
            for side, by in sides:
                rows = self.database.stream("large component", PIECES.format(bin=number, by=by))
                for part in whole_runs(rows, by, limit):
                    check_entity(part.num_rows, limit)
                    yield kernel(part, side)

    def large(self) -> Iterator[tuple[int, Callable[[], arrow.Table]]]:
        """Return the components that have been counted twice."""
        for number, cells in (self._large or {}).items():
            query = COMPONENT.format(bin=number)
            yield cells, lambda: self.database.table("large component", query)  # noqa: B023  # called at once

    def _binned(self, limit: int) -> dict[int, int]:
        """Make the table of cells with their bins; return the components that are too large."""
        bins, large = self._bins(limit)
        self.database.register("bins", arrow.table({"k": np.arange(len(bins)), "bin": bins}))
        self.database.execute("components", BINNED)
        self.database.execute("", "DROP TABLE numbered")
        return large

    def _bins(self, limit: int) -> tuple[Ints, dict[int, int]]:
        """The bin of each key entity, and the components that are too large."""
        for side in ("ke", "re"):
            self.database.execute("components", NODES.format(side=side))
        self.database.execute("components", NUMBERED)
        keys, responses = self.database.row("SELECT (SELECT count(*) FROM ke_nodes), (SELECT count(*) FROM re_nodes)")
        components, rows = Components(keys, responses), 0
        held: list[arrow.RecordBatch] = []
        for batch in self.database.stream("components", "SELECT k, r FROM numbered"):
            held.append(batch)
            rows += batch.num_rows
            if rows >= (keys + responses) // 2:  # adding cells takes time for each entity
                _join(components, held)
                held, rows = [], 0
        _join(components, held)
        cells = np.zeros(keys, dtype=np.int64)
        for batch in self.database.stream("components", "SELECT node, cells FROM ke_nodes"):
            cells[numbers(batch.column(0))] = numbers(batch.column(1))
        return components.bins(cells, limit)


def _join(components: Components, batches: list[arrow.RecordBatch]) -> None:
    key, response = (np.concatenate([numbers(b.column(n)) for b in batches] or [np.empty(0, np.int64)]) for n in (0, 1))
    components.add(key, response)
