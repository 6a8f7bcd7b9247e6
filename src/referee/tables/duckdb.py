"""The engine that brings rows together in DuckDB, which spills to disk what does not fit into memory."""

from __future__ import annotations

import os
import shutil
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TypeVar

import numpy as np

from referee.basics import progress
from referee.basics.exceptions import EngineError, one_line, shortened
from referee.basics.extras import arrow, duckdb, need
from referee.basics.options.engines import EngineSettings
from referee.basics.spill import new_folder, remove_folder
from referee.inputs.sources import BATCH
from referee.tables.blocks import counted_in_blocks
from referee.tables.cells import rest_of
from referee.tables.engine import BlockCounts, Cells, CountingRules, Kernel, RowStatistics, Side, SideTotals
from referee.tables.rows import Rows, seen_of
from referee.tabular.arrow import INTEGER, numbers

SHARE = 0.6
"""Of the memory for everything, that of DuckDB; the kernel has the rest."""

DENSE = 8
"""Repeated items are looked for in a bitmap if ids are smaller than so many times their number."""

EXPECTED = 45
"""Bytes that are spilled for each row, at most."""

CELLS = """
    CREATE TABLE cells AS SELECT ke, re, count(*) AS n, min(item) AS f FROM (
        SELECT k.entity AS ke, r.entity AS re, coalesce(k.item, r.item) AS item
        FROM {key} k FULL OUTER JOIN {response} r ON k.item = r.item
    ) GROUP BY ke, re
"""
ENTITIES = """
    CREATE TABLE {side}s AS
    SELECT {side}, sum(n)::BIGINT AS size, count({other}) AS cells, min(f) AS f, any_value({other}) AS {other},
        coalesce(sum(n) FILTER (WHERE {other} IS NOT NULL), 0)::BIGINT AS n
    FROM cells WHERE {side} IS NOT NULL GROUP BY {side}
"""
TYPES = """
    SELECT a, b, n, count(*) AS times FROM (
        SELECT k.size AS a, r.size AS b, k.n FROM kes k JOIN res r ON k.re = r.re WHERE k.cells = 1 AND r.cells = 1
        UNION ALL SELECT size, 0, 0 FROM kes WHERE cells = 0
        UNION ALL SELECT 0, size, 0 FROM res WHERE cells = 0
    ) GROUP BY a, b, n ORDER BY a, b, n
"""
REST = """
    CREATE TABLE rest AS SELECT ke, re, n FROM cells WHERE ke IS NOT NULL AND re IS NOT NULL
    AND (ke IN (SELECT ke FROM kes WHERE cells > 1) OR re IN (SELECT re FROM res WHERE cells > 1))
"""
SIZED = """
    SELECT k.f AS kf, r.f AS rf, c.n, k.size AS a, r.size AS b FROM rest c JOIN kes k ON c.ke = k.ke JOIN res r ON c.re = r.re
"""
UNSORTED = "CREATE TABLE {table} AS SELECT item, entity FROM {rows}"
SORTED = "CREATE TABLE {table} AS SELECT document, item, entity FROM {rows} ORDER BY document"
QUOTE = "'"

DISTINCT = "SELECT coalesce(sum(n), 0)::BIGINT, count(*) FROM (SELECT count(*) AS n FROM {rows} GROUP BY item)"
ROWS = "CREATE TABLE {side}_rows AS SELECT item, entity FROM {rows}"
ITEMS = "CREATE TABLE {side}_items AS SELECT item, any_value(entity) AS entity FROM {side}_rows GROUP BY item"
CONFLICTS = """
    SELECT item, min(entity), max(entity) FROM {side}_rows
    GROUP BY item HAVING min(entity) <> max(entity) ORDER BY item LIMIT 5
"""
COMMON = "CREATE TABLE common AS SELECT r.item, r.entity FROM {response} r SEMI JOIN {key} k ON r.item = k.item"

Result = TypeVar("Result")


def engine(key: Side, response: Side, settings: EngineSettings, rules: CountingRules) -> DuckEngine:
    """Return the engine for two sides."""
    return DuckEngine(Rows(*key, rules.nulls), Rows(*response, rules.nulls), settings, rules)


