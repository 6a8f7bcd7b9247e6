"""Measures of measures: how alike they are, over systems or documents, and where they order systems differently.

Source: the analysis of Luo et al. (2014), Table 3: Pearson's r between BLANC and other measures over the systems of CoNLL-2011
and 2012, for recall, precision and F.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from referee.comparison.values import TARGETS
from referee.counts import SIDES
from referee.exceptions import OptionError, check_name
from referee.messages import counted
from referee.scoring.evaluation import Evaluation
from referee.stats.correlation import COEFFICIENTS, Correlation, ranks


@dataclass(frozen=True)
class Scored:
    """The scores of the same things by all measures.

    things : names of systems; or systems and documents, ("a", "d1"), ("a", "d2"), ...
    values : side -> metric -> float64, shape (things,), nan where undefined; metrics without sides are only under "value"
    """

    things: Sequence[tuple[str, ...]]
    values: Mapping[str, Mapping[str, NDArray[np.float64]]]

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(self.values["value"])

    def having(self, side: str, metrics: Sequence[str]) -> list[str]:
        """Those of the measures that have a side. OptionError for less than two, UnknownNameError."""
        check_name("side", side, SIDES)
        found = [metric for metric in metrics if metric in self.values[side]]
        if len(found) < 2:
            raise OptionError(f"found {counted(len(found), 'measure')} with {side}; expected at least two to compare")
        return found

    def correlation(self, a: str, b: str, coefficient: str = "pearson", side: str = "value") -> tuple[Correlation, int]:
        """Between two measures, and over how many things: those that both have a score for. UnknownNameError."""
        check_name("coefficient", coefficient, COEFFICIENTS)
        check_name("side", side, SIDES)
        for metric in (a, b):
            check_name("metric", metric, self.values[side])
        x, y = self.values[side][a], self.values[side][b]
        both = ~np.isnan(x) & ~np.isnan(y)
        return COEFFICIENTS[coefficient](x[both], y[both]), int(both.sum())

    def ranks(self, metric: str) -> NDArray[np.float64]:
        """The rank of each thing, 1 for the best, float64, shape (things,): equal ones share a mean; nan where undefined."""
        worse = -self.values["value"][metric]
        if metric in TARGETS:
            worse = np.abs(-worse - TARGETS[metric])
        placed = np.full(len(worse), np.nan)
        defined = ~np.isnan(worse)
        placed[defined] = ranks(worse[defined])
        return placed

    def reversals(self, a: str, b: str) -> list[tuple[int, int]]:
        """The pairs of things (i, j) of which measure `a` says that i is better, and `b` that j is."""
        first, second = self.ranks(a), self.ranks(b)
        return [
            (i, j) if first[i] < first[j] else (j, i)
            for i, j in combinations(range(len(self.things)), 2)
            if (first[i] - first[j]) * (second[i] - second[j]) < 0
        ]


def scored(systems: Mapping[str, Evaluation], *, by_document: bool = False) -> Scored:
    """The scores of systems that were scored alike, or of each of their documents. OptionError for less than two."""
    metrics = [m for m in next(iter(systems.values())).counts if all(m in e.counts for e in systems.values())]
    things: list[tuple[str, ...]]
    if by_document:
        things = [(name, document) for name, e in systems.items() for document in e.documents]
    else:
        things = [(name,) for name in systems]
    if len(things) < 2 or len(metrics) < 2:
        found = f"{counted(len(things), 'document' if by_document else 'system')} and {counted(len(metrics), 'measure')}"
        raise OptionError(f"found {found}; expected at least two of each to compare measures: add --by document or responses")
    values: dict[str, dict[str, NDArray[np.float64]]] = {side: {} for side in SIDES}
    for side in SIDES:
        for metric in metrics:
            rows = [e.by_document[metric] if by_document else e[metric] for e in systems.values()]
            columns = [getattr(score, side) for score in rows]
            if all(column is not None for column in columns):
                values[side][metric] = np.concatenate([np.atleast_1d(column) for column in columns]).astype(np.float64)
    return Scored(things, values)
