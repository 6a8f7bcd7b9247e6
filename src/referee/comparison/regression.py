"""Is a system worse than the baseline? The question of a build that may fail."""

from __future__ import annotations

import math
from collections.abc import Sequence

from referee.basics.exceptions import OptionError, counted
from referee.comparison.difference_lines import format_p
from referee.comparison.result import Comparison
from referee.comparison.values import Worse
from referee.metrics.registry import id_of, main_metric
from referee.reports.numbers import cost, minus
from referee.stats.settings import format_unit
from referee.stats.significance import ROUNDING


def worse(comparison: Comparison, metrics: str | Sequence[str] | None = None, tolerance: float | None = None) -> list[Worse]:
    """Find the systems that are worse than the baseline over all documents.

    Parameters
    ----------
    comparison : Comparison
        Its tests are corrected for the number of systems.
    metrics : str, sequence of str or None
        By which metrics, with commas between them in a text; the tests are corrected for their number, too (Bonferroni). None
        for conll, or the first metric.
    tolerance : float or None
        Points by which a score may be worse; then there is no test. None for the test.

    Returns
    -------
    list of Worse
        A system without a score where the baseline has one is worse.

    Raises
    ------
    OptionError
        If a metric was not compared; or if there are so few documents that no difference can be significant, so nothing could
        ever be found worse.
    """
    named = metrics.split(",") if isinstance(metrics, str) else metrics or [main_metric(comparison.metrics)]
    tested = [name if name in comparison.metrics else id_of(name) for name in named]
    if missing := [metric for metric in tested if metric not in comparison.metrics]:
        raise OptionError(f"found no scores by {missing[0]}; expected it among the metrics of all systems, also of counts")
    pairs = [(s, m) for s in comparison.systems for m in tested if s != comparison.baseline]
    if not pairs:
        raise OptionError("found one system, which is compared with nothing; expected a baseline and another system")
    if tolerance is None:
        _check_units(comparison, len(pairs))
    worse = (Worse(s, m, _why(comparison, s, m, len(tested), tolerance)) for s, m in pairs)
    return [one for one in worse if one.why]


def _check_units(comparison: Comparison, tests: int) -> None:
    """Raise OptionError if the units are so few that nothing can be found worse, however large the difference is."""
    units, r = comparison.parts[-1].units, comparison.resampling
    if units < 2:
        raise OptionError(
            f"found {format_unit(r.unit, units)}, so no difference can be tested; expected --tolerance POINTS (tolerance=)"
        )
    least = min(1.0, 2.0 ** (1 - units) * tests)  # as large as the observed one are that, and that of all units exchanged
    if r.test == "randomization" and least > 1 - r.level + ROUNDING:
        of_tests = f" of {counted(tests, 'test')}" if tests > 1 else ""
        problem = f"no difference can be significant with {format_unit(r.unit, units)}: the least p{of_tests} is {least:.4g}"
        raise OptionError(f"{problem}; expected more, or --tolerance POINTS (tolerance=), which makes no test")


def _why(comparison: Comparison, system: str, metric: str, tests: int, tolerance: float | None) -> str:
    """How it is known that a system is worse; empty if it is not."""
    cell, unit = comparison[system, metric], comparison.units[metric]
    d = cell.difference
    if d is None or math.isnan(d.value):
        lost = math.isnan(cell.score.value) and not math.isnan(comparison[comparison.baseline, metric].score.value)
        return "it is undefined" if lost else ""
    points = abs(d.value) * (1 if unit else 100)
    if d.better or not d.value:
        return ""
    if tolerance is not None:
        return minus(cost(d.value, unit)) if points > tolerance + 1e-9 else ""
    d = d._replace(p=min(1.0, d.p * tests))
    significant = d.p <= 1 - comparison.resampling.level + ROUNDING
    return f"{minus(cost(d.value, unit))}, {format_p(d, comparison.resampling)}" if significant else ""
