"""Limits that scores are held to, and the verdict of builds and boards about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from referee.exceptions import one_line
from referee.metrics.scores import Scores
from referee.metrics.titles import main_metric, title_of
from referee.reports.numbers import number
from referee.reports.verdict import BAD, GOOD, PLAIN, UNDEFINED, Check, Headline, Verdict

Limits: TypeAlias = "Sequence[tuple[str, float]] | Mapping[str, float]"
"""Metrics, and the percentages that their scores may not be below."""


def printed(scores: Scores, metric: str) -> str:
    """The F, or the value, of a metric as reports print it."""
    return number(scores[metric].value, scores.counts_of(metric).unit, scores.options.decimals == "truncate")


def checked(scores: Scores, limits: Limits) -> list[Check]:
    """Hold scores, as they are printed, to their limits."""
    pairs = limits.items() if isinstance(limits, Mapping) else limits
    return [_checked(scores, metric, limit) for metric, limit in pairs]


def _checked(scores: Scores, metric: str, limit: float) -> Check:
    shown = printed(scores, metric)
    failed = shown == "-" or float(shown) < limit
    relation = "undefined, so not" if shown == "-" else f"{shown}, {'below' if failed else 'at least'}"
    return Check(one_line(scores.name), metric, f"{relation} {limit:g}", failed)


def verdict_on(systems: Iterable[Scores], limits: Limits, notes: Sequence[str]) -> Verdict:
    """Return what builds and boards read of scores; without limits nothing fails."""
    checks: list[Check] = []
    headlines, numbers = {}, {}
    for scores in systems:
        name = one_line(scores.name)
        held = checked(scores, limits)
        checks += held or [Check(name, metric, printed(scores, metric)) for metric in scores]
        main = main_metric(scores)
        good = (BAD if any(check.failed for check in held) else GOOD) if held else PLAIN
        headlines[name] = headline(main, printed(scores, main), good)
        numbers[name] = printed_sides(scores)
    return Verdict(checks, headlines, numbers, notes)


def headline(metric: str, shown: str, color: str) -> Headline:
    """Return the one number of a system; red or grey where it is undefined."""
    label = title_of(metric)
    undefined = UNDEFINED if color == PLAIN else BAD
    return Headline(label.paper or label.text, "undefined" if shown == "-" else shown, undefined if shown == "-" else color)


def printed_sides(scores: Scores) -> dict[str, str]:
    """Return the numbers of each metric, as `muc`, `muc_recall` and `muc_precision`."""
    shown: dict[str, str] = {}
    for metric, score in scores.items():
        unit, truncate = scores.counts_of(metric).unit, scores.options.decimals == "truncate"
        sides = {metric: score.value, f"{metric}_recall": score.recall, f"{metric}_precision": score.precision}
        shown |= {name: number(value, unit, truncate) for name, value in sides.items() if value is not None}
    return shown
