"""A comparison as a plot: scores, differences, documents against the baseline, and documents by their length."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import tally
from referee.comparison.values import ComparisonCell
from referee.metrics.scores import Scores
from referee.metrics.titles import named
from referee.reports.colours import colours
from referee.reports.figures import Drawing, beside, dots, drawn, grid, label, legend_below, line, save, slide
from referee.reports.numbers import cost, minus, number
from referee.scoring.evaluation import Evaluation
from referee.stats.intervals import Interval


def plot(shown: PlottedScores, path: str | None) -> Drawing:
    """Plot a metric of a comparison; returns the figure.

    There are four panels, on a slide: the score of each system, and its difference from the baseline, with their values and
    intervals; the score of each document and system over that of the baseline; and over the number of the document's mentions
    in the key. A single system has the first and the last. Without mentions, as of phrases, there are the first two.

    Raises
    ------
    OptionError, MissingExtraError
        For an ending that cannot be plotted, or without matplotlib.
    """
    systems = len(shown.cells)
    with drawn(path):
        height = max(3.6, 1.5 + 0.36 * systems)
        number_of_panels = (2 if systems > 1 else 1) * (2 if shown.have_mentions else 1)
        deep, wide = grid(number_of_panels, 5.4, height)
        drawing = slide(5.4 * wide, height * deep)
        first, *others = drawing.subplots(deep, wide, squeeze=False).ravel().tolist()
        shown.scores(first)
        panels = [shown.differences] * (systems > 1)
        if shown.have_mentions:
            panels += [shown.against] * (systems > 1) + [shown.lengths]
        for draw, axis in zip(panels, others, strict=True):
            draw(axis)
        if any(cell.interval for cell in shown.cells.values()):
            first.set_title(f"Scores, {shown.level * 100:.10g} % intervals")
        save(drawing, path)
    return drawing


class PlottedScores(NamedTuple):
    """What is plotted of a comparison.

    Attributes
    ----------
    cells : mapping
        System -> its score and difference, of all documents.
    metric, unit : str
        In which metric, and the unit of its scores.
    baseline : str
        The system that the others are compared with.
    level : float
        Of the intervals.
    truncate : bool
        Whether percentages are truncated, not rounded.
    evaluations : mapping
        Corpus -> system -> its scores.
    """

    cells: Mapping[str, ComparisonCell]
    metric: str
    unit: str
    baseline: str
    level: float
    truncate: bool
    evaluations: Mapping[str, Mapping[str, Scores]]

    @property
    def have_mentions(self) -> bool:
        """Whether it is known how many mentions the key's documents have."""
        scores = [e for systems in self.evaluations.values() for e in systems.values()]
        return all(isinstance(e, Evaluation) or "mentions" in e.counts for e in scores)

    @property
    def scale(self) -> float:
        """Percentages are fractions."""
        return 1 if self.unit else 100

    @property
    def axis(self) -> str:
        """What an axis shows: "CoNLL F1 (%)"."""
        score = self.cells[self.baseline].score
        return f"{named(self.metric, score.beta)} ({self.unit or '%'})"

    def dots(self, system: int) -> dict[str, object]:
        """The documents of a system."""
        return dots(system, max(len(corpus[self.baseline].documents) for corpus in self.evaluations.values()))

    def scores(self, axis: Drawing) -> None:
        """The score of each system."""
        bars = {system: (cell.score.value, cell.interval) for system, cell in self.cells.items()}
        self._rows(axis, bars, number)
        place = range(len(self.cells))
        axis.set_yticks(place, [label(system) for system in self.cells])
        axis.set(xlabel=self.axis, title="Scores")

    def differences(self, axis: Drawing) -> None:
        """The difference of each system from the baseline, which has the line at 0."""
        differences = {system: cell.difference for system, cell in self.cells.items()}
        self._rows(axis, {s: (d.value, d.interval) for s, d in differences.items() if d is not None}, _signed)
        axis.axvline(0, color=colours()["ink"], linewidth=0.8)
        axis.set_yticks(range(len(differences)), [])
        axis.set(xlabel=f"difference in {self.axis}".replace("(%)", "(points)"), title=f"Minus {label(self.baseline)}")

    def _rows(
        self, axis: Drawing, rows: Mapping[str, tuple[float, Interval | None]], write: Callable[[float, str, bool], str]
    ) -> None:
        """A value, also in digits, and its interval for each system, the first one on top."""
        for y, system in enumerate(self.cells):
            if system in rows:
                value, interval = rows[system]
                how = {**line(y), "linestyle": "-"}
                axis.plot([value * self.scale], [y], **{**how, "markersize": 5 if interval is None else 3})
                if not math.isnan(value):
                    beside(axis, write(value, self.unit, self.truncate), value * self.scale, y, above=True)
                if interval is not None:  # its ends stand above the dot, which may be wider than a short one
                    ends = [interval.low * self.scale, interval.high * self.scale]
                    axis.plot(ends, [y, y], **{**how, "marker": "|", "markersize": 12})
        axis.set_ylim(len(self.cells) - 0.4, -0.6)
        axis.grid(visible=False, axis="y")
        axis.margins(x=0.12)
        axis.locator_params(axis="x", nbins=6)

    def against(self, axis: Drawing) -> None:
        """Each document over the baseline, on equal axes."""
        reached: list[float] = []
        for n, system in enumerate(self.cells):
            if system == self.baseline:
                continue
            for corpus in self.evaluations.values():
                base, values = (_documents(corpus[s], self.metric, self.scale) for s in (self.baseline, system))
                both = [name for name in values if name in base]
                axis.scatter([base[name] for name in both], [values[name] for name in both], **self.dots(n))
                reached += [ends[name] for name in both for ends in (base, values)]
            axis.scatter([], [], **self.dots(n), label=label(system))
        low, high = (min(reached), max(reached)) if reached else (0.0, self.scale)
        margin = (high - low) / 20 or 1
        ends = [low - margin, high + margin]
        axis.plot(ends, ends, color=colours()["ink"], linewidth=0.8)
        axis.set(xlim=ends, ylim=ends, box_aspect=1, title="Documents")
        axis.set(xlabel=f"{label(self.baseline)}, {self.axis}", ylabel=f"others, {self.axis}")
        for each in (axis.xaxis, axis.yaxis):
            each.get_major_locator().set_params(nbins=6)
        legend_below(axis)

    def lengths(self, axis: Drawing) -> None:
        """Each document over its mentions in the key."""
        for n, system in enumerate(self.cells):
            for corpus in self.evaluations.values():
                values, mentions = _documents(corpus[system], self.metric, self.scale), _mentions(corpus[system])
                axis.scatter([mentions[name] for name in values], list(values.values()), **self.dots(n))
            axis.scatter([], [], **self.dots(n), label=label(system))
        axis.set(xlabel="mentions of the document in the key", ylabel=self.axis, title="Documents by length")
        if len(self.cells) > 1:
            legend_below(axis)


def _signed(value: float, unit: str, truncate: bool) -> str:
    """A difference, with its sign."""
    return minus(cost(value, unit, truncate))


def _documents(e: Scores, metric: str, scale: float) -> Mapping[str, float]:
    """The score of each document where it has one."""
    values = zip(e.documents, (e.by_document[metric].value * scale).tolist(), strict=True)
    return {name: value for name, value in values if not math.isnan(value)}


def _mentions(e: Scores) -> Mapping[str, int]:
    """The mentions of each document of the key."""
    if isinstance(e, Evaluation):
        counts = tally(e.key.document, minlength=len(e.documents))
    else:
        counts = np.asarray(e.counts_of("mentions").columns["recall_denominator"])
    return dict(zip(e.documents, counts.tolist(), strict=True))
