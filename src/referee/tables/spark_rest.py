"""The cells that do not stand alone, on a cluster: all of them, or in parts that its workers count."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol

from referee.basics.exceptions import EngineError
from referee.basics.extras import arrow, spark_sql
from referee.metrics.parts import Ledger, Whole
from referee.tables.engine import Sums
from referee.tables.rest import check_entity
from referee.tables.spark_jobs import fits

CELLS = 500_000
"""Cells that a worker counts at a time, with some 260 bytes for each; a part may have three times as many."""


class Cluster(Protocol):
    """What is asked of the engine; see `SparkEngine`."""

    f: Any

    def answers(self, task: str) -> AbstractContextManager[None]:
        """Show errors in one line."""
        ...

    def keep(self, frame: spark_sql.DataFrame) -> spark_sql.DataFrame:
        """Return the frame, kept on the disks of the workers."""
        ...

    def checkpoint(self, frame: spark_sql.DataFrame) -> spark_sql.DataFrame:
        """Return the frame, computed, without the plan that made it."""
        ...

    def forget(self, checkpoint: spark_sql.DataFrame) -> None:
        """Drop the rows of a checkpoint."""
        ...

    def one(self, frame: spark_sql.DataFrame) -> dict[str, int]:
        """Return the numbers of a frame of one row."""
        ...

    def ship(self) -> None:
        """Send this version of the package to the workers."""
        ...


class RestInSpark:
    """The rest as a frame.

    Parameters
    ----------
    cluster : Cluster
    rest : frame of Spark
        With the columns kf, rf, n, a, b.
    cells : int
        How many rows it has.
    """

    def __init__(self, cluster: Cluster, rest: spark_sql.DataFrame, cells: int) -> None:
        self.cluster, self.rest, self._cells = cluster, rest, cells
        self._large: dict[int, int] = {}
        self._named: spark_sql.DataFrame | None = None

    @property
    def cells(self) -> int:
        """How many there are."""
        return self._cells

    @property
    def most(self) -> int:
        """What a worker, and the driver, can hold."""
        return CELLS

    def table(self) -> arrow.Table:
        """Return all of them."""
        return self._here(self.rest)

    def parts(self, limit: int, kernel: Sums) -> Iterator[Ledger]:
        """Count parts of about so many cells."""
        try:
            counted = list(self._parts(limit, kernel))
        except EngineError:  # a worker may be lost with links of components that it alone had: they are found again
            self._named = None
            counted = list(self._parts(limit, kernel))
        yield from counted

    def _parts(self, limit: int, kernel: Sums) -> Iterator[Ledger]:
        f = self.cluster.f
        self.cluster.ship()
        with self.cluster.answers("find the components"):
            if self._named is None:
                self._named = self._with_components()
                sizes = self._named.groupBy("component").agg(f.count("*").alias("cells")).where(f.col("cells") > limit)
                self._large = {row["component"]: row["cells"] for row in sizes.collect()}
        small = self._named.where(~f.col("component").isin(list(self._large))) if self._large else self._named
        yield from self._counted(small, "component", limit, kernel, "component")
        for component in self._large:
            pieces = self._pieces(component)
            yield from self._counted(pieces, "kf", limit, kernel, "key")
            yield from self._counted(pieces, "rf", limit, kernel, "response")

    def large(self) -> Iterator[tuple[int, Callable[[], arrow.Table]]]:
        """Return the components that have been counted twice."""
        for component, cells in self._large.items():
            assert self._named is not None
            frame = self._named.where(self.cluster.f.col("component") == component).drop("component")
            yield cells, partial(self._here, frame)

    def _counted(self, cells: spark_sql.DataFrame, by: str, limit: int, kernel: Sums, whole: Whole) -> Iterator[Ledger]:
        """The sums of parts in which cells with the same value of a column are together."""
        f = self.cluster.f
        bins = f.pmod(f.xxhash64(by), f.lit(2 * self._cells // limit + 1))
        counted = cells.withColumn("bin", bins).groupBy("bin").applyInArrow(_task(kernel, whole), "counted binary")
        with self.cluster.answers("count the components"):
            rows = counted.collect()
        for row in rows:
            ledger: Ledger = pickle.loads(zlib.decompress(row["counted"]))  # noqa: S301  # made by the tasks of this run
            yield ledger

    def _with_components(self) -> spark_sql.DataFrame:
        """The cells with a number of their component, which it may share with others: nodes are hashes of entities."""
        f = self.cluster.f
        cells = self.rest.withColumn("node", f.xxhash64(f.lit("key"), "kf"))
        nodes = cells.select(f.col("node").alias("u"), f.xxhash64(f.lit("response"), "rf").alias("v"))
        roots = self._roots(nodes).select(f.col("u").alias("node"), f.col("v").alias("root"))
        named = cells.join(roots, "node", "left").withColumn("component", f.coalesce("root", "node"))
        return self.cluster.keep(named.drop("node", "root"))

    def _roots(self, edges: spark_sql.DataFrame) -> spark_sql.DataFrame:
        """Pairs of a node and the smallest node of its component, for all but this one.

        Each node is linked to the smallest of its neighbours, among the larger ones and the smaller ones in turns, until the
        components are stars (Kiveris et al. 2014, "Connected Components in MapReduce and Beyond", alternating algorithm).
        """
        f, before = self.cluster.f, None
        while True:
            both = edges.union(edges.select(f.col("v").alias("u"), f.col("u").alias("v")))
            least = both.groupBy("u").agg(f.least(f.min("v"), "u").alias("m"))
            large = both.join(least, "u").where("v > u").select(f.col("v").alias("u"), f.col("m").alias("v"))
            down = large.select(f.greatest("u", "v").alias("u"), f.least("u", "v").alias("v")).where("u <> v").distinct()
            least = down.groupBy("u").agg(f.min("v").alias("m"))
            small = down.join(least, "u").select(f.col("v").alias("u"), f.col("m").alias("v"))
            small = small.union(least.select("u", f.col("m").alias("v"))).where("u <> v").distinct()
            last, edges = edges, self.cluster.checkpoint(small)  # or each round would have all plans before it in its own
            total = f.sum(f.xxhash64("u", "v").cast("decimal(38, 0)")).alias("hash")
            row = edges.agg(f.count("*").alias("pairs"), total).collect()[0]
            now = (row["pairs"], row["hash"])
            if before is not None:
                self.cluster.forget(last)
            if now == before:
                return edges
            before = now

    def _pieces(self, component: int) -> spark_sql.DataFrame:
        """The cells of a component that is too large, with the mentions that lack a counterpart at the first of an entity."""
        f, window = self.cluster.f, spark_sql.Window
        assert self._named is not None
        cells = self._named.where(f.col("component") == component).drop("component")
        for lacking, entity, size, other in (("missed", "kf", "a", "rf"), ("spurious", "rf", "b", "kf")):
            of = window.partitionBy(entity)
            first = f.row_number().over(of.orderBy(other)) == 1
            lack = f.col(size) - f.sum("n").over(of)
            cells = cells.withColumn(lacking, f.when(first, lack).otherwise(f.lit(0)).cast("bigint"))
        with self.cluster.answers("count the cells of entities"):
            for entity in ("kf", "rf"):
                most = cells.groupBy(entity).agg(f.count("*").alias("cells")).agg(f.max("cells").alias("most"))
                check_entity(self.cluster.one(most)["most"], 4 * CELLS)
        return cells

    def _here(self, frame: spark_sql.DataFrame) -> arrow.Table:
        with self.cluster.answers("collect the cells"):
            return _cast(frame.toArrow())


def large_type(of: arrow.DataType) -> arrow.DataType:
    """Return the type of a column that counts more than 2³¹ bytes."""
    if arrow.types.is_integer(of):
        return arrow.int64()
    return arrow.large_string() if arrow.types.is_string(of) or arrow.types.is_large_string(of) else arrow.large_binary()


def _cast(table: arrow.Table) -> arrow.Table:
    schema = arrow.schema([(name, large_type(table.schema.field(name).type)) for name in table.schema.names])
    return table.cast(schema)


def _task(kernel: Sums, whole: Whole) -> Callable[[arrow.Table], arrow.Table]:
    """What a worker does with the cells of a bin."""

    def count(cells: arrow.Table) -> arrow.Table:
        with fits(f"{cells.num_rows} pairs of entities that overlap"):
            ledger = kernel(_cast(cells), whole)
        return arrow.table({"counted": arrow.array([zlib.compress(pickle.dumps(ledger), 1)], arrow.binary())})

    return count
