"""A comparison as a plot: scores, differences, documents against the baseline, and documents by their length."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import tally
from referee.comparison.result import Comparison
from referee.metrics.scores import Scores
from referee.metrics.titles import main_metric, named
from referee.reports.colours import colours
from referee.reports.figures import Drawing, dots, drawn, figure, label, legend_below, line, save
from referee.scoring.evaluation import Evaluation
from referee.stats.intervals import Interval


def plot(c: Comparison, path: str, metric: str | None = None) -> None:
    """Plot a metric: `conll` if it was computed and no other is named, else the first one.

    There are four panels: the score of each system, and its difference from the baseline, with intervals; the score of each
    document and system over that of the baseline; and over the number of the document's mentions in the key. A single system
    has the first and the last.

    Raises
    ------
    OptionError, MissingExtraError
        For an ending that cannot be plotted, or without matplotlib.
    """
    metric = metric or main_metric(c.metrics)
    is_several = len(c.systems) > 1
    with drawn(path):
        height = max(4.2, 1.5 + 0.3 * len(c.systems))
        drawing = figure(17 if is_several else 9, height)
        widths = (4, 4, 4.6, 4.6) if is_several else (4, 4.6)
        first, *between, last = drawing.subplots(1, len(widths), width_ratios=widths)
        shown = _Shown(c, metric)
        shown.scores(first)
        if is_several:
            shown.differences(between[0])
            shown.against(between[1])
        shown.lengths(last)
        if any(c[system, metric].interval for system in c.systems):
            first.set_title(f"Scores, {c.resampling.level * 100:.10g} % intervals")
        save(drawing, path)


class _Shown(NamedTuple):
    """What is plotted."""

    c: Comparison
    metric: str

    @property
    def unit(self) -> str:
        return self.c.units[self.metric]

    @property
    def scale(self) -> float:
        """Percentages are fractions."""
        return 1 if self.unit else 100

    @property
    def axis(self) -> str:
        """What an axis shows: "CoNLL F1 (%)"."""
        score = self.c[self.c.baseline, self.metric].score
        return f"{named(self.metric, score.beta)} ({self.unit or '%'})"

    def dots(self, number: int) -> dict[str, object]:
        """The documents of a system."""
        return dots(number, max(len(corpus[self.c.baseline].documents) for corpus in self.c.evaluations.values()))

    def scores(self, axis: Drawing) -> None:
        """The score of each system."""
        self._rows(axis, {s: (self.c[s, self.metric].score.value, self.c[s, self.metric].interval) for s in self.c.systems})
        place = range(len(self.c.systems))
        axis.set_yticks(place, [label(system) for system in self.c.systems])
        axis.set(xlabel=self.axis, title="Scores")

    def differences(self, axis: Drawing) -> None:
        """The difference of each system from the baseline, which has the line at 0."""
        found = {s: self.c[s, self.metric].difference for s in self.c.systems}
        self._rows(axis, {s: (d.value, d.interval) for s, d in found.items() if d is not None})
        axis.axvline(0, color=colours()["ink"], linewidth=0.8)
        axis.set_yticks(range(len(found)), [])
        axis.set(xlabel=f"difference in {self.axis}".replace("(%)", "(points)"), title=f"Minus {label(self.c.baseline)}")

    def _rows(self, axis: Drawing, rows: Mapping[str, tuple[float, Interval | None]]) -> None:
        """A value and its interval for each system, the first one on top."""
        for y, system in enumerate(self.c.systems):
            if system in rows:
                value, interval = rows[system]
                how = {**line(y), "linestyle": "-"}
                axis.plot([value * self.scale], [y], **{**how, "markersize": 5 if interval is None else 3})
                if interval is not None:  # its ends stand above the dot, which may be wider than a short one
                    ends = [interval.low * self.scale, interval.high * self.scale]
                    axis.plot(ends, [y, y], **{**how, "marker": "|", "markersize": 12})
        axis.set_ylim(len(self.c.systems) - 0.4, -0.6)
        axis.grid(visible=False, axis="y")
        axis.margins(x=0.12)
        axis.locator_params(axis="x", nbins=6)

    def against(self, axis: Drawing) -> None:
        """Each document over the baseline, on equal axes."""
        reached: list[float] = []
        for number, system in enumerate(self.c.systems):
            if system == self.c.baseline:
                continue
            for corpus in self.c.evaluations.values():
                base, values = (_documents(corpus[s], self.metric, self.scale) for s in (self.c.baseline, system))
                both = [name for name in values if name in base]
                axis.scatter([base[name] for name in both], [values[name] for name in both], **self.dots(number))
                reached += [of[name] for name in both for of in (base, values)]
            axis.scatter([], [], **self.dots(number), label=label(system))
        low, high = (min(reached), max(reached)) if reached else (0.0, self.scale)
        margin = (high - low) / 20 or 1
        ends = [low - margin, high + margin]
        axis.plot(ends, ends, color=colours()["ink"], linewidth=0.8)
        axis.set(xlim=ends, ylim=ends, box_aspect=1, title="Documents")
        axis.set(xlabel=f"{label(self.c.baseline)}, {self.axis}", ylabel=f"others, {self.axis}")
        for each in (axis.xaxis, axis.yaxis):
            each.get_major_locator().set_params(nbins=6)
        legend_below(axis)

    def lengths(self, axis: Drawing) -> None:
        """Each document over its mentions in the key."""
        for number, system in enumerate(self.c.systems):
            for corpus in self.c.evaluations.values():
                values, mentions = _documents(corpus[system], self.metric, self.scale), _mentions(corpus[system])
                axis.scatter([mentions[name] for name in values], list(values.values()), **self.dots(number))
            axis.scatter([], [], **self.dots(number), label=label(system))
        axis.set(xlabel="mentions of the document in the key", ylabel=self.axis, title="Documents by length")
        if len(self.c.systems) > 1:
            legend_below(axis)


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
