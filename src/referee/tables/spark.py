"""The engine that works on a cluster: Spark brings rows together, and its workers count whole documents.

Needs the extra `referee[spark]`. Rows never come to the driver: the counts of documents do, or the cells of a clustering.
A task is a pure function of its rows, so Spark may run it again when a worker is lost, and no number changes.
"""

from __future__ import annotations

import pickle
import weakref
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from types import ModuleType

import numpy as np

from referee.basics.exceptions import EngineError, FormatError
from referee.basics.extras import arrow, need, spark, spark_functions, spark_sql
from referee.basics.options.engines import EngineSettings
from referee.inputs.sources import Frame, ParquetFiles, RowSource, SparkFrame
from referee.tables.cells import rest_of
from referee.tables.engine import EXAMPLES, BlockCounts, Cells, CountingRules, Kernel, RowStatistics, Side, SideTotals
from referee.tables.rows import ALONE, NAMED
from referee.tables.spark_jobs import answers, memory_errors
from referee.tables.spark_session import archive, session_of
from referee.tabular.arrow import BINARY, INTEGER
from referee.tabular.labels import BETWEEN, slash
from referee.tabular.missing import MISSING

BUCKET = 1_000_000
"""Rows of both sides that a task counts: whole documents, so a large one makes a larger task."""

PARTITION = 500_000
"""Rows of both sides for which a shuffle makes one partition: each partition costs a task, which takes a while to start."""

PARTITIONS = "spark.sql.shuffle.partitions"

CONFIGURATION = {
    "spark.sql.adaptive.coalescePartitions.enabled": "false",  # buckets that are put together may not fit into a worker
    "spark.sql.execution.arrow.maxRecordsPerBatch": "500000",
}
"""What the session is told while the engine works."""


def engine(key: Side, response: Side, settings: EngineSettings, rules: CountingRules) -> SparkEngine:
    """Return the engine for two sides; it uses the session of a frame, the active one, or starts one."""
    need("the engine spark", "pyspark.sql")
    for side in (key, response):
        _check_types(side)
    session, own = session_of((key, response), settings)
    return SparkEngine(session, key, response, rules, own=own, divided=PARTITIONS not in settings.configuration)


