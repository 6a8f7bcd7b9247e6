"""Tags as a stochastic tagger gives them: a lattice over the words, whose paths are tag sequences with probabilities.

A tagger of your own plugs in with one method, `lattice(sentences) -> Lattice`. One that knows its tags for certain, such as an
annotator, gives `Lattice.certain`; one that gives a distribution for each word gives `Lattice.independent`. The HMM of
`referee.phrases.models.tagger` gives the exact posterior chain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.sorting import within
from referee.exceptions import OptionError
from referee.phrases.candidates import Sentences

LEAST = 1e-3
"""Tag sequences less probable than this are not followed."""


class Tagger(Protocol):
    """What gives the probabilities of tags."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Every tag it may give."""

    def lattice(self, sentences: Sentences) -> Lattice:
        """What it says of these sentences."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """The tags of every word, and how they follow each other.

    A sentence of n words has n + 1 places, the last of which is its end; places are numbered through all sentences. A state is
    a place with a tag.

    tags   : names; the end of a sentence has the tag len(tags)
    place  : int64, shape (states,), in order
    tag    : int64, shape (states,)
    p      : float64, shape (states,), P(tag at this place | words)
    onward : int64, shape (states + 1,), where the edges of each state begin
    to, q  : shape (edges,), the state at the next place, and P(its tag there | the tag here, words)
    """

    tags: tuple[str, ...]
    place: Ints
    tag: Ints
    p: Floats
    onward: Ints
    to: Ints
    q: Floats

    @classmethod
    def certain(cls, sentences: Sentences, tags: Sequence[str]) -> Lattice:
        """The tags of the sentences themselves, out of these; other tags get the number len(tags) + 1. OptionError if the
        sentences have none."""
        if sentences.tags is None:
            raise OptionError("found sentences without tags; expected a tag for each word: give them, or use a tagger")
        number = {tag: t for t, tag in enumerate(tags)}
        other, end = len(tags) + 1, len(tags)
        column = [t for row in sentences.tags for t in (*[number.get(tag, other) for tag in row], end)]
        states = len(column)
        ends = np.cumsum(sentences.length.astype(np.int64) + 1) - 1
        going = np.ones(states, dtype=np.int64)
        going[ends] = 0
        onward = np.concatenate([[0], np.cumsum(going)])
        place = np.arange(states)
        return cls(
            tuple(tags), place, np.array(column, dtype=np.int64), np.ones(states), onward, np.flatnonzero(going) + 1,
            np.ones(onward[-1]),
        )  # fmt: skip

    @classmethod
    def independent(
        cls, sentences: Sentences, tags: Sequence[str], given: Sequence[Sequence[Mapping[str, float]]], least: float = LEAST
    ) -> Lattice:
        """From the probabilities of each word's tags, as if the tags of neighbours were independent.

        OptionError for tags that are none of these, and for other numbers of words than those of the sentences.

        >>> two = Sentences.numbered([2])
        >>> Lattice.independent(two, ["N", "V"], [[{"N": 0.9, "V": 0.1}, {"V": 1.0}]]).p.tolist()
        [0.9, 0.1, 1.0, 1.0]
        """
        number = {tag: t for t, tag in enumerate(tags)}
        if [len(row) for row in given] != sentences.length.tolist():
            raise OptionError(
                "found probabilities of tags for other words than the sentences have; expected one mapping a word"
            )
        if unknown := {t for row in given for distribution in row for t in distribution} - number.keys():
            raise OptionError(f"found the tag {min(unknown)!r}; expected one of {', '.join(tags)}")
        place, tag, p = [], [], []
        at = 0
        for row in given:
            for distribution in (*row, None):
                kept = [(len(tags), 1.0)] if distribution is None else sorted((number[t], v) for t, v in distribution.items())
                for t, v in kept:
                    if v >= least:
                        place.append(at)
                        tag.append(t)
                        p.append(v)
                at += 1
        states = (np.array(place, dtype=np.int64), np.array(tag, dtype=np.int64), np.array(p))
        return cls.linked(sentences, tags, *states, lambda _, to: states[2][to])

    @classmethod
    def linked(
        cls,
        sentences: Sentences,
        tags: Sequence[str],
        place: Ints,
        tag: Ints,
        p: Floats,
        conditional: Callable[[Ints, Ints], Floats],
        least: float = LEAST,
    ) -> Lattice:
        """From the states, with edges between all of neighbouring places whose probability (of both states) is not below
        `least`.

        conditional : of states and states at their next places, the probabilities of the latter given the former
        """
        offset = np.searchsorted(place, np.arange(place_count(sentences) + 1))
        width = np.diff(offset)
        width[_ends(sentences)] = 0
        following = np.where(tag == len(tags), 0, np.append(np.diff(offset), 0)[place + 1])
        row = np.repeat(np.arange(len(place)), following)
        to = offset[place[row] + 1] + within(following)
        q = conditional(row, to)
        kept = p[row] * q >= least
        onward = np.concatenate([[0], np.cumsum(np.bincount(row[kept], minlength=len(place)))])
        return cls(tuple(tags), place, tag, p, onward, to[kept], q[kept])

    @cached_property
    def first(self) -> Ints:
        """Where the states of each place begin. (places + 1)"""
        return np.searchsorted(self.place, np.arange(int(self.place[-1]) + 2 if len(self.place) else 1))


def starts(sentences: Sentences) -> NDArray[np.int64]:
    """The first place of each sentence."""
    n = sentences.length.astype(np.int64) + 1
    return np.cumsum(n) - n


def place_count(sentences: Sentences) -> int:
    return int(sentences.length.sum(dtype=np.int64)) + len(sentences)


def _ends(sentences: Sentences) -> NDArray[np.int64]:
    return starts(sentences) + sentences.length
