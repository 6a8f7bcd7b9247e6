"""What errors cost in each metric: the score with them corrected, minus the score.

Errors may be corrected one at a time or a group at once: all of a kind, all of an entity, or all of them, which makes the
response the key. The costs of single errors do not add up to the cost of their group: metrics are not sums. Nothing is
approximated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, arange, argsort, inverse, repeat, tally
from referee.basics.exceptions import OptionError
from referee.corpus.naming import unit_of
from referee.error_analysis.differences import SPLIT, Differences
from referee.error_analysis.repairs import Cases, mentions_to_count, repaired_tables
from referee.error_analysis.touched import ChangedRegion, touched_tables
from referee.metrics.metric import Metric
from referee.metrics.own import metric_of
from referee.metrics.registry import METRICS, RECORDS, metrics_named
from referee.metrics.scores import Scores
from referee.metrics.table import Table
from referee.stats.counts import Counts, concatenate, divide

Functions: TypeAlias = Mapping[str, Callable[[Table], Counts]]

AFFORDABLE = 20_000_000
"""A limit of mentions to count; eight metrics take about ten seconds for them."""

ALIGNING = 100
"""To align a connected component again takes up to so many times as long as to count its mentions in one metric."""


def has_costs(metric: Metric) -> bool:
    """Whether errors have a cost in a metric: in metrics of entities as sets of mentions.

    In `syntactic_links` they have none: a correction does not say which links would be annotated.
    """
    return metric.of_entities


ATTRIBUTED = tuple(name for name, record in METRICS.items() if has_costs(record))
USUAL = ("conll", *(name for name in ATTRIBUTED if METRICS[name].panel == "default" and name != "conll"))
"""The default metrics in which errors have a cost, the average first: rows are ordered by it."""


@dataclass(frozen=True)
class Costs:
    """Scores with errors corrected, minus the score, in the unit of the metric.

    Parameters
    ----------
    corpus : mapping
        Metric -> float64, shape (groups,): cost in the corpus, micro or macro as the scores are.
    document : mapping
        Metric -> float64, shape (groups,): cost in the one document that the group is in; nan if it is in several, or none.

    Notes
    -----
    The score is F if the metric has recall and precision. The cost is nan if the score is undefined before or after. Costs of
    distances are negative: corrections make them smaller.
    """

    corpus: Mapping[str, Floats]
    document: Mapping[str, Floats]


@dataclass(frozen=True)
class SingleErrorCounts:
    """The counts of the response with each error corrected alone. Many groups have one error, and need not be counted again.

    Parameters
    ----------
    metrics : tuple of Metric
        Those that count no more than what a correction touches.
    counts : mapping
        Metric -> its counts, a row for each error.
    uncertain : bool, shape (errors,)
        The errors whose counts are wrong in metrics that align entities.
    """

    metrics: tuple[Metric, ...]
    counts: Mapping[str, Counts]
    uncertain: Bools

    @classmethod
    def of(
        cls, d: Differences, scores: Scores, metrics: Iterable[str] | Functions | None = None, limit: float = inf
    ) -> SingleErrorCounts:
        """Count them; of no metric if that takes more than the limit. Parameters as of `costs`."""
        cases = Cases.of(d, arange(len(d)))
        some = _some(_records(scores, metrics)) if len(d) and _affordable(d, cases, limit) else {}
        return cls(tuple(some.values()), *_by_what_is_touched(d, cases, some, None, limit))


def costs(
    d: Differences,
    scores: Scores,
    metrics: Iterable[str] | Functions | None = None,
    groups: Ints | None = None,
    number: int = 0,
    limit: float = inf,
    single_counts: SingleErrorCounts | None = None,
) -> Costs:
    """Compute what errors cost.

    Parameters
    ----------
    d : Differences
        The errors.
    scores : Scores
        The scores of the response that has them.
    metrics : iterable, mapping or None
        Names of `ATTRIBUTED`, or a mapping to functions of a `Table`; None for all metrics of the scores in which errors have
        a cost.
    groups : array or None
        Shape (errors,): the group of each error, corrected together; -1 for errors that stay. None: each on its own.
    number : int
        The number of groups, if it is more than the largest group.
    limit : number
        Metrics that take longer than counting so many mentions are left out.
    single_counts : SingleErrorCounts or None
        The counts of single errors in the same metrics, if they are known: costs are the same, and take less time.

    Raises
    ------
    OptionError
        For a metric in which errors have no cost.

    Notes
    -----
    A corrected response is scored as it is: no option is applied to it again.

    What an error touches is counted again. In metrics that align entities, the alignment changes from there on as far as it has
    to. In others, such as VI, the connected component that the error is in is counted again. This takes long if thousands of
    errors are in one large component, as can happen in cross-document coreference.

    Examples
    --------
    >>> from referee import score
    >>> from referee.error_analysis.differences import differences
    >>> e = score([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}])
    >>> costs(differences(e.pair), e, ["muc", "b_cubed"]).corpus["muc"].round(3).tolist()
    [0.333]
    """
    records = _records(scores, metrics)
    groups = np.arange(len(d)) if groups is None else np.asarray(groups, dtype=np.int64)
    number = max(number, int(groups.max(initial=-1)) + 1)
    cases = Cases.of(d, groups)
    if not len(cases.document):
        nothing = {name: np.full(number, np.nan) for name in records}
        return Costs(nothing, nothing)
    corrected = _corrected(d, cases, records, limit, single_counts)
    both = {name: _costs(d, scores, records[name], corrected[name], cases, number) for name in records if name in corrected}
    return Costs({name: corpus for name, (corpus, _) in both.items()}, {name: document for name, (_, document) in both.items()})


def usual(scores: Scores, d: Differences) -> list[str]:
    """Return the metrics in which costs are shown if none are named: the CoNLL average first, of records the links.

    Where none of these was computed they are those that were, also metrics of one's own; where errors have a cost in none of
    them, it is the first of the usual ones. Of records, `mentions` is not among them where no error is about which records
    there are, as all its costs are 0.
    """
    computed = [name for name, record in scores.metrics.items() if has_costs(record)]
    is_text = unit_of(d.pair.key, d.pair.response) == "mention"
    of_panel = USUAL if is_text else RECORDS
    names = [name for name in of_panel if name in computed] or computed[: len(USUAL)] or list(of_panel[:1])
    if is_text:
        return names
    return [name for name in names if name != "mentions" or (d.kind < SPLIT).any()] or names


def attributed(names: str | Iterable[str], computed: Mapping[str, Metric] = MappingProxyType({})) -> list[str]:
    """Return the ids of metrics in which errors have a cost; of those that were computed the names that they have there.

    Raises
    ------
    UnknownNameError, OptionError
        For a metric that does not exist, and for one in which errors have no cost.
    """
    named: dict[str, Metric] = {}
    for name in names.split(",") if isinstance(names, str) else names:
        named |= {name: computed[name]} if name in computed else metrics_named([name])
    for name, record in named.items():
        if not has_costs(record):
            raise OptionError(f"errors have no cost in {name}; expected one of {', '.join(ATTRIBUTED)}")
    return list(named)


def _records(scores: Scores, metrics: Iterable[str] | Functions | None) -> dict[str, Metric]:
    if isinstance(metrics, Mapping):
        return {name: f if isinstance(f, Metric) else metric_of(name, f) for name, f in metrics.items()}
    if metrics is None:
        return {name: record for name, record in scores.metrics.items() if has_costs(record)}
    return {name: scores.record(name) for name in attributed(metrics, scores.metrics)}


def _some(metrics: Mapping[str, Metric], *scopes: str) -> dict[str, Metric]:
    """The metrics of some scopes, by default those that count no more than what a correction touches."""
    return {name: record for name, record in metrics.items() if record.scope in (scopes or ("entity", "alignment"))}


def _affordable(d: Differences, cases: Cases, limit: float) -> bool:
    """Whether no more is touched than the limit."""
    return limit == inf or ChangedRegion.of(d, cases).mentions <= limit


def _corrected(
    d: Differences, cases: Cases, metrics: Mapping[str, Metric], limit: float, single_counts: SingleErrorCounts | None
) -> dict[str, Counts]:
    """The counts of the cases, in the metrics that have to count no more mentions than the limit."""
    some, aligned, whole = _some(metrics), _some(metrics, "alignment"), _some(metrics, "document")
    others = {name: record for name, record in metrics.items() if name not in some | whole}
    counts, uncertain = _by_what_is_touched(d, cases, some if _affordable(d, cases, limit) else {}, single_counts, limit)
    if (others or whole) and mentions_to_count(d, cases) <= limit:
        counts |= _counted(repaired_tables(d, cases), others) | _counted(repaired_tables(d, cases, whole=True), whole)
    if not uncertain.any():
        return counts
    left = cases.some(np.flatnonzero(uncertain))
    if ALIGNING * mentions_to_count(d, left) > limit:
        return {name: c for name, c in counts.items() if name not in aligned}
    place = arange(len(uncertain))
    place[uncertain] = len(place) + arange(len(left.document))
    again = _counted(repaired_tables(d, left), aligned)
    return counts | {name: concatenate([counts[name], c]).rows(place) for name, c in again.items()}


def _by_what_is_touched(
    d: Differences, cases: Cases, metrics: Mapping[str, Metric], single_counts: SingleErrorCounts | None, limit: float
) -> tuple[dict[str, Counts], Bools]:
    """The counts of cases, from tables of what is touched; and which cases have wrong counts in metrics that align entities."""
    repaired = np.flatnonzero(cases.case >= 0)
    single = tally(cases.case[repaired], minlength=len(cases.document)) == 1
    if single_counts is None or single_counts.metrics != tuple(metrics.values()) or not single.any():
        if not metrics:
            return {}, np.zeros(len(cases.document), dtype=bool)
        tables = touched_tables(d, cases, ChangedRegion.of(d, cases), limit)
        counts, wrong = zip(*((_counted([table], metrics), table.wrong) for table in tables), strict=True)
        return {name: concatenate([block[name] for block in counts]) for name in metrics}, np.concatenate(wrong)
    row = np.empty(len(single), dtype=np.int64)
    row[cases.case[repaired]] = repaired
    counts_of_single = {name: c.rows(row[single]) for name, c in single_counts.counts.items()}
    uncertain = single_counts.uncertain[row[single]]
    if single.all():
        return counts_of_single, uncertain
    more, more_uncertain = _by_what_is_touched(d, cases.some(np.flatnonzero(~single)), metrics, None, limit)
    place = inverse(argsort(~single))
    joined = {name: (c + more[name]).rows(place) for name, c in counts_of_single.items()}
    return joined, np.concatenate([uncertain, more_uncertain])[place]


def _counted(tables: Iterable[Table], metrics: Mapping[str, Metric]) -> dict[str, Counts]:
    """The counts of all tables, one after the other; of no metrics no table is made."""
    if not metrics:
        return {}
    blocks = [[table.memo_call(record.count) for record in metrics.values()] for table in tables]
    return {name: concatenate(list(counts)) for name, *counts in zip(metrics, *blocks, strict=True)}


def _costs(
    d: Differences, scores: Scores, metric: Metric, corrected: Counts, cases: Cases, number: int
) -> tuple[Floats, Floats]:
    """The cost of each group in the corpus, and in the one document that it is in."""
    in_one = tally(cases.group, minlength=number)[cases.group] == 1
    document = np.full(number, np.nan)
    # A policy may count documents with repeated mentions as another program does: the change by a correction is added to it.
    plain = metric.of_pair(d.pair)
    is_scored = METRICS.get(metric.id) and scores.record(metric.id) is metric
    counts = scores.counts_of(metric.id) if is_scored else plain
    change = _plus(corrected, plain.rows(cases.document), -1)

    def values(counts: Counts) -> Floats:
        return np.asarray(scores.rates_of(counts).value)

    of_documents = values(counts)
    before = of_documents[cases.document]
    after = values(_plus(counts.rows(cases.document), change))
    document[cases.group[in_one]] = (after - before)[in_one]
    if scores.options.average == "macro":
        return _means(of_documents, before, after, cases, number), document
    columns = {c: np.zeros(number, dtype=column.dtype) for c, column in change.columns.items()}
    for c, column in change.columns.items():
        np.add.at(columns[c], cases.group, column)
    total = counts.total()
    repeated = Counts({c: repeat(v, number) for c, v in total.columns.items()}, total.finish)
    changed = values(_plus(repeated, Counts(columns, total.finish))) - values(total)
    return np.where(tally(cases.group, minlength=number) > 0, changed, np.nan), document


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
