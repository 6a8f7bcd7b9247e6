"""Connected components: what links, or shared mentions, make of things."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from referee.algorithms.arrays import Ints


def components(size: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """The smallest member of the connected component of each of the nodes 0, 1, ... size - 1.

    >>> components(4, [(0, 1), (3, 1)])
    [0, 0, 2, 0]
    """
    parent = list(range(size))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for a, b in links:
        low, high = sorted((root(a), root(b)))
        parent[high] = low
    return [root(node) for node in range(size)]


def joined(label: Ints, first: Ints, second: Ints) -> Ints:
    """Return the smallest member of each component when links are added to components.

    Parameters
    ----------
    label : int64, shape (nodes,)
        The smallest member of the component of each node so far; at first the nodes themselves.
    first, second : int64, shape (links,)
        The nodes that are linked.

    Examples
    --------
    >>> joined(np.array([0, 0, 2, 3]), np.array([3]), np.array([1])).tolist()
    [0, 0, 2, 0]
    """
    label = label.copy()
    while True:
        a, b = label[first], label[second]
        apart = a != b
        if not apart.any():
            return label
        first, second = a[apart], b[apart]
        np.minimum.at(label, np.maximum(first, second), np.minimum(first, second))
        while not np.array_equal(shorter := label[label], label):
            label = shorter