class SparkEngine:
    """Brings together the rows of two sides in a session of Spark.

    Parameters
    ----------
    session : pyspark.sql.SparkSession
    key, response : Side
    rules : Rules
    own : bool
        Whether the session ends with the engine.
    divided : bool
        Whether the partitions of shuffles follow the rows; else there are as many as the session says.
    """

    def __init__(
        self,
        session: spark_sql.SparkSession,
        key: Side,
        response: Side,
        rules: CountingRules,
        *,
        own: bool,
        divided: bool = True,
    ) -> None:
        self.session, self.rules, self.own = session, rules, own
        self.f = spark_functions
        self.before = {name: session.conf.get(name, None) for name in (*CONFIGURATION, PARTITIONS)}
        self.kept: list[spark_sql.DataFrame] = []
        self.run: dict[str, object] = {"engine": "spark", "version": session.version}
        for name, value in CONFIGURATION.items():
            session.conf.set(name, value)
        self.sources = (key.source, response.source)
        with self.answers("read the tables"):
            self.sides = tuple(self._rows_once(side) for side in (key, response))
        self.tallies = self._tallies()
        if divided:
            self._divide(sum(tally.rows for tally in self.tallies))
        if own and key.source.shared:  # the rows that are kept for other responses are in this session
            self.own = False
            weakref.finalize(key.source, session.stop)

    def documents(self, kernel: Kernel) -> Iterator[BlockCounts]:
        """Count the documents, those of a bucket in one task."""
        tallies = self.tallies
        k, r = (tally._replace(rows=tally.missing) for tally in tallies)
        yield BlockCounts([], {}, RowStatistics(k, r), ([], []))
        f = self.f
        buckets = max(2 * self._cores(), sum(tally.rows for tally in tallies) // BUCKET + 1)
        self.run["buckets"] = buckets
        self.ship()
        place = f.pmod(f.xxhash64("document"), f.lit(buckets)).alias("bucket")
        grouped = [rows.dropna().select(place, *rows.columns).groupBy("bucket") for rows in self.sides]
        counted = grouped[0].cogroup(grouped[1]).applyInArrow(_task(kernel), "counted binary")
        with self.answers("count the documents"):
            rows = counted.collect()
        counted_rows = [0, 0]
        for row in rows:
            block: BlockCounts = pickle.loads(zlib.decompress(row["counted"]))  # noqa: S301  # made by the tasks of this run
            counted_rows = [n + side.rows for n, side in zip(counted_rows, block.seen[:2], strict=True)]
            yield block
        self._check("rows", tuple(counted_rows), tuple(tally.rows - tally.missing for tally in tallies))

    def cells(self) -> Cells:
        """Return how the entities overlap."""
        f, tallies = self.f, self.tallies
        key, response = (rows.dropna().select("item", "entity") for rows in self.sides)
        k_type, r_type = (rows.schema["entity"].dataType for rows in self.sides)
        both = key.select("item", f.col("entity").alias("k"), f.lit(None).cast(r_type).alias("r")).unionByName(
            response.select("item", f.lit(None).cast(k_type).alias("k"), f.col("entity").alias("r"))
        )
        items = both.groupBy("item").agg(
            f.min("k").alias("k"), f.max("k").alias("k_last"), f.count("k").alias("k_rows"),
            f.min("r").alias("r"), f.max("r").alias("r_last"), f.count("r").alias("r_rows"),
        )  # fmt: skip
        cells = self.keep(
            items.groupBy("k", "r").agg(
                f.count("*").alias("n"),
                f.min("item").alias("first"),
                *(f.sum(name).alias(name) for name in ("k_rows", "r_rows")),
                *(f.count_if(f.col(side) != f.col(f"{side}_last")).alias(f"{side}_wrong") for side in "kr"),
            )
        )
        with self.answers("make the cells"):
            totals = self.one(cells.agg(*(f.sum(value).alias(name) for name, value in _totals(f).items())))
            conflicts = [self._conflicts(items, side) if totals[f"{side}_wrong"] else () for side in "kr"]
        complete = tuple(tally.rows - tally.missing for tally in tallies)
        self._check("rows", (totals["k_rows"], totals["r_rows"]), complete)
        drop = self.rules.extra_items == "drop"
        repeated = (
            rows - totals["matched"] - totals[lone] for rows, lone in zip(complete, ("missed", "spurious"), strict=True)
        )
        k, r = (
            tally._replace(repeated=again, conflicts=wrong)
            for tally, again, wrong in zip(tallies, repeated, conflicts, strict=True)
        )
        seen = RowStatistics(k, r._replace(left_out=totals["spurious"] if drop else 0), totals["matched"])
        return self._sized(cells.where("k is not null") if drop else cells, seen)

    def _sized(self, cells: spark_sql.DataFrame, seen: RowStatistics) -> Cells:
        """The cells with the sizes of their entities: types of those that stand alone, and the rest."""
        f = self.f
        sizes = {}
        for side, other in (("k", "r"), ("r", "k")):
            entities = cells.where(f"{side} is not null").groupBy(side)
            sizes[side] = entities.agg(
                f.sum("n").alias(f"{side}_size"), f.count(other).alias(f"{side}_cells"), f.min("first").alias(f"{side}f")
            )
        alone = (f.col("k_cells") == 1) & (f.col("r_cells") == 1)
        sized = self.keep(
            cells.where("k is not null and r is not null").select("k", "r", "n").join(sizes["k"], "k").join(sizes["r"], "r")
            .select("kf", "rf", "n", f.col("k_size").alias("a"), f.col("r_size").alias("b"), alone.alias("alone"))
        )  # fmt: skip
        lone = [
            sizes["k"].where("k_cells = 0").select(f.col("k_size").alias("a"), f.lit(0).alias("b"), f.lit(0).alias("n")),
            sizes["r"].where("r_cells = 0").select(f.lit(0).alias("a"), f.col("r_size").alias("b"), f.lit(0).alias("n")),
        ]
        together = sized.where("alone").select("a", "b", "n").unionByName(lone[0]).unionByName(lone[1])
        with self.answers("collect the cells"):
            types = together.groupBy("a", "b", "n").agg(f.count("*").alias("times")).orderBy("a", "b", "n").toArrow()
            rest = rest_of(_large(sized.where("not alone").select("kf", "rf", "n", "a", "b").toArrow()))
        columns = np.stack([types.column(name).to_numpy().astype(np.int64) for name in ("a", "b", "n", "times")])
        self._check("common items", (int((columns[2] * columns[3]).sum()) + int(rest.shared.sum()),), (seen.matched,))
        self.run["cells"] = int(columns[3].sum()) + len(rest.shared)
        return Cells(columns, rest, seen)

    def facts(self) -> Mapping[str, object]:
        """Return the version of Spark, and how the work was divided."""
        return self.run

    def close(self) -> None:
        """Free what was kept, and set the session back; end it if the engine started it."""
        for frame in self.kept:
            frame.unpersist()
        for name, value in self.before.items():
            if value is None:
                self.session.conf.unset(name)
            else:
                self.session.conf.set(name, value)
        if self.own:
            self.session.stop()

    def _divide(self, rows: int) -> None:
        """Let a shuffle make a partition for so many rows, at least one a core, and at most as many as the session says."""
        most = int(self.before[PARTITIONS] or 200)
        self.session.conf.set(PARTITIONS, str(min(max(self._cores(), rows // PARTITION + 1), most)))

    def _rows_once(self, side: Side) -> spark_sql.DataFrame:
        """The rows of a side; those of a key for several responses stay on the disks of the workers."""
        if not side.source.shared:
            return self._rows(side)
        level = spark.StorageLevel.DISK_ONLY

        def make() -> spark_sql.DataFrame:
            rows = self._rows(side).persist(level)
            weakref.finalize(side.source, _free, rows)
            return rows

        how = (*side.columns.names.items(), *side.columns.kinds.items(), self.rules.nulls)
        return side.source.prepared(("spark", *how), make)

    def _rows(self, side: Side) -> spark_sql.DataFrame:
        """The rows of a side with the columns document, item and entity."""
        frame = self._frame(side)
        return frame.select(*(self._column(role, side, frame).alias(role) for role in side.columns.roles))

    def _column(self, role: str, side: Side, frame: spark_sql.DataFrame) -> spark_sql.Column:
        """The column of the frame that has a role."""
        f = self.f
        raw = {role: f.col(f"`{name}`") for role, name in side.columns.names.items()}
        kind = {INTEGER: "bigint", BINARY: "binary"}.get(side.columns.kind(role), "string")
        cast = self._named(raw[role].cast(kind), kind)
        if role == "item" and "source" in raw:
            self._check_sources(side, frame, raw["source"])
            return f.concat(self._named(raw["source"].cast(kind), kind), f.lit(BETWEEN), cast)
        if role == "entity" and self.rules.nulls == "singleton":
            item = self._column("item", side, frame).cast("string")
            return f.coalesce(f.concat(f.lit(NAMED), cast.cast("string")), f.concat(f.lit(ALONE), item))
        return cast

    def _named(self, column: spark_sql.Column, kind: str) -> spark_sql.Column:
        """A column of texts whose words for nothing are NULL."""
        words = ["", *(MISSING if self.rules.nulls != "keep" else ())]
        return self.f.when(~column.isin(words), column) if kind == "string" else column

    def _check_sources(self, side: Side, frame: spark_sql.DataFrame, source: spark_sql.Column) -> None:
        """Raise FormatError for a source in which the mark between a source and an item stands."""
        for row in frame.select(source.cast("string")).where(source.cast("string").contains(BETWEEN)).limit(1).collect():
            raise FormatError(side.source.name, None, slash(row[0]))

    def _frame(self, side: Side) -> spark_sql.DataFrame:
        source = side.source
        if isinstance(source, SparkFrame):
            return source.frame
        if isinstance(source, ParquetFiles):
            return self.session.read.parquet(*source.urls)
        assert isinstance(source, Frame)
        return self.session.createDataFrame(source.table.select(list(dict.fromkeys(side.columns.names.values()))))

    def _tallies(self) -> list[SideTotals]:
        """What was seen of both sides; of a key for several responses, once."""

        def tally(source: RowSource, rows: spark_sql.DataFrame) -> SideTotals:
            return source.prepared(("tally", id(rows)), lambda: self._tally(rows))

        return [tally(source, rows) for source, rows in zip(self.sources, self.sides, strict=True)]

    def _tally(self, rows: spark_sql.DataFrame) -> SideTotals:
        """How many rows there are, how many of them lack something, and examples."""
        f = self.f
        gap = f.lit(False)
        for name in rows.columns:
            gap = gap | f.col(name).isNull()
        with self.answers("read the tables"):
            counts = self.one(rows.agg(f.count("*").alias("rows"), f.count_if(gap).alias("missing")))
            gaps = rows.where(gap).limit(EXAMPLES).collect() if counts["missing"] else []
            items = rows.where(~gap).limit(3).collect()
        shown = (", ".join(f"{n} {v or 'empty'}" for n, v in row.asDict().items()) for row in gaps)
        examples = tuple(str(row["item"]) for row in items)
        return SideTotals(counts["rows"], counts["missing"], gaps=tuple(shown), items=examples)

    def _conflicts(self, items: spark_sql.DataFrame, side: str) -> tuple[str, ...]:
        rows = items.where(self.f.col(side) != self.f.col(f"{side}_last")).orderBy("item").limit(EXAMPLES).collect()
        return tuple(f"{row['item']} in {row[side]} and {row[side + '_last']}" for row in rows)

    def keep(self, frame: spark_sql.DataFrame) -> spark_sql.DataFrame:
        """Return the frame, kept on the disks of the workers."""
        self.kept.append(frame.persist(spark.StorageLevel.DISK_ONLY))
        return self.kept[-1]

    def one(self, frame: spark_sql.DataFrame) -> dict[str, int]:
        """Return the numbers of a frame of one row."""
        return {name: value or 0 for name, value in frame.collect()[0].asDict().items()}

    def _check(self, what: str, numbers: tuple[int, ...], expected: tuple[int, ...]) -> None:
        """Raise EngineError if a join or a group has lost or doubled rows."""
        if numbers != expected:
            problem = f"Spark {self.session.version} has {numbers} {what} of {expected}"
            raise EngineError(f"{problem}; nothing is reported: score again, or update Spark")

    def answers(self, task: str) -> AbstractContextManager[None]:
        """Show how far the jobs of a task are, and errors of Spark in one line; an interrupt ends the jobs."""
        return answers(self.session, task)

    def _cores(self) -> int:
        return 8 if self._context is None else self._context.defaultParallelism

    @property
    def _context(self) -> spark.SparkContext | None:
        """The context of the session; None for one that is connected to a server."""
        return getattr(self.session, "_sc", None)

    def ship(self) -> None:
        """Send this version of the package to the workers, which need NumPy and PyArrow beside it."""
        if self._context is None:
            self.session.addArtifacts(archive(), pyfile=True)
        else:
            self._context.addPyFile(archive())


def _check_types(side: Side) -> None:
    """Raise FormatError for floats as ids: Spark would cut them to integers in silence."""
    for field in side.source.fields:
        if field.name in side.columns.names.values() and field.type in ("float", "double"):
            problem = f"column {field.name} is {field.type}; expected integers or text with the engine spark: cast it"
            raise FormatError(side.source.name, None, problem)


def _free(rows: spark_sql.DataFrame) -> None:
    """Free what was kept; the session may be over."""
    with suppress(Exception):
        rows.unpersist()


def _task(kernel: Kernel) -> Callable[[arrow.Table, arrow.Table], arrow.Table]:
    """What a worker does with the rows of a bucket."""

    def count(key: arrow.Table, response: arrow.Table) -> arrow.Table:

        with memory_errors(f"the {key.num_rows + response.num_rows} rows of a bucket"):
            counted = kernel(*(_large(rows.select(rows.schema.names[1:])) for rows in (key, response)))  # without the bucket
        return arrow.table({"counted": arrow.array([zlib.compress(pickle.dumps(counted), 1)], arrow.binary())})

    return count


def _large(table: arrow.Table) -> arrow.Table:
    """The table with columns of types that hold more than 2³¹ bytes."""
    return table.cast(arrow.schema([(field.name, _large_type(field.type)) for field in table.schema]))


def _large_type(type: arrow.DataType) -> arrow.DataType:
    if arrow.types.is_integer(type):
        return arrow.int64()
    return arrow.large_string() if arrow.types.is_string(type) or arrow.types.is_large_string(type) else arrow.large_binary()


def _totals(f: ModuleType) -> dict[str, spark_sql.Column]:
    """What is added over cells: rows, items in two entities, common items, and items that one side lacks."""
    key, response = f.col("k").isNotNull(), f.col("r").isNotNull()
    ends = {"matched": key & response, "missed": key & ~response, "spurious": ~key & response}
    columns = ("k_rows", "r_rows", "k_wrong", "r_wrong")
    return {name: f.col(name) for name in columns} | {name: f.when(where, f.col("n")) for name, where in ends.items()}
