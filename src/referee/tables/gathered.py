"""Counts of many documents in little memory: each different column of a block once, in integers as narrow as possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints, Numbers
from referee.counts import Counts
from referee.tables.engine import Counted


class _Block(NamedTuple):
    """The columns of some documents: each different one once, and which is which."""

    columns: list[Numbers]
    place: dict[tuple[str, str], int]
    documents: int


class Columns(Mapping[str, Numbers]):
    """The columns of one metric, which are made when they are asked for."""

    def __init__(self, metric: str, names: Sequence[str], blocks: Sequence[_Block], order: Ints | None) -> None:
        self.metric, self.names, self.blocks, self.order = metric, names, blocks, order

    def __getitem__(self, name: str) -> Numbers:
        """A column: int64 or float64, shape (documents,)."""
        if name not in self.names:
            raise KeyError(name)
        places = (block.place.get((self.metric, name)) for block in self.blocks)
        parts = [
            np.zeros(block.documents) if place is None else _wide(block.columns[place])  # no slack in this block
            for block, place in zip(self.blocks, places, strict=True)
        ]
        column: Numbers = np.concatenate(parts)
        return column if self.order is None else column[self.order]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


class Gathered:
    """Counts of documents, added block by block, in any order."""

    def __init__(self) -> None:
        self.documents: list[int | str] = []
        self._blocks: list[_Block] = []
        self._counts: dict[str, Counts] = {}
        self._names: dict[str, dict[str, None]] = {}

    def add(self, block: Counted) -> None:
        """Add documents."""
        if not block.documents:
            return
        self.documents += block.documents
        packed: dict[bytes, int] = {}
        columns: list[Numbers] = []
        place: dict[tuple[str, str], int] = {}
        for metric, counts in block.counts.items():
            self._counts.setdefault(metric, counts.rows([0]))
            for name, column in counts.columns.items():
                self._names.setdefault(metric, {})[name] = None
                narrow = _narrow(column)
                number = packed.setdefault(narrow.dtype.char.encode() + narrow.tobytes(), len(columns))
                if number == len(columns):
                    columns.append(narrow)
                place[metric, name] = number
        self._blocks.append(_Block(columns, place, len(block.documents)))

    def result(self) -> tuple[tuple[str, ...], dict[str, Counts]]:
        """The names of the documents, ascending, and the counts of each metric, a row a document."""
        order = None
        if any(a >= b for a, b in zip(self.documents, self.documents[1:], strict=False)):  # type: ignore[operator]  # one kind
            order = np.array(sorted(range(len(self.documents)), key=self.documents.__getitem__), dtype=np.int64)
        names = self.documents if order is None else [self.documents[place] for place in order.tolist()]
        counts = {
            metric: Counts(Columns(metric, tuple(self._names[metric]), self._blocks, order), first.finish, first.unit)
            for metric, first in self._counts.items()
        }
        return tuple(map(str, names)), counts


def _narrow(column: Numbers) -> Numbers:
    """Integers in as few bytes as hold them."""
    if column.dtype.kind != "i":
        return column
    largest = max(int(column.max()), -int(column.min()))
    return column.astype(next(t for t in (np.int8, np.int16, np.int32, np.int64) if largest <= np.iinfo(t).max))


def _wide(column: Numbers) -> Numbers:
    return column.astype(np.int64) if column.dtype.kind == "i" else column
