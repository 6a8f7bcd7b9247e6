"""The scores of a response: `PhraseScores`; of several responses in one report: `PhraseSystems`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from referee.basics.exceptions import OptionError, UnknownNameError, brief, brief_names, check_name, counted, one_line
from referee.basics.names import KeyCompletion
from referee.basics.options.choices import PHRASE_ALIASES, PHRASE_GROUPS
from referee.basics.version import VERSION
from referee.metrics.titles import score_column, title_of
from referee.phrases.annotation import Chunks
from referee.phrases.breakdown import ErrorBreakdown, error_breakdown
from referee.phrases.calibration import Calibration
from referee.phrases.metrics import BITS, METRICS, OF_CHUNKS, OF_PREDICTIONS, OVERVIEW
from referee.phrases.sums import CandidateSums, GroupedSums
from referee.phrases.thresholds import PhraseThresholds
from referee.phrases.types import TITLES, TypeTable, counts_by_type
from referee.reports.listing import Cell, Column, Listing, against, headed, plain
from referee.reports.numbers import number
from referee.reports.result import Result
from referee.stats.counts import SIDES, Columns, Counts, Score, ScoreColumns, flat_scores
from referee.stats.intervals import Interval
from referee.stats.resampling import intervals as resampled
from referee.stats.settings import Resampling

HINTS = {
    **dict.fromkeys(("f", "f1", "recall", "precision"), "each metric has it: scores['exact_match'].f1, .recall, .precision"),
    **{name: f"scores.types.averages['{name}'] has it" for name in ("micro", "macro", "weighted")},
    "plot": "referee phrases score KEY RESPONSE --plot FILE draws it",
    "errors": "referee.phrases.errors(key, response) has them",
}
"""What is meant by attributes that phrase scores have not."""


@dataclass(frozen=True, eq=False, repr=False)
class PhraseScores(Result, KeyCompletion, Mapping[str, Score]):
    """The scores of a response against a key of phrases. `referee.phrases.score` makes them.

    They are a mapping from metrics to scores: ``scores["expected"].recall`` is a number.

    Parameters
    ----------
    name, key
        The names of the response and of the key.
    sums
        The sums over the candidate space.
    calibration
        The reliability table.
    metrics
        The ids of the metrics that are reported.
    one_best
        Whether every probability is 0 or 1.
    chunks
        Key and response as chunks; None if the response lists none that are likelier than those it does not list.
    thresholds
        The scores of the candidates at each threshold; None if every probability is 0 or 1.
    are_usual
        Whether the metrics are those that say something of the response, as none was named. Then reports begin with the types.
    settings
        What stands in the signature: the candidate space, the default, and how files were read.
    intervals
        The intervals of properties of `CandidateSums`, and of the sides of matches ("exact_match.recall"), if they were
        computed.
    resampling
        How intervals were made, for the signature.
    """

    name: str
    key: str
    sums: GroupedSums
    calibration: Calibration
    metrics: Sequence[str]
    one_best: bool
    chunks: tuple[Chunks, Chunks] | None = None
    thresholds: PhraseThresholds | None = None
    are_usual: bool = False
    settings: Mapping[str, object] = field(default_factory=dict)
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    resampling: str = ""

    @property
    def total(self) -> CandidateSums:
        """The sums over all candidates."""
        return self.sums.total

    @property
    def by_sentence(self) -> CandidateSums:
        """The sums of each sentence."""
        return self.sums.by_sentence

    @property
    def signature(self) -> str:
        """All settings on which the numbers depend."""
        settings = " | ".join(f"{name}:{value}" for name, value in self.settings.items())
        return " | ".join(part for part in (f"referee {VERSION} phrases", settings, self.resampling) if part)

    def __getitem__(self, metric: str) -> Score:
        """The score of a metric: floats; nan where it is 0 / 0 or not defined for the response."""
        metric = PHRASE_ALIASES.get(metric, metric)
        if metric not in METRICS and metric in self.sums.categories:
            raise UnknownNameError("metric", metric, METRICS, remedy=f"it is a type: scores.types[{metric!r}] has its scores")
        check_name("metric", metric, METRICS)
        record = METRICS[metric]
        if metric == "calibration_error":
            return Score(self.calibration.error)
        if record.count:
            if self.chunks is not None:
                return self._counts_of(metric).total().score()[0]
            return Score(math.nan, math.nan, math.nan, beta=1.0) if metric in OF_CHUNKS else Score(math.nan)
        if record.one_best and not self.one_best:
            return Score(math.nan)
        numbers = {side: float(getattr(self.total, quantity)) for side, quantity in record.sides.items()}
        beta = 1.0 if record.recall else None
        return Score(numbers["value"], numbers.get("recall"), numbers.get("precision"), beta=beta)

    @property
    def first(self) -> str:
        """The metric that stands for all: F1, or bits where probabilities make no prediction."""
        return "exact_match" if self.chunks is not None else "bits_per_sentence"

    def __iter__(self) -> Iterator[str]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __contains__(self, metric: object) -> bool:
        return metric in self.metrics

    def __repr__(self) -> str:
        main = f"{self.first} {number(self[self.first].value, METRICS[self.first].unit)}"
        return f"<PhraseScores of {brief(self.name)}: {main}, {len(self)} metrics>"

    def flat(self, prefix: str = "") -> dict[str, float]:
        """Return the scores as one dictionary of numbers, as experiment trackers take them: ``exact_match_f1`` and others."""
        return flat_scores(self, prefix)

    @property
    def types(self) -> TypeTable | None:
        """Recall, precision, F1 and support of each type, which are shown if no metric is named; None without a prediction."""
        return TypeTable(counts_by_type(*self.chunks)) if self.chunks is not None and self.are_usual else None

    @classmethod
    def _hint(cls, name: str) -> str:
        return HINTS.get(name) or super()._hint(name)

    def breakdown(self, group: str) -> ErrorBreakdown:
        """The error breakdown by "category" (or "type"), "length", "coverage" or "sentence"."""
        return error_breakdown(self.sums, PHRASE_ALIASES.get(group, group), one_best=self.one_best)

    def _breakdowns(self, by: Sequence[str]) -> list[ErrorBreakdown]:
        """The error breakdowns that a report shows; a text has their names. OptionError for coverage without probabilities."""
        groups = [name.strip() for name in by.split(",")] if isinstance(by, str) else by
        if self.one_best and "coverage" in groups:
            expected = ", ".join(group for group in PHRASE_GROUPS if group != "coverage")
            raise OptionError(
                f"{one_line(self.name)} has no probabilities, and coverage tells candidates with them apart; expected --by "
                f"{expected}"
            )
        return [self.breakdown(group) for group in groups]

    def with_intervals(self, resampling: Resampling) -> PhraseScores:
        """The same scores with intervals, from resamples of the sentences."""
        of_sums = [name for metric in self.metrics for name in METRICS[metric].sides.values()]
        by_name = intervals(self.by_sentence, of_sums, resampling)
        for metric, sides in resampled(self.counts, resampling).items():
            by_name |= {f"{metric}.{side}": interval for side, interval in sides.items()}
        return replace(self, intervals=by_name, resampling=resampling.signature)

    @property
    def counts(self) -> dict[str, Counts]:
        """The counts of chunks and words in each sentence, of those metrics of them that are reported; none without chunks."""
        return {m: self._counts_of(m) for m in self.metrics if METRICS[m].count} if self.chunks else {}

    @cached_property
    def _counted(self) -> dict[str, Counts]:
        return {}

    def _counts_of(self, metric: str) -> Counts:
        """The counts of a metric of predictions, which are counted once."""
        count = METRICS[metric].count
        if metric not in self._counted and count is not None and self.chunks is not None:
            self._counted[metric] = count(*self.chunks)
        return self._counted[metric]

    def _sides(self, metric: str) -> Mapping[str, str]:
        """The names of the intervals of a metric, by its sides."""
        return {side: f"{metric}.{side}" for side in SIDES} if METRICS[metric].count else METRICS[metric].sides

    def cells(self, metric: str) -> dict[str, Cell]:
        """The sides of a score with their intervals and units, as tables show them."""
        score, unit, quantities = self[metric], METRICS[metric].unit, self._sides(metric)
        numbers = {"recall": score.recall, "precision": score.precision, "value": score.value}
        return {
            side: Cell(number, self.intervals.get(quantities.get(side, "")), unit=unit)
            for side, number in numbers.items()
            if number is not None
        }

    def listing(self) -> Listing:
        """The table of the metrics."""
        return self._table(self.metrics)._replace(
            notes=[*self.notes(self.metrics), self.signature], title=against([self.name], self.key)
        )

    def _table(self, metrics: Sequence[str]) -> Listing:
        rows: list[list[object]] = []
        for metric in metrics:
            cells = self.cells(metric)
            value = cells["value"]
            sides = [cells["recall"], cells["precision"], value, None] if "recall" in cells else [None, None, None, value]
            rows.append([title_of(metric), *sides, METRICS[metric].unit or None])
        columns = [Column("metric"), *(Column(title, "score") for title in (*TITLES, "value")), Column("", "remark")]
        filled = [c for c in range(len(columns)) if c == 0 or any(row[c] is not None for row in rows)]
        return Listing([columns[c] for c in filled], [[row[c] for c in filled] for row in rows])

    def listings(self, by: Sequence[str] = (), *, reliability: bool = False) -> Sequence[Listing]:
        """The tables of types, metrics and thresholds, the error breakdowns, and the reliability table.

        If no metric was named, numbers of bits that are infinite are left out, and a note says so.

        Parameters
        ----------
        by
            The error breakdowns: "category", "length", "coverage", "sentence".
        reliability
            Whether the reliability table is shown.
        """
        tables = [self.listing()]
        if self.are_usual and self.thresholds is not None:
            chunks = [metric for metric in self.metrics if metric in OF_PREDICTIONS]
            others = [metric for metric in self.metrics if metric not in chunks and self[metric].value != math.inf]
            last = tables[0]._replace(
                rows=self._table(others).rows, columns=self._table(others).columns, caption="probabilities"
            )
            tables = [*([self._table(chunks)] if chunks else []), *self.threshold_listings(), last]
        return [*self.type_listings(), *tables, *self.detail_listings(by, reliability=reliability)]

    def type_listings(self, system: str = "") -> list[Listing]:
        """The table of types, if there is one; `system` is for its caption."""
        return [] if self.types is None else [self.types.listing(system)]

    def threshold_listings(self, system: str = "") -> list[Listing]:
        """The table of thresholds, if there is one and no metric was named; `system` is for its caption."""
        are_shown = self.are_usual and self.thresholds is not None and self.thresholds.in_table
        return [self.thresholds.listing(system)] if self.thresholds is not None and are_shown else []

    def detail_listings(self, by: Sequence[str], *, reliability: bool, system: str = "") -> list[Listing]:
        """The error breakdowns and the reliability table; `system` is for their captions."""
        listings = [breakdown.listing(system) for breakdown in self._breakdowns(by)]
        return [*listings, self.calibration.listing(system)] if reliability else listings

    def notes(self, metrics: Sequence[str]) -> list[str]:
        """What stands below the table if there are zero-probability events, and any of the metrics counts bits or events."""
        total = self.total
        events = int(total.zero_probability_events)
        if not events or not BITS.intersection(metrics):
            return []
        bits = float(total.finite_cross_entropy) / max(len(self.sums.sentence_ids), 1)
        note = (
            f"{one_line(self.name)}: infinitely many bits for {counted(events, 'zero-probability event')} "
            f"({int(total['zero_probability_true'])} true, {int(total['zero_probability_false'])} false); "
            f"{bits:.4f} bits per sentence for all others; --min-probability 1e-7 bounds them"
        )
        return [note]

    def records(self, by: Sequence[str] = (), *, reliability: bool = False) -> Listing:
        """The table for programs: a row for each metric, and for each group and number of the other tables."""
        rows = [self._record(None, None, metric, self.cells(metric)) for metric in self.metrics]
        for by_what, numbers in self._type_numbers().items():
            for name, sides in numbers.items():
                rows.append(self._record(by_what, name, "exact_match", {**sides, "value": sides["f1"]}))
                rows.append(self._record(by_what, name, "support", {"value": sides["support"]}))
        rows += [
            self._record("threshold", str(row["threshold"]), "exact_match", {**row, "value": row["f1"]})
            for row in self._threshold_numbers()
        ]
        for breakdown in self._breakdowns(by):
            for name, numbers in breakdown.rows():
                rows += [self._record(breakdown.group, name, metric, sides) for metric, sides in numbers.items()]
        for each in self.calibration.bins() if reliability else ():
            for metric in ("candidates", "mean_probability", "share_true"):
                rows.append(self._record("reliability", each.name, metric, {"value": getattr(each, metric)}))
        return Listing([Column(name, "number") for name in RECORD], rows)

    def _record(self, by: str | None, group: str | None, metric: str, sides: Mapping[str, object]) -> list[object]:
        f1 = sides["value"] if "recall" in sides else None
        unit = METRICS[metric].unit if metric in METRICS else ""
        numbers = [sides.get("recall"), sides.get("precision"), f1, sides["value"]]
        return [self.name, by, group, metric, *numbers, unit, self.signature]

    def to_dict(self, by: Sequence[str] = (), *, reliability: bool = False) -> dict[str, object]:
        """The content of the JSON report. An infinite number is the string "inf", an undefined one None."""
        return headed(key=self.key, systems=[self.system(by, reliability=reliability)])

    def system(self, by: Sequence[str] = (), *, reliability: bool = False) -> dict[str, object]:
        """The response in the JSON report, with its sums."""
        tables = {breakdown.group: [_exported_row(*row) for row in breakdown.rows()] for breakdown in self._breakdowns(by)}
        sweep = self.thresholds if self.are_usual else None
        best = None if sweep is None else sweep.best.threshold
        return {
            "name": self.name,
            "signature": self.signature,
            "categories": list(self.sums.categories),
            "sentences": len(self.sums.sentence_ids),
            "one_best": self.one_best,
            "sums": {name: jsonable(column) for name, column in self.total.columns.items()},
            "metrics": {metric: self._exported(metric) for metric in self.metrics},
            **{name: {x: exported(sides) for x, sides in rows.items()} for name, rows in self._type_numbers().items()},
            **({"thresholds": [*map(exported, self._threshold_numbers())], "best_threshold": jsonable(best)} if sweep else {}),
            **({"breakdown": tables} if by else {}),
            **({"reliability": [each._asdict() for each in self.calibration.bins()]} if reliability else {}),
        }

    def _type_numbers(self) -> dict[str, dict[str, dict[str, float]]]:
        """The tables of types and of their averages; nothing if they are not shown."""
        tables = {"type": self.types.rows, "average": self.types.averages} if self.types else {}
        return {by: {x: row._asdict() for x, row in rows.items()} for by, rows in tables.items()}

    def _threshold_numbers(self) -> list[dict[str, float]]:
        """The table of thresholds; nothing if it is not shown."""
        return [row._asdict() for row in self.thresholds.in_table] if self.thresholds is not None and self.are_usual else []

    def _exported(self, metric: str) -> dict[str, object]:
        cells = self.cells(metric)
        numbers = exported({side: cell.value for side, cell in cells.items()})
        ends = {side: [jsonable(end) for end in cell.interval[:2]] for side, cell in cells.items() if cell.interval}
        return {**numbers, "unit": METRICS[metric].unit, **({"intervals": ends} if ends else {})}


@dataclass(frozen=True, eq=False, repr=False)
class PhraseSystems(Result):
    """The scores of several responses against one key.

    Parameters
    ----------
    systems
        At least one, over the same candidate space.
    metrics
        The metrics that are shown; None for a few for several systems, for all if there is one.
    warnings
        What was warned of; JSON has it.
    """

    systems: Sequence[PhraseScores]
    metrics: Sequence[str] | None = None
    warnings: Sequence[str] = ()

    def __repr__(self) -> str:
        return f"<PhraseSystems: {brief_names([scores.name for scores in self.systems])}>"

    def listing(self) -> Listing:
        """One system: a row for each metric. Several: a row for each system, a column for each metric."""
        if len(self.systems) == 1:
            return self.systems[0].listing()
        metrics = list(self.metrics or (m for m in OF_PREDICTIONS if any(m in scores for scores in self.systems)))
        is_mixed = self.metrics is None and any(scores.thresholds is not None for scores in self.systems)
        if is_mixed:
            metrics += [m for m in OVERVIEW if all(scores[m].value != math.inf for scores in self.systems)]
        rows = [[one_line(scores.name), *(scores.cells(metric)["value"] for metric in metrics)] for scores in self.systems]
        notes = [note for scores in self.systems for note in scores.notes(OVERVIEW if is_mixed else metrics)]
        signatures = dict.fromkeys(scores.signature for scores in self.systems)
        first = self.systems[0]
        columns = [Column("system"), *(score_column(metric, first[metric], METRICS[metric].unit) for metric in metrics)]
        title = against([scores.name for scores in self.systems], first.key)
        return Listing(columns, rows, notes=[*notes, *signatures], title=title)

    def listings(self, by: Sequence[str] = (), *, reliability: bool = False) -> Sequence[Listing]:
        """The table of the metrics, then the tables of types and thresholds and the breakdowns of each system.

        Parameters
        ----------
        by
            The error breakdowns: "category", "length", "coverage", "sentence".
        reliability
            Whether reliability tables are shown.
        """
        if len(self.systems) == 1:
            return self.systems[0].listings(by, reliability=reliability)
        details: list[Listing] = []
        for scores in self.systems:
            name = one_line(scores.name)
            details += [*scores.type_listings(name), *scores.threshold_listings(name)]
            details += scores.detail_listings(by, reliability=reliability, system=name)
        return [self.listing(), *details]

    def records(self, by: Sequence[str] = (), *, reliability: bool = False) -> Listing:
        """The table for programs: the rows of all systems."""
        records = [scores.records(by, reliability=reliability) for scores in self.systems]
        return Listing(records[0].columns, [row for each in records for row in each.rows])

    def to_dict(self, by: Sequence[str] = (), *, reliability: bool = False) -> dict[str, object]:
        """The content of the JSON report."""
        systems = [scores.system(by, reliability=reliability) for scores in self.systems]
        return headed(key=self.systems[0].key, systems=systems, warnings=list(self.warnings))


DEFAULT = Resampling(unit="sentence")


def intervals(rows: CandidateSums, quantities: Sequence[str], resampling: Resampling = DEFAULT) -> dict[str, Interval]:
    """Compute the interval of each quantity over resamples of the sentences.

    Parameters
    ----------
    rows
        Sums of shape (sentences,).
    quantities
        Names of properties of `CandidateSums`.
    resampling
        How intervals are made. The same seed resamples the same sentences for every response to a key.

    Returns
    -------
    dict
        Name to interval; nan if there are fewer than two sentences.
    """
    columns = {**rows.columns, "sentences": np.ones(len(rows["candidates"]))}

    def counts(quantity: str) -> Counts:
        def finish(sums: Columns, _zero_division: float, _beta: float) -> ScoreColumns:
            return ScoreColumns(np.asarray(getattr(CandidateSums(sums, sums["sentences"]), quantity)))

        return Counts(columns, finish)

    by_name = resampled({name: counts(name) for name in quantities}, resampling)
    return {name: sides.get("value", Interval(np.nan, np.nan)) for name, sides in by_name.items()}


def _exported_row(group: str, numbers: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """A group of an error breakdown: a number, or the sides of a metric."""
    by_metric = {metric: exported(sides) for metric, sides in numbers.items()}
    return {"group": group, **{m: sides if "recall" in sides else sides["value"] for m, sides in by_metric.items()}}


def exported(sides: Mapping[str, object]) -> dict[str, object]:
    """The numbers of a metric in the JSON report."""
    numbers = {side: jsonable(number) for side, number in sides.items()}
    return {**numbers, "f1": numbers["value"]} if {"recall", "value"} <= numbers.keys() else numbers


RECORD = ("system", "by", "group", "metric", "recall", "precision", "f1", "value", "unit", "signature")


def jsonable(value: object) -> object:
    """A number as JSON can hold it: None where undefined, "inf" where infinite."""
    number = plain(value.item() if hasattr(value, "item") else value)
    return "inf" if number == math.inf else number
