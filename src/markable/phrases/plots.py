"""Blame and reliability as pictures: svg, png or pdf; needs the extra markable[plot]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from markable.drawing import check_drawable, figure, label, save
from markable.phrases.blame import blame
from markable.phrases.measures import PhraseScores


def plot(systems: Sequence[PhraseScores], path: str, *, groups: Sequence[str] = ("category", "length", "coverage")) -> None:
    """Draw the bits of each group (true and false part), system beside system, and the reliability diagram. OptionError for an
    ending that is none of svg, png, pdf.
    """
    check_drawable(path)
    drawn = figure(6 * (len(groups) + 1) / 2, 7)
    axes = drawn.subplots(2, (len(groups) + 2) // 2, squeeze=False).ravel()
    for axis, group in zip(axes, groups, strict=False):
        _bars(axis, systems, group)
    _reliability(axes[len(groups)], systems)
    for axis in axes[len(groups) + 1 :]:
        axis.set_axis_off()
    save(drawn, path)


def _bars(axis: Any, systems: Sequence[PhraseScores], group: str) -> None:
    names = blame(systems[0], group).names
    width = 0.8 / len(systems)
    for number, scores in enumerate(systems):
        found = blame(scores, group)
        place = {name: g for g, name in enumerate(found.names)}
        shown = [g for g, name in enumerate(names) if name in place]
        rows = [place[names[g]] for g in shown]
        at = np.array(shown) + number * width
        true, false = (found.sums[part][rows] / max(len(scores.sentences), 1) for part in ("bits_true", "bits_false"))
        infinite = " (+ infinity)" if scores.total.impossible else ""
        bars = axis.bar(at, true, width, label=label(scores.name) + infinite)
        axis.bar(at, false, width, bottom=true, color=bars[0].get_facecolor(), alpha=0.45)
    axis.set_xticks(
        np.arange(len(names)) + 0.4 - width / 2, [label(name) for name in names], rotation=90 if len(names) > 6 else 0
    )
    axis.set_ylabel("bits per sentence")
    axis.set_title(f"by {group} (pale: false candidates)")
    axis.legend(fontsize="small")


def _reliability(axis: Any, systems: Sequence[PhraseScores]) -> None:
    axis.plot([1e-7, 1], [1e-7, 1], color="grey", linewidth=0.8)
    for scores in systems:
        c = scores.calibration
        some = (c.candidates > 0) & (c.yes > 0) & (c.true > 0)
        axis.plot(c.said[some], c.found[some], marker="o", markersize=3, label=label(scores.name))
    axis.set(xscale="log", yscale="log", xlabel="probability said", ylabel="share true", title="reliability")
    axis.legend(fontsize="small")
