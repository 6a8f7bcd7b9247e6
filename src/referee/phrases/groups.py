"""Sums over the candidate space that can be broken down by groups: `GroupedSums`, `GROUPS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from referee.exceptions import check_name
from referee.phrases.sums import CandidateSums


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
        return GROUPS[group](self)


def _by_category(sums: GroupedSums) -> tuple[list[str], CandidateSums]:
    return list(sums.categories), sums.cells.over(1, 2)


def _by_length(sums: GroupedSums) -> tuple[list[str], CandidateSums]:
    by_length = sums.cells.over(0, 2)
    return [str(k + 1) for k in range(len(by_length["candidates"]))], by_length


def _by_coverage(sums: GroupedSums) -> tuple[list[str], CandidateSums]:
    return ["uncovered", "covered"], sums.cells.over(0, 1)


def _by_sentence(sums: GroupedSums) -> tuple[list[str], CandidateSums]:
    return list(sums.sentence_ids), sums.by_sentence


GROUPS: dict[str, Callable[[GroupedSums], tuple[list[str], CandidateSums]]] = {
    "category": _by_category,
    "length": _by_length,
    "coverage": _by_coverage,
    "sentence": _by_sentence,
}
"""What sums can be broken down by."""
