"""Counts of many documents in little memory: each different column of a block once, as narrow as possible, and on disk."""

from __future__ import annotations

import json
import os
import tempfile
import weakref
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import BinaryIO, NamedTuple, overload

import numpy as np

from referee.algorithms.arrays import Ints, Numbers
from referee.basics.exceptions import EngineError
from referee.stats.counts import Counts
from referee.tables.engine import Counted

IN_MEMORY = 1 << 22
"""Bytes of counts that are kept in memory; more of them are in a file."""


MANY = 100_000
"""Documents whose names are read only when someone asks for them."""


TOGETHER = 1 << 16
"""Documents that are given at a time, at least."""


class _KeptBlock(NamedTuple):
    """The columns of some documents: each different one once, and which is which; where they are in the file, if they are.

    The last column has the names of the documents.
    """

    rows: int
    columns: list[Numbers]
    place: dict[tuple[str, str], int]
    offset: int | None = None
    types: tuple[tuple[str, int], ...] = ()


class _Store:
    """Blocks, the first of them in memory, and the others in a file that nobody else sees."""

    def __init__(self, folder: str | None) -> None:
        self.folder, self.blocks = folder, list[_KeptBlock]()
        self.bytes = 0
        self.file: BinaryIO | None = None

    def add(self, block: _KeptBlock) -> None:
        """Add documents."""
        data = b"".join(column.tobytes() for column in block.columns)
        self.bytes += len(data)
        if self.bytes > IN_MEMORY:
            try:
                if self.file is None:
                    self.file = tempfile.TemporaryFile(dir=self.folder)
                    weakref.finalize(self, self.file.close)
                offset = self.file.seek(0, os.SEEK_END)
                self.file.write(data)
                self.file.flush()
            except OSError as error:
                problem = f"counts of documents cannot be written to the spill folder: {(error.strerror or '').lower()}"
                raise EngineError(f"{problem}; expected {len(data)} more bytes: use --spill") from None
            block = block._replace(columns=[], offset=offset, types=tuple((c.dtype.str, len(c)) for c in block.columns))
        self.blocks.append(block)

    def __getstate__(self) -> dict[str, object]:
        """All blocks in memory: a file cannot be sent."""
        held = [b._replace(columns=[self.column(b, n) for n in range(len(b.types) or len(b.columns))]) for b in self.blocks]
        return {**self.__dict__, "file": None, "blocks": [block._replace(offset=None) for block in held]}

    def column(self, block: _KeptBlock, number: int) -> Numbers:
        """A column of a block."""
        if block.offset is None or self.file is None:
            return block.columns[number]
        *before, (kind, values) = block.types[: number % len(block.types) + 1]
        self.file.seek(block.offset + sum(np.dtype(kind).itemsize * values for kind, values in before))
        return np.frombuffer(self.file.read(np.dtype(kind).itemsize * values), kind)

    def names(self, block: _KeptBlock) -> list[int | str]:
        """The names of the documents of a block."""
        names: list[int | str] = json.loads(self.column(block, -1).tobytes())
        return names


class GatheredNames(Sequence[str]):
    """The names of very many documents, those of one block in memory."""

    def __init__(self, store: _Store) -> None:
        self._store = store
        self._ends = list(accumulate(block.rows for block in store.blocks))
        self._held: tuple[int, list[int | str]] = (-1, [])

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...

    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        """A name, or some of them."""
        if isinstance(place, slice):
            return tuple(self[one] for one in range(len(self))[place])
        row = range(len(self))[place]
        block = bisect_right(self._ends, row)
        if self._held[0] != block:
            self._held = block, self._store.names(self._store.blocks[block])
        return str(self._held[1][row - self._ends[block]])  # from the end of the block

    def __len__(self) -> int:
        return self._ends[-1]


