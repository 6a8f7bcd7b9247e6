"""`Intervals`: how sure the scores of one response are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from referee.basics.exceptions import brief, one_line
from referee.basics.names import KeyCompletion
from referee.metrics.registry import NAMES, main_metric
from referee.metrics.scores import Scores
from referee.reports.numbers import number
from referee.scoring.entity_units import about_largest, remedy, unit_of
from referee.scoring.systems import Systems, Tabulated
from referee.scoring.units import units_of
from referee.stats.choices import MANY
from referee.stats.intervals import Interval
from referee.stats.resampling import AddableCounts
from referee.stats.settings import Resampling, format_unit

MANY_UNITS = f"there are more than {MANY:,} {{0}}, so intervals are linear: --method percentile or bca resamples {{0}}"


@dataclass(frozen=True, eq=False, repr=False)
class Intervals(Tabulated, KeyCompletion, Mapping[str, Interval]):
    """The intervals of the scores of one response, as a mapping from metrics to the interval of F or the value.

    Parameters
    ----------
    key : str
        Where the key came from.
    scores : Scores
        What they are the intervals of.
    sides : mapping
        Metric -> "value", "recall" or "precision" -> its interval; no sides if there are fewer than two units.
    resampling : Resampling
        How they were made.
    notes : tuple of str
        Where no interval can be given, or none to rely on.
    """

    key: str
    scores: Scores
    sides: Mapping[str, Mapping[str, Interval]]
    resampling: Resampling
    notes: tuple[str, ...]

    def __getitem__(self, metric: str) -> Interval:
        """The interval of F or the value, in fractions of 1; nan if there are fewer than two units."""
        name = metric if metric in self.sides else NAMES.get(metric, metric)
        return self.sides[name].get("value", Interval(math.nan, math.nan))

    def __iter__(self) -> Iterator[str]:
        return iter(self.sides)

    def __len__(self) -> int:
        return len(self.sides)

    def __repr__(self) -> str:
        main = main_metric(self.scores)
        low, high, *_ = (number(end) for end in self[main][:2])
        return f"<Intervals of {brief(self.scores.name)}: {main} [{low}, {high}], {len(self)} metrics>"

    @property
    def systems(self) -> Systems:
        """The scores, with their intervals, as a table of one row."""
        return Systems(self.key, [self.scores], self.notes, {self.scores.name: self.sides}, self.resampling)


def intervals(scores: Scores, key: str, resampling: Resampling) -> Intervals:
    """Resample the units of one response.

    Parameters
    ----------
    scores
        Its scores.
    key
        Where the key came from.
    resampling
        How the intervals are made.

    Raises
    ------
    OptionError, MismatchError
        If sentences, or entities, are to be resampled, and cannot be.
    """
    o, name = scores.options, scores.name
    unit = unit_of(resampling.unit, {name: scores})
    units = units_of({name: scores}, unit)
    requested, resampling = resampling, replace(resampling, unit=unit).for_units(len(units.document))
    if o.average == "macro":
        units = units.averaged(o.zero_division, o.beta)
    addable = AddableCounts.from_systems(units.systems, zero_division=o.zero_division, beta=o.beta, whole=units.whole)
    estimates = addable.estimates(resampling)[name]
    sides = {metric: estimate.intervals(resampling) for metric, estimate in estimates.items()}
    values = {metric: score.value for metric, score in scores.items()}
    undefined = about_undefined(
        name, {m: intervals["value"] for m, intervals in sides.items() if intervals}, values, resampling
    )
    unasked = requested.method is None and resampling.method == "linear"
    caution = resampling.caution(len(units.document), remedy(unit, {name: scores}))
    notes = (caution, about_largest(units.largest), undefined, MANY_UNITS.format(format_unit(unit)) if unasked else "")
    return Intervals(key, scores, sides, resampling, tuple(filter(None, notes)))


def about_undefined(name: str, intervals: Mapping[str, Interval], values: Mapping[str, float], r: Resampling) -> str:
    """How many resamples of each metric have no score, and are left out; empty if all have one."""
    fewer = ", ".join(f"{m} {i.undefined}" for m, i in intervals.items() if i.undefined and not math.isnan(values[m]))
    return f"{one_line(name)}: resamples with a score of 0/0, left out, of {r.resamples}: {fewer}" if fewer else ""
