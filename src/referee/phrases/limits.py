"""Limits that scores of phrases are held to: those of metrics, of averages and of types, as `f1=80` or `PER.recall=70`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.basics.exceptions import OptionError, UnknownNameError, one_line
from referee.basics.options.choices import PHRASE_ALIASES
from referee.phrases.metrics import METRICS
from referee.phrases.scores import PhraseScores
from referee.phrases.types import TypeTable, counts_by_type
from referee.reports.numbers import number
from referee.reports.verdict import Check
from referee.scoring.limits import SIDES, limit_number

RATES = ("expected", *(name for name, metric in METRICS.items() if metric.count))
"""The metrics that are percentages, and larger when better."""


class PhraseLimit(NamedTuple):
    """What a side of a metric, an average or a type may not be below."""

    name: str
    side: str
    percent: float


def read_limits(texts: Sequence[str]) -> list[PhraseLimit]:
    """The limits in texts such as ``f1=80`` and ``PER.recall=70``.

    Raises
    ------
    OptionError
        If one is no name with a percentage, or of a metric that is smaller when better.

    Examples
    --------
    >>> read_limits(["f1=80", "PER.recall=70"])
    [PhraseLimit(name='exact_match', side='value', percent=80.0), PhraseLimit(name='PER', side='recall', percent=70.0)]
    """
    limits: list[PhraseLimit] = []
    for text in texts:
        name, _, percent = text.rpartition("=")
        if not name or not percent.strip():
            raise OptionError(f"--fail-under takes NAME=NUMBER, as f1=80; found {text!r}")
        named, _, last = name.strip().rpartition(".")
        name, side = (named, last) if named and last in SIDES else (name.strip(), "value")
        percentage = limit_number(f"{name}.{side}" if side != "value" else name, percent, "", "--fail-under")
        name = PHRASE_ALIASES.get(name, name)
        if name in METRICS and name not in RATES:
            raise OptionError(f"--fail-under: expected metrics that are larger when better; found {name}")
        limits.append(PhraseLimit(name, side, percentage))
    return limits


def checked(scores: PhraseScores, limits: Sequence[PhraseLimit]) -> list[Check]:
    """Hold scores, as they are printed, to their limits.

    Raises
    ------
    UnknownNameError
        If a limit is for a type that neither side has.
    OptionError
        If a metric does not have the side of its limit.
    """
    table = TypeTable(counts_by_type(*scores.chunks) if scores.chunks else {})
    rows = {**table.rows, **table.averages}
    checks = []
    for name, side, percent in limits:
        if name not in METRICS and name not in rows:
            expected = [*RATES, *rows]
            raise UnknownNameError("metric or type", name, expected)
        values = scores[name] if name in METRICS else rows[name]
        value = getattr(values, "f1" if side == "value" and name not in METRICS else side)
        if value is None:
            raise OptionError(f"{name} has no {side}: it is one number; expected {name} alone")
        printed = number(value)
        failed = printed == "-" or float(printed) < percent
        relation = "undefined, so not" if printed == "-" else f"{printed}, {'below' if failed else 'at least'}"
        label = name if side in ("value", "f1") else f"{name}.{side}"
        checks.append(Check(one_line(scores.name), label, f"{relation} {percent:g}", failed))
    return checks