class DuckEngine:
    """Brings together the rows of two sides in a database in the spill folder.

    Raises
    ------
    MissingExtraError
        If DuckDB is not installed.
    EngineError
        If DuckDB fails: memory or disk are too small.
    """

    def __init__(self, key: Rows, response: Rows, settings: EngineSettings, rules: CountingRules) -> None:
        need("the engine duckdb", "duckdb")
        self.sides, self.settings, self.rules = {"key": key, "response": response}, settings, rules
        self.spilled = 0
        self.folder = new_folder(self.settings.folder)
        self.open: list[duckdb.DuckDBPyConnection] = []
        self.tables: dict[str, str] = {}
        self.attached: set[str] = set()
        limits = {"memory_limit": f"{int(SHARE * settings.bytes)}B", "temp_directory": self.folder}
        if settings.threads:
            limits["threads"] = str(settings.threads)
        try:
            path = os.path.join(self.folder, "rows.duckdb")
            self.open.append(self._waited("", lambda: duckdb.connect(path, config=limits)))
            (self.threads,) = self.row("SELECT current_setting('threads')")
        except BaseException:
            self.close()
            raise

    def cells(self) -> Cells:
        """Return how the entities overlap, over all rows."""
        self._check_room(*self.sides.values())
        self.execute("", "SET preserve_insertion_order = false")
        self.execute("", "SET enable_progress_bar_print = false")
        seen = RowStatistics(self._prepared("key"), self._prepared("response")).plus(seen_of(*self.sides.values()))
        if self.rules.extra_items == "drop":
            seen = self._without_extra_items(seen)
        self.execute("cells", CELLS.format(key=self._relation("key"), response=self._relation("response")))
        for side, other in (("ke", "re"), ("re", "ke")):
            self.execute("entities", ENTITIES.format(side=side, other=other))
        types = self.table("types", TYPES)
        self.execute("rest", REST)
        (matched,) = self.row("SELECT coalesce(sum(n), 0)::BIGINT FROM cells WHERE ke IS NOT NULL AND re IS NOT NULL")
        columns = [numbers(types.column(name)) for name in ("a", "b", "n", "times")]
        rest = self.table("rest", SIZED)
        self.close()  # the memory is needed for counting
        return Cells(np.stack(columns), rest_of(rest), seen._replace(matched=matched))

    def documents(self, kernel: Kernel) -> Iterator[BlockCounts]:
        """Count the documents, in their order; sides that are not ordered are sorted on disk."""
        key, response = (self._ordered(side) for side in self.sides)
        names = self.sides["key"].source.name, self.sides["response"].source.name
        yield from counted_in_blocks(key, response, kernel, names, self.settings.bytes)
        yield BlockCounts([], {}, seen_of(*self.sides.values()), ([], []))

    def facts(self) -> Mapping[str, object]:
        """Return version, threads, and the most bytes that were on disk at one time."""
        return {"engine": "duckdb", "version": duckdb.__version__, "threads": self.threads, "spilled_bytes": self.spilled}

    def close(self) -> None:
        """Close the database and remove its folder."""
        try:
            while self.open:
                with suppress(duckdb.Error):
                    self.open.pop().close()
        finally:
            remove_folder(self.folder)

    def _prepared(self, side: str) -> SideTotals:
        """Look for repeated items; if there are any, each is once in a table of the side."""
        complete, distinct = self.sides[side].once("distinct", lambda: self._distinct(side))
        if distinct == complete:
            return SideTotals(complete)
        self.execute("repeated items", ROWS.format(side=side, rows=self._relation(side)))
        self.tables[side] = f"{side}_items"
        self.execute("repeated items", ITEMS.format(side=side))
        rows = self.table("repeated items", CONFLICTS.format(side=side)).to_pylist()
        examples = tuple("{} in {} and {}".format(*row.values()) for row in rows)
        return SideTotals(complete, repeated=complete - distinct, conflicts=examples)

    def _distinct(self, side: str) -> tuple[int, int]:
        """The number of complete rows, and of different items."""
        rows = self.sides[side]
        if rows.columns.item_kind == INTEGER and (numbers_of_rows := self._distinct_integers(rows)):
            return numbers_of_rows
        complete, distinct = self.row(DISTINCT.format(rows=self._relation(side)))
        return complete, distinct

    def _distinct_integers(self, rows: Rows) -> tuple[int, int] | None:
        """The same by a bitmap; None if the ids are too large for one."""
        largest = min(DENSE * (rows.source.rows or 0), int((1 - SHARE) * self.settings.bytes / 2))
        present, complete = np.zeros(0, dtype=bool), 0
        for batch in rows.batches():
            if not batch.num_rows:
                continue
            items = numbers(batch.column("item"))
            high = int(items.max())
            if items.min() < 0 or high >= largest:
                return None
            if high >= len(present):
                present = np.concatenate([present, np.zeros(high + 1 - len(present) + len(present) // 4, dtype=bool)])
            present[items] = True
            complete += len(items)
        return complete, int(np.count_nonzero(present))

    def _without_extra_items(self, seen: RowStatistics) -> RowStatistics:
        """Leave out what only the response has."""
        self.execute("common items", COMMON.format(key=self._relation("key"), response=self._relation("response")))
        self.tables["response"] = "common"
        (kept,) = self.row("SELECT count(*) FROM common")
        r = seen.response
        return seen._replace(response=r._replace(left_out=r.rows - r.missing - r.repeated - kept))

    def _ordered(self, side: str) -> Iterator[arrow.RecordBatch]:
        rows = self.sides[side]
        yield rows.none
        if rows.is_ordered:
            yield from rows.batches()
            return
        self._check_room(rows)
        if rows.source.shared:
            table = self._made_once(side, SORTED, "sorting documents")
            for batch in self.stream("sorting documents", f"SELECT document, item, entity FROM {table}"):  # noqa: S608
                yield batch.cast(rows.schema)
            return
        cursor = self._connection.cursor()
        self.open.append(cursor)
        self._waited("", lambda: cursor.register("rows", rows.reader()))
        query = "SELECT document, item, entity FROM rows ORDER BY document"
        reader = self._waited("sorting documents", lambda: cursor.sql(query).to_arrow_reader(BATCH))
        while (batch := self._waited("sorting documents", lambda: next(reader, None))) is not None:
            yield batch.cast(rows.schema)

    @property
    def _connection(self) -> duckdb.DuckDBPyConnection:
        return self.open[0]

    def _relation(self, side: str) -> str:
        """The name of a relation with the rows of a side: a table, or a stream that can be read once."""
        if side in self.tables:
            return self.tables[side]
        if self.sides[side].source.shared:
            return self._made_once(side, UNSORTED, "rows")
        return self._stream(side)

    def _made_once(self, side: str, query: str, step: str) -> str:
        """The name of a table of rows that other engines find, too: it is in a file that is there as long as the source."""
        rows, name = self.sides[side], f"{side}_shared"

        def make() -> str:
            folder = new_folder(self.settings.folder)
            weakref.finalize(rows.source, remove_folder, folder)
            path = os.path.join(folder, "rows.duckdb")
            self.execute("", f"ATTACH '{path.replace(QUOTE, 2 * QUOTE)}' AS {name}")
            self.execute(step, query.format(table=f"{name}.rows", rows=self._stream(side)))
            self.execute("", f"DETACH {name}")
            return path

        path = rows.once(query, make)
        if name not in self.attached:
            self.attached.add(name)
            self.execute("", f"ATTACH '{path.replace(QUOTE, 2 * QUOTE)}' AS {name} (READ_ONLY)")
        return f"{name}.rows"

    def _stream(self, side: str) -> str:
        self._waited("", lambda: self._connection.register(f"{side}_stream", self.sides[side].reader()))
        return f"{side}_stream"

    def execute(self, step: str, query: str) -> None:
        """Execute a statement, and say meanwhile what it does."""
        self._waited(step, lambda: self._connection.execute(query).fetchall())

    def row(self, query: str) -> tuple[int, ...]:
        """Return the only row of a query."""
        row: tuple[int, ...] = self._waited("", lambda: self._connection.execute(query).fetchall()[0])
        return row

    def table(self, step: str, query: str) -> arrow.Table:
        """Return what a query gives, as a table of Arrow."""
        return self._waited(step, lambda: self._connection.sql(query).to_arrow_table())

    def stream(self, step: str, query: str) -> Iterator[arrow.RecordBatch]:
        """Return what a query gives, batch by batch; other queries may be asked meanwhile."""
        cursor = self._connection.cursor()
        self.open.append(cursor)
        reader = self._waited(step, lambda: cursor.sql(query).to_arrow_reader(BATCH))
        while (batch := self._waited(step, lambda: next(reader, None))) is not None:
            yield batch
        self.open.remove(cursor)
        cursor.close()

    def _waited(self, step: str, call: Callable[[], Result]) -> Result:
        """Call DuckDB in a thread, so that it can be interrupted, and that the disk can be watched meanwhile."""
        results: list[Result] = []
        failures: list[BaseException] = []

        def run() -> None:
            try:
                results.append(call())
            except BaseException as error:  # noqa: BLE001  # raised again below, in the thread that asked
                failures.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            thread.join(0.02)
            while thread.is_alive():
                self._watch(step)
                thread.join(0.2)
        except BaseException:
            while thread.is_alive():  # a second interrupt must not leave DuckDB at work when the program ends
                with suppress(KeyboardInterrupt):
                    for connection in self.open:
                        connection.interrupt()
                    thread.join(0.2)
            raise
        if failures:
            raise self._explained(step, failures[0]) from None
        return results[0]

    def _watch(self, step: str) -> None:
        """Raise EngineError if the disk is nearly full."""
        with suppress(FileNotFoundError):  # a file that DuckDB has just removed
            self.spilled = max(self.spilled, sum(entry.stat().st_size for entry in os.scandir(self.folder)))
        disk = shutil.disk_usage(self.folder)
        if disk.free < min(disk.total // 20, 1 << 30):
            raise EngineError(self._full())
        with suppress(duckdb.Error):
            share = self._connection.query_progress() if self.open else -1
            progress.step(f"{step}, {self.spilled / 1e9:.1f} GB spilled", max(share, 0), 100)

    def _check_room(self, *sides: Rows) -> None:
        """Raise EngineError if the disk is too small for what may be spilled of some sides."""
        needed = EXPECTED * sum(side.source.rows or 0 for side in sides)
        free = shutil.disk_usage(self.folder).free
        if needed > SHARE * self.settings.bytes and free < needed:
            problem = f"the spill folder {self.settings.folder} has {free / 1e9:.1f} GB free"
            raise EngineError(f"{problem}; expected up to {needed / 1e9:.1f} GB ({EXPECTED} bytes a row): use --spill")

    def _full(self) -> str:
        rows = sum(side.source.rows or 0 for side in self.sides.values())
        expected = f"; expected up to {EXPECTED * rows / 1e9:.1f} GB" if rows else ""
        return f"the spill folder {self.settings.folder} is full after {self.spilled / 1e9:.1f} GB{expected}: use --spill"

    def _explained(self, step: str, error: BaseException) -> BaseException:
        """The error that users see."""
        for side in self.sides.values():
            if side.failure is not None:
                return side.failure
        if not isinstance(error, duckdb.Error):
            return error
        text = shortened(one_line(str(error).partition("\n")[0]), 150)
        if "No space left" in str(error) or "disk" in str(error).lower():
            return EngineError(self._full())
        if isinstance(error, duckdb.OutOfMemoryException):
            remedy = "raise --memory, or give --threads 1: fewer threads need less"
            return EngineError(f"DuckDB has too little memory for the step {step or 'start'}: {remedy} ({text})")
        return EngineError(f"DuckDB {duckdb.__version__} failed at the step {step or 'start'}: {text}")
