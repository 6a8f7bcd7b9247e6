"""Connected components: what links, or shared mentions, make of things."""

from __future__ import annotations

from collections.abc import Iterable


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
