"""`Systems`: the scores of one response, or of several responses to one key, as tables.

* One response: a row a metric, with recall, precision and F1, or with the one value of a metric without sides.
* Several responses, or documents: a row each, with a column a metric (its F1 or value).
* ``table="conll"``: the table of coreference papers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import numpy as np

from referee.basics.exceptions import OptionError, brief_names, one_line
from referee.basics.options.options import plain_options
from referee.corpus import FEATURES
from referee.metrics.best import best, in_order
from referee.metrics.distribution import direction
from referee.metrics.pairs import about_decisions
from referee.metrics.registry import main_metric, metric_named
from referee.metrics.scores import Scores
from referee.metrics.titles import METRIC, PARTS, SYSTEM, explained, heads_of, score_column, title_of, title_of_f
from referee.reports.listing import Cell, Column, Listing, Plain, against, headed, plain
from referee.reports.numbers import number
from referee.reports.result import Result
from referee.scoring.by import DATASETS, By, check_by, label_of, noun_of
from referee.scoring.paper_table import Line, SideScores, metrics_of, paper_table, signed
from referee.scoring.signature import joined, naming
from referee.stats.counts import Counts, Score

if TYPE_CHECKING:
    from referee.reports.verdict import Verdict
    from referee.scoring.limits import Limits
    from referee.stats.intervals import Interval
    from referee.stats.settings import Resampling

IntervalsBySide: TypeAlias = "Mapping[str, Mapping[str, Interval]]"
"""Metric -> "value", "recall" or "precision" -> its interval."""

ALL = "all"
"""In place of a document, for programs: the row is an average."""

HEADER = ("system", "document", "average", "metric", "recall", "precision", "f1", "value", "upper", "unit", "signature")
"""The columns for programs."""


AnyScores = TypeVar("AnyScores", bound=Scores)


def only(scores: AnyScores, metrics: Sequence[str]) -> AnyScores:
    """Return the same scores by some metrics, which the signature names."""
    counts, records = {m: scores.counts_of(m) for m in metrics}, {m: scores.record(m) for m in metrics}
    signature, short = naming(scores.signature, metrics), naming(scores.short_signature, metrics)
    return replace(scores, counts=counts, metrics=records, signature=signature, short_signature=short)


class Tabulated(Result):
    """What shows itself as the table of one response: `systems` says which."""

    @property
    def systems(self) -> Systems:
        """The scores as a table of one row."""
        raise NotImplementedError

    def listing(self, *, by: By = None, table: str = "", sort: str = "", top: int = 0) -> Listing:
        """Return the table that the command prints; see `Systems.listing`."""
        return self.systems.listing(by=by, table=table, sort=sort, top=top)

    def records(self, *, by: By = None, table: str = "", sort: str = "", top: int = 0) -> Listing:
        """Return the table for programs; see `Systems.records`."""
        return self.systems.records(by=by, table=table, sort=sort, top=top)

    def to_dict(self, *, by: By = None, table: str = "", sort: str = "", top: int = 0) -> dict[str, object]:
        """Return the content of the JSON report; see `Systems.to_dict`."""
        return self.systems.to_dict(by=by, table=table, sort=sort, top=top)

    def verdict(self, *, limits: Limits = ()) -> Verdict:
        """Return what builds and boards read; see `Systems.verdict`."""
        return self.systems.verdict(limits=limits)


@dataclass(frozen=True, eq=False, repr=False)
class Systems(Result):
    """The scores of responses to one key, all by the same metrics and with the same options.

    Parameters
    ----------
    key : str
        Where the key came from.
    scores : sequence of Scores
        One a response.
    warnings : sequence of str
        What was warned of; JSON has it.
    intervals : mapping
        Name of a response -> the intervals of its scores over all documents; empty without intervals.
    resampling : Resampling or None
        How the intervals were made.
    sort, top
        As for `listing`.
    """

    key: str
    scores: Sequence[Scores]
    warnings: Sequence[str] = ()
    intervals: Mapping[str, IntervalsBySide] = field(default_factory=dict)
    resampling: Resampling | None = None
    sort: str = ""
    top: int = 0

    def __repr__(self) -> str:
        return f"<Scores of {brief_names([s.name for s in self.scores])}: {len(self.scores[0])} metrics>"

    def listing(self, *, by: By = None, table: str = "", sort: str = "", top: int = 0) -> Listing:
        """Return the table for people.

        Parameters
        ----------
        by : str, callable or None
            "document" for a row each document, and one for each average; "file" or "folder" for a row each file of the key, or
            each folder in it; a callable, which gives the group of a document by its name, for a row each group. The row
            `macro` is the mean over documents, files or groups.
        table : str
            A table of papers, with precision, recall and F1 of each metric: "prf"; or "conll", which has MUC, B³ and CEAFe, and
            their average, unless metrics were named.
        sort : str
            A metric: the best responses stand first, and of each response the worst documents, or groups.
        top : int
            How many documents, or groups, of each response are shown: the worst, by the main metric unless `sort` names one; 0
            for all. Averages are over all of them.

        Raises
        ------
        UnknownNameError
            For another `by`, `table` or metric.
        OptionError
            If there are no rows to sort, or no documents to leave out.
        """
        check_by(by)
        if sort or top:
            return self._in_order(by, sort, top).listing(by=by, table=table)
        first, several = self.scores[0], len(self.scores) > 1
        if table and (names := metrics_of(table, first)) != list(first):
            return self._only(names).listing(by=by, table=table)
        rows = self._by_row(by, table) if several or by or table else _by_metric(next(self._rows(by)))
        resampled = self.resampling.unusual if self.resampling else []
        has_intervals = any(sides for by_metric in self.intervals.values() for sides in by_metric.values())
        notes = [] if first.panel else _about_needs(first)
        for s in self.scores:
            if "pairs" in s.counts:
                notes += about_decisions(s.counts_of("pairs"), s.name if several else "pairs")
            notes += bounds(s, s, s.name) if several or by else []
            if by or s.options.average == "macro":
                notes += _left_out(grouped_by(s, by, list(s)), noun_of(by))
        if by in DATASETS:
            from referee.scoring.datasets import about_missing  # most tables have none

            notes += about_missing({s.name: s for s in self.scores}, by)
        return rows._replace(
            footnotes=list(dict.fromkeys("|".join([s.short_signature, *resampled]) for s in self.scores)),
            notes=[*rows.notes, *first.other_metrics, *dict.fromkeys(notes), *joined(map(self.signature, self.scores))],
            legend=[
                *rows.legend,
                *explained(first.panel),
                *([self.resampling.legend()] if self.resampling and has_intervals else []),
            ],
            title=against([s.name for s in self.scores], self.key),
            truncate=first.options.decimals == "truncate",
        )

    def records(self, *, by: By = None, table: str = "", sort: str = "", top: int = 0) -> Listing:
        """Return the table for programs: a row for each response, document or average, and metric; or the table of papers.

        The rows of documents have "document" for `average`; those of averages have "all" for `document`, and the signature. Of
        groups it is "group", of files "file", which is the name of the column, too.
        """
        if sort or top:
            return self._in_order(by, sort, top).records(by=by, table=table)
        if table and (names := metrics_of(table, self.scores[0])) != list(self.scores[0]):
            return self._only(names).records(by=by, table=table)
        if table:
            signatures = [self.signature(row.system) for row in self._rows(by)]
            return signed(self._by_row(by, table, for_people=False), signatures)
        check_by(by)
        rows: list[tuple[object, ...]] = []
        for s in self.scores:
            parts, signature = grouped_by(s, by, list(s)), self.signature(s)
            if by:
                selected, part_signature = self._selected(s, parts, by), "" if by == "document" else signature
                rows += chain.from_iterable(
                    zip(*(_records(s, selected, m, noun_of(by), part_signature) for m in s), strict=True)
                )
            for row in self._averages(s, parts, by, list(s)):
                for metric, score in row.scores.items():
                    plain_sides = score.precision, score.recall, score.value
                    precision, recall, value = row.sides(metric) if metric in row.intervals else plain_sides
                    f1 = score.value if score.beta == 1 else None
                    upper = None if score.upper is None else score.upper.value
                    numbers = recall, precision, f1, value, upper
                    rows.append((s.name, ALL, row.average, metric, *numbers, s.counts_of(metric).unit, signature))
        return Listing([Column(noun_of(by) if name == "document" else name, "number") for name in HEADER], rows)

    def to_dict(self, *, by: By = None, table: str = "", sort: str = "", top: int = 0) -> dict[str, object]:
        """Return the content of the JSON report.

        ::

            {"referee": "0.3.0", "key": "key.conll", "warnings": [],
             "systems": [{"name": "response.conll", "signature": "...", "short_signature": "...",
                          "options": {...}, "documents": 2,
                          "metrics": {"muc": {"recall": 0.5, "precision": 0.5, "f1": 0.5, "value": 0.5, "unit": "",
                                              "counts": {...}, "macro": {...}}},
                          "by_document": {"d1": {"muc": {...}}}}]}

        `recall`, `precision` and `f1` are there for metrics with two sides, `value` for all; `upper` where an alignment ran
        out of its budget; `intervals`, of each side, where they were made. `metrics` are averaged as `options.average` says;
        `macro` gives the mean over documents, and the number of documents in it, if a `Scorer` kept their counts.
        """
        if table:
            return super().to_dict(by=by, table=table, sort=sort, top=top)
        check_by(by)
        if sort or top:
            return self._in_order(by, sort, top).to_dict(by=by)
        systems = [self._as_dict(s, by) for s in self.scores]
        return headed(key=one_line(self.key), systems=systems, warnings=list(self.warnings))

    def verdict(self, *, limits: Limits = ()) -> Verdict:
        """Return what builds and boards read: the forms of `referee.reports.forms.VERDICTS`.

        Parameters
        ----------
        limits : mapping, or sequence of pairs
            Metrics, as `lea` or `lea.precision`, and the percentages that their scores may not be below, as printed. Without
            limits nothing fails.
        """
        from referee.scoring.limits import verdict_on  # only limits need it

        return verdict_on(self.scores, limits, [*joined(map(self.signature, self.scores)), *self.warnings])

    def signature(self, scores: Scores) -> str:
        """Return how the scores of a response were made, and their intervals."""
        return f"{scores.signature} | {self.resampling.signature}" if self.resampling else scores.signature

    def _only(self, metrics: Sequence[str]) -> Systems:
        """The same by some metrics."""
        return replace(self, scores=[only(s, metrics) for s in self.scores])

    def _in_order(self, by: By, sort: str, top: int) -> Systems:
        """The best responses first; what is shown of each depends on `by`."""
        if top < 0 or (top and not by):
            raise OptionError(
                "--top (top=) is for the rows of --by (by=); expected --by document or another, and a number above 0"
            )
        if sort and not by and len(self.scores) == 1:
            raise OptionError(
                "--sort (sort=) is for several responses, or for documents; found one response: expected --by document"
            )
        first = self.scores[0]
        metric = main_metric(first) if not sort else sort if sort in first else metric_named(sort).id
        places = in_order(metric, [s[metric].value for s in self.scores]) if sort else range(len(self.scores))
        return replace(self, scores=[self.scores[n] for n in places], sort=metric, top=top)

    def _selected(self, s: Scores, parts: Scores, by: By) -> Scores:
        """The documents or groups that are shown, the worst first if they are sorted."""
        if not self.sort:
            return parts
        rows = in_order(self.sort, grouped_by(s, by, [self.sort]).columns(self.sort).value, worst_first=True)
        del rows[self.top or len(rows) :]
        counts = {metric: parts.counts_of(metric).rows(rows) for metric in s}
        return replace(parts, documents=tuple(parts.documents[row] for row in rows), counts=counts)

    def _rows(self, by: By) -> Iterator[_SystemRow]:
        """The scores of each response: of all documents; or of each document, and both averages."""
        for s in self.scores:
            named = list(s)
            parts = grouped_by(s, by, named)
            if by:
                selected = self._selected(s, parts, by)
                for part, *scores_of_part in zip(selected.documents, *map(selected.columns, named), strict=True):
                    yield _SystemRow(
                        s, part, noun_of(by), dict(zip(named, scores_of_part, strict=True)), {}, len(parts.documents)
                    )
            yield from self._averages(s, parts, by, named)

    def _averages(self, s: Scores, parts: Scores, by: By, metrics: Sequence[str]) -> Iterator[_SystemRow]:
        """The averages over all documents of a response, or over its groups, `parts`."""
        for average in ("micro", "macro") if by else (s.options.average,):
            scores = {m: parts.macro(m)[0] if average == "macro" else s.micro(m) for m in metrics}
            made = average == s.options.average and (average == "micro" or parts is s)
            intervals = self.intervals.get(s.name, {}) if made else {}
            yield _SystemRow(s, ALL, average, scores, intervals, len(parts.documents))

    def _by_row(self, by: By, table: str, *, for_people: bool = True) -> Listing:
        """A row a response, document or average, and a column a metric; or the table of papers."""
        first, several = self.scores[0], len(self.scores) > 1 or not by
        heads = [*([SYSTEM] if several else []), *([PARTS[noun_of(by)]] if by else [])]
        rows = list(self._rows(by))
        values = {m: [row.scores[m].value for row in rows] for m in first}
        metrics, notes = defined(first, values) if for_people else (list(first), [])
        tops = {m: _best(m, rows) if len(self.scores) > 1 else [False] * len(rows) for m in metrics}

        def part(row: _SystemRow) -> str:
            return label_of(row.average, noun_of(by), row.parts) if for_people and row.document == ALL else row.part

        lines = [
            Line(
                [*([row.system.name] if several else []), *([part(row)] if by else [])],
                {m: row.sides(m, best=tops[m][number]) for m in metrics},
            )
            for number, row in enumerate(rows)
        ]
        scores, units = {m: first[m] for m in metrics}, {m: first.counts_of(m).unit for m in metrics}
        columns = [*map(Column, heads), *(score_column(m, scores[m], units[m]) for m in metrics)]
        listing = Listing(columns, [[*row.labels, *(row.sides[m].f for m in metrics)] for row in lines])
        if table:
            listing = paper_table(lines, scores, units, heads)
        begins = [n for n, row in enumerate(rows) if by and n and row.system is not rows[n - 1].system]
        return listing._replace(notes=notes, sections=begins)

    def _as_dict(self, s: Scores, by: By) -> dict[str, object]:
        intervals = self.intervals.get(s.name, {})
        metrics: dict[str, dict[str, object]] = {}
        for name, score in s.items():
            counts = s.counts_of(name)
            metrics[name] = {**_score(score), "unit": counts.unit, "counts": _totals(counts.total())}
            if s.has_rows:
                mean, documents = s.macro(name)
                metrics[name]["macro"] = {**_score(mean), "documents": documents}
            if name in intervals:
                metrics[name]["intervals"] = {side: [plain(i.low), plain(i.high)] for side, i in intervals[name].items()}
        options = {name: value if isinstance(value, dict) else plain(value) for name, value in plain_options(s.options).items()}
        head = {"name": s.name, "signature": self.signature(s), "short_signature": s.short_signature}
        system = {**head, "options": options, "documents": s.documents_counted, "metrics": metrics}
        if s.run:
            system["run"] = dict(s.run)
        if not by:
            return system
        noun, parts = noun_of(by), grouped_by(s, by, list(s))
        if noun != "document":  # whose mean the metrics have
            means = {m: {**_score(mean), f"{noun}s": number} for m in s for mean, number in [parts.macro(m)]}
            system[f"mean_of_{noun}s"] = means
        return {**system, f"by_{noun}": _documents(self._selected(s, parts, by))}


class _SystemRow(NamedTuple):
    """The scores of one response, of a document or averaged over all of them."""

    system: Scores
    document: str
    average: str
    scores: Mapping[str, Score]
    intervals: IntervalsBySide
    parts: int

    @property
    def part(self) -> str:
        """The document, the group or the average."""
        return self.average if self.document == ALL else self.document

    def sides(self, metric: str, *, best: bool = False) -> SideScores:
        """Precision, recall and F or value, with their intervals; None for a side that the metric does not have.

        F, or the value, is emphasized if it is the `best`.
        """
        score, intervals = self.scores[metric], self.intervals.get(metric, {})
        values = {"precision": score.precision, "recall": score.recall, "value": score.value}
        unit = self.system.counts_of(metric).unit
        return SideScores(
            *(
                None if value is None else Cell(value, intervals.get(side), best=best and side == "value", unit=unit)
                for side, value in values.items()
            )
        )


def _best(metric: str, rows: Sequence[_SystemRow]) -> list[bool]:
    """Which of the rows have the best score of their document, group or average, if all systems have a row of it."""
    parts = {part: number for number, part in enumerate(dict.fromkeys((row.document, row.average) for row in rows))}
    systems = {system: number for number, system in enumerate(dict.fromkeys(id(row.system) for row in rows))}
    places = [systems[id(row.system)] for row in rows], [parts[row.document, row.average] for row in rows]
    values = np.full((len(systems), len(parts)), np.nan)
    values[places] = [row.scores[metric].value for row in rows]
    are_shown = np.zeros(values.shape, dtype=bool)
    are_shown[places] = True
    tops: list[bool] = (best(metric, values) & are_shown.all(axis=0))[places].tolist()
    return tops


def _records(s: Scores, parts: Scores, metric: str, noun: str, signature: str) -> Iterator[tuple[object, ...]]:
    """What programs get of each document or group, `parts`, by one metric."""
    scores, unit = parts.columns(metric), s.counts_of(metric).unit
    value, recall, precision = scores.sides()
    f1 = value if scores.beta == 1 else repeat(None)
    upper = repeat(None) if scores.upper is None else scores.upper.sides()[0]
    numbers = recall, precision, f1, value, upper
    return zip(repeat(s.name), parts.documents, repeat(noun), repeat(metric), *numbers, repeat(unit), repeat(signature))


def grouped_by(s: Scores, by: By, metrics: Sequence[str]) -> Scores:
    """The scores of groups, if scores are broken down by groups; else the scores as they are."""
    if by in (None, "document"):
        return s
    from referee.scoring.groups import grouped, grouping_of  # most tables have none

    return grouped(s, grouping_of(by, [s]), metrics)


def _by_metric(row: _SystemRow) -> Listing:
    """A row a metric of one response; the columns that no metric has are left out."""
    rows: list[list[object]] = []
    heads = heads_of(row.system.panel)
    for metric, score in row.scores.items():
        if metric in heads:
            rows.append([heads[metric], *[None] * 5])
        unit, sides = row.system.counts_of(metric).unit, row.sides(metric)
        cells = [None, None, None, sides.f] if sides.recall is None else [sides.recall, sides.precision, sides.f, None]
        remark = direction(score.value) if metric == "d_error" else unit
        if score.upper is not None:
            remark = f"at most {number(score.upper.value)}"
        rows.append([title_of(metric), *cells, remark or None])
    titles = ("recall", "precision", title_of_f(row.system.options.beta), "value")
    columns = [Column(METRIC), *(Column(title, "score") for title in titles), Column("", "remark")]
    kept = [c for c in range(len(columns)) if any(row[c] is not None for row in rows)]
    return Listing([columns[c] for c in kept], [[row[c] for c in kept] for row in rows])


def defined(scores: Scores, values: Mapping[str, Sequence[float]]) -> tuple[list[str], list[str]]:
    """Return the metrics with a score in some row, or all if they were named, and a note on the others.

    Parameters
    ----------
    scores
        How they were named.
    values
        Metric -> the score of each row.
    """
    if not scores.panel or not (undefined := [m for m, row in values.items() if all(map(math.isnan, row))]):
        return list(values), []
    return [m for m in values if m not in undefined], [f"undefined, so not shown: {', '.join(undefined)}"]


def bounds(s: Scores, metrics: Iterable[str], name: str) -> list[str]:
    """Upper bounds of the scores that are printed as lower bounds."""
    uppers = {m: s[m].upper for m in metrics}
    loose = [f"{m} {number(upper.value)}" for m, upper in uppers.items() if upper is not None]
    return [f"{name}: lower bounds; the certified upper bounds are {', '.join(loose)}"] if loose else []


def _about_needs(s: Scores) -> list[str]:
    """What undefined scores that were named need in the key."""
    undefined = [(m, s.record(m).needs) for m, score in s.items() if math.isnan(score.value)]
    return [f"{m} is undefined; it needs a key with {needs}" for m, needs in undefined if needs in FEATURES]


def _left_out(s: Scores, noun: str) -> list[str]:
    """How many documents, or groups, each mean is over, where that is not all of them."""
    defined = {m: s.macro(m)[1] for m in s}
    fewer = [f"{m} {n}" for m, n in defined.items() if n < len(s.documents)]
    means = f"{s.name}: means over the {noun}s with a defined score, of {len(s.documents)}"
    return [f"{means}: {', '.join(fewer)}"] if fewer else []


def _documents(s: Scores) -> dict[str, object]:
    """The scores and counts of each document, for JSON."""
    columns = s.by_document
    return {
        name: {m: {**_score(column[row]), "counts": _totals(s.counts_of(m).rows(row))} for m, column in columns.items()}
        for row, name in enumerate(s.documents)
    }


def _totals(counts: Counts) -> dict[str, Plain]:
    """The columns of counts with a single row."""
    return {column: plain(values[0]) for column, values in counts.columns.items()}


def _score(score: Score) -> dict[str, object]:
    sides = {} if score.recall is None else {"recall": score.recall, "precision": score.precision}
    if score.beta is not None:
        sides["f1" if score.beta == 1 else "f"] = score.value
    numbers: dict[str, object] = {name: plain(value) for name, value in {**sides, "value": score.value}.items()}
    return numbers if score.upper is None else {**numbers, "upper": _score(score.upper)}
