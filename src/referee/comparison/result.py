"""What `compare` gives: `Comparison`, its tables and what programs get of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from referee.comparison.cells import STYLES, compared, legend, mark, numbers
from referee.comparison.values import Cell, Part
from referee.counts import Score
from referee.exceptions import check_name
from referee.messages import counted, one_line
from referee.options import Options
from referee.reports import listing as model
from referee.reports.listing import Column, Listing, Title, headed, plain
from referee.reports.paper_table import TABLES, Line, Sides, paper_table
from referee.reports.result import Result
from referee.reports.titles import GROUP, SYSTEM, title_of
from referee.scoring.evaluation import Evaluation
from referee.stats.settings import Resampling

RECORD = (
    "group", "documents", "system", "metric", "unit", "recall", "precision", "value", "low", "high", "undefined_resamples",
    "baseline", "difference", "difference_low", "difference_high", "p_randomization", "exact", "p_bootstrap", "p",
    "significant", "signature",
)  # fmt: skip
"""The columns for programs."""


@dataclass(frozen=True)
class Comparison(Result):
    """What `compare` found.

    Attributes
    ----------
    key : str
        Where the key, or the keys, came from.
    systems : tuple of str
        Their names, in the order given.
    metrics : tuple of str
        What was computed.
    shown : tuple of str
        Those of a table: the metrics that were named, or a handful of all.
    units : mapping
        Metric -> what it is measured in, "" for fractions of 1.
    baseline : str
        The system that the others are tested against.
    parts : tuple of Part
        The groups, if any; all documents; the mean over the groups.
    resampling : Resampling
        How intervals and tests were made.
    notes : tuple of str
        What should be known of them: where no interval can be given, what was left out.
    evaluations : mapping
        Corpus -> system -> `Evaluation`: what was compared; the corpus is "" if there is one.
    """

    key: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    shown: tuple[str, ...]
    units: Mapping[str, str]
    baseline: str
    parts: tuple[Part, ...]
    resampling: Resampling
    notes: tuple[str, ...]
    evaluations: Mapping[str, Mapping[str, Evaluation]] = field(compare=False)

    def __getitem__(self, place: tuple[str, str]) -> Cell:
        """The cell of (system, metric) in the last part: all documents, or the mean over groups."""
        return self.parts[-1].cells[place[0]][place[1]]

    def __repr__(self) -> str:
        documents = counted(max(part.documents for part in self.parts), "document")
        return f"<Comparison of {', '.join(self.systems)}: {counted(len(self.metrics), 'metric')}, {documents}>"

    def listing(self, *, style: str = "", table: str = "") -> Listing:
        """Systems by metrics, with intervals and marks.

        Parameters
        ----------
        style
            How intervals are shown, one of `STYLES`: ± half the interval, its ends, or not at all. Without a style it is ±, but
            in the table of papers not at all.
        table
            One of `TABLES`: "conll" is the table of coreference papers, with precision, recall and F of three metrics, and
            their average. Without one there is a column a metric, with F or the value.

        Raises
        ------
        UnknownNameError
            For an unknown style or table.
        OptionError
            If the table needs a metric that was not computed.
        """
        style = style or ("plain" if table else "margin")
        check_name("style", style, STYLES)
        shown = self._paper_table(table, style) if table else self._table(style)
        return replace(
            shown,
            notes=[*self.notes, *self.signatures],
            legend=[*shown.legend, *legend(self.resampling, self.baseline if len(self.systems) > 1 else "", style)],
            title=f"{self.key}: {', '.join(map(one_line, self.systems))}",
            margins=style == "margin",
            truncate=self.truncate,
            sections=range(0, len(shown.rows), len(self.systems)),
        )

    def _table(self, style: str) -> Listing:
        """A column a metric."""
        columns = [Column(title_of(m), "score", self.units[m]) for m in self.shown]
        rows = [
            [*self._labels(part, system), *(self._cell(part, system, m, style) for m in self.shown)]
            for part, system in self._lines()
        ]
        return Listing([*map(Column, self._heads), *columns], rows)

    def _paper_table(self, table: str, style: str) -> Listing:
        check_name("table", table, TABLES)
        metrics, average = TABLES[table]
        lines = [
            Line(
                self._labels(part, system),
                {
                    m: Sides(*(self._cell(part, system, m, style, side) for side in ("precision", "recall", "value")))
                    for m in metrics
                    if m in self.metrics
                },
                self._cell(part, system, average, style) if average in self.metrics else None,
            )
            for part, system in self._lines()
        ]
        return paper_table(lines, table, labels=self._heads, beta=self._options.beta)

    def records(self, *, table: str = "", **how: Any) -> Listing:
        """A row for each part, system and metric, with everything there is; or the table of papers."""
        if table:
            return self.listing(table=table, **how)
        rows = [
            [
                part.name, part.documents, system, m, self.units[m], *numbers(part.cells[system][m]), self.baseline,
                *compared(part.cells[system][m]), self.signature(part.name, system),
            ]
            for part, system in self._lines() for m in self.metrics
        ]  # fmt: skip
        return Listing([Column(name, "number") for name in RECORD], rows)

    def to_dict(self, *, table: str = "", **how: Any) -> dict[str, object]:
        """The content of the JSON report: everything there is, None for what is undefined; or the table of papers."""
        if table:
            return super().to_dict(table=table, **how)
        parts = [
            {
                "name": part.name,
                "documents": part.documents,
                "units": part.units,
                "systems": {
                    system: {m: _as_dict(cell) | {"best": system in part.best(m)} for m, cell in of.items()}
                    for system, of in part.cells.items()
                },
            }
            for part in self.parts
        ]
        return headed(
            key=self.key, systems=list(self.systems), baseline=self.baseline, units=dict(self.units),
            resampling=asdict(self.resampling), parts=parts, notes=list(self.notes), signatures=list(self.signatures),
        )  # fmt: skip

    @property
    def _options(self) -> Options:
        return next(iter(next(iter(self.evaluations.values())).values())).options

    @property
    def truncate(self) -> bool:
        """Whether percentages are truncated, not rounded."""
        return self._options.decimals == "truncate"

    @property
    def signatures(self) -> tuple[str, ...]:
        """How all numbers were made, to be cited with them."""
        return self._signed([e for of in self.evaluations.values() for e in of.values()])

    def signature(self, part: str, system: str) -> str:
        """How the numbers of one system on one part were made; several signatures where the part is of several corpora."""
        of = [self.evaluations[part]] if part in self.evaluations else self.evaluations.values()
        return "; ".join(self._signed([evaluations[system] for evaluations in of]))

    def _signed(self, evaluations: Sequence[Evaluation]) -> tuple[str, ...]:
        several = len(self.systems) > 1
        tests = f" | test:{self.resampling.test} | correction:holm | baseline:{one_line(self.baseline)}" if several else ""
        return tuple(dict.fromkeys(f"{e.signature} | {self.resampling.signature}{tests}" for e in evaluations))

    def _lines(self) -> Iterator[tuple[Part, str]]:
        """The part and the system of each row."""
        return ((part, system) for part in self.parts for system in self.systems)

    @property
    def _heads(self) -> list[Title]:
        """The headers of the labels."""
        return [GROUP, SYSTEM] if len(self.parts) > 1 else [SYSTEM]

    def _labels(self, part: Part, system: str) -> list[str]:
        return [part.name, system] if len(self.parts) > 1 else [system]

    def _cell(self, part: Part, system: str, metric: str, style: str, side: str = "value") -> model.Cell:
        """A score with its interval; F, or the value, with its mark, and whether it is the best."""
        cell = part.cells[system][metric]
        value, interval = getattr(cell.score, side), None if style == "plain" else cell.intervals.get(side)
        if side != "value":
            return model.Cell(value, interval)
        return model.Cell(value, interval, mark(cell), len(self.systems) > 1 and system in part.best(metric))


def _as_dict(cell: Cell) -> dict[str, object]:
    d = cell.difference
    intervals = {side: {name: plain(v) for name, v in i._asdict().items()} for side, i in cell.intervals.items()}
    difference: dict[str, object] | None = None
    if d is not None:
        difference = {name: plain(getattr(d, name)) for name in d.__slots__ if name != "interval"}
        difference["interval"] = d.interval and [plain(d.interval.low), plain(d.interval.high)]
    return {**_sides(cell.score), "intervals": intervals, "difference": difference}


def _sides(score: Score) -> dict[str, object]:
    sides = {side: getattr(score, side) for side in ("recall", "precision", "value")}
    return {side: plain(value) for side, value in sides.items() if value is not None}
