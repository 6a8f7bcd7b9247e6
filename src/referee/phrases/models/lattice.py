"""The tags that a stochastic tagger gives: a lattice over the words, whose paths are tag sequences with probabilities.

A tagger needs one method, `lattice(sentences) -> Lattice`. Certain tags, such as those of an annotator, are a
`Lattice.certain`. `Lattice.linked` makes a lattice from the probabilities of tags. The HMM of
`referee.phrases.models.tagger` gives the exact posterior chain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats, Ints, ranges, tally
from referee.basics.exceptions import OptionError
from referee.phrases.annotation import Sentences

MIN_PROBABILITY = 1e-3
"""Tag sequences with a smaller probability are not followed."""


class Tagger(Protocol):
    """Gives the probabilities of tags."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Every tag it may give."""

    def lattice(self, sentences: Sentences) -> Lattice:
        """The tags of these sentences."""


State: TypeAlias = tuple[int, int, float]
"""The number of a state, its tag, and a probability."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """The tags of every word, and how they follow each other.

    A sentence of n words has n + 1 positions; the last is its end. Positions are numbered through all sentences. A state is a
    position with a tag.

    Parameters
    ----------
    tags
        Names; the end of a sentence has the tag number len(tags).
    position
        int64, shape (states,), in order.
    tag
        int64, shape (states,).
    probability
        float64, shape (states,): P(tag at this position | words).
    edge_start
        int64, shape (states + 1,): where the edges of each state begin.
    target
        int64, shape (edges,): the state at the next position.
    transition
        float64, shape (edges,): P(tag of the target | tag of the state, words).
    """

    tags: tuple[str, ...]
    position: Ints
    tag: Ints
    probability: Floats
    edge_start: Ints
    target: Ints
    transition: Floats

    @classmethod
    def certain(cls, sentences: Sentences, tags: Sequence[str]) -> Lattice:
        """The tags of the sentences themselves.

        Parameters
        ----------
        sentences
            Sentences with tags.
        tags
            The known tags; all others get the number len(tags) + 1.

        Raises
        ------
        OptionError
            If the sentences have no tags.
        """
        if sentences.tags is None:
            raise OptionError("found sentences without tags; expected a tag for each word: give them, or use a tagger")
        number = {tag: t for t, tag in enumerate(tags)}
        unknown, end = len(tags) + 1, len(tags)
        column = [t for row in sentences.tags for t in (*[number.get(tag, unknown) for tag in row], end)]
        has_next = np.ones(len(column), dtype=np.int64)
        has_next[first_positions(sentences) + sentences.length] = 0
        edge_start = np.concatenate([[0], np.cumsum(has_next)])
        return cls(
            tags=tuple(tags),
            position=np.arange(len(column)),
            tag=np.array(column, dtype=np.int64),
            probability=np.ones(len(column)),
            edge_start=edge_start,
            target=np.flatnonzero(has_next) + 1,
            transition=np.ones(edge_start[-1]),
        )

    @classmethod
    def linked(
        cls,
        sentences: Sentences,
        tags: Sequence[str],
        *,
        position: Ints,
        tag: Ints,
        probability: Floats,
        conditional: Callable[[Ints, Ints], Floats],
        min_probability: float = MIN_PROBABILITY,
    ) -> Lattice:
        """Link the states of adjacent positions by edges.

        Parameters
        ----------
        sentences
            The sentences of the tags.
        tags
            Names; the end of a sentence has the tag number len(tags).
        position, tag, probability
            The states, in order of their positions.
        conditional
            A function of states and of states at the next positions: the probabilities of the latter, given the former.
        min_probability
            An edge is left out if the probability of both its states is smaller.
        """
        first = np.searchsorted(position, np.arange(position_count(sentences) + 1))
        states = np.diff(first)
        following = np.where(tag == len(tags), 0, np.append(states, 0)[position + 1])
        row, target = ranges(first[position + 1], first[position + 1] + following)
        transition = conditional(row, target)
        is_likely = probability[row] * transition >= min_probability
        edges = tally(row[is_likely], minlength=len(position))
        return cls(
            tags=tuple(tags),
            position=position,
            tag=tag,
            probability=probability,
            edge_start=np.concatenate([[0], np.cumsum(edges)]),
            target=target[is_likely],
            transition=transition[is_likely],
        )

    @cached_property
    def states(self) -> list[list[State]]:
        """The states of each position: number, tag and probability."""
        first = np.searchsorted(self.position, np.arange(int(self.position[-1]) + 2 if len(self.position) else 1))
        states = list(zip(range(len(self.tag)), self.tag.tolist(), self.probability.tolist(), strict=True))
        return [states[a:b] for a, b in pairwise(first.tolist())]

    @cached_property
    def following(self) -> list[list[State]]:
        """The states that follow each state: number, tag and P(tag | tag of the state, words)."""
        tags = self.tag[self.target].tolist()
        states = list(zip(self.target.tolist(), tags, self.transition.tolist(), strict=True))
        return [states[a:b] for a, b in pairwise(self.edge_start.tolist())]


def first_positions(sentences: Sentences) -> NDArray[np.int64]:
    """The first position of each sentence."""
    n = sentences.length.astype(np.int64) + 1
    return np.cumsum(n) - n


def position_count(sentences: Sentences) -> int:
    """The number of positions: the words, and the end of each sentence."""
    return int(sentences.length.sum(dtype=np.int64)) + len(sentences)
