"""Two label tables counted: the columns are found, an engine and a route are chosen, and everything odd is reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from referee.basics.exceptions import EngineError, FormatError, MismatchError, MissingExtraError, counted, shortened, warn
from referee.basics.options.engines import ENGINES, EngineSettings
from referee.inputs.labels import LabelTable
from referee.inputs.sources import SparkFrame
from referee.matching.documents import IGNORING
from referee.matching.key_samples import warn_of_left_out
from referee.metrics.common_records import (
    RecordsOfSide,
    nothing_in_common,
    warn_of_lone_records,
    warn_of_one_sided,
)
from referee.metrics.folded import FoldedTable
from referee.metrics.metric import Metric
from referee.metrics.table import Table
from referee.tables.blocks import BlockKernel, without_singletons
from referee.tables.cells import count_cells, table_of
from referee.tables.columns import columns_of
from referee.tables.engine import EXAMPLES, BlockCounts, CountingRules, Engine, RowStatistics, Side, SideTotals
from referee.tables.rows import Rows, check_gaps
from referee.tabular.missing import ZERO, may_have_none, noise_of, warn_of_noise, warn_of_zero

ROWS = 2_000_000
"""Rows of both tables, up to which they are brought together in memory."""

BYTES = 250
"""Memory for each row that is brought together in memory."""


class Totals(NamedTuple):
    """The mentions of a clustering: those of the key, of the response, and those in both."""

    key: int
    response: int
    common: int


class Absent(NamedTuple):
    """Documents that one side lacks: how many, and the first of them."""

    number: int = 0
    first: tuple[int | str, ...] = ()

    def plus(self, documents: Sequence[int | str]) -> Absent:
        """These, and others."""
        return Absent(self.number + len(documents), (*self.first, *documents[:EXAMPLES])[:EXAMPLES])

    def __str__(self) -> str:
        return _listed(self.first)


class TwoTables(NamedTuple):
    """Two label tables that can be compared.

    Parameters
    ----------
    key, response : Side
    settings : EngineSettings
    rules : Rules
    """

    key: Side
    response: Side
    settings: EngineSettings
    rules: CountingRules

    @property
    def has_documents(self) -> bool:
        """Whether the rows are grouped by documents."""
        return "document" in self.key.columns.names

    @property
    def names(self) -> tuple[str, str]:
        """What messages call the two."""
        return self.key.source.name, self.response.source.name

    @property
    def rows(self) -> int | None:
        """The rows of both, if they are known."""
        numbers = self.key.source.rows, self.response.source.rows
        return None if None in numbers else sum(rows or 0 for rows in numbers)


def tables_of(key: LabelTable, response: LabelTable, settings: EngineSettings, rules: CountingRules) -> TwoTables:
    """Put two tables side by side.

    Raises
    ------
    MismatchError
        If one has documents or sources, or ids that are bytes, and the other has not.
    """
    k, r = columns_of(key, response)
    return TwoTables(Side(key.source, k), Side(response.source, r), settings, rules)


class RepeatedItemsError(FormatError):
    """Items of a table are in two entities."""


def count(tables: TwoTables, metrics: Mapping[str, Metric], run: dict[str, object]) -> Iterator[BlockCounts]:
    """Count two tables, some documents at a time; a single document called "" if they have none.

    Parameters
    ----------
    tables : Tables
    metrics : mapping
        Name -> metric.
    run : dict
        Gets what the JSON report says of the run.

    Raises
    ------
    FormatError
        If rows are incomplete, or an item is in two entities.
    MismatchError
        If the two have nothing in common.
    EngineError
        If the engine fails, or loses rows.

    Warns
    -----
    RefereeWarning
        If rows are repeated, left out, or of documents that one side lacks.
    """
    seen, documents = RowStatistics(), 0
    only = Absent(), Absent()
    loose = dict[str, None]()
    with closing(_engine(tables)) as engine:
        blocks = (
            engine.documents(BlockKernel(metrics, tables.rules))
            if tables.has_documents
            else [_clustering(engine, tables, metrics, run)]
        )
        for block in blocks:
            seen = seen.plus(block.seen)
            only = only[0].plus(block.only[0]), only[1].plus(block.only[1])
            documents += len(block.documents)
            loose |= {name: None for name, counts in block.counts.items() if any(c.endswith("slack") for c in counts.columns)}
            check(tables, seen)
            yield block
        _check_rows(tables, seen)
        if not documents and tables.has_documents:
            none = np.zeros(0, dtype=np.int64)
            table = Table.of(none, none, none, none, none, none, 0)
            yield BlockCounts([], {name: metric.count(table) for name, metric in metrics.items()}, RowStatistics(), ([], []))
        run |= engine.facts()
        for side in (tables.key, tables.response):
            side.source.check_unchanged()
        _check_common(tables, seen, only, documents)
        _warn(tables, seen, only)
        if tables.has_documents:
            warn_of_lone_records(tables.names[0], documents - only[1].number, seen.key.rows - seen.key.missing)
        if loose:
            problem = f"entities that overlap are too many to align at their best: {', '.join(loose)} are lower bounds"
            warn(f"{problem}, certified with their upper bounds (--memory {tables.settings.memory or 'more'})")


def _clustering(engine: Engine, tables: TwoTables, metrics: Mapping[str, Metric], run: dict[str, object]) -> BlockCounts:
    """Count all rows as one document."""
    cells = engine.cells()
    seen = cells.seen
    check(tables, seen)
    table, times = table_of(cells), cells.types[3]
    del cells  # its columns are in the table
    _check_totals(tables, Totals(*(int(n[0]) for n in (table.key_mentions, table.T.key_mentions, table.common))), seen)
    scored = table if tables.rules.singletons else without_singletons(table)
    _warn_of_zeros(tables, table)
    counts, facts = count_cells(scored, times, metrics, tables.settings.bytes)
    run |= facts
    return BlockCounts([""], counts, seen, ([], []))


def _warn_of_zeros(tables: TwoTables, table: FoldedTable) -> None:
    """Warn of a side whose largest entity is called 0, and may be none."""
    for side, t in ((tables.key, table), (tables.response, table.T)):
        sizes = table.fold.sizes(t.key_size, t.key_document)
        if may_have_none(sizes.size, sizes.times) and not isinstance(side.source, SparkFrame):
            batches = Rows(*side, "keep" if tables.rules.nulls == "keep" else "drop").batches()
            zeros = sum(noise_of(rows.column("entity"), ZERO) for rows in batches)
            if zeros >= sizes.size.max():
                warn_of_zero(side.source.name, zeros)


def _totals(tables: TwoTables, seen: RowStatistics) -> Totals:
    """The mentions that are expected in the cells."""
    key, response = (t.rows - t.missing - t.repeated - t.left_out for _, t in _tallies(tables, seen))
    return Totals(key, response, seen.matched)


def _check_totals(tables: TwoTables, totals: Totals, seen: RowStatistics) -> None:
    """Raise EngineError if the cells do not have as many mentions as there are rows: a join has lost some, or doubled them."""
    expected = _totals(tables, seen)
    for name, mentions, rows in zip(tables.names, totals, expected, strict=False):
        if mentions != rows:
            raise EngineError(
                f"the engine made {mentions} mentions of {rows} rows of {name}; nothing is reported: try again with more "
                "--memory, or with another --engine"
            )
    if totals.common != expected.common:
        raise EngineError(
            f"the engine lost {expected.common - totals.common} of {expected.common} items in common; try another"
        )


def _check_rows(tables: TwoTables, seen: RowStatistics) -> None:
    """Raise EngineError if not all rows were counted."""
    for side, (name, tally) in zip((tables.key, tables.response), _tallies(tables, seen), strict=True):
        if side.source.rows not in (None, tally.rows):
            problem = f"counted {tally.rows} of {side.source.rows} rows of {name}"
            raise EngineError(f"the engine {problem}; nothing is reported: score again, or with another --engine")


def _engine(tables: TwoTables) -> Engine:
    name = tables.settings.engine or _default_engine(tables)
    engine: Engine = ENGINES.load(name)(tables.key, tables.response, tables.settings, tables.rules)
    return engine


def _default_engine(tables: TwoTables) -> str:
    """The engine for so many rows."""
    if any(isinstance(side.source, SparkFrame) for side in (tables.key, tables.response)):
        return "spark"
    rows = tables.rows
    if (
        rows is None
        or rows <= ROWS
        or (tables.has_documents and all(_is_ordered(side) for side in (tables.key, tables.response)))
    ):
        return "memory"
    if find_spec("duckdb"):
        return "duckdb"
    if rows * BYTES > tables.settings.bytes:
        raise MissingExtraError(f"{rows} rows do not fit into memory; the engine duckdb", "tables")
    return "memory"


def _is_ordered(side: Side) -> bool:
    """Whether the rows of a side can be streamed document by document."""
    return Rows(*side, "drop").is_ordered


def check(tables: TwoTables, seen: RowStatistics) -> None:
    """Raise FormatError for rows that cannot be counted; RepeatedItemsError for items in two entities."""
    for name, tally in _tallies(tables, seen):
        check_gaps(name, tally, tables.rules.nulls)
        if tally.conflicts:
            items = "; ".join(tally.conflicts)
            remedy = "remove rows, or say --repeated-mentions first"
            raise RepeatedItemsError(name, None, f"has items in two entities ({items}); expected one entity an item: {remedy}")


def _check_common(tables: TwoTables, seen: RowStatistics, only: tuple[Absent, Absent], documents: int) -> None:
    """Raise MismatchError if two large tables have nothing in common; warn if small ones have not."""
    (key, k), (response, r) = _tallies(tables, seen)
    if seen.matched or not k.rows - k.missing or not r.rows - r.missing:
        for name, tally in ((key, k), (response, r)):
            if not tally.rows - tally.missing:
                warn(f"{name} has no records")
        return
    of_response_alone = 0 if tables.rules.extra_documents == "ignore" else only[1].number
    if tables.has_documents and only[0].number + of_response_alone == documents:
        raise MismatchError(f"{response} has no document of {key}: found {only[1]}; expected {only[0]}")
    nothing_in_common(key, response, k.items, r.items, min(k.rows, r.rows))


def _warn(tables: TwoTables, seen: RowStatistics, only: tuple[Absent, Absent]) -> None:
    for name, tally in _tallies(tables, seen):
        if tally.repeated:
            warn(f"{name} has {counted(tally.repeated, 'row')} that repeat an item of an entity: each item is counted once")
        if tally.missing:
            gap = f" ({tally.gaps[0]})" if tally.gaps else ""
            warn(f"{name} has {counted(tally.missing, 'row')} without a value{gap}, left out: --nulls drop")
        warn_of_noise(name, tally.noise)
    key, response = tables.names
    left_out = seen.response.left_out
    if left_out and tables.rules.extra_items == "drop":
        records = seen.response.rows - seen.response.missing - seen.response.repeated
        warn_of_left_out(key, response, left_out, records)
    elif tables.rules.singletons:
        sides = zip((key, response), (seen.key, seen.response), strict=True)
        of_key, of_response = (RecordsOfSide(name, tally.rows - tally.missing - tally.repeated) for name, tally in sides)
        warn_of_one_sided(of_key, of_response, seen.matched)
    if only[0].number:
        warn(f"{response} lacks {counted(only[0].number, 'document')} of {key} ({only[0]}): their mentions are missed")
    if only[1].number:
        spurious = f"their mentions are spurious: {IGNORING} leaves them out"
        what = spurious if tables.rules.extra_documents == "score" else "left out"
        warn(f"{key} lacks {counted(only[1].number, 'document')} of {response} ({only[1]}): {what}")


def _tallies(tables: TwoTables, seen: RowStatistics) -> tuple[tuple[str, SideTotals], tuple[str, SideTotals]]:
    key, response = tables.names
    return (key, seen.key), (response, seen.response)


def _listed(values: object) -> str:
    """Three values, trimmed, in quotes, so that spaces show."""
    assert isinstance(values, list | tuple)
    return ", ".join(repr(shortened(str(value), 30)) for value in values[:3]) + ("" if len(values) <= 3 else ", …")
