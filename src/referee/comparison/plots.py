"""A comparison as a plot: intervals of the systems; documents against the baseline, and against their length."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from referee.algorithms.arrays import tally
from referee.comparison.result import Comparison
from referee.metrics.scores import Scores
from referee.metrics.titles import main_metric
from referee.reports.figures import Drawing, figure, label, save
from referee.scoring.evaluation import Evaluation


def plot(c: Comparison, path: str, metric: str | None = None) -> None:
    """Plot a metric: `conll` if it was computed and no other is named, else the first one.

    There are three panels: the score of each system with its interval; the score of each document and system over that of the
    baseline; and over the number of the document's mentions in the key.

    Raises
    ------
    OptionError, MissingExtraError
        For an ending that cannot be plotted, or without matplotlib.
    """
    metric = metric or main_metric(c.metrics)
    drawing = figure(15, 1.5 + max(3.5, 0.3 * len(c.systems)))
    intervals, against, length = drawing.subplots(1, 3)
    scale = 1 if c.units[metric] else 100
    _intervals(intervals, c, metric, scale)
    for number, system in enumerate(c.systems):
        colour = f"C{number}"
        for corpus in c.evaluations.values():
            values = _documents(corpus[system], metric, scale)
            base = _documents(corpus[c.baseline], metric, scale)
            both = [name for name in values if name in base]
            mentions = _mentions(corpus[system])
            dots: dict[str, object] = {"color": colour, "s": 9, "alpha": 0.6}
            if system != c.baseline:
                against.scatter([base[name] for name in both], [values[name] for name in both], **dots)
            length.scatter([max(mentions[name], 1) for name in values], list(values.values()), **dots)
        for axis in (length,) if system == c.baseline else (against, length):
            axis.scatter([], [], color=colour, s=9, label=label(system))
    low, high = against.get_xlim() if len(c.systems) > 1 else (0, scale)
    against.plot([low, high], [low, high], color="grey", linewidth=0.8)
    unit = c.units[metric] or "%"
    against.set(xlabel=f"{label(c.baseline)}, {metric} ({unit})", ylabel=f"others, {metric} ({unit})", title="documents")
    length.set(xlabel="mentions in the key", ylabel=f"{metric} ({unit})", title="documents by length")
    if len(c.systems) > 1:
        against.legend(fontsize="small")
    length.legend(fontsize="small")
    save(drawing, path)


def _intervals(axis: Drawing, c: Comparison, metric: str, scale: float) -> None:
    place = np.arange(len(c.systems))[::-1]
    for y, system in zip(place.tolist(), c.systems, strict=True):
        cell, colour = c[system, metric], f"C{c.systems.index(system)}"
        axis.plot([cell.score.value * scale], [y], marker="o", markersize=4, color=colour)
        if cell.interval is not None:
            axis.plot([cell.interval.low * scale, cell.interval.high * scale], [y, y], marker="|", markersize=10, color=colour)
    axis.set_yticks(place, [label(system) for system in c.systems])
    level = f"{c.resampling.level * 100:.10g} % intervals"
    axis.set(xlabel=f"{metric} ({c.units[metric] or '%'})", title=level, ylim=(-0.7, len(c.systems) - 0.3))


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
