"""Tag sequences as a tree, and the walk of a lattice through it, which finds all spans whose tags are those of a rule.

A node is a tag sequence. Nodes are numbered by length, then by parent, then by tag. So the keys (parent, tag) of the edges are
sorted, and bisection finds a child.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Bools, Floats, Ints, ranges
from referee.phrases.models.lattice import MIN_PROBABILITY, Lattice


@dataclass(frozen=True, eq=False)
class Trie:
    """Tag sequences.

    Parameters
    ----------
    edges
        int64, shape (nodes - 1,): parent * width + tag of the nodes 1, 2, ...; node 0 is the empty sequence.
    width
        Larger than every tag.
    """

    edges: Ints
    width: int

    def child(self, node: Ints, tag: Ints) -> NDArray[np.int64]:
        """The node of the sequence that is one tag longer; -1 if there is none."""
        if not len(self.edges):
            return np.full(len(node), -1)
        key = node * self.width + tag
        at = np.minimum(np.searchsorted(self.edges, key), len(self.edges) - 1)
        return np.where((self.edges[at] == key) & (tag < self.width), at + 1, -1)

    def sequences(self) -> list[tuple[int, ...]]:
        """The tags of each node."""
        sequences: list[tuple[int, ...]] = [()]
        for key in self.edges.tolist():
            parent, tag = divmod(key, self.width)
            sequences.append((*sequences[parent], tag))
        return sequences

    def lengths(self) -> NDArray[np.int64]:
        """The number of tags of each node."""
        lengths = np.zeros(len(self.edges) + 1, dtype=np.int64)
        for node, parent in enumerate((self.edges // self.width).tolist(), start=1):
            lengths[node] = lengths[parent] + 1
        return lengths


class Paths(NamedTuple):
    """Tag sequences through a lattice, all of one length.

    Parameters
    ----------
    origin
        int64, shape (paths,), in order: the position where the path starts, or the number of the span whose path it is.
    state
        The state in which the path ends.
    node
        The node of its tags.
    probability
        float64: P(tags | words).
    """

    origin: Ints
    state: Ints
    node: Ints
    probability: Floats

    def where(self, kept: Bools) -> Paths:
        """Some of the paths."""
        return Paths(self.origin[kept], self.state[kept], self.node[kept], self.probability[kept])


class Extensions(NamedTuple):
    """The edges by which paths can be extended: the number of the path, the next state, its probability given the path."""

    path: Ints
    state: Ints
    probability: Floats


def extensions(lattice: Lattice, paths: Paths) -> Extensions:
    """The edges by which the paths can be extended."""
    path, edge = ranges(lattice.edge_start[paths.state], lattice.edge_start[paths.state + 1])
    return Extensions(path, lattice.target[edge], lattice.transition[edge])


def walk(lattice: Lattice, trie: Trie, min_probability: float = MIN_PROBABILITY) -> Iterator[tuple[int, Paths]]:
    """For 1, 2, ... words: the number of words, and the paths of this length whose tags are in the tree."""
    states = np.arange(len(lattice.position))
    paths = Paths(lattice.position, states, trie.child(np.zeros_like(states), lattice.tag), lattice.probability)
    length = 1
    while True:
        paths = paths.where((paths.node >= 0) & (paths.probability >= min_probability))
        if not len(paths.probability):
            return
        yield length, paths
        path, state, p = extensions(lattice, paths)
        node = trie.child(paths.node[path], lattice.tag[state])
        paths = Paths(paths.origin[path], state, node, paths.probability[path] * p)
        length += 1


def span_paths(lattice: Lattice, position: Ints, length: Ints, min_probability: float = MIN_PROBABILITY) -> tuple[Trie, Paths]:
    """The tree of the tag sequences of spans, and the sequences as paths.

    Parameters
    ----------
    lattice
        The tags.
    position, length
        Of each span. Its number is the `origin` of its paths.
    min_probability
        Less probable sequences are left out.
    """
    width = len(lattice.tags) + 1
    paths = _single_tags(lattice, position)
    edges, complete, nodes, depth = [], [paths.where(np.zeros(len(paths.origin), dtype=bool))], 1, 1
    while True:
        paths = paths.where((paths.probability >= min_probability) & (lattice.tag[paths.state] < width - 1))
        if not len(paths.probability):
            break
        keys, number = np.unique(paths.node * width + lattice.tag[paths.state], return_inverse=True)
        edges.append(keys)
        paths = Paths(paths.origin, paths.state, nodes + number, paths.probability)
        nodes += len(keys)
        is_complete = length[paths.origin] == depth
        complete.append(paths.where(is_complete))
        rest = paths.where(~is_complete)
        path, state, p = extensions(lattice, rest)
        paths = Paths(rest.origin[path], state, rest.node[path], rest.probability[path] * p)
        depth += 1
    joined = Paths(*map(np.concatenate, zip(*complete, strict=True)))
    return Trie(np.concatenate([np.zeros(0, np.int64), *edges]), width), joined


def _single_tags(lattice: Lattice, position: Ints) -> Paths:
    """The tags of the first word of each span, as paths without nodes."""
    origin, state = ranges(lattice.first_state[position], lattice.first_state[position + 1])
    return Paths(origin, state, np.zeros_like(origin), lattice.probability[state])
