"""The states of a parser, of many sentences at once: a stack, the words that are next, and the arcs so far.

The system is arc-hybrid [1]_ without a node for the root. SHIFT puts the next word on the stack. LEFT takes the top of the
stack away, as a dependent of the next word; RIGHT, as a dependent of what is below it. A sentence of n words takes 2n - 1
steps, in whatever order: each word is shifted once, and taken away once, but for the last one, which is the root. So there is
one root, and no circle.

Sentences go in lockstep, the longest first: those that are not done are the first ones. Words are numbered from 1; 0 is none.

References
----------
.. [1] Kuhlmann, Gómez-Rodríguez and Satta (2011), Dynamic programming algorithms for transition-based dependency parsers.
"""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Bools, Ints

SHIFT, LEFT, RIGHT = 0, 1, 2

PLACES = 11
"""Words that a state shows: three of the stack, the next three, and children of the two on top and of the next word."""

FAR, MANY = 7, 3
"""The largest distance and number of children that are told apart."""

DETAILS = 11
"""Codes that a state shows: the relations of the five children, two distances, four numbers of children."""


def detail_codes(labels: int) -> int:
    """How many codes there are: relations, then distances, then numbers of children."""
    return (labels + 1) + 2 * (FAR + 1) + 4 * (MANY + 1)


class States:
    """The states of sentences, which `take` changes.

    Parameters
    ----------
    begin, end : int64, shape (sentences,)
        The words of each, half-open; the longest sentence is first, and the first word of all is 1.
    labels : int
        The number of relations; they are numbered from 1.

    Attributes
    ----------
    head, label : int64, shape (words + 1,)
        The head of each word, 0 while it has none, and its relation.
    top, next : int64, shape (sentences,)
        The top of each stack, 0 where it is empty, and the next word.
    """

    def __init__(self, begin: Ints, end: Ints, labels: int) -> None:
        words = int(end.max(initial=1))
        self.end = end
        self.steps = 2 * (end - begin) - 1
        self.top, self.next = np.zeros_like(begin), begin.copy()
        self.head, self.label = np.zeros(words, dtype=np.int64), np.zeros(words, dtype=np.int64)
        self.below = np.zeros(words, dtype=np.int64)
        self.outer = np.zeros((2, words), dtype=np.int64)  # the leftmost and the rightmost child
        self.children = np.zeros((2, words), dtype=np.int64)
        self.offsets = (labels + 1) + np.cumsum([0, FAR + 1, FAR + 1, MANY + 1, MANY + 1, MANY + 1])
        self.done = 0

    def active(self) -> int:
        """How many sentences are not done."""
        return int(np.searchsorted(-self.steps, -self.done))

    def places(self, n: int) -> Ints:
        """The words that the first n states show: int64, shape (n, PLACES)."""
        places = np.empty((PLACES, n), dtype=np.int64)
        left, right = self.outer
        top, after, end = self.top[:n], self.next[:n], self.end[:n]
        places[0] = top
        places[1] = second = self.below[top]
        places[2] = self.below[second]
        for ahead in range(3):
            places[3 + ahead] = np.where(after + ahead < end, after + ahead, 0)
        places[6], places[7], places[8], places[9] = left[top], right[top], left[second], right[second]
        places[10] = left[places[3]]
        return np.ascontiguousarray(places.T)

    def details(self, places: Ints) -> Ints:
        """The codes of states that show these words: int64, shape (n, DETAILS)."""
        top, second, after = places[:, 0], places[:, 1], places[:, 3]
        details = np.empty((DETAILS, len(places)), dtype=np.int64)
        details[:5] = self.label[places[:, 6:].T]
        near, far, *several = self.offsets.tolist()
        details[5] = np.where((top > 0) & (after > 0), np.minimum(after - top, FAR), 0) + near
        details[6] = np.where(second > 0, np.minimum(top - second, FAR), 0) + far
        counts = (self.children[0, top], self.children[1, top], self.children[0, after], self.children[1, second])
        for row, (offset, count) in enumerate(zip(several, counts, strict=True), start=7):
            details[row] = np.minimum(count, MANY) + offset
        return np.ascontiguousarray(details.T)

    def possible(self, places: Ints) -> Bools:
        """Which of SHIFT, LEFT and RIGHT states allow: bool, shape (3, n)."""
        more = places[:, 3] > 0
        return np.stack([more, more & (places[:, 0] > 0), places[:, 1] > 0])

    def take(self, places: Ints, move: Ints, label: Ints) -> None:
        """Go on by a move, with a relation (of no meaning for SHIFT)."""
        top, second, after = places[:, 0], places[:, 1], places[:, 3]
        n = len(places)
        shift = np.flatnonzero(move == SHIFT)
        self.below[after[shift]] = top[shift]
        self.top[shift] = after[shift]
        self.next[shift] += 1
        arc = np.flatnonzero(move != SHIFT)
        right = move[arc] - LEFT
        child, head = top[arc], np.where(right, second[arc], after[arc])
        self.head[child], self.label[child] = head, label[arc]
        self.outer[right, head] = child
        self.children[right, head] += 1
        self.top[:n][arc] = second[arc]
        self.done += 1
