"""The cells that do not stand alone, in parts that fit into memory: whole components of overlapping entities.

`Components` numbers the components, and puts them into bins; an engine gives it the cells, and brings those of a bin together.
Memory for it is that of a number for each entity. `RestInMemory` is the rest of the engine that keeps everything in memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from referee.algorithms.arrays import Ints, starts_of_runs, tally
from referee.algorithms.components import joined
from referee.basics.exceptions import EngineError
from referee.basics.extras import arrow, pc
from referee.metrics.parts import Ledger
from referee.tables.engine import Sums
from referee.tabular.arrow import numbers


class Components:
    """The components of cells, which come some at a time.

    Parameters
    ----------
    keys, responses : int
        How many entities there are.
    """

    def __init__(self, keys: int, responses: int) -> None:
        self.keys = keys
        self.label = np.arange(keys + responses)

    def add(self, key: Ints, response: Ints) -> None:
        """Join the entities of some cells."""
        self.label = joined(self.label, key, response + self.keys)

    def bins(self, cells: Ints, limit: int) -> tuple[Ints, dict[int, int]]:
        """Return the bin of each key entity, and the components that are too large for one.

        Parameters
        ----------
        cells : int64, shape (keys,)
            How many cells each key entity has.
        limit : int
            How many cells a bin has at most.

        Returns
        -------
        bins : int64, shape (keys,)
            From 0; that of a component that is too large is negative.
        large : dict
            Their bins -> how many cells they have.
        """
        label = self.label[: self.keys]
        size = tally(label, cells, len(self.label)).astype(np.int64)
        half = max(limit // 2, 1)
        bins = np.zeros(len(size), dtype=np.int64)
        small, middle, large = size <= half, (size > half) & (size <= limit), np.flatnonzero(size > limit)
        bins[small] = (np.cumsum(size[small]) - size[small]) // half
        bins[middle] = np.arange(1, int(middle.sum()) + 1) + bins.max(initial=0)
        bins[large] = -np.arange(1, len(large) + 1)
        return bins[label], dict(zip(bins[large].tolist(), size[large].tolist(), strict=True))


def whole_runs(batches: Iterable[arrow.RecordBatch], column: str, limit: int) -> Iterator[arrow.Table]:
    """Tables of rows that are ordered by a column: as many whole runs of equal values as fit; a longer run is one table.

    Parameters
    ----------
    batches : iterable of Arrow record batches
    column : str
        The column whose values are ascending.
    limit : int
        Rows of a table.
    """
    held = None
    for batch in batches:
        table = arrow.Table.from_batches([batch])
        held = table if held is None else arrow.concat_tables([held, table])
        while held.num_rows > limit and (rows := _whole(held.column(column), limit)):
            yield held.slice(0, rows)
            held = held.slice(rows)
    if held is not None:
        yield from _whole_runs_of(held, column, limit)


def _whole_runs_of(held: arrow.Table, column: str, limit: int) -> Iterator[arrow.Table]:
    while held.num_rows:
        rows = held.num_rows if held.num_rows <= limit else _whole(held.column(column), limit) or held.num_rows
        yield held.slice(0, rows)
        held = held.slice(rows)


def _whole(column: arrow.Array, limit: int) -> int:
    """How many of the first rows are whole runs, at most so many unless the first run is longer; 0 if it may not be over."""
    first = np.flatnonzero(starts_of_runs(_codes(column)))[1:]
    place = int(np.searchsorted(first, limit, side="right"))
    return int(first[max(place - 1, 0)]) if len(first) else 0


def _codes(column: arrow.Array) -> Ints:
    """Numbers that are equal where neighbours are."""
    if arrow.types.is_int64(column.type):
        return numbers(column)
    column = column.combine_chunks()
    differs = np.asarray(pc.not_equal(column[1:], column[:-1]).to_pylist(), dtype=bool)
    return np.concatenate([[0], np.cumsum(differs)]) if len(column) else np.empty(0, dtype=np.int64)


def check_entity(rows: int, limit: int) -> None:
    """Raise EngineError if the cells of one entity are too many."""
    if rows > limit:
        raise EngineError(
            f"an entity overlaps with {rows} entities of the other side, more than the {limit} that fit into memory; nothing "
            "is reported: raise --memory"
        )


class RestInMemory:
    """The rest as a table in memory, whose entities are numbers in the order of their smallest items.

    Parameters
    ----------
    rest : Arrow table
    """

    def __init__(self, rest: arrow.Table) -> None:
        self.rest = rest
        self._large: dict[int, int] = {}
        self._bin = np.empty(0, dtype=np.int64)

    @property
    def cells(self) -> int:
        """How many there are."""
        return int(self.rest.num_rows)

    @property
    def most(self) -> int:
        """Any number."""
        return sys.maxsize

    def table(self) -> arrow.Table:
        """Return all of them."""
        return self.rest

    def parts(self, limit: int, kernel: Sums) -> Iterator[Ledger]:
        """Count parts of at most so many cells."""
        key, response = (np.unique(numbers(self.rest.column(n)), return_inverse=True)[1] for n in ("kf", "rf"))
        components = Components(int(key.max(initial=-1)) + 1, int(response.max(initial=-1)) + 1)
        components.add(key, response)
        bins, self._large = components.bins(tally(key, minlength=components.keys), limit)
        self._bin = bins[key]
        whole = self._with({"bin": self._bin}).filter(self._bin >= 0).sort_by("bin")
        for part in whole_runs(whole.to_batches(), "bin", limit):
            yield kernel(part, "component")
        for number in self._large:
            for side, column in (("key", "kf"), ("response", "rf")):
                for part in whole_runs(self._pieces(number).sort_by(column).to_batches(), column, limit):
                    check_entity(part.num_rows, limit)
                    yield kernel(part, "key" if side == "key" else "response")

    def large(self) -> Iterator[tuple[int, Callable[[], arrow.Table]]]:
        """Return the components that have been counted twice."""
        for number, cells in self._large.items():
            yield cells, lambda: self.rest.filter(self._bin == number)  # noqa: B023  # called at once

    def _with(self, columns: dict[str, Ints], of: arrow.Table | None = None) -> arrow.Table:
        table = self.rest if of is None else of
        for name, column in columns.items():
            table = table.append_column(name, arrow.array(column))
        return table

    def _pieces(self, number: int) -> arrow.Table:
        """The cells of a component that is too large."""
        rest = self.rest.filter(self._bin == number)
        lacking = {}
        for name, entity, size in (("missed", "kf", "a"), ("spurious", "rf", "b")):
            first, place = np.unique(numbers(rest.column(entity)), return_index=True, return_inverse=True)[1:]
            found = tally(place, numbers(rest.column("n")), len(first)).astype(np.int64)
            lacking[name] = np.zeros(rest.num_rows, dtype=np.int64)
            lacking[name][first] = numbers(rest.column(size))[first] - found
        return self._with(lacking, rest)
