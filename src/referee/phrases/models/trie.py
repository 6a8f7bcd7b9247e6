"""Tag sequences as a tree, and the walk of a lattice through it: all spans whose tags are those of a rule, in a pass a length.

A node is a sequence of tags. Nodes are numbered by length, then parent, then tag; so the keys (parent, tag) of the edges stand
in order, and a child is found by bisection.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import within
from referee.phrases.models.lattice import LEAST, Lattice


@dataclass(frozen=True, eq=False)
class Trie:
    """edges : int64, shape (nodes - 1,), parent * width + tag of nodes 1, 2, ...; node 0 is the empty sequence
    width : larger than every tag
    """

    edges: Ints
    width: int

    def child(self, node: Ints, tag: Ints) -> NDArray[np.int64]:
        """The node of the sequence one tag longer; -1 if there is none."""
        if not len(self.edges):
            return np.full(len(node), -1)
        key = node * self.width + tag
        at = np.minimum(np.searchsorted(self.edges, key), len(self.edges) - 1)
        return np.where((self.edges[at] == key) & (tag < self.width), at + 1, -1)

    def sequences(self) -> list[tuple[int, ...]]:
        """The tags of each node."""
        found: list[tuple[int, ...]] = [()]
        for key in self.edges.tolist():
            parent, tag = divmod(key, self.width)
            found.append((*found[parent], tag))
        return found

    def depth(self) -> NDArray[np.int64]:
        """Tags in each node's sequence."""
        depth = np.zeros(len(self.edges) + 1, dtype=np.int64)
        for node, parent in enumerate((self.edges // self.width).tolist(), start=1):
            depth[node] = depth[parent] + 1
        return depth


@dataclass(frozen=True, eq=False)
class Paths:
    """Tag sequences through a lattice, all of one length.

    origin : int64, shape (paths,), in order: the place where they start (or the number of the span they are paths of)
    state  : where they end
    node   : their tags
    p      : float64, shape (paths,), P(tags | words)
    """

    origin: Ints
    state: Ints
    node: Ints
    p: Floats

    def where(self, kept: NDArray[np.bool_]) -> Paths:
        return Paths(self.origin[kept], self.state[kept], self.node[kept], self.p[kept])


def onward(lattice: Lattice, paths: Paths) -> tuple[Ints, Ints, Floats]:
    """The edges on which the paths go on: number of the path, state it leads to, probability given the path."""
    edges = lattice.onward[paths.state + 1] - lattice.onward[paths.state]
    row = np.repeat(np.arange(len(edges)), edges)
    edge = lattice.onward[paths.state[row]] + within(edges)
    return row, lattice.to[edge], lattice.q[edge]


def walk(lattice: Lattice, trie: Trie, least: float = LEAST) -> Iterator[tuple[int, Paths]]:
    """1, 2, ..., and the paths of so many words from every place that are in the tree."""
    states = np.arange(len(lattice.place))
    paths = Paths(lattice.place, states, trie.child(np.zeros_like(states), lattice.tag), lattice.p)
    length = 1
    while True:
        paths = paths.where((paths.node >= 0) & (paths.p >= least))
        if not len(paths.p):
            return
        yield length, paths
        row, state, q = onward(lattice, paths)
        paths = Paths(paths.origin[row], state, trie.child(paths.node[row], lattice.tag[state]), paths.p[row] * q)
        length += 1


def paths_of(lattice: Lattice, place: Ints, length: Ints, least: float = LEAST) -> tuple[Trie, Paths]:
    """The tag sequences of spans, and the tree of all of them.

    place, length : of each span; `origin` of the paths is its number
    """
    width = len(lattice.tags) + 1
    states = lattice.first[place + 1] - lattice.first[place]
    origin = np.repeat(np.arange(len(place)), states)
    state = lattice.first[place[origin]] + within(states)
    paths = Paths(origin, state, np.zeros_like(origin), lattice.p[state])
    edges, done, nodes, depth = [], [], 1, 1
    while True:
        paths = paths.where((paths.p >= least) & (lattice.tag[paths.state] < width - 1))
        if not len(paths.p):
            break
        keys, number = np.unique(paths.node * width + lattice.tag[paths.state], return_inverse=True)
        edges.append(keys)
        paths = Paths(paths.origin, paths.state, nodes + number, paths.p)
        nodes += len(keys)
        ended = length[paths.origin] == depth
        done.append(paths.where(ended))
        rest = paths.where(~ended)
        row, state, q = onward(lattice, rest)
        paths = Paths(rest.origin[row], state, rest.node[row], rest.p[row] * q)
        depth += 1
    return Trie(np.concatenate([np.zeros(0, np.int64), *edges]), width), _joined(done)


def _joined(blocks: list[Paths]) -> Paths:
    none = np.empty(0, dtype=np.int64)
    return Paths(
        np.concatenate([none, *(b.origin for b in blocks)]),
        np.concatenate([none, *(b.state for b in blocks)]),
        np.concatenate([none, *(b.node for b in blocks)]),
        np.concatenate([np.empty(0), *(b.p for b in blocks)]),
    )
