"""Blame and reliability as pictures: svg, png or pdf; needs the extra referee[plot].

A group is a row of bars, one for each system: full for what true candidates cost, pale for what false ones do. Infinitely many
bits have no bar: the events of probability 0 are counted in a panel of their own, and bits are those of all others.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from referee.algorithms.arrays import Floats
from referee.counts import divide
from referee.phrases.blame import blame
from referee.phrases.measures import PhraseScores
from referee.reports.figures import check_drawable, figure, label, save

DRAWN = ("category", "length", "coverage")
"""The groups that are drawn if none is asked for."""

LARGEST = 20
"""Categories or sentences in a panel; the rest is one group."""

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#333333")
"""Told apart by all eyes (Okabe and Ito 2008)."""

HATCHES, LINES, MARKERS = ("", "/////", ".....", "xxxxx"), ("-", "--", ":", "-."), ("o", "s", "D", "P")
"""Of the first seven systems, the second, and so on."""

PALE = 0.4

LEAST = 1e-9
"""The reliability diagram goes no lower."""

FONTS = (
    "DejaVu Sans", "Noto Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", "Source Han Sans", "IPAexGothic", "WenQuanYi Micro Hei",
    "Droid Sans Fallback", "Hiragino Sans", "Apple SD Gothic Neo", "PingFang SC", "Yu Gothic", "Malgun Gothic",
    "Microsoft YaHei", "Arial Unicode MS",
)  # fmt: skip
"""Where glyphs are looked for, as far as these are installed. The first comes with matplotlib and has no Chinese, say."""


def plot(systems: Sequence[PhraseScores], path: str, *, groups: Sequence[str] = DRAWN) -> None:
    """Draw what each group costs, system beside system, and the reliability diagram.

    groups : names of `referee.phrases.measures.GROUPS`; those of `DRAWN` if there are none

    OptionError for an ending that is none of svg, png, pdf; MissingExtraError without matplotlib.
    """
    check_drawable(path)
    installed = import_module("matplotlib.font_manager").get_font_names()
    settings = {"font.family": [name for name in FONTS if name in installed], "hatch.linewidth": 0.6}
    with import_module("matplotlib").rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # drawn as a box
        save(_drawn(systems, list(dict.fromkeys(groups)) or DRAWN), path)


@dataclass(frozen=True, eq=False)
class _Bars:
    """Rows of bars: what true and false candidates cost, of shape (systems, rows)."""

    title: str
    unit: str
    names: list[str]
    true: Floats
    false: Floats

    @property
    def longest(self) -> float:
        return float((self.true + self.false).max(initial=0))


def _drawn(systems: Sequence[PhraseScores], groups: Sequence[str]) -> Any:
    bits, events = zip(*(_panels(systems, group) for group in groups), strict=True)
    shown = [column for column in (bits, events) if any(bars.longest for bars in column)] or [bits]
    heights = [0.9 + max(0.26, 0.1 + 0.045 * len(systems)) * max(len(bars.names), 1) for bars in bits]
    told = 1.8 + 0.22 * len(systems)
    drawn = figure(5 * len(shown) + 5, min(max(sum(heights), 4.5 + told), 60))
    grid = drawn.add_gridspec(1, len(shown) + 1)
    for place, column in enumerate(shown):
        panels = grid[place].subgridspec(len(column), 1, height_ratios=heights)
        for cell, bars in zip(panels, column, strict=True):
            _draw_bars(drawn.add_subplot(cell), bars)
    above, below = grid[-1].subgridspec(2, 1, height_ratios=(4.5, max(sum(heights) - 4.5, told)))
    _reliability(drawn.add_subplot(above), systems)
    _legend(drawn.add_subplot(below), systems)
    return drawn


def _panels(systems: Sequence[PhraseScores], group: str) -> tuple[_Bars, _Bars]:
    """Bits, and events that cost infinitely many."""
    names, found = _found(systems, group)
    sentences = group == "sentence"
    if sentences or group == "category":  # the others have an order of their own
        names, found = _largest(names, found, mean=sentences)
    bits, events = found[:2] / (1 if sentences else max(len(systems[0].sentences), 1)), found[2:]
    unit = ("bits" if sentences else "bits per sentence") + (", impossible events left out" if events.any() else "")
    return _Bars(f"bits by {group}", unit, names, *bits), _Bars(f"impossible events by {group}", "events", names, *events)


def _found(systems: Sequence[PhraseScores], group: str) -> tuple[list[str], Floats]:
    """The groups of all systems; bits and impossible events of true and of false candidates, of shape (4, systems, groups)."""
    blames = [blame(scores, group) for scores in systems]
    names = list(dict.fromkeys(name for b in blames for name in b.names))
    place = {name: g for g, name in enumerate(names)}
    parts = ("bits_true", "bits_false", "impossible_true", "impossible_false")
    found = np.zeros((len(parts), len(systems), len(names)))
    for n, b in enumerate(blames):
        found[:, n, [place[name] for name in b.names]] = [b.sums[part] for part in parts]
    return names, found


def _largest(names: list[str], found: Floats, *, mean: bool) -> tuple[list[str], Floats]:
    """The groups with the greatest shares, where each system weighs the same; then the sum, or mean, of all others."""
    both = found.reshape(2, 2, *found.shape[1:]).sum(axis=1)
    share = np.nan_to_num(divide(both, both.sum(axis=-1, keepdims=True)))
    order = np.argsort(-share.sum(axis=(0, 1)).round(12), kind="stable")
    few = LARGEST if len(names) > LARGEST + 1 else len(names)
    shown, rest = [names[g] for g in order[:few]], found[..., order[few:]]
    if not rest.size:
        return shown, found[..., order]
    others = rest.mean(axis=-1, keepdims=True) if mean else rest.sum(axis=-1, keepdims=True)
    told = f"{'mean of ' if mean else ''}{rest.shape[-1]} others"
    return [*shown, told], np.concatenate([found[..., order[:few]], others], axis=-1)


def _draw_bars(axis: Any, bars: _Bars) -> None:
    rows, height = np.arange(len(bars.names)), 0.8 / max(len(bars.true), 1)
    for n, (true, false) in enumerate(zip(bars.true, bars.false, strict=True)):
        at = rows + (n + 0.5) * height - 0.4
        axis.barh(at, true, height, **_fill(n))
        axis.barh(at, false, height, left=true, alpha=PALE, **_fill(n))
    axis.set_yticks(rows, [label(name, 20) for name in bars.names], fontsize="small")
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.set_xlim(0, 1.05 * bars.longest or 1)
    axis.set(title=bars.title, xlabel=bars.unit)


def _reliability(axis: Any, systems: Sequence[PhraseScores]) -> None:
    positive = [v for s in systems for v in (*s.calibration.said, *s.calibration.found) if v > 0]
    edge = 10.0 ** math.floor(math.log10(min(max(min(positive, default=1), LEAST), 0.01)))
    axis.plot([edge, 1], [edge, 1], color="grey", linewidth=0.8)
    for n, scores in enumerate(systems):
        said, found = scores.calibration.said, scores.calibration.found
        seen = (said >= edge) | (found >= edge)  # not of 0 said and none true, which is as it should be
        said, found = said[seen], found[seen]
        x, y = np.maximum(said, edge), np.maximum(found, edge)
        axis.plot(x[said >= edge], y[said >= edge], **_line(n))
        for below, shape in ((found < edge, "v"), (said < edge, "<")):
            hollow = {**_line(n), "linestyle": "", "marker": shape, "markersize": 8, "markerfacecolor": "white"}
            for mark in axis.plot(x[below], y[below], clip_on=False, zorder=3, **hollow):
                mark.set_in_layout(False)
    axis.set(xscale="log", yscale="log", xlim=(edge, 1.2), ylim=(edge, 1.2), title="reliability")
    axis.set(xlabel="probability said", ylabel="share true", box_aspect=1)


def _legend(axis: Any, systems: Sequence[PhraseScores]) -> None:
    """What stands for what, beneath the reliability diagram."""
    patch, line = import_module("matplotlib.patches").Patch, import_module("matplotlib.lines").Line2D
    entries = []
    for n, scores in enumerate(systems):
        bits = f"{float(scores.total.bits_per_sentence):.4g}".replace("inf", "∞")
        entries.append(((patch(**_fill(n)), line([], [], **_line(n))), f"{label(scores.name)}: {bits}"))
    entries += [
        (patch(facecolor="grey"), "true candidates"),
        (patch(facecolor="grey", alpha=PALE), "false candidates"),
        *(
            (line([], [], color="grey", linestyle="", marker=shape, markersize=8, markerfacecolor="white"), told)
            for shape, told in (("v", "none true, or less than the axis shows"), ("<", "0 said, or less than the axis shows"))
        ),
    ]
    pairs = import_module("matplotlib.legend_handler").HandlerTuple(ndivide=None)
    axis.set_axis_off()
    legend = axis.legend(
        *zip(*entries, strict=True), title="bits per sentence", loc="upper center", fontsize="small", handlelength=4,
        handler_map={tuple: pairs}, frameon=False, alignment="left",
    )  # fmt: skip
    legend.set_in_layout(False)  # it may be larger than its axes, which else would shrink to nothing


def _fill(n: int) -> dict[str, Any]:
    """How bars of the nth system look."""
    hatch = HATCHES[n // len(COLOURS) % len(HATCHES)]
    return {"facecolor": COLOURS[n % len(COLOURS)], "hatch": hatch, "edgecolor": "white", "linewidth": 0}


def _line(n: int) -> dict[str, Any]:
    """How the curve of the nth system looks."""
    turn = n // len(COLOURS) % len(LINES)
    return {"color": COLOURS[n % len(COLOURS)], "linestyle": LINES[turn], "marker": MARKERS[turn], "markersize": 4}
