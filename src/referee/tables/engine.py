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
from referee.metrics.parts import Ledger, Whole
from referee.stats.counts import Counts
from referee.tables.columns import TableColumns

EXAMPLES = 5
"""Items that a message shows."""


class Selected(NamedTuple):
    """Which documents are read: only these, as rows that have no column of documents, or all others."""

    documents: tuple[int | str, ...]
    only: bool


class Side(NamedTuple):
    """The rows of the key, or of the response: where they come from, and which columns and documents are read."""

    source: RowSource
    columns: TableColumns
    selected: Selected | None = None


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


class Tally(NamedTuple):
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

    def plus(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(
            self.rows + other.rows,
            self.missing + other.missing,
            self.repeated + other.repeated,
            self.left_out + other.left_out,
            self.noise + other.noise,
            (*self.conflicts, *other.conflicts)[:EXAMPLES],
            (*self.gaps, *other.gaps)[:EXAMPLES],
            (*self.items, *other.items)[:EXAMPLES],
        )


class Seen(NamedTuple):
    """What was seen of both sides; `matched` is the number of items in common."""

    key: Tally = Tally()
    response: Tally = Tally()
    matched: int = 0

    def plus(self, other: Seen) -> Seen:
        """Both together."""
        return Seen(self.key.plus(other.key), self.response.plus(other.response), self.matched + other.matched)


Only: TypeAlias = tuple[list[int | str], list[int | str]]
"""The documents that only the key has, and those that only the response has."""


class Counted(NamedTuple):
    """What was counted of some whole documents.

    Parameters
    ----------
    documents : list of int or str
        Their names, ascending (text by its bytes).
    counts : mapping
        Metric -> counts, a row a document.
    seen : Seen
        What was seen of the rows.
    only : Only
        Documents that one side lacks.
    """

    documents: list[int | str]
    counts: Mapping[str, Counts]
    seen: Seen
    only: Only


Kernel: TypeAlias = "Callable[[arrow.Table, arrow.Table], Counted]"
"""Counts whole documents: from the rows of the key and of the response, tables of Arrow with the columns of `rows`.

The order of the rows does not matter. A kernel can be pickled, and calling it has no effect but its result.
"""


Sums: TypeAlias = "Callable[[arrow.Table, Whole], Ledger]"
"""Gives the sums of a part of the rest; see `referee.metrics.parts`. It can be pickled."""


class Rest(Protocol):
    """The cells that do not stand alone.

    As Arrow tables they have the columns kf, rf, n, a, b: the smallest item of the key entity and of the response entity, by
    which they are told apart; the mentions that they share; and their sizes. Parts of a component that is too large have two
    more, missed and spurious: mentions of either entity that the other side lacks, given with the first cell of the entity.
    """

    @property
    def cells(self) -> int:
        """How many there are."""
        ...

    @property
    def most(self) -> int:
        """How many may be counted at a time, whatever the memory here."""
        ...

    def table(self) -> arrow.Table:
        """Return all of them."""
        ...

    def parts(self, limit: int, kernel: Sums) -> Iterator[Ledger]:
        """Count parts of at most so many cells with the kernel, wherever and in whatever order.

        A part has whole components. One with more cells is counted twice, in parts with whole entities of one side.

        Raises
        ------
        EngineError
            If the cells of one entity are more.
        """
        ...

    def large(self) -> Iterator[tuple[int, Callable[[], arrow.Table]]]:
        """Return the components that have been counted twice: how many cells each has, and a function that gives them."""
        ...


class Cells(NamedTuple):
    """How the entities of two clusterings overlap.

    Parameters
    ----------
    types : int64, shape (4, types)
        Pairs of entities that overlap with no others, and entities that overlap with none: the size of the key entity, that
        of the response entity (0: there is none), the mentions that they share, and how many such pairs there are.
    rest : Rest
        All other cells.
    seen : Seen
        What was seen of the rows.
    """

    types: Ints
    rest: Rest
    seen: Seen


class Engine(Protocol):
    """Brings together the rows of two sides.

    The module of an engine has a function ``engine(key: Side, response: Side, settings: EngineSettings, rules: CountingRules)``
    that gives one.
    """

    def cells(self) -> Cells:
        """Return how the entities overlap, over all rows."""
        ...

    def documents(self, kernel: Kernel) -> Iterator[Counted]:
        """Count all documents with the kernel, some at a time, wherever and in whatever order.

        The kernel sees no NULL. What was seen of incomplete rows is in one more `Counted`, without documents.
        """
        ...

    def large(self, rows: int) -> list[int | str]:
        """Return the documents of which a side has more rows than this."""
        ...

    def facts(self) -> Mapping[str, object]:
        """Return what the JSON report says of the run: the engine, its version, partitions, spilled bytes."""
        ...

    def close(self) -> None:
        """Free all memory, and remove all files."""
        ...
