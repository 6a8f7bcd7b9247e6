"""Aligning two long sequences that are mostly the same, in nearly linear time.

Runs of items that both sequences have once are anchors (patience diff, Bram Cohen): the longest increasing series of them is
kept. Between anchors shorter runs are tried, and what is left is small enough to be aligned item by item.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

import numpy as np

from referee.algorithms.arrays import Ints

LENGTHS = (8, 4, 2, 1)
"""How many items a run has: long runs first, for they are seldom equal by chance."""

SMALL = 400
"""Pairs of items that are compared at once without looking for runs."""

SPENT = 50
"""Pairs of items that may be compared in all, for each item of the two sequences; beyond, no run means no alignment."""

Box = tuple[int, int, int, int, int]
"""Two stretches that are still to be aligned, `[a, a_end)` and `[b, b_end)`, and which of `LENGTHS` is tried next."""


def align(a: Ints, b: Ints, similarity: Callable[[int, int], float]) -> Ints:
    """Return the place in `b` of each item of `a`, ascending; -1 for none.

    Parameters
    ----------
    a, b : integers
        Equal items are equal numbers.
    similarity : callable
        Of two unequal items, from 0 to below 1; those of 0 are never aligned.

    Examples
    --------
    >>> align(np.array([1, 2, 9, 3]), np.array([2, 3, 4]), lambda x, y: 0).tolist()
    [-1, 0, -1, 1]
    """
    place = np.full(len(a), -1, dtype=np.int64)
    budget = SPENT * (len(a) + len(b)) + SMALL
    boxes: list[Box] = [(0, len(a), 0, len(b), 0)]
    while boxes:
        i, i_end, j, j_end, level = box = boxes.pop()
        if (i_end - i) * (j_end - j) > SMALL:
            i, i_end, j, j_end, level = box = _trimmed(a, b, box, place)
        area = (i_end - i) * (j_end - j)
        if area > SMALL and level < len(LENGTHS):
            boxes += _split(a, b, box, place)
        elif 0 < area <= budget:
            budget -= area
            for x, y in _best(a[i:i_end].tolist(), b[j:j_end].tolist(), similarity):
                place[i + x] = j + y
    return place


def _trimmed(a: Ints, b: Ints, box: Box, place: Ints) -> Box:
    """Align the equal items at the beginning and at the end of a box; the box without them."""
    i, i_end, j, j_end, level = box
    same = _equal_length(a[i:i_end], b[j:j_end])
    place[i : i + same] = np.arange(j, j + same)
    i, j = i + same, j + same
    same = _equal_length(a[i:i_end][::-1], b[j:j_end][::-1])
    place[i_end - same : i_end] = np.arange(j_end - same, j_end)
    return i, i_end - same, j, j_end - same, level


def _equal_length(a: Ints, b: Ints) -> int:
    """How many first items are equal."""
    length = min(len(a), len(b))
    if not length or a[0] != b[0]:
        return 0
    different = a[:length] != b[:length]
    return int(different.argmax()) if different.any() else length


def _split(a: Ints, b: Ints, box: Box, place: Ints) -> list[Box]:
    """Align the anchors of a box; the boxes between them."""
    i, i_end, j, j_end, level = box
    length = LENGTHS[level]
    first, second = _anchors(a[i:i_end], b[j:j_end], length)
    if not len(first):
        return [(i, i_end, j, j_end, level + 1)]
    for item in range(length):
        place[i + first + item] = j + second + item
    aligned = np.flatnonzero(place[i:i_end] >= 0)
    x = np.concatenate([[i - 1], i + aligned, [i_end]])
    y = np.concatenate([[j - 1], place[i + aligned], [j_end]])
    between = np.flatnonzero((np.diff(x) > 1) & (np.diff(y) > 1))
    return [(int(x[n]) + 1, int(x[n + 1]), int(y[n]) + 1, int(y[n + 1]), level + 1) for n in between]


def _anchors(a: Ints, b: Ints, length: int) -> tuple[Ints, Ints]:
    """Where runs of so many items begin that both have once, both ascending."""
    nothing = np.empty(0, dtype=np.int64)
    if min(len(a), len(b)) < length:
        return nothing, nothing
    (hash_a, at_a), (hash_b, at_b) = _once(_hashes(a, length)), _once(_hashes(b, length))
    _, of_a, of_b = np.intersect1d(hash_a, hash_b, assume_unique=True, return_indices=True)
    order = np.argsort(at_a[of_a])
    first, second = at_a[of_a][order], at_b[of_b][order]
    equal = np.ones(len(first), dtype=bool)  # hashes of different runs may be equal
    for item in range(length):
        equal &= a[first + item] == b[second + item]
    first, second = first[equal], second[equal]
    if len(second) and (np.diff(second) <= 0).any():
        kept = np.array(_increasing(second.tolist()))
        first, second = first[kept], second[kept]
    while True:  # runs that overlap in one sequence must overlap alike in the other
        x, y = np.diff(first), np.diff(second)
        clash = (x != y) & (np.minimum(x, y) < length)
        if not clash.any():
            return first, second
        kept = np.concatenate([[True], ~clash])
        first, second = first[kept], second[kept]


def _hashes(items: Ints, length: int) -> Ints:
    """A number for each run."""
    hashes = np.zeros(len(items) - length + 1, dtype=np.uint64)
    for item in range(length):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + items[item : len(items) - length + 1 + item].astype(np.uint64) + 1
    return hashes.view(np.int64)


def _once(hashes: Ints) -> tuple[Ints, Ints]:
    """The numbers that are there once, sorted, and their places."""
    order = np.argsort(hashes, kind="stable")
    sorted_ = hashes[order]
    differs = np.concatenate([[True], sorted_[1:] != sorted_[:-1], [True]])
    alone = differs[1:] & differs[:-1]
    return sorted_[alone], order[alone]


def _increasing(values: Sequence[int]) -> list[int]:
    """The places of a longest increasing series."""
    ends: list[int] = []  # the least value at which a series of each length ends
    places: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        length = bisect_left(ends, value)
        before.append(places[length - 1] if length else -1)
        ends[length : length + 1] = [value]
        places[length : length + 1] = [place]
    series = []
    place = places[-1]
    while place >= 0:
        series.append(place)
        place = before[place]
    return series[::-1]


def _best(a: Sequence[int], b: Sequence[int], similarity: Callable[[int, int], float]) -> list[tuple[int, int]]:
    """The pairs of an alignment with the largest sum of similarities."""
    width = len(b) + 1
    best = [[0.0] * width]
    for x in a:
        above, row = best[-1], [0.0]
        for n, y in enumerate(b):
            value = above[n] + (1.0 if x == y else similarity(x, y))
            row.append(max(value, above[n + 1], row[n]))
        best.append(row)
    pairs = []
    i, j = len(a), len(b)
    while i and j:
        here = best[i][j]
        if here == best[i - 1][j]:
            i -= 1
        elif here == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs
