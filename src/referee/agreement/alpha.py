"""Krippendorff's alpha for coreference: 1 - observed disagreement / expected disagreement [1]_.

The annotated unit is a mention. Its value is the set of the *other* mentions of its entity; it is empty for a singleton. So
annotators agree fully on a mention if they agree on all other mentions of its entity, and partly by a distance of sets [2]_.
All pairs of values of one mention give the observed disagreement. All pairs of values of one document give the expected
disagreement: that of annotators who choose these values by chance. Both are added over documents, and divided last.

`MENTIONS` are the rules for a mention that only some annotators have:

unmarked
    "not marked" is a value of its own, with distance 0 to itself and 1 to every set, also to the empty one
all
    it is a singleton for the others: everyone had the chance to mark it
common
    it is left out, from the entities too: agreement on entities alone

Notes
-----
Without the mention itself, the example of [2]_, three annotators and eleven mentions, has an alpha of 0.74, as in the paper;
with it, 0.76.

References
----------
.. [1] Krippendorff (1980), Content Analysis.
.. [2] Passonneau (2004), Computing Reliability for Coreference Annotation: sets of mentions as values, the distance `set`.
.. [3] Artstein and Poesio (2008), Inter-Coder Agreement for Computational Linguistics: a survey.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from referee.agreement.distances import DISTANCES
from referee.algorithms.arrays import Floats, Ints, Numbers, argsort, lengths, repeat, starts_of_runs, tally
from referee.basics.options import choices
from referee.stats.counts import Columns, Counts, ScoreColumns, divide

MENTIONS = choices.ALPHA_MENTIONS

TOGETHER = 1 << 14
"""Mentions up to which pairs of annotators are compared at once: of fewer, the calls take longer than the work."""


class Overlaps(NamedTuple):
    """The entities of two annotators that have mentions in common: pairs of entities.

    Parameters
    ----------
    order : int64, shape (mentions,)
        The mentions by pair.
    mention : int64, shape (pairs,)
        A mention of each pair.
    shared : int64, shape (pairs,)
        How many mentions both entities have.
    kind : int64, shape (pairs,)
        The kind of each pair: distances depend on it alone, and there are few.
    kinds : tuple of three int64 arrays, shape (kinds,)
        Of each kind, how many mentions both entities have, and how many either has.
    both, one : float64, shape (documents,)
        In how many pairs of values, whose entities do not overlap, both are empty, or one.
    neither : float64, shape (documents,)
        In how many pairs of values both are "not marked".
    by_one : int64
        The mentions that one of the two has not marked.
    """

    order: Ints
    mention: Ints
    shared: Ints
    kind: Ints
    kinds: tuple[Ints, Ints, Ints]
    both: Floats
    one: Floats
    neither: Floats
    by_one: Ints


@dataclass(frozen=True)
class Values:
    """The entity in which each annotator put each mention.

    Parameters
    ----------
    document : int64, shape (mentions,)
        The document of each mention that any annotator has.
    entity : sequence of int64, shape (mentions,)
        Of each annotator: the number of its entity, also of mentions that are counted as singletons; -1 for "not marked".
    label : sequence of int64, shape (mentions,)
        Of each annotator: its entity as annotated, -1 for a mention that the annotator lacks.
    documents : int
        The number of documents.
    """

    document: Ints
    entity: Sequence[Ints]
    label: Sequence[Ints]
    documents: int

    @cached_property
    def size(self) -> list[Ints]:
        """Of each annotator, the number of mentions in each entity."""
        return [tally(entity[entity >= 0]) for entity in self.entity]

    def overlaps(self, a: int, b: int) -> Overlaps:
        """Find which entities of two annotators overlap."""
        x, y = self.entity[a], self.entity[b]
        marked = np.flatnonzero((x >= 0) & (y >= 0))
        order = marked[argsort(x[marked], y[marked])]
        first = np.flatnonzero(starts_of_runs(x[order], y[order]))
        mention = order[first]
        size = self.size[a][x[mention]], self.size[b][y[mention]]
        shared = lengths(first, len(order))
        one, other = (self._by_document(np.flatnonzero(entity < 0)) for entity in (x, y))
        by_one = np.flatnonzero((x < 0) != (y < 0))
        empty = self._empty(a, b, mention, size)
        return Overlaps(order, mention, shared, *_kinds(shared, *size), *empty, one * other, by_one)

    def compare(self, overlaps: Overlaps, distance: str) -> tuple[Floats, Floats]:
        """Compare the values of two annotators.

        Returns
        -------
        tuple
            The distance of their values of each mention, shape (mentions,); and the sum over all pairs of values, one of each,
            of 1 minus their distance, by document, shape (documents,).
        """
        order, mention, in_pair, kind, (shared, *size), both, one, neither, by_one = overlaps

        def near(in_both: Ints) -> Floats:
            """1 minus the distance of two values of such a pair: entities without one mention, with so many in both."""
            return 1 - DISTANCES[distance](np.maximum(in_both, 0), size[0] - 1, size[1] - 1)

        without_one = near(shared - 1)
        at = np.zeros(len(self.document))
        at[by_one] = 1
        at[order] = repeat((1 - without_one)[kind], in_pair)
        only = size[0] - shared, size[1] - shared
        closer = shared * without_one  # the two values are of one mention
        closer += shared * (shared - 1) * near(shared - 2)  # of two mentions that are in both entities
        closer += shared * (only[0] + only[1]) * without_one  # of one such mention
        closer += only[0] * only[1] * near(shared)  # of none
        nothing, something = np.array([0]), np.array([1])
        empty = neither + both + one * (1 - DISTANCES[distance](nothing, nothing, something))
        return at, self._by_document(mention, closer[kind]) + empty

    def _empty(self, a: int, b: int, mention: Ints, size: tuple[Ints, Ints]) -> tuple[Floats, Floats]:
        """In how many pairs of values, whose entities do not overlap, both are empty; and in how many one of them is."""
        marked = [np.flatnonzero(self.entity[c] >= 0) for c in (a, b)]
        every = [self._by_document(mentions) for mentions in marked]
        alone = [
            self._by_document(mentions, self.size[c][self.entity[c][mentions]] == 1)
            for c, mentions in zip((a, b), marked, strict=True)
        ]
        single = size[0] == 1, size[1] == 1
        both = alone[0] * alone[1] - self._by_document(mention, single[0] & single[1])
        one = alone[0] * (every[1] - alone[1]) + (every[0] - alone[0]) * alone[1]
        one -= self._by_document(mention, np.where(single[0] ^ single[1], size[0] * size[1], 0))
        return both, one

    def _by_document(self, mention: Ints, values: Numbers | None = None) -> Floats:
        """Sums of values that belong to mentions; without values, the number of mentions."""
        return tally(self.document[mention], values, self.documents).astype(np.float64)


def alphas_of(values: Values) -> dict[str, Counts]:
    """Return alpha by each distance as counts of disagreements, observed and expected, one row a document.

    The names are such as "alpha masi". Alpha is 0/0 where all values are equal.
    """
    annotators, documents = len(values.entity), values.documents
    observed, closer = ({distance: np.zeros(documents) for distance in DISTANCES} for _ in range(2))
    for distance, apart, near in _compared(values, [*combinations(range(annotators), 2)]):
        observed[distance] += 2 * apart
        closer[distance] += 2 * near
    for distance, _, near in _compared(values, [(a, a) for a in range(annotators)]):
        closer[distance] += near
    places = annotators * tally(values.document, minlength=documents)
    expected = {distance: divide(places * places - near, places - 1, 0.0) for distance, near in closer.items()}
    return {
        f"alpha {distance}": Counts(
            {"observed": observed[distance] / max(annotators - 1, 1), "expected": np.where(places > 0, expectation, 0.0)},
            _finish,
        )
        for distance, expectation in expected.items()
    }


def _compared(values: Values, pairs: Sequence[tuple[int, int]]) -> Iterator[tuple[str, Floats, Floats]]:
    """Of each two annotators and each distance: the sums of `Values.compare`, by document. Many pairs are compared at once."""
    at_once = max(TOGETHER // max(len(values.document), 1), 1)
    for first in range(0, len(pairs), at_once):
        both = _side_by_side(values, pairs[first : first + at_once])
        overlaps = both.overlaps(0, 1)
        for distance in DISTANCES:
            at, near = both.compare(overlaps, distance)
            apart = tally(both.document, at, both.documents)
            for rows in zip(*(sums.reshape(-1, values.documents) for sums in (apart, near)), strict=True):
                yield distance, *rows


def _side_by_side(values: Values, pairs: Sequence[tuple[int, int]]) -> Values:
    """The values of two annotators, who have the documents of the first pair, then those of the second, and so on."""
    place = np.arange(len(pairs))[:, None]
    entity = [np.array([values.entity[annotator] for annotator in side]) for side in zip(*pairs, strict=True)]
    apart = [np.where(labels < 0, -1, labels + place * (labels.max(initial=0) + 1)).ravel() for labels in entity]
    document = (values.document + place * values.documents).ravel()
    return Values(document, apart, apart, len(pairs) * values.documents)


def _kinds(*columns: Ints) -> tuple[Ints, tuple[Ints, Ints, Ints]]:
    """Number the different rows of three columns; the number of each row, and the columns of the different ones."""
    order = argsort(*columns)
    new = starts_of_runs(*(column[order] for column in columns))
    kind = np.empty(len(order), dtype=np.int64)
    kind[order] = np.cumsum(new) - 1
    a, b, c = (column[order[new]] for column in columns)
    return kind, (a, b, c)


def _finish(c: Columns, undefined: float, beta: float) -> ScoreColumns:
    return ScoreColumns(1 - divide(c["observed"], c["expected"], 1 - undefined))


def values_of(
    documents: Sequence[Ints], entities: Sequence[Ints], units: Sequence[Ints], number: int, mentions: str = MENTIONS[0]
) -> Values:
    """Return the values of annotations.

    Parameters
    ----------
    documents
        Of each annotator: the document of each mention.
    entities
        Of each annotator: the entity of each mention, numbered over all documents.
    units
        From `identified`.
    number
        The number of documents.
    mentions
        One of `MENTIONS`.
    """
    document = np.zeros(1 + max((int(unit.max(initial=-1)) for unit in units), default=-1), dtype=np.int64)
    label = [np.full(len(document), -1) for _ in units]
    for d, e, unit, entity in zip(documents, entities, units, label, strict=True):
        document[unit], entity[unit] = d, e
    if mentions == "common":
        all_have = np.all([entity >= 0 for entity in label], axis=0)
        document, label = document[all_have], [entity[all_have] for entity in label]
    if mentions == "unmarked":
        return Values(document, label, label, number)
    alone = [np.where(entity < 0, entity.max(initial=0) + 1 + np.arange(len(entity)), entity) for entity in label]
    codes = [np.unique(entity, return_inverse=True)[1] for entity in alone]
    return Values(document, codes, label, number)


def identified(sizes: Sequence[int], matched: Mapping[tuple[int, int], tuple[Ints, Ints]]) -> list[Ints]:
    """Number the mentions of all annotators, so that mentions which were matched have the same number.

    The number of a mention is that of the first of the earlier annotators who has a match for it. No two mentions of one
    annotator have the same number.

    Parameters
    ----------
    sizes
        The number of mentions of each annotator.
    matched
        Two annotators, the earlier first -> their mentions that were matched, one to one.

    Examples
    --------
    >>> one, other = np.array([0]), np.array([1])
    >>> [units.tolist() for units in identified([2, 2, 1], {(0, 1): (one, other), (0, 2): (other, one), (1, 2): (other, one)})]
    [[0, 1], [2, 0], [1]]
    """
    units: list[Ints] = []
    known = 0
    for b, mentions in enumerate(sizes):
        numbers = np.full(mentions, -1)
        for a in range(b):
            unit, mention = units[a][matched[a, b][0]], matched[a, b][1]
            free = (numbers[mention] < 0) & ~np.isin(unit, numbers)
            numbers[mention[free]] = unit[free]
        new = np.flatnonzero(numbers < 0)
        numbers[new] = known + np.arange(len(new))
        known += len(new)
        units.append(numbers)
    return units
