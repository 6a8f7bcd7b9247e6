"""Systems in the order of their scores, and the groups of systems that do not differ.

Two systems differ if `compare` with the better one as baseline finds a significant difference. Its p is corrected (Holm) for
the comparisons with that baseline. A group is a run of systems in the order of their scores, of which no two differ, and which
is part of no longer one. So a system may be in several groups, each with a letter, as in the tables of shared tasks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from referee.comparison import Comparison, Resampling, comparison
from referee.comparison.comparing import Compared
from referee.comparison.values import Difference
from referee.metrics.best import TARGETS
from referee.metrics.registry import main_metric


class Ranking(NamedTuple):
    """Systems by one metric.

    Parameters
    ----------
    metric : str
        The metric.
    systems : list of str
        The best first; those without a score last.
    groups : mapping
        System -> the letters of its groups.
    comparisons : mapping
        Baseline -> the comparison with it.
    """

    metric: str
    systems: list[str]
    groups: Mapping[str, str]
    comparisons: Mapping[str, Comparison]

    def difference(self, system: str, baseline: str) -> Difference:
        """The difference of a system from a baseline."""
        difference = self.comparisons[baseline][system, self.metric].difference
        assert difference is not None
        return difference


def ranking(evaluations: Mapping[str, Compared], metric: str | None, resampling: Resampling) -> Ranking:
    """Compare each system with each other.

    Parameters
    ----------
    evaluations : mapping
        System -> its scores.
    metric : str or None
        The metric by which they are ranked; None for conll, or the first.
    resampling : Resampling
        How intervals and tests are made.
    """
    comparisons = {name: comparison({"": evaluations}, baseline=name, resampling=resampling) for name in evaluations}
    first = next(iter(comparisons.values()))
    leading = metric or main_metric(first.metrics)

    def order(system: str) -> tuple[bool, float]:
        value = first[system, leading].score.value
        return math.isnan(value), abs(value - TARGETS[leading]) if leading in TARGETS else -value

    systems = sorted(evaluations, key=order)
    unranked = Ranking(leading, systems, {}, comparisons)
    return unranked._replace(groups=_groups(unranked))


def _groups(ranked: Ranking) -> dict[str, str]:
    systems = [s for s in ranked.systems if not math.isnan(ranked.comparisons[s][s, ranked.metric].score.value)]
    letters: dict[str, list[str]] = {system: [] for system in ranked.systems}
    reached = number = 0
    for first in range(len(systems)):
        last = first + 1
        while last < len(systems) and not any(ranked.difference(systems[last], s).significant for s in systems[first:last]):
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
