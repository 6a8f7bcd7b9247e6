"""Layers: what only some annotation has, in rows that refer to mentions, entities or documents by number.

These are links, decided pairs, bridging, split antecedents and empty nodes. A layer is a named tuple of columns. It knows how
to follow its corpus when mentions, entities or documents are dropped, sorted or renumbered: `moved` gets the new number of each
old one, and drops the rows that lost what they refer to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, argsort

Place: TypeAlias = Callable[[Ints], Ints]
"""From old numbers to new ones; -1 for what is gone."""


class AnyLayer(Protocol):
    """What `referee.corpus.schema.Layer` needs to know of a layer."""

    @classmethod
    def _make(cls, columns: Iterable[Any], /) -> AnyLayer: ...
    def __iter__(self) -> Iterator[Any]: ...
    def moved(self, places: NewPlaces) -> AnyLayer:
        """Follow the corpus to new numbers; see `NewPlaces`."""


def unmoved(numbers: Ints) -> Ints:
    """The place of what keeps its number."""
    return numbers


class NewPlaces(NamedTuple):
    """Where the mentions, entities and documents of a corpus went."""

    mention: Place = unmoved
    entity: Place = unmoved
    document: Place = unmoved


def place_in(places: Ints) -> Place:
    """The place that an array has for each number."""
    return lambda numbers: places[numbers]


def place_within(kept: slice) -> Place:
    """The place in a slice: numbers count from its start, and those outside of it are gone."""

    def place(numbers: Ints) -> Ints:
        places: Ints = numbers - kept.start
        places[(places < 0) | (places >= kept.stop - kept.start)] = -1
        return places

    return place


class Links(NamedTuple):
    """The links that a file lists one by one, before any closure: pairs of mentions of one document.

    Parameters
    ----------
    document : integers, shape (links,)
        In which document.
    first, second : integers, shape (links,)
        Numbers of the two mentions in the corpus.
    """

    document: Ints
    first: Ints
    second: Ints

    def moved(self, places: NewPlaces) -> Links:
        """Follow the corpus to new numbers; see `NewPlaces`."""
        return Links(*_followed(self, (places.document, places.mention, places.mention)))


class DecidedPairs(NamedTuple):
    """Pairs of records about which a table decides, each once, in whatever order it names the two; before any closure.

    Parameters
    ----------
    first, second : integers, shape (pairs,)
        Numbers of the two mentions in the corpus, which have one document.
    linked : bool, shape (pairs,)
        Whether the pair is a match.
    probability : float64, shape (pairs,)
        How probable that is; 0 or 1 where the table says yes or no.
    """

    first: Ints
    second: Ints
    linked: Bools
    probability: Floats

    def moved(self, places: NewPlaces) -> DecidedPairs:
        """Follow the corpus to new numbers; see `NewPlaces`."""
        return DecidedPairs(*_followed(self, (places.mention, places.mention, None, None)))


class PairFrame(NamedTuple):
    """Which pairs a table of pairs is about, besides those that it lists.

    Parameters
    ----------
    matches_only : bool
        Whether it lists matches alone, so that each other pair is no match. Else pairs that it lacks are not decided.
    two : bool
        Whether the records are of two tables, and a pair has one of each.
    """

    matches_only: bool
    two: bool = False


def is_left(records: Sequence[str]) -> list[bool]:
    """Whether each record of two tables is of the first one: it is called ``left/...``."""
    return [name.startswith("left/") for name in records]


class Bridging(NamedTuple):
    """Anaphors that refer to something associated with their antecedent ("the house … the door").

    Parameters
    ----------
    anaphor, antecedent : int64, shape (pairs,)
        Numbers of mentions. Where a file names an entity as antecedent, its last mention before the anaphor, or else its
        first one.
    relation : sequence of str, shape (pairs,)
        The kind of association; may be empty.
    """

    anaphor: Ints
    antecedent: Ints
    relation: Sequence[str]

    def moved(self, places: NewPlaces) -> Bridging:
        """Follow the corpus to new numbers; see `NewPlaces`."""
        return Bridging(*_followed(self, (places.mention, places.mention, None), sorted_by=2))


class SplitAntecedents(NamedTuple):
    """Entities with split antecedents ("Ann met Bob. They …"): pairs of an entity and one of those that it consists of.

    Parameters
    ----------
    entity, element : int64, shape (pairs,)
        Numbers of entities.
    """

    entity: Ints
    element: Ints

    def moved(self, places: NewPlaces) -> SplitAntecedents:
        """Follow the corpus to new numbers; see `NewPlaces`."""
        return SplitAntecedents(*_followed(self, (places.entity, places.entity), sorted_by=2))


class EmptyNodes(NamedTuple):
    """Nodes of the text that stand for no word: zero pronouns, copies in ellipsis. They are tokens of their document.

    Parameters
    ----------
    document, node : int32, shape (nodes,)
        Document and token offset, ascending.
    minor : int32, shape (nodes,)
        Tells the nodes between two words apart: 1 for 5.1. It is larger by `BEFORE` for 0.1, 0.2, ..., which stand before
        the first word of their sentence.
    sentence : int32, shape (nodes,)
        Number of the sentence in the document.
    deps : sequence of str, shape (nodes,)
        Enhanced dependencies as in CoNLL-U, such as ``2:nsubj|4:conj``; empty if unknown.
    """

    document: Ints
    node: Ints
    minor: Ints
    sentence: Ints
    deps: Sequence[str]

    def moved(self, places: NewPlaces) -> EmptyNodes:
        """Follow the corpus to new numbers; see `NewPlaces`."""
        return EmptyNodes(*_followed(self, (places.document, None, None, None, None), sorted_by=1))


BEFORE = 1 << 20
"""Added to the `minor` of empty nodes that stand before the first word of a sentence, not behind the last of the one before."""


def _followed(columns: Iterable[Any], places: Iterable[Place | None], *, sorted_by: int = 0) -> Iterator[Any]:
    """The columns of a layer, in the new places of what they refer to; rows that refer to something gone are left out.

    The rows are sorted by so many of the first columns, and keep their order otherwise.
    """
    pairs = list(zip(columns, places, strict=True))
    moved = [values if place is None else place(values) for values, place in pairs]
    kept = np.flatnonzero(np.all([values >= 0 for values, (_, place) in zip(moved, pairs, strict=True) if place], axis=0))
    if sorted_by:
        kept = kept[argsort(*(values[kept] for values in moved[:sorted_by]))]
    return (values[kept] if isinstance(values, np.ndarray) else [values[row] for row in kept.tolist()] for values in moved)
