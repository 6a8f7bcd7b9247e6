"""What an engine is, and what crosses the border between engines and metrics.

An engine knows columns, joins, groups and files. It knows no metric, and adds no floats. One kernel counts what it gives.
There are two routes. If a table has documents, the engine brings the rows of a document together, and the kernel counts blocks
of whole documents (`blocks`). If not, the engine counts the mentions that each key entity shares with each response entity, and
the kernel gets these cells (`cells`). Both routes, and all engines, give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol, TypeAlias

from referee.algorithms.arrays import Ints
from referee.basics.extras import arrow
from referee.inputs.sources import RowSource
from referee.metrics.table import Table
from referee.stats.counts import Counts
from referee.tables.columns import TableColumns

EXAMPLES = 5
"""Items that a message shows."""


class Side(NamedTuple):
    """The rows of the key, or of the response: where they come from, and which columns are read."""

    source: RowSource
    columns: TableColumns


class CountingRules(NamedTuple):
    """What is counted of the rows.

    Parameters
    ----------
    nulls : str
        What is done with a row without an item or an entity: "error", "drop" it, or an entity without a name is a "singleton".
    extra_items : str
        What is done with items that only the response has: "score" them as spurious, or "drop" them.
    extra_documents : str
        What is done with documents that only the response has: "score" or "ignore" them.
    singletons : bool
        Whether entities of one mention are scored.
    """

    nulls: str = "error"
    extra_items: str = "score"
    extra_documents: str = "score"
    singletons: bool = True


class SideTotals(NamedTuple):
    """What was seen of the rows of one side.

    Parameters
    ----------
    rows : int
        All rows.
    missing : int
        Those of them without an item, an entity or a document.
    repeated : int
        Rows that repeat an item of the same entity.
    left_out : int
        Rows with items, or of documents, that only this side has, and that are not scored.
    noise : int
        Rows with the label -1.
    conflicts, gaps, items : tuple of str
        Examples, at most `EXAMPLES` each: items in two entities ("7 in 1 and 2"), rows with something missing, items.
    """

    rows: int = 0
    missing: int = 0
    repeated: int = 0
    left_out: int = 0
    noise: int = 0
    conflicts: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    items: tuple[str, ...] = ()

    def plus(self, other: SideTotals) -> SideTotals:
        """Both together."""
        return SideTotals(
            self.rows + other.rows,
            self.missing + other.missing,
            self.repeated + other.repeated,
            self.left_out + other.left_out,
            self.noise + other.noise,
            (*self.conflicts, *other.conflicts)[:EXAMPLES],
            (*self.gaps, *other.gaps)[:EXAMPLES],
            (*self.items, *other.items)[:EXAMPLES],
        )


class RowStatistics(NamedTuple):
    """What was seen of both sides; `matched` is the number of items in common."""

    key: SideTotals = SideTotals()
    response: SideTotals = SideTotals()
    matched: int = 0

    def plus(self, other: RowStatistics) -> RowStatistics:
        """Both together."""
        return RowStatistics(self.key.plus(other.key), self.response.plus(other.response), self.matched + other.matched)


OneSided: TypeAlias = tuple[list[int | str], list[int | str]]
"""The documents that only the key has, and those that only the response has."""


class BlockCounts(NamedTuple):
    """What was counted of some whole documents.

    Parameters
    ----------
    documents : list of int or str
        Their names, ascending (text by its bytes).
    counts : mapping
        Metric -> counts, a row a document.
    seen : RowStatistics
        What was seen of the rows.
    only : OneSided
        Documents that one side lacks.
    """

    documents: list[int | str]
    counts: Mapping[str, Counts]
    seen: RowStatistics
    only: OneSided


Kernel: TypeAlias = "Callable[[arrow.Table, arrow.Table], BlockCounts]"
"""Counts whole documents: from the rows of the key and of the response, tables of Arrow with the columns of `rows`.

The order of the rows does not matter. A kernel can be pickled, and calling it has no effect but its result.
"""


class Cells(NamedTuple):
    """How the entities of two clusterings overlap.

    Parameters
    ----------
    types : int64, shape (4, types)
        Pairs of entities that overlap with no others, and entities that overlap with none: the size of the key entity, that
        of the response entity (0: there is none), the mentions that they share, and how many such pairs there are.
    rest : Table
        All other cells, with their entities in the order of their smallest items.
    seen : RowStatistics
        What was seen of the rows.
    """

    types: Ints
    rest: Table
    seen: RowStatistics


class Engine(Protocol):
    """Brings together the rows of two sides.

    The module of an engine has a function ``engine(key: Side, response: Side, settings: EngineSettings, rules: CountingRules)``
    that gives one.
    """

    def cells(self) -> Cells:
        """Return how the entities overlap, over all rows."""
        ...

    def documents(self, kernel: Kernel) -> Iterator[BlockCounts]:
        """Count all documents with the kernel, some at a time, wherever and in whatever order.

        The kernel sees no NULL. What was seen of incomplete rows is in one more `BlockCounts`, without documents.
        """
        ...

    def facts(self) -> Mapping[str, object]:
        """Return what the JSON report says of the run: the engine, its version, partitions, spilled bytes."""
        ...

    def close(self) -> None:
        """Free all memory, and remove all files."""
        ...
