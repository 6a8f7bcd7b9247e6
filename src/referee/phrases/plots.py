"""Plots of error breakdown and reliability: svg, png or pdf; needs the extra referee[plot].

A group is a row of bars, one for each system: full for the cross-entropy of true candidates, pale for that of false ones.
Infinitely many bits have no bar: zero-probability events are counted in a panel of their own, and bits are those of all other
events.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats
from referee.basics.extras import matplotlib_legends, matplotlib_lines, matplotlib_patches
from referee.phrases.scores import PhraseScores
from referee.reports.figures import Drawing, drawn, figure, label, line, save, series
from referee.stats.counts import divide

DEFAULT_GROUPS = ("category", "length", "coverage")
"""The groups that are plotted if none is named."""

MAX_ROWS = 20
"""Categories or sentences in a panel; all others are one group."""

HATCHES = ("", "/////", ".....", "xxxxx")
"""Of the bars of the first seven systems, the second seven, and so on."""

PALE = 0.4

MIN_AXIS = 1e-9
"""The reliability diagram goes no lower."""


def plot(systems: Sequence[PhraseScores], path: str | None = None, *, groups: Sequence[str] = DEFAULT_GROUPS) -> Drawing:
    """Plot the cross-entropy of each group, system beside system, and the reliability diagram.

    Parameters
    ----------
    systems
        The scores of the responses.
    path
        A file that ends in .svg, .png or .pdf; None to return the figure alone.
    groups
        Names of `referee.phrases.sums.GROUPS`; if empty, `DEFAULT_GROUPS`.

    Raises
    ------
    OptionError
        If the file has another ending.
    MissingExtraError
        If matplotlib is not installed.
    """
    with drawn(path):
        drawing = _figure(systems, list(dict.fromkeys(groups)) or DEFAULT_GROUPS)
        save(drawing, path)
    return drawing


@dataclass(frozen=True, eq=False)
class _Bars:
    """Rows of bars: the lengths for true and for false candidates, of shape (systems, rows)."""

    title: str
    unit: str
    names: list[str]
    true: Floats
    false: Floats

    @property
    def longest(self) -> float:
        """The length of the longest bar."""
        return float((self.true + self.false).max(initial=0))


def _figure(systems: Sequence[PhraseScores], groups: Sequence[str]) -> Drawing:
    bits, events = zip(*(_panels(systems, group) for group in groups), strict=True)
    columns = [column for column in (bits, events) if any(bars.longest for bars in column)] or [bits]
    heights = [0.9 + max(0.26, 0.1 + 0.045 * len(systems)) * max(len(bars.names), 1) for bars in bits]
    legend_height = 1.8 + 0.22 * len(systems)
    drawing = figure(5 * len(columns) + 5, min(max(sum(heights), 4.5 + legend_height), 60))
    grid = drawing.add_gridspec(1, len(columns) + 1)
    for place, column in enumerate(columns):
        panels = grid[place].subgridspec(len(column), 1, height_ratios=heights)
        for cell, bars in zip(panels, column, strict=True):
            _draw_bars(drawing.add_subplot(cell), bars)
    above, below = grid[-1].subgridspec(2, 1, height_ratios=(4.5, max(sum(heights) - 4.5, legend_height)))
    _draw_reliability(drawing.add_subplot(above), systems)
    _draw_legend(drawing.add_subplot(below), systems)
    return drawing


def _panels(systems: Sequence[PhraseScores], group: str) -> tuple[_Bars, _Bars]:
    """The bars of bits, and those of zero-probability events."""
    names, sums = _sums(systems, group)
    is_sentence = group == "sentence"
    if is_sentence or group == "category":  # the others have an order of their own
        names, sums = _largest(names, sums, mean=is_sentence)
    bits, events = sums[:2] / (1 if is_sentence else max(len(systems[0].sums.sentence_ids), 1)), sums[2:]
    unit = ("bits" if is_sentence else "bits per sentence") + (", without zero-probability events" if events.any() else "")
    return (
        _Bars(f"cross-entropy by {group}", unit, names, *bits),
        _Bars(f"zero-probability events by {group}", "events", names, *events),
    )


def _sums(systems: Sequence[PhraseScores], group: str) -> tuple[list[str], Floats]:
    """The groups of all systems, and their sums.

    The sums are bits and zero-probability events, of true and of false candidates; shape (4, systems, groups).
    """
    breakdowns = [scores.breakdown(group) for scores in systems]
    names = list(dict.fromkeys(name for breakdown in breakdowns for name in breakdown.names))
    place = {name: g for g, name in enumerate(names)}
    columns = ("cross_entropy_true", "cross_entropy_false", "zero_probability_true", "zero_probability_false")
    sums = np.zeros((len(columns), len(systems), len(names)))
    for n, breakdown in enumerate(breakdowns):
        sums[:, n, [place[name] for name in breakdown.names]] = [breakdown.sums[column] for column in columns]
    return names, sums


def _largest(names: list[str], sums: Floats, *, mean: bool) -> tuple[list[str], Floats]:
    """The groups with the largest shares, where each system has the same weight; then the sum or mean of all others."""
    both = sums.reshape(2, 2, *sums.shape[1:]).sum(axis=1)
    share = np.nan_to_num(divide(both, both.sum(axis=-1, keepdims=True)))
    order = np.argsort(-share.sum(axis=(0, 1)).round(12), kind="stable")
    rows = MAX_ROWS if len(names) > MAX_ROWS + 1 else len(names)
    largest, rest = [names[g] for g in order[:rows]], sums[..., order[rows:]]
    if not rest.size:
        return largest, sums[..., order]
    others = rest.mean(axis=-1, keepdims=True) if mean else rest.sum(axis=-1, keepdims=True)
    name = f"{'mean of ' if mean else ''}{rest.shape[-1]} others"
    return [*largest, name], np.concatenate([sums[..., order[:rows]], others], axis=-1)


def _draw_bars(axes: Drawing, bars: _Bars) -> None:
    rows, height = np.arange(len(bars.names)), 0.8 / max(len(bars.true), 1)
    for n, (true, false) in enumerate(zip(bars.true, bars.false, strict=True)):
        at = rows + (n + 0.5) * height - 0.4
        axes.barh(at, true, height, **_fill(n))
        axes.barh(at, false, height, left=true, alpha=PALE, **_fill(n))
    axes.set_yticks(rows, [label(name, 20) for name in bars.names], fontsize="small")
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, 1.05 * bars.longest or 1)
    axes.set(title=bars.title, xlabel=bars.unit)


def _draw_reliability(axes: Drawing, systems: Sequence[PhraseScores]) -> None:
    values = [v for s in systems for v in (*s.calibration.mean_probability, *s.calibration.share_true) if v > 0]
    edge = 10.0 ** math.floor(math.log10(min(max(min(values, default=1), MIN_AXIS), 0.01)))
    axes.plot([edge, 1], [edge, 1], color=series()[6], linewidth=0.8)
    for n, scores in enumerate(systems):
        _draw_curve(axes, scores.calibration.mean_probability, scores.calibration.share_true, edge, n)
    axes.set(xscale="log", yscale="log", xlim=(edge, 1.2), ylim=(edge, 1.2), title="reliability")
    axes.set(xlabel="mean probability", ylabel="share true", box_aspect=1)


def _draw_curve(axes: Drawing, probability: Floats, true: Floats, edge: float, n: int) -> None:
    """The curve of the nth system; hollow triangles at the edge stand for values below it."""
    visible = (probability >= edge) | (true >= edge)  # a bin with probability 0 of which none is true is as it should be
    probability, true = probability[visible], true[visible]
    x, y = np.maximum(probability, edge), np.maximum(true, edge)
    axes.plot(x[probability >= edge], y[probability >= edge], **line(n))
    for is_below, shape in ((true < edge, "v"), (probability < edge, "<")):
        hollow = {**line(n), "linestyle": "", "marker": shape, "markersize": 8, "markerfacecolor": "white"}
        for mark in axes.plot(x[is_below], y[is_below], clip_on=False, zorder=3, **hollow):
            mark.set_in_layout(False)


def _draw_legend(axes: Drawing, systems: Sequence[PhraseScores]) -> None:
    """The legend, below the reliability diagram."""
    patch, curve = matplotlib_patches.Patch, matplotlib_lines.Line2D
    entries: list[tuple[Drawing, str]] = []
    for n, scores in enumerate(systems):
        bits = f"{float(scores.total.bits_per_sentence):.4g}".replace("inf", "∞")
        entries.append(((patch(**_fill(n)), curve([], [], **line(n))), f"{label(scores.name)}: {bits}"))
    grey = series()[6]
    entries += [(patch(facecolor=grey), "true candidates"), (patch(facecolor=grey, alpha=PALE), "false candidates")]
    triangles = {"v": "share true is 0, or below the axis", "<": "mean probability is 0, or below the axis"}
    for shape, meaning in triangles.items():
        hollow = curve([], [], color=grey, linestyle="", marker=shape, markersize=8, markerfacecolor="white")
        entries.append((hollow, meaning))
    handles, texts = zip(*entries, strict=True)
    side_by_side = matplotlib_legends.HandlerTuple(ndivide=None)
    axes.set_axis_off()
    legend = axes.legend(
        handles,
        texts,
        title="bits per sentence",
        loc="upper center",
        fontsize="small",
        handlelength=4,
        handler_map={tuple: side_by_side},
        frameon=False,
        alignment="left",
    )
    legend.set_in_layout(False)  # if it is larger than its axes, they would shrink to nothing


def _fill(n: int) -> dict[str, object]:
    """The style of the bars of the nth system."""
    hatch = HATCHES[n // len(series()) % len(HATCHES)]
    return {"facecolor": line(n)["color"], "hatch": hatch, "edgecolor": "white", "linewidth": 0}
