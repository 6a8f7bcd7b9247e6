"""The answer of a comparison in a line a system: its difference from the baseline, with the interval, and p.

`format_p` is how all reports write a p in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from referee.basics.exceptions import one_line
from referee.comparison.values import Difference, Part
from referee.metrics.best import TARGETS
from referee.metrics.registry import main_metric
from referee.metrics.titles import title_of
from referee.reports.listing import Title
from referee.reports.numbers import LEAST_P, cost, formatted, minus
from referee.scoring.by import OVER_ALL
from referee.stats.settings import Resampling

MOST_METRICS = 4
"""Metrics that have lines of their own, as the usual ones of records; of more, only the main one."""

BESIDE_AVERAGE = 3
"""The same where the CoNLL average is among them, which stands for those it is made of."""


def difference_lines(
    parts: Sequence[Part], baseline: str, units: Mapping[str, str], r: Resampling, *, truncate: bool = False
) -> Iterator[Title]:
    """Yield lines such as ``medium − mild: conll −16.62 [−16.99, −16.26], p ≤ 0.0001``, in papers with ``CoNLL``.

    Parameters
    ----------
    parts
        The parts of a comparison. Of several, those over all documents have lines.
    baseline
        The system that is subtracted.
    units
        Metric -> its unit, the metrics in their order.
    r
        How the intervals and tests were made.
    truncate
        Whether percentages are truncated.
    """
    most = BESIDE_AVERAGE if "conll" in units else MOST_METRICS
    metrics = list(units) if len(units) <= most else [main_metric(units)]
    shown = [part for part in parts if part.name in OVER_ALL] if len(parts) > 1 else parts
    for part in shown:
        for system in (system for system in part.cells if system != baseline):
            place = f" ({part.name})" if len(parts) > 1 else ""
            for metric in metrics:
                d = part.cells[system][metric].difference
                assert d is not None  # only the baseline has none
                p = format_p(d, r)
                text = _format_difference(d, metric, units[metric], truncate) + (p and f", {p}") + _direction(metric)
                names = f"{one_line(system)} − {one_line(baseline)}{place}"
                title = title_of(metric)
                yield Title(*(f"{names}: {name} {text}" for name in (title.text, title.paper or title.text)))


def _format_difference(d: Difference, metric: str, unit: str, truncate: bool) -> str:
    """The difference, and its interval."""
    if math.isnan(d.value):
        return "undefined"
    value, *ends = (minus(cost(x, unit, truncate)) for x in (d.value, *(d.interval[:2] if d.interval else ())))
    interval = f" [{', '.join(ends)}]" if d.interval and not math.isnan(d.interval.low) else ""
    return f"{value}{interval}{unit and f' {unit}'}"


def format_p(d: Difference, r: Resampling) -> str:
    """What is known of p: it is exact if all swaps were tried; the least that random ones can give is only a bound.

    So is what four decimals cannot show.

    Parameters
    ----------
    d
        The difference; its p may be corrected.
    r
        How it was tested.

    Returns
    -------
    str
        ``p ≤ 0.0002``, ``p = 0.0312 (exact)`` or ``p = 0.0123``; empty if p is undefined.
    """
    if math.isnan(d.p):
        return ""
    if d.p < LEAST_P:
        return f"p ≤ {LEAST_P}"
    if r.test == "randomization" and d.exact:
        return f"p = {formatted(d.p, '.4f')} (exact)"
    alone = {"randomization": d.randomization, "bootstrap": d.bootstrap}[r.test]
    if d.p < 1 and alone * (r.resamples + 1) <= 1 + 1e-9:
        return f"p ≤ {formatted(math.ceil(d.p * 10_000 - 1e-9) / 10_000, '.4f')}"
    return f"p = {formatted(d.p, '.4f')}"


def _direction(metric: str) -> str:
    """What the sign means where a difference is one of distances."""
    return f" (+ is farther from {TARGETS[metric]:g}, so worse)" if metric in TARGETS else ""
