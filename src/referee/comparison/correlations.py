"""Correlations of metrics, over systems or their documents, and where metrics order systems differently: `Correlations`.

References
----------
.. [1] Luo et al. (2014), An Extension of BLANC to System Mentions, Table 3: Pearson's r between BLANC and other metrics over
   the systems of CoNLL-2011 and 2012, for recall, precision and F.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from referee.algorithms.arrays import Floats
from referee.basics.exceptions import OptionError, check_name, counted
from referee.metrics.best import badness
from referee.metrics.scores import Scores
from referee.metrics.titles import METRIC, PARTS, SYSTEM, named, title_of
from referee.reports.colours import colours
from referee.reports.figures import Drawing, dots, drawn, figure, save, shades
from referee.reports.listing import Column, Listing, plain
from referee.reports.result import Result
from referee.stats.correlation import COEFFICIENTS, Correlation, ranks
from referee.stats.counts import SIDES

TITLES = {"recall": "recall", "precision": "precision", "value": "F1"}


@dataclass(frozen=True, eq=False)
class Correlations(Result):
    """The scores of systems, or of their documents, by all metrics, and how these correlate.

    Parameters
    ----------
    cases : sequence of tuple of str
        What is correlated over: systems, ``("a",)``; or documents of systems, ``("a", "d1")``.
    values : mapping
        Side -> metric -> float64, shape (cases,), nan where undefined. Metrics without sides are only under "value".
    signatures : sequence of str
        How the scores were made.
    """

    cases: Sequence[tuple[str, ...]]
    values: Mapping[str, Mapping[str, Floats]]
    signatures: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"<Correlations of {counted(len(self.values['value']), 'metric')} over {self._over}>"

    def correlation(self, a: str, b: str, coefficient: str = "pearson", side: str = "value") -> tuple[Correlation, int]:
        """Correlate two metrics; also return over how many cases: those where both have a score.

        Raises
        ------
        UnknownNameError
            For an unknown name, or a metric without the side.
        """
        check_name("coefficient", coefficient, COEFFICIENTS)
        check_name("side", side, SIDES)
        for metric in (a, b):
            check_name("metric", metric, self.values[side])
        x, y = self.values[side][a], self.values[side][b]
        both = ~np.isnan(x) & ~np.isnan(y)
        return COEFFICIENTS[coefficient](x[both], y[both]), int(both.sum())

    def ranks(self, metric: str) -> Floats:
        """Return the rank of each case, 1 for the best, shape (cases,): equal ones share the mean; nan where undefined."""
        values = self.values["value"][metric]
        worse = badness(metric, values)
        ranked, defined = np.full(len(worse), np.nan), ~np.isnan(worse)
        ranked[defined] = ranks(worse[defined])
        return ranked

    def reversals(self, a: str, b: str) -> list[tuple[int, int]]:
        """Return the pairs of cases (i, j) where i is better by metric `a`, and j by metric `b`."""
        first, second = self.ranks(a), self.ranks(b)
        return [
            (i, j) if first[i] < first[j] else (j, i)
            for i, j in combinations(range(len(self.cases)), 2)
            if (first[i] - first[j]) * (second[i] - second[j]) < 0
        ]

    def listing(
        self,
        *,
        metrics: Sequence[str] = (),
        coefficient: str = "pearson",
        side: str = "value",
        against: str | None = None,
        ranks: bool = False,
    ) -> Listing:
        """Return a table of coefficients, or of ranks.

        Parameters
        ----------
        metrics
            What is correlated; all metrics if there is none.
        coefficient
            One of `COEFFICIENTS`.
        side
            One of `SIDES`: of metrics that have it.
        against
            A metric that is correlated with each of the others, for recall, precision and F, each with its p [1]_; None for
            all pairs of metrics.
        ranks
            Show the ranks of the cases by each metric instead, and which pairs of cases two metrics order differently.

        Raises
        ------
        OptionError, UnknownNameError
            For unknown names, or fewer than two metrics with the side.
        """
        named = list(metrics) or list(self.values["value"])
        if ranks:
            shown = self._ranks(named)
        elif against is not None:
            shown = self._against(named, coefficient, against)
        else:
            shown = self._matrix(self._having(side, named), coefficient, side)
        facts = {**shown.facts, "signatures": list(self.signatures)}
        return shown._replace(notes=[*shown.notes, *self.signatures], facts=facts)

    def _matrix(self, metrics: Sequence[str], coefficient: str, side: str) -> Listing:
        """A coefficient for each pair of metrics; JSON has p and the number of cases, too."""
        by_pair = {(a, b): self.correlation(a, b, coefficient, side) for a in metrics for b in metrics}
        pairs = []
        for a, b in combinations(metrics, 2):
            r, over = by_pair[a, b]
            pairs.append({"metrics": [a, b], "value": plain(r.value), "p": plain(r.p), "over": over})
        columns = [Column(METRIC), *(Column(title_of(m), "number") for m in metrics)]
        rows = [[title_of(a), *(by_pair[a, b][0].value for b in metrics)] for a in metrics]
        notes = [f"{coefficient} over {self._over}, {TITLES[side]}"]
        return Listing(columns, rows, notes, {"coefficient": coefficient, "side": side, "pairs": pairs})

    def _against(self, metrics: Sequence[str], coefficient: str, metric: str) -> Listing:
        """A coefficient of one metric with each of the others, for each side, with its p."""
        check_name("metric", metric, self.values["value"])
        sides = [side for side in TITLES if metric in self.values[side]]
        columns = [Column(METRIC)]
        for side in sides:
            columns += [Column(TITLES[side], "number"), Column(f"p ({TITLES[side]})", "p")]
        rows = []
        for m in metrics:
            if m != metric:
                none = Correlation(math.nan, math.nan)
                row = [self.correlation(metric, m, coefficient, s)[0] if m in self.values[s] else none for s in sides]
                rows.append([title_of(m), *(number for correlation in row for number in correlation)])
        notes = [f"with {metric}", f"{coefficient} over {self._over}"]
        return Listing(columns, rows, notes, {"with": metric, "coefficient": coefficient})

    def _ranks(self, metrics: Sequence[str]) -> Listing:
        """The rank of each case by each metric, 1 for the best; and which pairs of cases are ordered differently."""
        ranked = {m: self.ranks(m) for m in metrics}
        names = [" ".join(case) for case in self.cases]
        notes, facts = [], []
        for a, b in combinations(metrics, 2):
            pairs = [[names[i], names[j]] for i, j in self.reversals(a, b)]
            facts.append({"metrics": [a, b], "reversed": pairs})
            if pairs:
                first = "; ".join(f"{better} before {worse}" for better, worse in pairs[:3])
                pairs_shown = f"{len(pairs)} of {len(names) * (len(names) - 1) // 2} pairs"
                notes.append(f"{a} and {b} reverse {pairs_shown}; by {a}: {first}{'; …' if len(pairs) > 3 else ''}")
        labels = [Column(label) for label in (SYSTEM, PARTS["document"])[: len(self.cases[0])]]
        rows = [[*case, *(ranked[m][n] for m in metrics)] for n, case in enumerate(self.cases)]
        columns = [*labels, *(Column(title_of(m), "number", form="g") for m in metrics)]
        return Listing(columns, rows, notes or ["no two metrics reverse any pair"], {"reversals": facts})

    def plot(
        self, path: str | None, metrics: Sequence[str], coefficient: str, side: str, against: str | None = None
    ) -> Drawing:
        """Plot the coefficients of all pairs as colours; or one metric against each of the others, case by case.

        It returns the figure of matplotlib; the path may be None.
        """
        metrics = self._having(side, metrics)
        if against is not None:
            check_name(f"metric with {side}", against, metrics)
        with drawn(path):
            if against is None:
                size = max(4.0, 0.5 * len(metrics) + 2)
                drawing = figure(size + 1, size)
                self._plot_matrix(drawing, metrics, coefficient, side)
            else:
                drawing = self._scattered([m for m in metrics if m != against], coefficient, side, against)
            save(drawing, path)
        return drawing

    def _scattered(self, metrics: Sequence[str], coefficient: str, side: str, against: str) -> Drawing:
        wide = min(len(metrics), 4)
        deep = -(-len(metrics) // wide)
        drawing = figure(3.2 * wide, 3 * deep)
        axes = drawing.subplots(deep, wide, squeeze=False).ravel().tolist()
        for axis, m in zip(axes, metrics, strict=False):
            axis.scatter(self.values[side][m], self.values[side][against], **dots(0))
            r = self.correlation(against, m, coefficient, side)[0].value
            axis.set(xlabel=named(m, None), ylabel=named(against, None), title=f"{coefficient} {r:.3f}")
        for axis in axes[len(metrics) :]:
            axis.set_axis_off()
        return drawing

    def _plot_matrix(self, drawing: Drawing, metrics: Sequence[str], coefficient: str, side: str) -> None:
        axis = drawing.subplots()
        values = np.array([[self.correlation(a, b, coefficient, side)[0].value for b in metrics] for a in metrics])
        image = axis.imshow(values, vmin=-1, vmax=1, cmap=shades())
        titles = [named(m, None) for m in metrics]
        axis.set_xticks(range(len(metrics)), titles, rotation=90)
        axis.set_yticks(range(len(metrics)), titles)
        axis.grid(visible=False)
        for (row, column), value in np.ndenumerate(values):
            if not math.isnan(value):
                colour = "white" if abs(value) > 0.6 else colours()["ink"]
                axis.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize="x-small", color=colour)
        drawing.colorbar(image, label=coefficient)

    def _having(self, side: str, metrics: Sequence[str]) -> list[str]:
        """Those of the metrics that have a side."""
        check_name("side", side, SIDES)
        with_side = [metric for metric in metrics if metric in self.values[side]]
        if len(with_side) < 2:
            raise OptionError(f"found {counted(len(with_side), 'metric')} with {side}; expected at least two to compare")
        return with_side

    @property
    def _over(self) -> str:
        over = f"{len(self.cases)} {'systems' if len(self.cases[0]) == 1 else 'documents of systems'}"
        return f"{over} (so always 1, -1 or undefined)" if len(self.cases) == 2 else over


def correlate(systems: Mapping[str, Scores], *, by_document: bool = False) -> Correlations:
    """Correlate the metrics of systems that were scored alike, over the systems or over each of their documents.

    Raises
    ------
    OptionError
        If there are fewer than two metrics, or fewer than two systems or documents.
    """
    metrics = [m for m in next(iter(systems.values())).counts if all(m in e.counts for e in systems.values())]
    cases: list[tuple[str, ...]] = [(name,) for name in systems]
    if by_document:
        cases = [(name, document) for name, e in systems.items() for document in e.documents]
    if len(cases) < 2 or len(metrics) < 2:
        sizes = f"{counted(len(cases), 'document' if by_document else 'system')} and {counted(len(metrics), 'metric')}"
        raise OptionError(f"found {sizes}; expected at least two of each to compare metrics: add --by document or responses")
    values: dict[str, dict[str, Floats]] = {side: {} for side in SIDES}
    for side in SIDES:
        for metric in metrics:
            scores = [e.by_document[metric] if by_document else e[metric] for e in systems.values()]
            columns = [getattr(score, side) for score in scores]
            if all(column is not None for column in columns):
                values[side][metric] = np.concatenate([np.atleast_1d(column) for column in columns]).astype(np.float64)
    return Correlations(cases, values, list(dict.fromkeys(e.signature for e in systems.values())))
