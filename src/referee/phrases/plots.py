"""Plots of F1 by type, thresholds, reliability and error breakdown: svg, png or pdf; needs the extra referee[plot].

If groups are named, each is a row of bars, one for each system: full for the cross-entropy of true candidates, pale for that of
false ones. Infinitely many bits have no bar: zero-probability events are counted in a panel of their own, and bits are those of
all other events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats
from referee.basics.extras import matplotlib_legends, matplotlib_lines, matplotlib_patches
from referee.phrases.scores import DEFAULT, PhraseScores
from referee.phrases.types import TypeTable, counts_by_type, type_counts
from referee.reports.figures import Drawing, drawn, figure, label, legend_below, line, save, series
from referee.reports.numbers import number
from referee.stats.counts import divide
from referee.stats.resampling import intervals
from referee.stats.settings import Resampling

MAX_ROWS = 20
"""Types, categories or sentences in a panel; all others are one group, or left out."""

HATCHES = ("", "/////", ".....", "xxxxx")
"""Of the bars of the first seven systems, the second seven, and so on."""

PALE = 0.4


def plot(systems: Sequence[PhraseScores], path: str, *, groups: Sequence[str] = (), resampling: Resampling = DEFAULT) -> None:
    """Plot F1 of each type with its interval, and of probabilities F1 by threshold and reliability.

    Parameters
    ----------
    systems
        The scores of the responses.
    path
        A file that ends in .svg, .png or .pdf.
    groups
        Names of `referee.phrases.sums.GROUPS`, whose cross-entropy is plotted instead, with the reliability.
    resampling
        How intervals are made.

    Raises
    ------
    OptionError
        If the file has another ending.
    MissingExtraError
        If matplotlib is not installed.
    """
    with drawn(path):
        save(_figure(systems, list(dict.fromkeys(groups))) if groups else _overview(systems, resampling), path)


def _overview(systems: Sequence[PhraseScores], resampling: Resampling) -> Drawing:
    """F1 by type, and for probabilities F1 by threshold and reliability."""
    names = _types(systems)
    are_probable = any(scores.thresholds is not None for scores in systems)
    height = max(4.0, 1.5 + (0.2 + 0.2 * len(systems)) * (len(names) + 1)) + 0.25 * len(systems)
    drawing = figure(7 + 5 * are_probable, max(height, 8.0) if are_probable else height)
    columns = drawing.add_gridspec(1, 1 + are_probable)
    axes = drawing.add_subplot(columns[0])
    for n, scores in enumerate(systems):
        _draw_types(axes, scores, names, (n + 0.5) / len(systems) * 0.8 - 0.4, n, resampling)
    axes.set_yticks(np.arange(len(names) + 1), [label(name, 20) for name in (*names, "micro average")], fontsize="small")
    axes.set(xlim=(0, 102), ylim=(len(names) + 0.6, -0.6), title="F1 by type", xlabel="F1, with intervals over sentences")
    legend_below(axes, 1, fontsize="small", frameon=False)
    if are_probable:
        above, below = columns[1].subgridspec(2, 1)
        _draw_thresholds(drawing.add_subplot(above), systems)
        _draw_reliability(drawing.add_subplot(below), systems)
    return drawing


def _types(systems: Sequence[PhraseScores]) -> list[str]:
    """The types of all systems, those with the most phrases in the key first."""
    support: dict[str, int] = {}
    for scores in systems:
        for name, counts in (counts_by_type(*scores.chunks) if scores.chunks else {}).items():
            support[name] = max(support.get(name, 0), counts.key)
    return sorted(support, key=lambda name: (-support[name], name))[:MAX_ROWS]


def _draw_types(
    axes: Drawing, scores: PhraseScores, names: Sequence[str], offset: float, n: int, resampling: Resampling
) -> None:
    """A point for each type, and one for all, with the intervals of a system."""
    if scores.chunks is None:
        return
    table, made = TypeTable(counts_by_type(*scores.chunks)), intervals(type_counts(*scores.chunks), resampling)
    micro = table.averages["micro"].f1
    values = [*(table.rows[name].f1 if name in table.rows else np.nan for name in names), micro]
    sides = [made.get(name, {}).get("value", (np.nan, np.nan)) for name in (*names, "")]
    ends = np.array([side[:2] for side in sides])
    x, rows = 100 * np.array(values, dtype=np.float64), np.arange(len(values)) + offset
    spread = np.nan_to_num(np.abs(100 * ends.T - x))
    style = {**line(n), "linestyle": "", "capsize": 2, "label": f"{label(scores.name)}: {number(micro)}"}
    axes.errorbar(x, rows, xerr=spread, **style)


def _draw_thresholds(axes: Drawing, systems: Sequence[PhraseScores]) -> None:
    for n, scores in enumerate(systems):
        if scores.thresholds is not None:
            rows = [scores.thresholds.at(t) for t in scores.thresholds.probabilities.tolist()]
            axes.plot([row.threshold for row in rows], [100 * row.f1 for row in rows], **{**line(n), "marker": ""})
            best = scores.thresholds.best
            axes.plot([best.threshold], [100 * best.f1], **{**line(n), "linestyle": ""})
    axes.set(xlim=(-0.02, 1.02), ylim=(0, 102), title="F1 by threshold", xlabel="threshold; a mark for the best", ylabel="F1")


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
    axes.plot([0, 1], [0, 1], color=series()[6], linewidth=0.8)
    for n, scores in enumerate(systems):
        bins = scores.calibration.bins()
        axes.plot([each.mean_probability for each in bins], [each.share_true for each in bins], **line(n))
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), title="reliability")
    axes.set(xlabel="mean probability", ylabel="share true", box_aspect=1)


def _draw_legend(axes: Drawing, systems: Sequence[PhraseScores]) -> None:
    """The legend, below the reliability diagram."""
    patch, curve = matplotlib_patches.Patch, matplotlib_lines.Line2D
    entries: list[tuple[Drawing, str]] = []
    for n, scores in enumerate(systems):
        bits = f"{float(scores.total.bits_per_sentence):.4g}".replace("inf", "∞")
        entries.append(((patch(**_fill(n)), curve([], [], **line(n))), f"{label(scores.name)}: {bits}"))
    grey = series()[6]
    entries += [(patch(facecolor=grey), "true candidates"), (patch(facecolor=grey, alpha=PALE), "false candidates")]
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
