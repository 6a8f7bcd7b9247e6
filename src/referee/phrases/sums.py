"""Sums over candidates, from which every metric of probabilities is computed.

A model gives a candidate the probability p of being true. The surprisal of the truth is -log2 p bits for a true candidate and
-log2 (1 - p) bits for a false one; its sum over all candidates is the cross-entropy. Every metric is a quotient of sums, so
sums are kept and divided last: for sentences, for categories and lengths, and for resamples of the sentences.

References
----------
.. [1] Abney (1993), Measures and Models for Phrase Recognition.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Bools, Floats, Ints
from referee.basics.exceptions import check_name
from referee.basics.options import choices
from referee.stats.counts import divide, f_measure

SumColumn: TypeAlias = NDArray[Any]
"""Sums of one kind: integers where they count, else floats."""


@dataclass(frozen=True, eq=False)
class CandidateSums:
    """Sums over candidates, as arrays of one shape: of groups, sentences or resamples; or a single total.

    Parameters
    ----------
    columns
        By name:

        - ``candidates``, ``true_chunks``: how many candidates there are, and how many of them are true;
        - ``cross_entropy_true``, ``cross_entropy_false``: bits, without the events of probability 0;
        - ``zero_probability_true``, ``zero_probability_false``: events to which the model gave probability 0;
        - ``expected_chunks``: the sum of p;
        - ``expected_correct``: the sum of p of the true candidates;
        - ``squared_error``: the sum of (p - y)², where y is 1 for a true candidate and else 0.
    sentences
        The number of sentences that the sums are over.

    Notes
    -----
    Quotients are nan where they are 0 / 0.
    """

    columns: Mapping[str, SumColumn]
    sentences: int | Ints

    def __getitem__(self, name: str) -> SumColumn:
        return self.columns[name]

    def over(self, *axes: int) -> CandidateSums:
        """Add the groups along some axes."""
        return CandidateSums({name: column.sum(axis=axes) for name, column in self.columns.items()}, self.sentences)

    def at(self, groups: Ints) -> CandidateSums:
        """Some of the groups, in the order given."""
        return CandidateSums({name: column[groups] for name, column in self.columns.items()}, self.sentences)

    @property
    def zero_probability_events(self) -> Ints:
        """The number of events to which the model gave probability 0."""
        return np.asarray(self["zero_probability_true"] + self["zero_probability_false"])

    @property
    def finite_cross_entropy(self) -> Floats:
        """Bits, without the events of probability 0."""
        return np.asarray(self["cross_entropy_true"] + self["cross_entropy_false"])

    @property
    def cross_entropy(self) -> Floats:
        """Bits; infinite if the model gave probability 0 to any event."""
        return np.where(self.zero_probability_events > 0, math.inf, self.finite_cross_entropy)

    @property
    def bits_per_candidate(self) -> Floats:
        """Cross-entropy per candidate, called H in [1]_. It has no upper bound. Not comparable across sets of categories."""
        return divide(self.cross_entropy, self["candidates"])

    @property
    def bits_per_sentence(self) -> Floats:
        """Cross-entropy per sentence; comparable across sets of categories."""
        return divide(self.cross_entropy, self.sentences)

    @property
    def bits_per_chunk(self) -> Floats:
        """Cross-entropy per true chunk; comparable across corpora."""
        return divide(self.cross_entropy, self["true_chunks"])

    @property
    def log10_perplexity(self) -> Floats:
        """Decimal logarithm of the perplexity of a sentence: of the paper's 2^8880 there is no float."""
        return self.bits_per_sentence * math.log10(2)

    @property
    def precision(self) -> Floats:
        """Expected precision: the sum of p of the true candidates, divided by the sum of p."""
        return divide(self["expected_correct"], self["expected_chunks"])

    @property
    def recall(self) -> Floats:
        """Expected recall: the sum of p of the true candidates, divided by their number."""
        return divide(self["expected_correct"], self["true_chunks"])

    @property
    def f1(self) -> Floats:
        """Harmonic mean of expected recall and precision."""
        return f_measure(self.recall, self.precision)

    @property
    def brier(self) -> Floats:
        """Brier score: the mean of (p - y)² over candidates."""
        return divide(self["squared_error"], self["candidates"])

    @property
    def brier_per_sentence(self) -> Floats:
        """The sum of (p - y)² per sentence; nearly all candidates are trivially false and add nothing."""
        return divide(self["squared_error"], self.sentences)

    @property
    def conditional_entropy(self) -> Floats:
        """Entropy of the truth, given a 1-best prediction, in bits per sentence. Meaningful only if every p is 0 or 1.

        It is H(truth | prediction), if all sets of true candidates with the observed shares are equally likely: the shares
        of true candidates among the predicted ones and among the others.
        """
        predicted, correct = self["expected_chunks"], self["expected_correct"]
        bits = _selection_bits(correct, predicted) + _selection_bits(
            self["true_chunks"] - correct, self["candidates"] - predicted
        )
        return divide(bits, self.sentences)


