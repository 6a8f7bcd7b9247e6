"""Counts of many documents in little memory: each different column of a block once, as narrow as possible, and on disk."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, NamedTuple, overload

import numpy as np

from referee.algorithms.arrays import Ints, Numbers
from referee.counts import Counts
from referee.exceptions import EngineError
from referee.tables.engine import Counted

IN_MEMORY = 1 << 22
"""Bytes of counts that are kept in memory; more of them are in a file."""


MANY = 100_000
"""Documents whose numbers are made names only when someone asks for them."""


TOGETHER = 1 << 16
"""Documents that are given at a time, at least."""


class Names(Sequence[str]):
    """Numbers as names."""

    def __init__(self, numbers: Ints) -> None:
        self.numbers = numbers

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...

    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        """A name, or some of them."""
        return tuple(map(str, self.numbers[place].tolist())) if isinstance(place, slice) else str(self.numbers[place])

    def __len__(self) -> int:
        return len(self.numbers)


class _Block(NamedTuple):
    """The columns of some documents: each different one once, and which is which; where they are in the file, if they are."""

    columns: list[Numbers]
    place: dict[tuple[str, str], int]
    documents: list[int | str] | Ints
    offset: int | None = None
    types: tuple[str, ...] = ()


class _Store:
    """Blocks, the first of them in memory, and the others in a file that nobody else sees."""

    def __init__(self, folder: str | None) -> None:
        self.folder, self.blocks = folder, list[_Block]()
        self.bytes = 0
        self.file: BinaryIO | None = None

    def add(self, block: _Block) -> None:
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
            block = block._replace(columns=[], offset=offset, types=tuple(column.dtype.str for column in block.columns))
        self.blocks.append(block)

    def __getstate__(self) -> dict[str, object]:
        """All blocks in memory: a file cannot be sent."""
        held = [b._replace(columns=[self.column(b, n) for n in range(len(b.types) or len(b.columns))]) for b in self.blocks]
        return {**self.__dict__, "file": None, "blocks": [block._replace(offset=None) for block in held]}

    def column(self, block: _Block, number: int) -> Numbers:
        """A column of a block."""
        if block.offset is None or self.file is None:
            return block.columns[number]
        rows = len(block.documents)
        before = sum(np.dtype(kind).itemsize for kind in block.types[:number]) * rows
        kind = np.dtype(block.types[number])
        self.file.seek(block.offset + before)
        return np.frombuffer(self.file.read(kind.itemsize * rows), kind)


class Columns(Mapping[str, Numbers]):
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
            np.zeros(len(block.documents))
            if place is None
            else _wide(self.store.column(block, place))  # no slack in this block
            for block, place in zip(blocks, places, strict=True)
        ]
        column: Numbers = np.concatenate(parts)
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
        if not block.documents:
            return
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
        if self._store.blocks and self._store.blocks[-1].place == place:
            place = self._store.blocks[-1].place  # nearly always: one for all blocks
        first, last = block.documents[0], block.documents[-1]
        self._ascending &= self._last is None or self._last < first  # type: ignore[operator]  # of one kind
        self._last = last
        whole = all(isinstance(name, int) for name in block.documents)
        self._store.add(_Block(columns, place, np.array(block.documents) if whole else block.documents))

    def blocks(self) -> Iterator[tuple[Sequence[str], dict[str, Counts]]]:
        """The names of some documents, and their counts, in the order of documents; all at once if blocks are in another."""
        if self._ascending:
            first = rows = 0
            for last, block in enumerate(self._store.blocks, start=1):
                rows += len(block.documents)
                if rows >= TOGETHER or last == len(self._store.blocks):
                    these = slice(first, last)
                    names = [str(name) for of in self._store.blocks[these] for name in _listed(of.documents)]
                    yield names, self._made(None, these)
                    first, rows = last, 0
        else:
            yield self.result()

    def result(self) -> tuple[Sequence[str], dict[str, Counts]]:
        """The names of the documents, ascending, and the counts of each metric, a row a document."""
        numbers = [block.documents for block in self._store.blocks if isinstance(block.documents, np.ndarray)]
        if self._ascending and len(numbers) == len(self._store.blocks) and sum(map(len, numbers)) > MANY:
            return Names(np.concatenate(numbers)), self._made(None)
        names = [name for block in self._store.blocks for name in _listed(block.documents)]
        order = None
        if not self._ascending:
            order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
            names = [names[place] for place in order.tolist()]
        return tuple(map(str, names)), self._made(order)

    def _made(self, order: Ints | None, blocks: slice = slice(None)) -> dict[str, Counts]:
        return {
            metric: Counts(Columns(metric, tuple(self._names[metric]), self._store, order, blocks), first.finish, first.unit)
            for metric, first in self._counts.items()
        }


def _listed(names: list[int | str] | Ints) -> list[int | str]:
    return names.tolist() if isinstance(names, np.ndarray) else names


def _narrow(column: Numbers) -> Numbers:
    """Integers in as few bytes as hold them."""
    if column.dtype.kind != "i":
        return column
    largest = max(int(column.max()), -int(column.min()))
    return column.astype(next(t for t in (np.int8, np.int16, np.int32, np.int64) if largest <= np.iinfo(t).max))


def _wide(column: Numbers) -> Numbers:
    return column.astype(np.int64) if column.dtype.kind == "i" else column
