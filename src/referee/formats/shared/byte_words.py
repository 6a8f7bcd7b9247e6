"""Bytes of a text: eight of them at a time as one number."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints

Bytes: TypeAlias = NDArray[np.uint8]
ByteWords: TypeAlias = NDArray[np.uint64]

FIRST_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
"""Masks: the first n bytes of eight."""


def words_at(data: Bytes, position: Ints) -> ByteWords:
    """The eight bytes from each position on, as one number, the first byte lowest."""
    words: ByteWords = np.ndarray((len(data) - 7,), "<u8", buffer=data, strides=(1,))[position]
    return words
