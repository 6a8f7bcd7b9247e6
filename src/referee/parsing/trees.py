"""Trees by a parser, of many sentences in lockstep."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, arange
from referee.parsing.network import Weights, hidden, products, state_sums
from referee.parsing.transitions import LEFT, States


class BestMoves(NamedTuple):
    """A move of each state, and its relation."""

    move: Ints
    label: Ints


Watch: TypeAlias = Callable[[States, Ints, Ints, BestMoves], BestMoves]
"""Sees the states with their words and codes, and the moves that the parser would take; gives those that are taken."""


def trees(weights: Weights, vectors: Floats, begin: Ints, end: Ints, watch: Watch | None = None) -> tuple[Ints, Ints]:
    """Parse sentences.

    Parameters
    ----------
    vectors : float32, shape (words + 1, columns)
        Of the words; row 0 is that of no word, all zeros.
    begin, end : int64, shape (sentences,)
        The words of each, half-open, from 1; the longest sentence is first.

    Returns
    -------
    head, label : int64, shape (words + 1,)
        The head of each word, and the number of its relation, from 1; both 0 for a root.
    """
    states = States(begin, end, weights["move"].shape[1] // 2)
    of_words = products(weights, vectors)
    while n := states.active():
        places = states.places(n)
        details = states.details(places)
        units = hidden(state_sums(weights, of_words, places, details), "state")
        moves = best_moves(units @ weights["move"] + weights["move bias"], states.possible(places))
        if watch:
            moves = watch(states, places, details, moves)
        states.take(places, *moves)
    return states.head, states.label


def best_moves(scores: Floats, possible: Bools) -> BestMoves:
    """The best of the possible moves of each state, and its relation; of equal ones, the first."""
    labels = scores.shape[1] // 2
    rows = arange(len(scores))
    left, right = scores[:, 1 : labels + 1].argmax(axis=1), scores[:, labels + 1 :].argmax(axis=1)
    best = np.stack([scores[:, 0], scores[rows, 1 + left], scores[rows, 1 + labels + right]])
    move = np.where(possible, best, -np.inf).argmax(axis=0)
    return BestMoves(move, np.where(move == LEFT, left, right) + 1)
