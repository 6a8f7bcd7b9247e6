"""What the tables of a comparison have in common: which rows and columns there are, and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from referee.comparison.values import Cell, Comparison, Part
from referee.messages import one_line

STYLES = ("margin", "interval", "plain")
"""How a cell shows its interval: ± half its width, its ends, or not at all."""

BETTER, WORSE = "*", "†"
"""Significantly better, or worse, than the baseline."""


def mark(cell: Cell) -> str:
    """Of a significant difference."""
    d = cell.difference
    return (BETTER if d.better else WORSE) if d and d.significant else ""


def legend(c: Comparison, style: str) -> list[str]:
    """What the signs mean."""
    share, alpha = f"{c.resampling.level * 100:.10g} %", f"{1 - c.resampling.level:.10g}"
    what = {"margin": f"± half the {share} interval", "interval": f"[{share} interval]", "plain": ""}[style]
    tests = f"{BETTER} better, {WORSE} worse than {one_line(c.baseline)} (p ≤ {alpha})" if len(c.systems) > 1 else ""
    return ["; ".join(filter(None, (what, tests)))] if what or tests else []


def lines(c: Comparison) -> Iterator[tuple[list[str], Part, str]]:
    """The labels of each row, its part and system."""
    several = len(c.parts) > 1
    for part in c.parts:
        for system in c.systems:
            yield [*([one_line(part.name)] if several else []), one_line(system)], part, system
