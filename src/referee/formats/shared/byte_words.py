"""Bytes of a text: eight of them at a time as one number, and stretches of them as a text."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints, repeat

Bytes: TypeAlias = NDArray[np.uint8]
ByteWords: TypeAlias = NDArray[np.uint64]

FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
"""Masks: the first n bytes of eight."""

STRETCHES = 1 << 13
"""Stretches that are cut out at a time."""


def words_at(data: Bytes, position: Ints) -> ByteWords:
    """The eight bytes from each position on, as one number, the first byte lowest."""
    words: ByteWords = np.ndarray((len(data) - 7,), "<u8", buffer=data, strides=(1,))[position]
    return words


def cut(data: Bytes, begin: Ints, end: Ints) -> bytes:
    """Stretches of the data, one after another; so many at a time that what is computed of their bytes takes little memory."""
    pieces = []
    for at in range(0, len(begin), STRETCHES):
        first = begin[at : at + STRETCHES]
        size = end[at : at + STRETCHES] - first
        place = repeat(first - np.cumsum(size) + size, size)
        place += np.arange(len(place))
        pieces.append(data[place].tobytes())
    return b"".join(pieces)
