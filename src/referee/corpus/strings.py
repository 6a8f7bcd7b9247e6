"""Names that are kept as numbers, because nobody may ever read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints, starts_of_runs

Words: TypeAlias = NDArray[np.uint64]


class Names(Sequence[str]):
    """Names as numbers, eight bytes of UTF-8 in each, which are sorted and compared without the text.

    Parameters
    ----------
    words : uint64, shape (names, words)
        The bytes of each name, the first one highest, and zeros after the last. No name has a zero byte.
    """

    def __init__(self, words: Words) -> None:
        self.words = words

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        texts = self.words.astype(">u8").view(f"S{8 * self.words.shape[1]}")
        return map(bytes.decode, texts.ravel().tolist())

    def __getitem__(self, index: int) -> str:  # type: ignore[override]  # slices are not needed
        return next(iter(self.take(np.array([index]))))

    def __contains__(self, name: object) -> bool:
        raw = name.encode() if isinstance(name, str) else b""
        if not raw or len(raw) > 8 * self.words.shape[1]:
            return False
        words = np.frombuffer(raw.ljust(8 * self.words.shape[1], b"\0"), dtype=">u8")
        return bool((self.words == words).all(axis=1).any())

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def take(self, rows: Ints | slice) -> Names:
        """Return the names of some rows, in this order."""
        return Names(self.words[rows])


def together(*columns: Names) -> Names:
    """Return one column after another."""
    if len(columns) == 1:
        return columns[0]
    ends = list(accumulate(map(len, columns)))
    words = np.zeros((ends[-1], max(column.words.shape[1] for column in columns)), dtype=np.uint64)
    for column, end in zip(columns, ends, strict=True):
        words[end - len(column) : end, : column.words.shape[1]] = column.words
    return Names(words)


def ranks(*columns: Names) -> list[Ints]:
    """Number the names of all columns in sorted order, from 0, equal names alike.

    Examples
    --------
    >>> a, b = (Names(np.array([[ord(letter) << 56] for letter in letters], dtype=np.uint64)) for letters in ("xb", "ax"))
    >>> [rank.tolist() for rank in ranks(a, b)]
    [[2, 1], [0, 2]]
    """
    return sorted_names(*columns)[1]


def sorted_names(*columns: Names) -> tuple[Names, list[Ints]]:
    """Return the different names of all columns in sorted order, and for each column their numbers, from 0."""
    words = together(*columns).words
    # A stable sort merges runs: columns that are in order, and ids that count upwards.
    order = np.argsort(words[:, 0], kind="stable") if words.shape[1] == 1 else np.lexsort(words.T[::-1])
    words = words[order]
    new = starts_of_runs(*words.T)
    number = np.int32 if len(order) < 1 << 31 else np.int64
    rank = np.empty(len(order), dtype=number)
    rank[order] = np.cumsum(new, dtype=number) - 1
    return Names(words[new]), np.split(rank, list(accumulate(map(len, columns)))[:-1])