class MetricColumns(Mapping[str, Numbers]):
    """The columns of one metric, which are made when they are asked for."""

    def __init__(self, metric: str, names: Sequence[str], store: _Store, order: Ints | None, blocks: slice) -> None:
        self.metric, self.names, self.store, self.order, self.blocks = metric, names, store, order, blocks

    def __getitem__(self, name: str) -> Numbers:
        """A column: int64 or float64, shape (documents,)."""
        if name not in self.names:
            raise KeyError(name)
        blocks = self.store.blocks[self.blocks]
        places = (block.place.get((self.metric, name)) for block in blocks)
        parts = [
            np.zeros(block.rows) if place is None else _wide(self.store.column(block, place))  # no slack in this block
            for block, place in zip(blocks, places, strict=True)
        ]
        column: Numbers = np.concatenate(parts) if parts else np.zeros(0)
        return column if self.order is None else column[self.order]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


class Gathered:
    """Counts of documents, added block by block, in any order.

    Parameters
    ----------
    folder : str or None
        Where the file is made, if one is needed.
    """

    def __init__(self, folder: str | None = None) -> None:
        self._store = _Store(folder)
        self._last: int | str | None = None
        self._ascending = True
        self._counts: dict[str, Counts] = {}
        self._names: dict[str, dict[str, None]] = {}

    def add(self, block: Counted) -> None:
        """Add documents."""
        for metric, counts in block.counts.items():
            self._counts.setdefault(metric, counts.rows(slice(1)))
            self._names.setdefault(metric, {}).update(dict.fromkeys(counts.columns))
        if not block.documents:
            return
        packed: dict[bytes, int] = {}
        columns: list[Numbers] = []
        place: dict[tuple[str, str], int] = {}
        for metric, counts in block.counts.items():
            for name, column in counts.columns.items():
                narrow = _narrow(column)
                number = packed.setdefault(narrow.dtype.char.encode() + narrow.tobytes(), len(columns))
                if number == len(columns):
                    columns.append(narrow)
                place[metric, name] = number
        if self._store.blocks and self._store.blocks[-1].place == place:
            place = self._store.blocks[-1].place  # nearly always: one for all blocks
        first, last = block.documents[0], block.documents[-1]
        self._ascending &= self._last is None or self._last < first  # type: ignore[operator]  # of one kind
        self._last = last
        columns.append(np.frombuffer(json.dumps(block.documents).encode(), np.uint8))
        self._store.add(_KeptBlock(len(block.documents), columns, place))

    def blocks(self) -> Iterator[tuple[Sequence[str], dict[str, Counts]]]:
        """The names of some documents, and their counts, in the order of documents; all at once if blocks are in another."""
        if self._ascending:
            first = rows = 0
            for last, block in enumerate(self._store.blocks, start=1):
                rows += block.rows
                if rows >= TOGETHER or last == len(self._store.blocks):
                    these = slice(first, last)
                    yield list(map(str, self._names_of(these))), self._made(None, these)
                    first, rows = last, 0
        else:
            yield self.result()

    def result(self) -> tuple[Sequence[str], dict[str, Counts]]:
        """The names of the documents, ascending, and the counts of each metric, a row a document."""
        if self._ascending and sum(block.rows for block in self._store.blocks) > MANY:
            return GatheredNames(self._store), self._made(None)
        names = self._names_of(slice(None))
        order = None
        if not self._ascending:
            order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
            names = [names[place] for place in order.tolist()]
        return tuple(map(str, names)), self._made(order)

    def _names_of(self, blocks: slice) -> list[int | str]:
        return [name for block in self._store.blocks[blocks] for name in self._store.names(block)]

    def _made(self, order: Ints | None, blocks: slice = slice(None)) -> dict[str, Counts]:
        return {
            metric: Counts(
                MetricColumns(metric, tuple(self._names[metric]), self._store, order, blocks), first.finish, first.unit
            )
            for metric, first in self._counts.items()
        }


def _narrow(column: Numbers) -> Numbers:
    """Integers in as few bytes as hold them."""
    if column.dtype.kind != "i":
        return column
    largest = max(int(column.max()), -int(column.min()))
    return column.astype(next(t for t in (np.int8, np.int16, np.int32, np.int64) if largest <= np.iinfo(t).max))


def _wide(column: Numbers) -> Numbers:
    return column.astype(np.int64) if column.dtype.kind == "i" else column
