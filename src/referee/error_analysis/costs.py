"""What errors cost in each measure: the score with them repaired, minus the score.

Errors may be repaired one at a time or a group at once: all of a kind, all of an entity, all there are (which makes the
response the key). What single errors cost does not add up to what the group costs: measures are not sums. Nothing is
approximated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.counts import Counts, concatenate, divide
from referee.error_analysis.differences import Differences
from referee.error_analysis.repairs import Cases, mentions_to_count, repaired_tables
from referee.exceptions import OptionError, check_name
from referee.matching.repeated_mentions import EMULATING
from referee.metrics.registry import METRICS, PARTITION
from referee.metrics.table import Table
from referee.reports.grid import OVERVIEW
from referee.scoring.evaluation import Evaluation
from referee.scoring.options import PROFILES

ATTRIBUTED = tuple(name for name in PARTITION if name != "syntactic_links")
"""The measures in which errors have a cost: those of entities as sets of mentions. (A repair does not say which links a file
would have listed.)"""

USUAL = ("conll", *(name for name in OVERVIEW if name != "conll"))
"""The measures in which costs are shown unless others are asked for."""

WHOLE = ("overlap", "d_error", "homogeneity", "completeness", "v_measure", "mutual_information", "vi")
"""Measures that look at a document as a whole, and not at one connected component after another."""

AFFORDABLE = 20_000_000
"""Mentions to count, which take some ten seconds in eight measures."""

Metric = Callable[[Table], Counts]


@dataclass(frozen=True)
class Costs:
    """Scores with errors repaired, minus the score, in the unit of the measure (fractions of 1, mostly): F1 where it has sides.

    corpus   : measure -> float64, shape (groups,): of the corpus, micro or macro as the evaluation has it
    document : measure -> float64, shape (groups,): of the one document that the group is in; nan if it is in several, or none

    nan where the score is undefined before or after. Distances have negative costs: repairs make them smaller.
    """

    corpus: Mapping[str, Floats]
    document: Mapping[str, Floats]


def costs(
    d: Differences, metrics: Iterable[str] | Mapping[str, Metric] | None = None, groups: Ints | None = None, number: int = 0
) -> Costs:
    """What errors cost.

    metrics : names from `ATTRIBUTED`, or functions of your own; None for all of the evaluation's that can be attributed
    groups  : shape (errors,), the group of each error, repaired together; -1 for errors that stay. None: each on its own
    number  : how many groups there are, if more than the largest

    A repaired response is scored as it is: no option is applied to it again. OptionError for measures without a cost.

    >>> from referee import score
    >>> from referee.error_analysis.differences import differences
    >>> d = differences(score([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}]))
    >>> costs(d, ["muc", "b_cubed"]).corpus["muc"].round(3).tolist()
    [0.333]
    """
    chosen = _functions(d.evaluation, metrics)
    groups = np.arange(len(d)) if groups is None else np.asarray(groups, dtype=np.int64)
    number = max(number, int(groups.max(initial=-1)) + 1)
    cases = Cases.of(d, groups)
    repaired: dict[str, list[Counts]] = {name: [] for name in chosen}
    for whole in (False, True):
        here = {name: f for name, f in chosen.items() if whole == (name in WHOLE or f not in _OURS)}
        for table in repaired_tables(d, cases, whole=whole) if here else ():
            for name, function in here.items():
                repaired[name].append(function(table))
    found = {name: _costs(d.evaluation, name, function, repaired[name], cases, number) for name, function in chosen.items()}
    return Costs(
        {name: corpus for name, (corpus, _) in found.items()}, {name: document for name, (_, document) in found.items()}
    )


def check_attributed(names: Iterable[str]) -> None:
    """OptionError for a measure in which errors have no cost; UnknownNameError for one that does not exist."""
    for name in names:
        check_name("metric", name, METRICS)
        if name not in ATTRIBUTED:
            raise OptionError(f"errors have no cost in {name}; expected one of {', '.join(ATTRIBUTED)}")


def affordable(d: Differences, groups: Ints | None = None) -> bool:
    """Whether the costs of these groups can be had in seconds. They cannot where thousands of errors are in one large connected
    component of entities, as across the documents of a corpus: each is counted with the whole component."""
    cases = Cases.of(d, np.arange(len(d)) if groups is None else groups)
    return mentions_to_count(d, cases) <= AFFORDABLE


_OURS = {*METRICS.values(), *(function for profile in PROFILES.values() for function in profile.metrics.values())}


def _functions(e: Evaluation, metrics: Iterable[str] | Mapping[str, Metric] | None) -> dict[str, Metric]:
    if isinstance(metrics, Mapping):
        return dict(metrics)
    names = [m for m in e.counts if m in ATTRIBUTED and m not in e.own] if metrics is None else list(metrics)
    check_attributed(names)
    return {name: PROFILES[e.options.profile].metrics.get(name, METRICS[name]) for name in names}


def _costs(
    e: Evaluation, name: str, function: Metric, repaired: list[Counts], cases: Cases, number: int
) -> tuple[Floats, Floats]:
    """What each group costs the corpus, and the one document that it is in."""
    counted = e.counts.get(name) or function(e.table)
    in_one = np.bincount(cases.group, minlength=number)[cases.group] == 1
    document = np.full(number, np.nan)
    if not repaired:
        return np.full(number, np.nan), document
    # A profile may count documents that repeat a mention in a way of its own: what a repair changes is added to that.
    plain = counted if e.options.duplicates not in EMULATING else function(e.table)
    change = _plus(concatenate(repaired), plain.rows(cases.document), -1)
    before = _values(counted.rows(cases.document), e)
    after = _values(_plus(counted.rows(cases.document), change), e)
    document[cases.group[in_one]] = (after - before)[in_one]
    if e.options.average == "macro":
        return _means(
            e.by_document[name].value if name in e.counts else _values(counted, e), before, after, cases, number
        ), document
    columns = {c: np.zeros(number, dtype=values.dtype) for c, values in change.columns.items()}
    for c, values in change.columns.items():
        np.add.at(columns[c], cases.group, values)
    total = counted.total()
    everything = Counts({c: np.repeat(v, number) for c, v in total.columns.items()}, total.finish)
    changed = _values(_plus(everything, Counts(columns, total.finish)), e) - _values(total, e)
    return np.where(np.bincount(cases.group, minlength=number) > 0, changed, np.nan), document


def _means(scores: Floats, before: Floats, after: Floats, cases: Cases, number: int) -> Floats:
    """How the mean of the documents' scores changes when those of the cases of a group do."""
    sums, defined = np.full(number, np.nansum(scores)), np.full(number, np.count_nonzero(~np.isnan(scores)))
    for values, sign in ((before, -1), (after, 1)):
        np.add.at(sums, cases.group, sign * np.nan_to_num(values))
        np.add.at(defined, cases.group, sign * ~np.isnan(values))
    return divide(sums, defined) - divide(np.nansum(scores), np.count_nonzero(~np.isnan(scores)))


def _plus(a: Counts, b: Counts, sign: int = 1) -> Counts:
    """Row by row, columns of `a` plus (or minus) those of `b`."""
    return Counts({c: values + sign * b.columns.get(c, 0) for c, values in a.columns.items()}, a.finish, a.unit)


def _values(counts: Counts, e: Evaluation) -> Floats:
    return np.asarray(counts.score(e.options.undefined, e.options.beta).value)