GROUPS = choices.PHRASE_GROUPS
"""What sums can be broken down by. All but the last are the axes of `GroupedSums.cells`."""


@dataclass(frozen=True, eq=False)
class GroupedSums:
    """Sums over all candidates, by category, length and coverage, and by sentence.

    Parameters
    ----------
    categories
        The categories of the candidate space.
    sentence_ids
        The names of the sentences.
    cells
        Sums of shape (categories, lengths, 2); the last axis is uncovered, covered.
    by_sentence
        Sums of shape (sentences,).
    """

    categories: tuple[str, ...]
    sentence_ids: tuple[str, ...]
    cells: CandidateSums
    by_sentence: CandidateSums

    @cached_property
    def total(self) -> CandidateSums:
        """The sums over all candidates."""
        return self.cells.over(0, 1, 2)

    def by(self, group: str) -> tuple[list[str], CandidateSums]:
        """The names of the groups and their sums.

        Parameters
        ----------
        group
            One of `GROUPS`.

        Raises
        ------
        UnknownNameError
            If there is no such group.
        """
        check_name("group", group, GROUPS)
        if group == "sentence":
            return list(self.sentence_ids), self.by_sentence
        axis = GROUPS.index(group)
        lengths = [str(k + 1) for k in range(self.cells["candidates"].shape[1])]
        names = (list(self.categories), lengths, ["uncovered", "covered"])
        return names[axis], self.cells.over(*{0, 1, 2} - {axis})


def surprisal(probability: Floats, true: Bools) -> tuple[Floats, Bools]:
    """Compute the surprisal of the truth of each candidate.

    Parameters
    ----------
    probability
        Probabilities that the candidates are true.
    true
        Whether they are.

    Returns
    -------
    tuple
        The surprisal in bits, 0 where it is infinite; and where it is.

    Examples
    --------
    >>> surprisal(np.array([0.25, 1e-20, 1.0]), np.array([True, False, False]))
    (array([2.00000000e+00, 1.44269504e-20, 0.00000000e+00]), array([False, False,  True]))
    """
    infinite = probability == np.where(true, 0.0, 1.0)
    safe = np.where(infinite, 0.5, probability)
    bits = np.log1p(-np.where(true, 0.0, safe)) / -math.log(2)
    bits[true] = -np.log2(safe[true])
    bits[infinite] = 0.0
    return bits, infinite


def _selection_bits(selected: SumColumn, total: SumColumn) -> Floats:
    """Bits that tell which a of n things are selected: -a log2 (a / n) - (n - a) log2 ((n - a) / n)."""
    a, n = np.asarray(selected, dtype=np.float64), np.asarray(total, dtype=np.float64)
    rest = np.maximum(n - a, 0)
    share = [np.where(x > 0, x / np.where(n > 0, n, 1), 1) for x in (a, rest)]
    return np.asarray(0.0 - a * np.log2(share[0]) - rest * np.log2(share[1]))
