"""Systems in the order of their scores, and the groups of systems that do not differ.

Two systems differ if `compare` with the better one as baseline finds a significant difference. Its p is corrected (Holm) for
the comparisons with that baseline. A group is a run of systems in the order of their scores, of which no two differ, and which
is part of no longer one. So a system may be in several groups, each with a letter, as in the tables of shared tasks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from referee.comparison import Comparison, Resampling, comparison
from referee.comparison.comparing import Compared
from referee.comparison.dataset_tables import places
from referee.comparison.every_pair import Pair, every_pair
from referee.comparison.values import Difference
from referee.metrics.best import TARGETS
from referee.metrics.registry import main_metric
from referee.scoring.by import By

QUICK = 100
"""Resamples of a comparison that only gives the order of systems."""


class Ranking(NamedTuple):
    """Systems by one metric.

    Parameters
    ----------
    metric : str
        The metric.
    systems : list of str
        The best first; those without a score last.
    places : mapping
        System -> its place; equal ones share it.
    groups : mapping
        System -> the letters of its groups.
    comparison : Comparison
        With the best system as baseline, by all metrics.
    differences : mapping
        A system and a better one -> their difference by the metric.
    """

    metric: str
    systems: list[str]
    places: Mapping[str, int]
    groups: Mapping[str, str]
    comparison: Comparison
    differences: Mapping[Pair, Difference]


def ranking(evaluations: Mapping[str, Compared], metric: str | None, resampling: Resampling, by: By = None) -> Ranking:
    """Compare each system with each better one.

    Parameters
    ----------
    evaluations : mapping
        System -> its scores.
    metric : str or None
        The metric by which they are ranked; None for conll, or the first.
    resampling : Resampling
        How intervals and tests are made.
    by : str, callable or None
        As for `compare`: systems are ranked by the mean over groups, if there are any.
    """
    rough = replace(resampling, resamples=min(QUICK, resampling.resamples), level=0.9)
    quick = comparison({"": evaluations}, by=by, resampling=rough)
    leading = metric or main_metric(quick.metrics)

    def order(system: str) -> tuple[bool, float]:
        value = quick[system, leading].score.value
        return math.isnan(value), abs(value - TARGETS[leading]) if leading in TARGETS else -value

    systems = sorted(evaluations, key=order)
    ranked = {system: evaluations[system] for system in systems}
    compared = comparison({"": evaluations}, baseline=systems[0], by=by, resampling=resampling)
    differences = every_pair(ranked, leading, by, compared.resampling)
    values = {system: compared[system, leading].score.value for system in systems}
    scored = [system for system in systems if not math.isnan(values[system])]
    return Ranking(leading, systems, places(values, leading), _groups(systems, scored, differences), compared, differences)


def _groups(ranked: list[str], systems: list[str], differences: Mapping[Pair, Difference]) -> dict[str, str]:
    letters: dict[str, list[str]] = {system: [] for system in ranked}
    reached = number = last = 0
    for first in range(len(systems)):
        last = max(last, first + 1)
        while last < len(systems) and not any(differences[systems[last], s].significant for s in systems[first:last]):
            last += 1
        if last > reached:
            for system in systems[first:last]:
                letters[system].append(_letters(number))
            reached, number = last, number + 1
    return {system: " ".join(signs) for system, signs in letters.items()}


def _letters(number: int) -> str:
    """The letters of a group.

    >>> _letters(0), _letters(27)
    ('A', 'AB')
    """
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text
