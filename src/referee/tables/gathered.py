"""Counts of many documents in little memory: each different column of a block once, in integers as narrow as possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from referee.algorithms.arrays import Ints, Numbers
from referee.stats.counts import Counts
from referee.tables.engine import BlockCounts


class MetricColumns(Mapping[str, Numbers]):
    """The columns of one metric over some blocks, which are made when they are asked for."""

    def __init__(self, blocks: Sequence[BlockCounts], metric: str, order: Ints | None) -> None:
        self.blocks, self.metric, self.order = blocks, metric, order
        self.names = dict.fromkeys(name for block in blocks for name in block.counts[metric].columns)

    def __getitem__(self, name: str) -> Numbers:
        """A column: int64 or float64, shape (documents,)."""
        if name not in self.names:
            raise KeyError(name)
        parts = [_wide(block.counts[self.metric].columns.get(name), len(block.documents)) for block in self.blocks]
        column: Numbers = np.concatenate(parts)
        return column if self.order is None else column[self.order]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


class Gathered:
    """Counts of documents, added block by block, in any order."""

    def __init__(self) -> None:
        self._blocks: list[BlockCounts] = []

    def add(self, block: BlockCounts) -> None:
        """Add documents."""
        columns: dict[bytes, Numbers] = {}
        counts = {
            metric: Counts({name: _once(_narrow(column), columns) for name, column in c.columns.items()}, c.finish, c.unit)
            for metric, c in block.counts.items()
        }
        if counts and (block.documents or not self._blocks):
            self._blocks.append(block._replace(counts=counts))

    def result(self) -> tuple[Sequence[str], dict[str, Counts]]:
        """The names of the documents, ascending, and the counts of each metric, a row a document."""
        names = [name for block in self._blocks for name in block.documents]
        ends = [block.documents for block in self._blocks if block.documents]
        order = None
        if not all(a[-1] < b[0] for a, b in pairwise(ends)):  # type: ignore[operator]  # of one kind
            order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
            names = [names[place] for place in order.tolist()]
        counts = {
            metric: Counts(MetricColumns(self._blocks, metric, order), first.finish, first.unit)
            for metric, first in self._blocks[0].counts.items()
        }
        return tuple(map(str, names)), counts


def _once(column: Numbers, columns: dict[bytes, Numbers]) -> Numbers:
    """The column, or the one of a block that is equal: many metrics have the same."""
    return columns.setdefault(column.dtype.char.encode() + column.tobytes(), column)


def _narrow(column: Numbers) -> Numbers:
    """Integers in as few bytes as hold them."""
    if column.dtype.kind != "i" or not len(column):
        return column
    largest = max(int(column.max()), -int(column.min()))
    return column.astype(next(t for t in (np.int8, np.int16, np.int32, np.int64) if largest <= np.iinfo(t).max))


def _wide(column: Numbers | None, rows: int) -> Numbers:
    """The column as metrics gave it; zeros for the slack of a block that has none."""
    if column is None:
        return np.zeros(rows)
    return column.astype(np.int64) if column.dtype.kind == "i" else column
