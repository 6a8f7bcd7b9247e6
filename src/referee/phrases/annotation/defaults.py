"""The probability of the candidates that a model does not list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from referee.algorithms.arrays import Floats
from referee.exceptions import OptionError


@dataclass(frozen=True, eq=False)
class DefaultProbabilities:
    """The probabilities of unlisted candidates, by category and length.

    Parameters
    ----------
    table
        float64, shape (categories, lengths), for 1, 2, ... words; it has no columns if one constant holds for all.
    beyond
        The probability of longer candidates, and of categories that have no row.
    """

    table: Floats
    beyond: float

    @classmethod
    def constant(cls, probability: float) -> DefaultProbabilities:
        """One probability for all unlisted candidates."""
        return cls(np.empty((0, 0)), _checked(probability))

    @classmethod
    def by_length(cls, table: ArrayLike, beyond: float = 0.0) -> DefaultProbabilities:
        """Probabilities by category (in the order of the categories) and length.

        Raises
        ------
        OptionError
            If a value is not a probability or the table does not have two dimensions.
        """
        values = np.asarray(table, dtype=np.float64)
        if values.ndim != 2:
            raise OptionError(f"found a default table of {values.ndim} dimensions; expected categories x lengths")
        check_probabilities(values.ravel(), "<default>")
        return cls(values, _checked(beyond))

    @property
    def is_constant(self) -> bool:
        """Whether one probability holds for all categories and lengths."""
        return not self.table.shape[1]

    @property
    def is_zero(self) -> bool:
        """Whether all unlisted candidates have probability 0."""
        return not (self.beyond or self.table.any())

    def complete_table(self, categories: int) -> Floats:
        """The probabilities of this many categories, shape (categories, lengths + 1).

        The last column is for all longer candidates.
        """
        table = np.full((categories, self.table.shape[1] + 1), self.beyond)
        table[: len(self.table), :-1] = self.table
        return table

    def with_categories(self, old: Sequence[str], new: Sequence[str]) -> DefaultProbabilities:
        """The same for other categories, or another order of them; new ones get `beyond`."""
        if self.is_constant or tuple(old) == tuple(new):
            return self
        number = {name: x for x, name in enumerate(old)}
        table = np.full((len(new), self.table.shape[1]), self.beyond)
        for x, name in enumerate(new):
            if number.get(name, len(self.table)) < len(self.table):
                table[x] = self.table[number[name]]
        return DefaultProbabilities(table, self.beyond)

    def values(self) -> dict[str, object]:
        """The table and the probability beyond it, as they are saved in JSON."""
        return {"table": self.table.tolist(), "beyond": self.beyond}

    def clipped(self, low: float, high: float) -> DefaultProbabilities:
        """The same with no probability below `low` or above `high`."""
        return DefaultProbabilities(np.clip(self.table, low, high), float(np.clip(self.beyond, low, high)))


def check_probabilities(probabilities: NDArray[np.floating], source: str) -> None:
    """Raise an OptionError for a number outside [0, 1], and for nan."""
    wrong = ~((probabilities >= 0) & (probabilities <= 1))
    if wrong.any():
        raise OptionError(f"{source}: found the probability {probabilities[np.argmax(wrong)]:g}; expected a number from 0 to 1")


def _checked(probability: float) -> float:
    check_probabilities(np.array([probability], dtype=np.float64), "<default>")
    return float(probability)
