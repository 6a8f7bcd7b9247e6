"""All pairs of systems tested, each system against each one before it; p is corrected for the number of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from referee.basics.exceptions import OptionError
from referee.comparison.values import ComparisonCell, Part
from referee.stats.settings import Resampling
from referee.stats.significance import ROUNDING, holm

Pairs: TypeAlias = Mapping[str, tuple[Part, ...]]
"""System -> the parts, with the systems after it alone, and their differences from it."""


def all_pairs(systems: Sequence[str], against: Callable[[str], Sequence[Part]], r: Resampling) -> Pairs:
    """Test all pairs of systems.

    Parameters
    ----------
    systems
        In the order in which one is subtracted from those after it.
    against
        Gives the parts of a comparison of all systems with one of them.
    r
        How they are tested.

    Raises
    ------
    OptionError
        If there is one system.
    """
    if len(systems) < 2:
        raise OptionError("found one system, which makes no pair; expected two responses, or no --all-pairs (all_pairs=)")
    parts = {system: against(system) for system in systems[:-1]}
    corrected = [_corrected(systems, dict(zip(parts, column, strict=True)), r) for column in zip(*parts.values(), strict=True)]
    return {system: tuple(part[system] for part in corrected) for system in parts}


def _corrected(systems: Sequence[str], of_part: Mapping[str, Part], r: Resampling) -> dict[str, Part]:
    """One part, compared with each system: the systems after it, with p corrected over all pairs, for each metric apart."""
    pairs = [(base, system) for n, base in enumerate(systems) for system in systems[n + 1 :]]
    metrics = list(of_part[systems[0]].cells[systems[0]])
    alone = [[_alone(of_part[base].cells[system][metric], r) for metric in metrics] for base, system in pairs]
    cells: dict[str, dict[str, Mapping[str, ComparisonCell]]] = {base: {base: of_part[base].cells[base]} for base in of_part}
    for (base, system), p_of_pair in zip(pairs, holm(np.array(alone)).tolist(), strict=True):
        by_metric = of_part[base].cells[system]
        cells[base][system] = {m: _tested(by_metric[m], p, r) for m, p in zip(metrics, p_of_pair, strict=True)}
    return {
        base: replace(part, cells={system: cells[base][system] for system in part.cells if system in cells[base]})
        for base, part in of_part.items()
    }


def _alone(cell: ComparisonCell, r: Resampling) -> float:
    """The p of one pair, not corrected."""
    assert cell.difference is not None  # only the system that is subtracted has none
    p: float = getattr(cell.difference, r.test)
    return p


def _tested(cell: ComparisonCell, p: float, r: Resampling) -> ComparisonCell:
    assert cell.difference is not None
    return cell._replace(difference=cell.difference._replace(p=p, significant=p <= 1 - r.level + ROUNDING))
