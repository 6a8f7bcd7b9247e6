"""Resamples of documents, of all columns of all systems at once: one product of matrices.

A bootstrap resample draws as many documents as there are, with replacement; a swap exchanges two systems in each document by
the toss of a coin. Either is a row of weights, one a document, and the sums of all columns are weights times columns. The same
rows serve every system and every measure, so that differences are paired.

The digits depend on the seed alone, neither on the machine nor on the order of systems:

* Numbers come from `numpy.random.PCG64(SeedSequence([seed, kind, stream]))`, whose raw output of 64 bits a number NumPy keeps
  from version to version. Resample r of n documents uses outputs r·n up to (r + 1)·n; the upper 32 bits x of one choose the
  document ⌊x·n/2³²⌋. (None is preferred by more than n/2³².) Swap r uses the bits of ⌈n/64⌉ outputs, lowest first.
* Sums are exact, so that a library for linear algebra may add in any order. Whole numbers are, below 2⁵². Columns of other
  numbers are first rounded to multiples of a power of two of which any n add exactly: by at most n·2⁻⁵² of the largest
  number, which is too little to be seen.

Source: Efron (1979); Noreen (1989), "Computer-Intensive Methods for Testing Hypotheses".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.arrays import Floats
from referee.counts import Counts, ScoreColumns, divide

Systems: TypeAlias = Mapping[str, Mapping[str, Counts]]
"""System -> metric -> its counts; all over the same documents."""

SIDES = ("value", "recall", "precision")
"""Of a score; a measure without sides has only the first."""

BLOCK = 1 << 22
"""Weights that are in memory at a time."""

EXACT = 13
"""Documents on which two systems differ, up to which all swaps are listed: 2¹³ = 8192."""


def draws(documents: int, resamples: int, seed: int, stream: int = 0) -> Iterator[Floats]:
    """How often each document was drawn in each resample: blocks of shape (some resamples, documents)."""
    source = np.random.PCG64(np.random.SeedSequence([seed, 0, stream]))
    for some in _blocks(documents, resamples):
        drawn = source.random_raw(some * documents)
        drawn >>= np.uint64(32)
        drawn *= np.uint64(documents)
        drawn >>= np.uint64(32)
        cells = drawn.astype(np.int64).reshape(some, documents) + (np.arange(some) * documents)[:, None]
        counted = np.bincount(cells.ravel(), minlength=some * documents)
        yield counted.reshape(some, documents).astype(np.float64)


def swaps(documents: int, resamples: int, seed: int, stream: int = 0) -> Iterator[Floats]:
    """In which documents two systems are exchanged, 1 or 0: blocks of shape (some resamples, documents)."""
    source = np.random.PCG64(np.random.SeedSequence([seed, 1, stream]))
    words = -(-documents // 64)
    for some in _blocks(documents, resamples):
        bits = source.random_raw(some * words).astype("<u8").view(np.uint8).reshape(some, -1)
        yield np.unpackbits(bits, axis=1, count=documents, bitorder="little").astype(np.float64)


def every_swap(differ: NDArray[np.bool_]) -> Iterator[Floats]:
    """All ways to exchange two systems in the documents where they differ, 2 ** those: blocks of shape (some, documents)."""
    places, done = np.arange(np.count_nonzero(differ)), 0
    for some in _blocks(len(differ), 1 << len(places)):
        ways = np.zeros((some, len(differ)))
        ways[:, differ] = np.arange(done, done + some)[:, None] >> places & 1
        done += some
        yield ways


def _blocks(documents: int, rows: int) -> Iterator[int]:
    step = max(1, BLOCK // max(documents, 1))
    for done in range(0, rows, step):
        yield min(step, rows - done)


@dataclass(frozen=True, eq=False)
class Stack:
    """The counts of several systems over the same documents, each different column once.

    columns : float64, shape (columns, documents), of which any resample adds exactly
    place   : system -> metric -> column -> its row in `columns`
    systems : the counts themselves
    """

    columns: Floats
    place: Mapping[str, Mapping[str, Mapping[str, int]]]
    systems: Systems
    zero_division: float = np.nan
    beta: float = 1.0

    @property
    def units(self) -> int:
        """How many rows can be drawn: documents, or sentences."""
        return len(self.columns.T)

    def sums(self, weights: Iterable[Floats], columns: Floats | None = None) -> Floats:
        """All columns, or those given, added up by each row of weights; shape (columns, rows)."""
        table = self.columns if columns is None else columns
        return np.concatenate([np.empty((len(table), 0)), *(table @ block.T for block in weights)], axis=1)

    @property
    def total(self) -> Floats:
        """Each column added up, shape (columns, 1)."""
        total: Floats = self.columns.sum(axis=1, keepdims=True)
        return total

    @property
    def left_out(self) -> Floats:
        """Each column without each of the documents, shape (columns, documents)."""
        return self.total - self.columns

    def score(self, system: str, metric: str, sums: Floats) -> ScoreColumns:
        """The scores of one system by one metric, one for each of the sums."""
        return self._finish(system, metric, {name: sums[row] for name, row in self.place[system][metric].items()})

    def exchanged(
        self, a: str, b: str, weights: Iterable[Floats], metrics: Iterable[str]
    ) -> Callable[[str], tuple[ScoreColumns, ScoreColumns]]:
        """Of each of the metrics, the scores of two systems after each swap: `weights` says in which documents they are
        exchanged.
        """
        pairs = sorted({pair for metric in metrics for pair in self._pairs(a, b, metric).values()})
        number = {pair: n for n, pair in enumerate(pairs)}
        first, second = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        gained, total = self.sums(weights, self.columns[second] - self.columns[first]), self.total

        def scores(metric: str) -> tuple[ScoreColumns, ScoreColumns]:
            of_a, of_b = {}, {}
            for name, pair in self._pairs(a, b, metric).items():
                of_a[name], of_b[name] = total[pair[0]] + gained[number[pair]], total[pair[1]] - gained[number[pair]]
            return self._finish(a, metric, of_a), self._finish(b, metric, of_b)

        return scores

    def _pairs(self, a: str, b: str, metric: str) -> dict[str, tuple[int, int]]:
        """The rows of each column of a metric, of two systems."""
        return {name: (row, self.place[b][metric][name]) for name, row in self.place[a][metric].items()}

    def _finish(self, system: str, metric: str, columns: Mapping[str, Floats]) -> ScoreColumns:
        return replace(self.systems[system][metric], columns=columns).score(self.zero_division, self.beta)

    def differ(self, a: str, b: str, metric: str) -> NDArray[np.bool_]:
        """In which documents two systems have different counts, shape (documents,)."""
        found = np.zeros(self.units, dtype=bool)
        for first, second in self._pairs(a, b, metric).values():
            found |= self.columns[first] != self.columns[second]
        return found


def stack(systems: Systems, *, zero_division: float = np.nan, beta: float = 1.0) -> Stack:
    """The counts of all systems as one table; what bounds an alignment (`slack`) is left out."""
    some = next(iter(systems.values()))
    rows: dict[bytes, int] = {}
    table: list[Floats] = []
    place: dict[str, dict[str, dict[str, int]]] = {name: {metric: {} for metric in some} for name in systems}
    for metric, counts in some.items():
        for column in counts.columns:
            if column.endswith("slack"):
                continue
            values = [np.asarray(systems[name][metric].columns[column], dtype=np.float64) for name in systems]
            for name, value in zip(systems, addable(values), strict=True):
                row = rows.setdefault(value.tobytes(), len(rows))
                if row == len(table):
                    table.append(value)
                place[name][metric][column] = row
    documents = len(next(iter(next(iter(some.values())).columns.values())))
    columns = np.stack(table) if table else np.empty((0, documents))
    return Stack(columns, place, systems, zero_division, beta)


def addable(columns: Sequence[Floats]) -> list[Floats]:
    """Columns of one kind, rounded so that sums of as many numbers as there are rows, and differences of these, are exact.

    >>> thirds = addable([np.array([1 / 3, 2 / 3])])[0]
    >>> bool(thirds[0] + thirds[1] - thirds[0] == thirds[1]), bool(abs(thirds[0] - 1 / 3) < 1e-15)
    (True, True)
    """
    rows = len(columns[0])
    largest = max((float(np.abs(c).max(initial=0)) for c in columns), default=0.0) * rows
    if not 0 < largest < np.inf:
        return [c + 0.0 for c in columns]
    unit = 2.0 ** (int(np.frexp(largest)[1]) - 52)
    return [np.rint(c / unit) * unit + 0.0 for c in columns]


def macro(systems: Mapping[str, Counts], zero_division: float, beta: float, present: NDArray[np.bool_]) -> dict[str, Counts]:
    """The mean of the documents' scores as counts, of each system by one measure: the sum over the documents where all systems
    have a score, and how many these are. So systems are compared over the same documents; side by side, as for one system.

    present : which documents all systems have; the others have no score, whatever 0 / 0 is worth
    """
    rows = {name: counts.score(zero_division, beta) for name, counts in systems.items()}
    columns: dict[str, dict[str, NDArray[Any]]] = {name: {} for name in systems}
    for side in SIDES:
        values = {name: values for name, score in rows.items() if (values := getattr(score, side)) is not None}
        defined = present & ~np.any([np.isnan(v) for v in values.values()], axis=0)
        for name, value in values.items():
            columns[name] |= {f"{side}.sum": np.where(defined, value, 0.0), f"{side}.documents": defined.astype(np.int64)}

    def finish(c: Mapping[str, Floats], zero_division: float, beta: float) -> ScoreColumns:
        mean = {side: divide(c[f"{side}.sum"], c[f"{side}.documents"]) for side in SIDES if f"{side}.sum" in c}
        return ScoreColumns(mean["value"], mean.get("recall"), mean.get("precision"), beta)

    return {name: Counts(columns[name], finish, counts.unit) for name, counts in systems.items()}
