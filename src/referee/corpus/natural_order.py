"""The order in which people expect ids: numbers in them by their size, so that r2 comes before r10."""

from __future__ import annotations

import re
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Ints
from referee.corpus.columns import Spans
from referee.corpus.strings import Names

Natural: TypeAlias = tuple[bool, list[tuple[int, str]], Spans]
"""What mentions without words are sorted by."""

Bytes: TypeAlias = NDArray[np.uint8]

BLOCK = 1 << 18
"""Names whose bytes are looked at at a time."""

ZERO, NINE, END = ord("0"), ord("9"), 255


def natural(mention: str | Spans) -> Natural:
    """Sorts item ids before spans, and numbers in ids by their size, so that 2 comes before 10."""
    if not isinstance(mention, str):
        return True, [], mention
    pieces = re.split(r"([0-9]+)", mention)
    return False, [(int(piece) if n % 2 and len(piece) < 100 else 0, piece) for n, piece in enumerate(pieces)], ()


def natural_order(names: Names) -> Ints:
    """Return the order of many names: that of `natural`.

    Examples
    --------
    >>> natural_order(Names(np.array([[0x7231_3000_0000_0000], [0x7232_0000_0000_0000]], dtype=np.uint64))).tolist()  # r10, r2
    [1, 0]
    """
    blocks = [_keys(names.words[first : first + BLOCK]) for first in range(0, len(names), BLOCK)]
    width = max((block.shape[1] for block in blocks), default=0)
    keys = np.zeros((len(names), width), dtype=np.uint8)
    for number, block in enumerate(blocks):
        keys[number * BLOCK : number * BLOCK + len(block), : block.shape[1]] = block
    telling = np.flatnonzero((keys != keys[:1]).any(axis=0))  # what all names share decides nothing
    packed = np.zeros((len(names), max(-(-len(telling) // 8), 1) * 8), dtype=np.uint8)
    packed[:, : len(telling)] = keys[:, telling]
    words = packed.view(">u8").astype(np.uint64)
    return words[:, 0].argsort(kind="stable") if words.shape[1] == 1 else np.lexsort(words.T[::-1])


def _keys(words: NDArray[np.uint64]) -> Bytes:
    """Bytes of which the order is that of `natural`, zeros after the last.

    A number stands between texts, of which the first and the last may be empty. A text ends with 0. A number is the number of
    its digits but for zeros before them, and one more; these digits; and less for each of those zeros.
    """
    rows, width = words.shape[0], 8 * words.shape[1] + 1
    raw = np.zeros((rows, width), dtype=np.uint8)
    raw[:, :-1] = words.astype(">u8").view(np.uint8).reshape(rows, width - 1)
    flat = raw.ravel()
    digit = np.zeros(len(flat) + 1, dtype=bool)
    digit[1:] = (flat >= ZERO) & (flat <= NINE)
    start, end = np.flatnonzero(digit[1:] & ~digit[:-1]), np.flatnonzero(digit[:-1] & ~digit[1:])
    others = np.flatnonzero(flat != ZERO)
    first = others[np.searchsorted(others, start)]  # the first digit but zeros, or what follows the number
    zeros = np.zeros(len(flat) + 1, dtype=np.int8)
    zeros[start] += 1
    zeros[first] -= 1
    written = (flat != 0) & (np.cumsum(zeros[:-1]) == 0)
    before = np.zeros(len(flat), dtype=np.int64)
    before[start], before[end] = 2, 1
    after = np.cumsum(written + before).reshape(rows, width)
    after[1:] -= after[:-1, -1:].copy()
    keys = np.zeros((rows, int(after[:, -1].max(initial=0))), dtype=np.uint8)
    place = after.ravel() - written - before
    text = np.flatnonzero(written)
    keys[text // width, (place + before)[text]] = flat[text]
    keys[start // width, place[start] + 1] = np.minimum(end - first, END - 1) + 1
    keys[end // width, place[end]] = END - np.minimum(first - start, END)
    return keys
