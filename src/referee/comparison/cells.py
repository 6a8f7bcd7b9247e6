"""The cells of a comparison: how their intervals and significant differences are shown, and what programs get of them."""

from __future__ import annotations

from referee.comparison.values import Cell
from referee.messages import one_line
from referee.stats.settings import Resampling

STYLES = ("margin", "interval", "plain")
"""How a cell shows its interval: ± half its width, its ends, or not at all."""

BETTER, WORSE = "*", "†"
"""Significantly better, or worse, than the baseline."""


def mark(cell: Cell) -> str:
    """The sign of a significant difference."""
    d = cell.difference
    return (BETTER if d.better else WORSE) if d and d.significant else ""


def legend(r: Resampling, baseline: str, style: str) -> list[str]:
    """What the signs mean; no baseline where nothing is tested."""
    share, alpha = f"{r.level * 100:.10g} %", f"{1 - r.level:.10g}"
    intervals = {"margin": f"± half the {share} interval", "interval": f"[{share} interval]", "plain": ""}[style]
    tests = f"{BETTER} better, {WORSE} worse than {one_line(baseline)} (p ≤ {alpha})" if baseline else ""
    return ["; ".join(filter(None, (intervals, tests)))] if intervals or tests else []


def numbers(cell: Cell) -> list[object]:
    """Recall, precision and value; the ends of the value's interval, and the resamples that were left out."""
    return [cell.score.recall, cell.score.precision, cell.score.value, *(cell.interval or (None, None, None))]


def compared(cell: Cell) -> list[object]:
    """The difference from the baseline, the ends of its interval, and the results of the tests; nothing for the baseline."""
    d = cell.difference
    if d is None:
        return [None] * 8
    return [d.value, *(d.interval or (None, None))[:2], d.randomization, d.exact, d.bootstrap, d.p, d.significant]
