"""Whole documents, counted: rows of key and response become a `Table`, and two ordered streams become blocks of documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import EngineError
from referee.basics.extras import arrow, pc
from referee.metrics.metric import Metric
from referee.metrics.table import Table
from referee.tables.engine import BlockCounts, CountingRules, Kernel, OneSided, RowStatistics
from referee.tables.items import KeyItems, key_items, matched, with_response

BLOCK = 1 << 19
"""Rows of key and response together that are counted at a time; a larger document is counted whole."""

BYTES = 200
"""Memory for each row of a document."""


@dataclass(frozen=True)
class BlockKernel:
    """The `Kernel` that counts whole documents by metrics."""

    metrics: Mapping[str, Metric]
    rules: CountingRules

    def __call__(self, key: arrow.Table, response: arrow.Table) -> BlockCounts:
        """Count the documents of all rows."""
        block = block_of(key_items(key), response, self.rules)
        return BlockCounts(
            block.documents, {name: m.count(block.table) for name, m in self.metrics.items()}, block.seen, block.only
        )


class Block(NamedTuple):
    """The table of whole documents; see `BlockCounts` for the rest."""

    table: Table
    documents: list[int | str]
    seen: RowStatistics
    only: OneSided


def block_of(key: KeyItems, response: arrow.Table, rules: CountingRules) -> Block:
    """Make the table of whole documents, whose rows may have any order.

    Parameters
    ----------
    key : KeyItems
        The items of the key.
    response : Arrow table
        With the columns of `rows`. Without documents all rows are of one, called "".
    rules : Rules
        What is counted.
    """
    names, k, r = with_response(key, response)
    of_key, of_response = matched(k, r)
    shared = np.zeros(len(r.item), dtype=bool)
    shared[of_response] = True
    in_key, in_response = (_there(side.document, len(names)) for side in (k, r))
    only: OneSided = ([], [])
    if key.documents is not None:
        only = [names[d] for d in np.flatnonzero(~in_response)], [names[d] for d in np.flatnonzero(~in_key)]
    kept = shared if rules.extra_items == "drop" else in_key[r.document] if rules.extra_documents == "ignore" else None
    left_out = 0 if kept is None else int((~kept).sum())
    if kept is not None and left_out:
        r, shared = r.only(kept), shared[kept]
    documents = k.document[k.first], r.document[r.first]
    if only[1] and left_out and rules.extra_documents == "ignore":
        names = [name for name, there in zip(names, in_key.tolist(), strict=True) if there]
        place = np.cumsum(in_key) - 1
        documents = place[documents[0]], place[documents[1]]
    table = Table.of(k.entity[of_key], r.entity[shared], k.size, r.size, *documents, len(names))
    seen = RowStatistics(k.tally, r.tally._replace(left_out=left_out), len(of_key))
    return Block(table if rules.singletons else without_singletons(table), names, seen, only)


def _there(document: Ints, documents: int) -> Bools:
    """Which documents a side has."""
    there = np.zeros(documents, dtype=bool)
    there[document] = True
    return there


def without_singletons(table: Table) -> Table:
    """The table without entities of one mention; their mentions stay in the entities of the other side."""
    return table.with_entities(table.key_size > 1, table.response_size > 1)


def counted_in_blocks(
    key: Iterable[arrow.RecordBatch], response: Iterable[arrow.RecordBatch], kernel: Kernel, names: tuple[str, str], memory: int
) -> Iterator[BlockCounts]:
    """Count two streams of rows that are ordered by document, block by block.

    Parameters
    ----------
    key, response : iterable of Arrow record batches
        With the columns of `rows`, documents ascending.
    kernel : Kernel
        Counts each block.
    names : tuple of str
        What messages call the two.
    memory : int
        Bytes for everything together.

    Raises
    ------
    EngineError
        If a stream is not ordered, or a document does not fit into memory.
    """
    sides = [_Ordered(stream, name) for stream, name in zip((key, response), names, strict=True)]
    while True:
        for side in sides:
            side.fill(max(BLOCK // 2, 1))
        ends = [side.last for side in sides if not side.through]
        limit = min(ends) if ends else None  # documents before it are complete on both sides
        blocks = [side.take(limit) for side in sides]
        if any(block.num_rows for block in blocks):
            yield kernel(*blocks)
        elif not ends:
            return
        else:  # one document is larger than a block
            for side in sides:
                side.grow(limit)
            rows = sum(side.rows for side in sides)
            if rows > BLOCK and rows * BYTES > memory:
                problem = f"the document {limit} has {rows} rows or more, which do not fit into memory"
                raise EngineError(f"{problem}; nothing is reported: raise --memory")


class _Ordered:
    """A stream of rows; the last ones are held back until their document is complete."""

    def __init__(self, stream: Iterable[arrow.RecordBatch], name: str) -> None:
        self.stream, self.name = iter(stream), name
        self.held: list[arrow.RecordBatch] = []
        self.rows = 0
        self.through = False
        self.none: arrow.Table | None = None

    @property
    def last(self) -> int | str:
        """The document of the last row that was read."""
        last: int | str = self.held[-1].column("document")[-1].as_py()
        return last

    def fill(self, rows: int) -> None:
        """Read until so many rows are held."""
        while self.rows < rows and not self.through:
            self._read()

    def grow(self, limit: int | str | None) -> None:
        """Read on where the document that is not complete is all that is held."""
        if not self.through and (not self.held or self.last == limit):
            self._read()

    def take(self, limit: int | str | None) -> arrow.Table:
        """Give the rows of the documents before `limit`; all of them if it is None."""
        if not self.held:
            assert self.none is not None  # a stream begins with a batch, if with an empty one
            return self.none
        table = arrow.Table.from_batches(self.held)
        rows = table.num_rows
        if limit is not None:
            rows = int(pc.sum(pc.less(table.column("document"), limit)).as_py() or 0)
        self.held = table.slice(rows).to_batches()
        self.rows = table.num_rows - rows
        return table.slice(0, rows)

    def _read(self) -> None:
        batch = next(self.stream, None)
        if batch is None:
            self.through = True
            return
        self.none = batch.schema.empty_table()
        if not batch.num_rows:
            return
        document = batch.column("document")
        if not is_ascending(document) or (self.held and self.last > document[0].as_py()):
            raise EngineError(f"{self.name} is not ordered by document as it was before; nothing is reported: score again")
        self.held.append(batch)
        self.rows += batch.num_rows


def is_ascending(column: arrow.Array) -> bool:
    """Whether a column of Arrow is ascending."""
    ascending: bool = pc.all(pc.less_equal(column[:-1], column[1:]), min_count=0).as_py()
    return ascending
