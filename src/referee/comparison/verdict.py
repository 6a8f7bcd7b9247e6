"""What builds and boards read of a comparison: the last part of it, all documents or the mean over groups."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from referee.basics.exceptions import one_line
from referee.comparison.difference_lines import format_p
from referee.comparison.values import ComparisonCell, Part, Worse
from referee.metrics.registry import main_metric
from referee.reports.numbers import cost, formatted, minus, number
from referee.reports.verdict import BAD, GOOD, PLAIN, Check, Headline, Verdict
from referee.scoring.limits import headline
from referee.stats.settings import Resampling


def verdict_on(
    part: Part,
    units: Mapping[str, str],
    r: Resampling,
    *,
    baseline: str,
    truncate: bool,
    worse: Sequence[Worse],
    notes: list[str],
) -> Verdict:
    """Return the verdict on the systems that are compared with the baseline; on the baseline if there is no other.

    Parameters
    ----------
    part, units, r, baseline
        What is reported; metric -> its unit, the metrics in their order; how differences were tested; from which system.
    truncate
        Whether percentages are truncated.
    worse, notes
        What fails, and how the numbers were made.
    """
    main = main_metric(units)
    systems = {one_line(name): cells for name, cells in part.cells.items() if name != baseline or len(part.cells) == 1}
    why = {(one_line(one.system), one.metric): one.why for one in worse}
    checks = [
        Check(name, metric, _compared(cells[metric], unit, r, truncate, why.get((name, metric))), (name, metric) in why)
        for name, cells in systems.items()
        for metric, unit in units.items()
    ]
    failed = {check.about for check in checks if check.failed}
    headlines = {name: _headline(cells[main], main, units[main], truncate, name in failed) for name, cells in systems.items()}
    numbers = {name: _numbers(cells, units, truncate) for name, cells in systems.items()}
    return Verdict(checks, headlines, numbers, notes)


def _compared(cell: ComparisonCell, unit: str, r: Resampling, truncate: bool, worse: str | None) -> str:
    shown = number(cell.score.value, unit, truncate)
    if worse is not None:
        return f"{shown}, worse than the baseline: {worse}"
    d = cell.difference
    if d is None:
        return shown
    return ", ".join(filter(None, (shown, f"{minus(cost(d.value, unit, truncate))} from the baseline", format_p(d, r))))


def _headline(cell: ComparisonCell, metric: str, unit: str, truncate: bool, failed: bool) -> Headline:
    shown, d = number(cell.score.value, unit, truncate), cell.difference
    worse = failed or bool(d and d.significant and not d.better)
    color = BAD if worse else GOOD if d and d.significant else PLAIN
    plain = headline(metric, shown, color)
    if d is None or math.isnan(d.value):
        return plain
    return plain._replace(message=f"{shown} ({minus(cost(d.value, unit, truncate))})")


def _numbers(cells: Mapping[str, ComparisonCell], units: Mapping[str, str], truncate: bool) -> dict[str, str]:
    """The score of each metric, its difference from the baseline, and p."""
    shown = {}
    for metric, unit in units.items():
        cell = cells[metric]
        shown[metric] = number(cell.score.value, unit, truncate)
        if d := cell.difference:
            shown |= {
                f"{metric}_difference": cost(d.value, unit, truncate).removeprefix("+"),
                f"{metric}_p": formatted(d.p, ".6f"),
            }
    return shown
