"""Limits that scores are held to, and the verdict of builds and boards about them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from referee.basics.exceptions import OptionError, check_name, one_line, shortened
from referee.metrics.metric import Metric
from referee.metrics.registry import main_metric, metric_named
from referee.metrics.scores import Scores
from referee.metrics.titles import title_of
from referee.reports.numbers import number
from referee.reports.verdict import BAD, GOOD, PLAIN, UNDEFINED, Check, Headline, Verdict

Limits: TypeAlias = "Sequence[tuple[str, float | str]] | Mapping[str, float | str]"
"""Metrics, as `lea` or `lea.precision`, and the percentages that their scores may not be below: 97, or "97%"."""

SIDES = ("recall", "precision", "f1", "value")
"""What a limit may be for; `value` is F, or the one number of a metric without sides, and so is a metric alone."""


class Limit(NamedTuple):
    """What a number of a metric may not be below."""

    metric: str
    side: str
    percent: float

    @property
    def name(self) -> str:
        """The same for all that mean F or the value."""
        return f"{self.metric}.{self.side}" if self.side in SIDES[:2] else self.metric


def read_limits(limits: Limits, own: Mapping[str, Metric], option: str = "limits") -> list[Limit]:
    """Return limits by the ids of metrics.

    Parameters
    ----------
    limits : mapping, or sequence of pairs
        As the caller gave them.
    own : mapping
        Metrics that are not in the registry, by their names.
    option : str
        What messages call the limits.

    Raises
    ------
    UnknownNameError, OptionError
        If a metric or side is not known, a limit is no percentage or is given twice, or less of a metric is better.
    """
    by_name: dict[str, Limit] = {}
    for name, percent in limits.items() if isinstance(limits, Mapping) else limits:
        metric, dot, side = (name, "", "") if name in own else name.partition(".")
        record, side = own.get(metric) or metric_named(metric), side.strip().lower() if dot else "value"
        check_name("side", side, SIDES)
        limit = Limit(metric if metric in own else record.id, side, limit_number(name, percent, record.unit, option))
        if record.target is not None:
            raise OptionError(f"{option}: expected metrics that are larger when better; found {limit.metric}")
        if limit.name in by_name:
            raise OptionError(f"{option}: found two limits of {limit.name}; expected one")
        by_name[limit.name] = limit
    return [*by_name.values()]


def limit_number(name: str, limit: float | str, unit: str, option: str) -> float:
    """The number of a limit, which is in percent unless the metric has a unit.

    Raises
    ------
    OptionError
        If it is none, is beyond 100, or looks like a fraction where a percentage is meant.
    """
    text = limit.strip() if isinstance(limit, str) else f"{limit:g}"
    digits = text.removesuffix("%").rstrip()
    try:
        number = float(digits) if isinstance(limit, str) else float(limit)
    except ValueError:
        number = math.nan
    problem = f"{option}: found {name}={shortened(text)}"
    if math.isnan(number) or (unit and digits != text):
        raise OptionError(
            f"{problem}; expected a number of {unit}" if unit else f"{problem}; expected a percentage, such as 97"
        )
    if unit:
        return number
    if not 0 <= number <= 100:
        raise OptionError(f"{problem}; expected a percentage from 0 to 100")
    if 0 < number <= 1 and digits == text:
        raise OptionError(
            f"{problem}; limits are in percent: expected {name}={100 * number:g}, or {text}% if so little is meant"
        )
    return number


def printed(scores: Scores, metric: str, side: str = "value") -> str:
    """A number of a metric as reports print it.

    Raises
    ------
    OptionError
        If the metric does not have this side.
    """
    value = getattr(scores[metric], side)
    if value is None:
        raise OptionError(f"{metric} has no {side}: it is one number; expected {metric} alone")
    return number(value, scores.counts_of(metric).unit, scores.options.decimals == "truncate")


def checked(scores: Scores, limits: Limits) -> list[Check]:
    """Hold scores, as they are printed, to their limits."""
    return [_checked(scores, limit) for limit in read_limits(limits, scores.metrics)]


def _checked(scores: Scores, limit: Limit) -> Check:
    shown = printed(scores, limit.metric, limit.side)
    failed = shown == "-" or float(shown) < limit.percent
    relation = "undefined, so not" if shown == "-" else f"{shown}, {'below' if failed else 'at least'}"
    return Check(one_line(scores.name), limit.name, f"{relation} {limit.percent:g}", failed)


def verdict_on(systems: Iterable[Scores], limits: Limits, notes: Sequence[str]) -> Verdict:
    """Return what builds and boards read of scores; without limits nothing fails."""
    checks: list[Check] = []
    headlines: dict[str, Headline] = {}
    numbers: dict[str, dict[str, str]] = {}
    for scores in systems:
        name = one_line(scores.name)
        checks_of_limits = checked(scores, limits)
        checks += checks_of_limits or [Check(name, metric, printed(scores, metric)) for metric in scores]
        numbers[name] = {}
        for metric, score in scores.items():
            unit, truncate = scores.counts_of(metric).unit, scores.options.decimals == "truncate"
            sides = {metric: score.value, f"{metric}_recall": score.recall, f"{metric}_precision": score.precision}
            numbers[name] |= {field: number(v, unit, truncate) for field, v in sides.items() if v is not None}
        main = main_metric(scores)
        good = (BAD if any(check.failed for check in checks_of_limits) else GOOD) if checks_of_limits else PLAIN
        headlines[name] = headline(main, printed(scores, main), good)
    return Verdict(checks, headlines, numbers, notes)


def headline(metric: str, shown: str, color: str) -> Headline:
    """Return the one number of a system; red or grey where it is undefined."""
    label = title_of(metric)
    undefined = UNDEFINED if color == PLAIN else BAD
    return Headline(label.paper or label.text, "undefined" if shown == "-" else shown, undefined if shown == "-" else color)
