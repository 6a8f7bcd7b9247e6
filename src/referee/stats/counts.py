"""What a metric counts, document by document, and how counts become a score.

Count, add, divide last: a metric returns `Counts`, columns of numbers with one row a document. Rows are added to score a
corpus (or a resample of it), and only then divided. Scores are divided by `divide` only, so 0/0 is decided in one place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise, repeat
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from referee.algorithms.arrays import Floats, Ints, Numbers
from referee.basics.content import EqualByContent
from referee.basics.exceptions import OptionError, brief_names, counted
from referee.basics.names import AttributeHints
from referee.basics.options import choices

Columns: TypeAlias = Mapping[str, Numbers]

SIDES = choices.SIDES
"""The numbers of a score; a metric without sides has only the first."""


def divide(numerator: ArrayLike, denominator: ArrayLike, zero_division: float = math.nan) -> Floats:
    """Divide elementwise; 0/0 gives `zero_division`.

    Examples
    --------
    >>> divide([1, 0], [2, 0]).tolist()
    [0.5, nan]
    """
    n, d = np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    quotient: Floats = np.divide(n, d, out=np.full(np.broadcast(n, d).shape, zero_division, dtype=np.float64), where=d != 0)
    return quotient


def mean(values: Iterable[float]) -> float:
    """The mean of the defined values; nan where none is."""
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def f_measure(recall: Floats, precision: Floats, zero_division: float = math.nan, beta: float = 1.0) -> Floats:
    """Compute F = (1 + b²) P R / (b² P + R); b > 1 favours recall (van Rijsbergen 1979).

    Notes
    -----
    F is 0 if recall or precision is 0, even if the other one is 0/0: a response without links has found none of the key's. If
    both are 0/0, F is `zero_division`.

    Examples
    --------
    >>> f_measure(np.array([0.5, 0.0, np.nan]), np.array([1.0, np.nan, np.nan])).round(3).tolist()
    [0.667, 0.0, nan]
    """
    b = beta * beta
    r, p = np.asarray(recall), np.asarray(precision)
    f = divide((1 + b) * p * r, b * p + r, zero_division)
    return np.where((r == 0) | (p == 0), 0.0, f)


Number = TypeVar("Number", float, Floats)


class _WithF1(AttributeHints, Generic[Number]):
    value: Number
    beta: float | None

    @property
    def f1(self) -> Number | None:
        """F1; None for a metric whose one number is no F-measure.

        Raises
        ------
        OptionError
            If another F than F1 was computed: then `value` is it.
        """
        if self.beta in (None, 1.0):
            return None if self.beta is None else self.value
        raise OptionError(f"found F{self.beta:g}; expected beta 1 for F1: read .value, or score with beta=1")


@dataclass(frozen=True, eq=False)
class Score(EqualByContent, _WithF1[float]):
    """The numbers that a metric gives to one corpus or document.

    Parameters
    ----------
    value : float
        The F-measure, or the one number of a metric without sides; nan where undefined.
    recall, precision : float or None
        None for a metric of one number.
    beta : float or None
        Of the F-measure that `value` is; None if it is none.
    upper : Score or None
        The score at the certified upper bound, if an alignment ran out of its budget.
    """

    value: float
    recall: float | None = None
    precision: float | None = None
    beta: float | None = None
    upper: Score | None = None

    def __repr__(self) -> str:
        sides = {} if self.recall is None else {"recall": self.recall, "precision": self.precision}
        numbers = {**sides, "f1" if self.beta == 1 else "value": self.value}
        if self.beta not in (None, 1):
            numbers["beta"] = self.beta
        if self.upper is not None:
            numbers["upper"] = self.upper.value
        return f"Score({', '.join(f'{name}={value!r}' for name, value in numbers.items())})"


def flat_scores(scores: Mapping[str, Score], prefix: str = "") -> dict[str, float]:
    """Return the scores of several metrics as one dictionary of numbers; see `Scores.flat`."""
    flat: dict[str, float] = {}
    for name, score in scores.items():
        if score.recall is None or score.precision is None:
            flat[f"{prefix}{name}"] = score.value
        else:
            f = "value" if score.beta is None else f"f{score.beta:g}"
            of_sides = {"recall": score.recall, "precision": score.precision, f: score.value}
            flat |= {f"{prefix}{name}_{side}": value for side, value in of_sides.items()}
    return flat


@dataclass(frozen=True, eq=False)
class ScoreColumns(EqualByContent, _WithF1[Floats]):
    """The same numbers of many documents, totals or resamples: arrays of shape (rows,)."""

    value: Floats
    recall: Floats | None = None
    precision: Floats | None = None
    beta: float | None = None
    upper: ScoreColumns | None = None

    def __repr__(self) -> str:
        sides = ", ".join(side for side in SIDES if getattr(self, side) is not None)
        return f"<ScoreColumns of {counted(np.atleast_1d(self.value).size, 'row')}: {sides}>"

    def __getitem__(self, row: int) -> Score:
        """The score of one row."""

        def one(values: Floats | None) -> float | None:
            return None if values is None else float(np.atleast_1d(values)[row])

        upper = None if self.upper is None else self.upper[row]
        return Score(float(np.atleast_1d(self.value)[row]), one(self.recall), one(self.precision), self.beta, upper)

    def __iter__(self) -> Iterator[Score]:
        """The scores of all rows."""
        return map(Score, *self.sides(), repeat(self.beta), repeat(None) if self.upper is None else self.upper)

    def sides(self) -> list[Iterable[float | None]]:
        """Value, recall and precision of all rows, in the order of `SIDES`; None without end for a side that there is not."""
        sides = (getattr(self, side) for side in SIDES)
        return [repeat(None) if side is None else np.atleast_1d(side).astype(np.float64).tolist() for side in sides]

    def mean(self) -> Score:
        """The mean of each side over the rows where it is defined; nan where it is nowhere."""
        recall, precision = (None if side is None else mean(side.tolist()) for side in (self.recall, self.precision))
        upper = None if self.upper is None else self.upper.mean()
        return Score(mean(self.value.tolist()), recall, precision, self.beta, upper)


Finish: TypeAlias = Callable[[Columns, float, float], ScoreColumns]
"""(columns, value of 0/0, beta) -> ScoreColumns. Rows are documents, totals or resamples."""


@dataclass(frozen=True, eq=False)
class Counts(EqualByContent):
    """What a metric counts, one row a document; int64 where it counts whole things.

    Parameters
    ----------
    columns : mapping
        Name -> array of shape (documents,).
    finish : callable
        Divides the columns.
    unit : str
        The unit of the value ("bits", "operations"); empty for fractions of 1.
    """

    columns: Columns
    finish: Finish = field(compare=False)
    unit: str = ""

    def __repr__(self) -> str:
        rows = counted(len(next(iter(self.columns.values()))), "row")
        return f"<Counts of {rows}: {brief_names([*self.columns])}>"

    def total(self) -> Counts:
        """All rows added into one. The order of rows does not matter: sums are exact, or correctly rounded."""
        return self._with({name: np.array([_total(column)], dtype=column.dtype) for name, column in self.columns.items()})

    def totals(self, groups: Sequence[Sequence[int]]) -> Counts:
        """A row for each group of rows, none of them empty: its total."""
        rows, first = np.concatenate([*groups, []]).astype(np.int64), np.cumsum([0, *map(len, groups)])
        return self._with({name: _totals(column[rows], first) for name, column in self.columns.items()})

    def rows(self, select: int | slice | Sequence[int] | Ints) -> Counts:
        """The rows of some documents."""
        return self._with({name: np.atleast_1d(column[select]) for name, column in self.columns.items()})

    def __add__(self, other: Counts) -> Counts:
        """Documents of both, one after the other."""
        return concatenate([self, other])

    def score(self, zero_division: float = math.nan, beta: float = 1.0) -> ScoreColumns:
        """The score of each row."""
        return self.finish(self.columns, zero_division, beta)

    def _with(self, columns: Columns) -> Counts:
        return Counts(columns, self.finish, self.unit)


def concatenate(blocks: Sequence[Counts]) -> Counts:
    """The documents of all blocks, one block after the other."""
    if len(blocks) == 1:
        return blocks[0]

    def column(block: Counts, name: str) -> Numbers:
        missing = name not in block.columns  # slack, where no alignment of the block ran out of its budget
        return np.zeros(len(next(iter(block.columns.values())))) if missing else block.columns[name]

    names = dict.fromkeys(name for block in blocks for name in block.columns)
    return Counts({n: np.concatenate([column(b, n) for b in blocks]) for n in names}, blocks[0].finish, blocks[0].unit)


def rates(recall: tuple[Numbers, Numbers], precision: tuple[Numbers, Numbers], slack: Numbers | None = None) -> Counts:
    """Make the counts of a metric with recall and precision.

    Parameters
    ----------
    recall, precision : tuple
        Numerator and denominator, arrays of shape (documents,).
    slack : array of shape (documents,), or None
        How much larger both numerators might be, if an alignment is only known within bounds.
    """
    columns = {
        "recall_numerator": recall[0],
        "recall_denominator": recall[1],
        "precision_numerator": precision[0],
        "precision_denominator": precision[1],
    }
    if slack is not None and np.any(slack):
        columns["slack"] = slack
    return Counts(columns, finish_rates)


def undefined(documents: int) -> Counts:
    """Count nothing on either side: 0/0 in each document."""
    nothing = np.zeros(documents, dtype=np.int64)
    return rates((nothing, nothing), (nothing, nothing))


def finish_rates(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    """Recall and precision as fractions, and their F-measure."""

    def score(extra: Numbers | int, upper: ScoreColumns | None = None) -> ScoreColumns:
        recall = divide(c["recall_numerator"] + extra, c["recall_denominator"], zero_division)
        precision = divide(c["precision_numerator"] + extra, c["precision_denominator"], zero_division)
        return ScoreColumns(f_measure(recall, precision, zero_division, beta), recall, precision, beta, upper)

    return score(0, score(c["slack"]) if "slack" in c else None)


def single(numerator: Numbers, denominator: Numbers, unit: str = "") -> Counts:
    """Make the counts of a metric of one number, a quotient of sums."""
    return Counts({"numerator": numerator, "denominator": denominator}, finish_single, unit)


def finish_single(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    """One fraction."""
    return ScoreColumns(divide(c["numerator"], c["denominator"], zero_division))


def _totals(column: Numbers, first: Ints) -> Numbers:
    """The totals of parts of a column, each of which begins at one of `first` and ends at the next."""
    if column.dtype.kind in "iu":
        totals: Numbers = np.add.reduceat(column, first[:-1])
        return totals
    return np.array([_total(column[a:b]) for a, b in pairwise(first.tolist())], dtype=column.dtype)


def _total(column: Numbers) -> float:
    if column.dtype.kind in "iu":
        return int(column.sum())
    rows = 1 << 16  # as objects at a time: they take four times as much memory
    return math.fsum(chain.from_iterable(column[first : first + rows].tolist() for first in range(0, len(column), rows)))
