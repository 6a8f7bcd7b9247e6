"""Which moves of the parser lose no arc of the tree that is wanted: a dynamic oracle for arc-hybrid.

References
----------
Goldberg and Nivre (2013), Training deterministic parsers with non-deterministic oracles.
"""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Bools, Ints, arange
from referee.parsing.transitions import SHIFT, States


class Oracle:
    """Wanted trees, and what of them can still be had.

    Parameters
    ----------
    head : int64, shape (words + 1,)
        The head of each word, 0 for a root; words are numbered as in `States`. The trees are projective.

    Attributes
    ----------
    waiting : int64, shape (words + 1,)
        How many dependents of each word are on the stack before it.
    """

    def __init__(self, head: Ints) -> None:
        self.head = head
        self.last = np.zeros_like(head)  # the last dependent
        np.maximum.at(self.last, head, arange(len(head)))
        self.waiting = np.zeros_like(head)

    def lossless(self, states: States, places: Ints) -> Bools:
        """Which moves are possible and lose nothing: bool, shape (3, n)."""
        top, second, after = places[:, 0], places[:, 1], places[:, 3]
        above, last = self.head[top], self.last[top]
        possible = states.possible(places)
        of_second = above == second
        # The root has no head in the sentence: it must stay. Of heads that come later, LEFT takes only the next word.
        root, has_next = above == 0, after > 0
        behind = has_next & (above >= after)
        depends_on_next = has_next & (above == after)
        dependents = has_next & (last >= after)
        left = ~(root | of_second | (behind & ~depends_on_next) | dependents)
        right = ~(root | behind | dependents)
        head = self.head[after]
        on_stack = (head > 0) & (head < top) & (states.head[head] == 0)
        shift = ~(on_stack | (self.waiting[after] > 0) | ((head == 0) & (top > 0)))
        return np.asarray(possible & np.stack([shift, left, right]))

    def take(self, places: Ints, move: Ints) -> None:
        """Keep count, as a move is taken."""
        shifted, away = places[move == SHIFT, 3], places[move != SHIFT, 0]
        self.waiting[self.head[shifted]] += self.head[shifted] > shifted
        self.waiting[self.head[away]] -= self.head[away] > away
