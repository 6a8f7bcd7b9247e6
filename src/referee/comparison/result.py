"""`Comparison`: what `compare` returns, its tables, and what programs get of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from referee.basics.exceptions import OptionError, brief, check_name, counted, listed, one_line, shortened
from referee.basics.options import choices
from referee.comparison.dataset_tables import crac_table, datasets_table
from referee.comparison.difference_lines import difference_lines
from referee.comparison.pairs import Pairs
from referee.comparison.plots import PlottedScores, plot
from referee.comparison.values import BETTER, WORSE, ComparisonCell, Part, Worse
from referee.comparison.verdict import verdict_on
from referee.metrics.best import in_order
from referee.metrics.registry import id_of, main_metric, metric_named
from referee.metrics.scores import Scores
from referee.metrics.titles import PARTS, SYSTEM, explained, score_column
from referee.reports import listing as model
from referee.reports.figures import Drawing
from referee.reports.listing import Column, Listing, Title, against, headed, plain
from referee.reports.numbers import number
from referee.reports.result import Result
from referee.reports.verdict import Verdict
from referee.scoring.by import OVER_ALL, label_of
from referee.scoring.paper_table import Line, SideScores, metrics_of, paper_table, signed
from referee.scoring.signature import joined
from referee.scoring.systems import defined, only
from referee.stats.counts import SIDES
from referee.stats.settings import Resampling, format_unit

RECORD = (
    *("group", "documents", "system", "metric", "unit", "recall", "precision", "value", "low", "high", "undefined_resamples"),
    *("baseline", "difference", "difference_low", "difference_high", "p_randomization", "exact", "p_bootstrap", "p"),
    *("significant", "signature"),
)
"""The columns for programs."""

COMPARISON_TABLES = choices.COMPARISON_TABLES

STYLES = choices.STYLES
"""How a table shows an interval: ± half its width, its ends, or not at all."""


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Systems scored against one key, or several, with intervals, and tested against a baseline.

    Attributes
    ----------
    key : str
        Where the key, or the keys, came from.
    systems : tuple of str
        Their names, in the order given.
    metrics : tuple of str
        What was computed.
    units : mapping
        Metric -> its unit, "" for fractions of 1.
    baseline : str
        The system that the others are tested against.
    parts : tuple of Part
        The groups, if any; all documents; the mean over the groups.
    resampling : Resampling
        How intervals and tests were made.
    notes : tuple of str
        What should be known of them: where no interval can be given, what was left out.
    evaluations : mapping
        Corpus -> system -> its `Evaluation`, or `StoredScores`: what was compared; the corpus is "" if there is one.
    pairs : mapping
        If all pairs were tested: system -> its parts, with the systems after it, which are tested against it.
    over : str
        What the parts before the last two are: "group", "file", "folder", "document" or "corpus".
    """

    key: str
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    units: Mapping[str, str]
    baseline: str
    parts: tuple[Part, ...]
    resampling: Resampling
    notes: tuple[str, ...]
    evaluations: Mapping[str, Mapping[str, Scores]] = field(compare=False)
    pairs: Pairs = field(default_factory=dict)
    over: str = "group"

    def __getitem__(self, place: tuple[str, str]) -> ComparisonCell:
        """The cell of (system, metric) in the last part: all documents, or the mean over groups."""
        if not isinstance(place, tuple) or len(place) != 2:
            expected = f"comparison[{self.systems[-1]!r}, {main_metric(self.metrics)!r}]"
            raise OptionError(f"found {shortened(repr(place))}; expected a system and a metric, as in {expected}")
        system, metric = place
        check_name("system", system, self.systems)
        return self.parts[-1].cells[system][self._metric(metric)]

    def _metric(self, name: str) -> str:
        """The metric of a name. UnknownNameError if it was not compared."""
        metric = name if name in self.metrics else id_of(name)
        check_name("metric", metric, self.metrics)
        return metric

    def _ipython_key_completions_(self) -> list[tuple[str, str]]:
        return [(system, metric) for system in self.systems for metric in self.metrics]

    def __repr__(self) -> str:
        unit, over = self.resampling.unit, counted(max(part.documents for part in self.parts), "document")
        over = format_unit(unit, max(part.units for part in self.parts)) if unit == "sentence" else over
        main, cells = main_metric(self.metrics), self.parts[-1].cells
        best = next((system for system in self.systems if cells[system][main].best), self.baseline)
        score = f"{main} {number(cells[best][main].score.value, self.units[main])}"
        systems, is_best = counted(len(self.systems), "system"), " is best" * (len(self.systems) > 1)
        return f"<Comparison of {systems}: {score} of {brief(best, 24)}{is_best}, {over}>"

    def listing(self, *, style: str = "", table: str = "", sort: str = "") -> Listing:
        """Return systems by metrics, with intervals and marks.

        Parameters
        ----------
        style
            One of `STYLES`. Without a style intervals are shown as ±, but in the table of papers not at all.
        table
            A table of papers, with precision, recall and F of each metric: "prf"; or "conll", which has MUC, B³ and CEAFe, and
            their average, unless metrics were named. "datasets": systems by groups, and the mean over these, by one metric.
            "crac": the means over datasets of the CRAC shared tasks, by head, partial and exact match, with singletons, and of
            zeros. Without one there is a column a metric, with F or the value.
        sort
            A metric: the best systems stand first, over all documents or in the mean over groups.

        Raises
        ------
        UnknownNameError
            For an unknown style or table.
        OptionError
            If the table "conll" needs a metric that was not computed.
        """
        if sort:
            return self._in_order(sort).listing(style=style, table=table)
        style = style or ("plain" if table else "margin")
        check_name("style", style, STYLES)
        if table in COMPARISON_TABLES:
            listing = self._dataset_table(table, style)
            marks: list[str | Title] = [*self._lines(-1), *self._legend(style)] if table == "datasets" else []
            return listing._replace(
                notes=[*self.notes, *self.signatures],
                footnotes=self._footnotes,
                legend=[*listing.legend, *self._about_one_metric(table), *marks],
                title=against(self.systems, self.key),
                margins=style == "margin",
                truncate=self.truncates,
            )
        if table and (names := metrics_of(table, self._first)) != list(self._first):
            return self._only(names, table).listing(style=style, table=table)
        listing = self._paper_table(style) if table else self._table(style)
        return listing._replace(
            notes=[*listing.notes, *self._first.other_metrics, *self.notes, *self.signatures],
            footnotes=self._footnotes,
            legend=[*self._lines(), *listing.legend, *self._legend(style), *explained(self._first.panel)],
            title=against(self.systems, self.key),
            margins=style == "margin",
            truncate=self.truncates,
            sections=range(0, len(listing.rows), len(self.systems)),
        )

    def _dataset_table(self, table: str, style: str) -> Listing:
        if table == "crac":
            return crac_table(next(iter(self.evaluations.values())), self.over, decimals=self._first.options.decimals)
        metric = main_metric(self.metrics)

        def cell_of(cell: ComparisonCell) -> model.Cell:
            return model.Cell(cell.score.value, best=cell.best and len(self.systems) > 1)

        def shown_mean(cell: ComparisonCell) -> model.Cell:
            return cell_of(cell)._replace(mark=cell.mark, interval=None if style == "plain" else cell.interval)

        return datasets_table(self.parts, metric, self.units[metric], self.over, mean_cell=shown_mean, cell=cell_of)

    def _about_one_metric(self, table: str) -> list[str]:
        """That a table of datasets has one metric, if there are others."""
        one = main_metric(self.metrics)
        others = [metric for metric in self.metrics if metric != one] if table == "datasets" else []
        return [f"{one} alone: -m {others[0]} gives the table of another metric"] if others else []

    def _in_order(self, sort: str) -> Comparison:
        """The best systems first."""
        metric = self._metric(sort)
        places = in_order(metric, [self[system, metric].score.value for system in self.systems])
        systems = tuple(self.systems[n] for n in places)
        parts = tuple(replace(part, cells={system: part.cells[system] for system in systems}) for part in self.parts)
        return replace(self, systems=systems, parts=parts)

    def _only(self, metrics: Sequence[str], table: str) -> Comparison:
        """The same by some metrics. OptionError if one was not computed."""
        if missing := [metric for metric in metrics if metric not in self.metrics]:
            raise OptionError(f"the table {table} needs {listed(metrics)}; found no {listed(missing)}")
        evaluations = {corpus: {s: only(e, metrics) for s, e in each.items()} for corpus, each in self.evaluations.items()}
        return replace(self, metrics=tuple(metrics), units={m: self.units[m] for m in metrics}, evaluations=evaluations)

    def _table(self, style: str) -> Listing:
        """A column a metric."""
        scores, (metrics, notes) = self.parts[-1].cells[self.baseline], self._defined()
        columns = [*map(Column, self._heads), *(score_column(m, scores[m].score, self.units[m]) for m in metrics)]
        rows = [
            [*labels, *(self._cell(part, system, metric, style) for metric in metrics)] for labels, part, system in self._rows()
        ]
        return Listing(columns, rows, notes)

    def _defined(self) -> tuple[list[str], list[str]]:
        """The metrics that people see, and a note on others."""
        cells = [part.cells[system] for part in self.parts for system in self.systems]
        return defined(self._first, {m: [of_system[m].score.value for of_system in cells] for m in self.metrics})

    def _paper_table(self, style: str, *, for_people: bool = True) -> Listing:
        metrics, notes = self._defined() if for_people else (list(self.metrics), [])
        lines = [
            Line(
                labels,
                {
                    m: SideScores(*(self._cell(part, system, m, style, side) for side in ("precision", "recall", "value")))
                    for m in metrics
                },
            )
            for labels, part, system in self._rows(for_people=for_people)
        ]
        scores = self.parts[-1].cells[self.baseline]
        return paper_table(lines, {m: scores[m].score for m in metrics}, self.units, self._heads)._replace(notes=notes)

    def _cell(self, part: Part, system: str, metric: str, style: str, side: str = "value") -> model.Cell:
        """A score with its interval; the F-measure, or the value, with its mark, and whether it is the best."""
        cell = part.cells[system][metric]
        score, interval = getattr(cell.score, side), None if style == "plain" else cell.intervals.get(side)
        if side != "value":
            return model.Cell(score, interval)
        return model.Cell(score, interval, cell.mark, cell.best and len(self.systems) > 1)

    @property
    def differences(self) -> list[str]:
        """A line a system: its difference from the baseline, with interval and p, or those of all pairs.

        Programs read `ComparisonCell.difference`, or `to_rows`.
        """
        return list(map(str, self._lines()))

    def _lines(self, first: int = 0) -> Iterator[Title]:
        """The differences in the parts from this one on: from the baseline, or of all pairs."""
        for base, parts in (self.pairs or {self.baseline: self.parts}).items():
            yield from difference_lines(parts[first:], base, self.units, self.resampling, truncate=self.truncates)

    def _legend(self, style: str) -> list[str]:
        """What the signs mean."""
        alpha = f"{1 - self.resampling.level:.10g}"
        tests = f"{BETTER} better, {WORSE} worse than {one_line(self.baseline)} (p ≤ {alpha})" if len(self.systems) > 1 else ""
        if all(part.units < 2 for part in self.parts):  # there is neither an interval nor a mark
            return []
        text = "; ".join(filter(None, (self.resampling.legend(style), tests)))
        return [text] if text else []

    def plot(self, path: str | None = None, metric: str | None = None) -> Drawing:
        """Plot scores, differences and documents into a file (svg, png or pdf), as ``referee compare --plot`` does.

        It returns the figure of matplotlib, also without a file.

        In CoNLL F1 if it was computed and no other metric is named, else in the first metric. Needs ``referee[plot]``.
        """
        name = metric or main_metric(self.metrics)
        cells = {system: self[system, name] for system in self.systems}
        metric_id = name if name in self.units else metric_named(name).id
        level, truncates = self.resampling.level, self.truncates
        return plot(
            PlottedScores(cells, metric_id, self.units[metric_id], self.baseline, level, truncates, self.evaluations), path
        )

    def records(self, *, style: str = "", table: str = "", sort: str = "") -> Listing:
        """Return a row for each part, system and metric, with everything there is; or the table of papers.

        If all pairs were tested, rows of other baselines follow.
        """
        if sort:
            return self._in_order(sort).records(style=style, table=table)
        if table in COMPARISON_TABLES:
            listing = self._dataset_table(table, style or "plain")
            return signed(listing, [self.signature("macro", str(system)) for system, *_ in listing.rows])
        if table and (names := metrics_of(table, self._first)) != list(self._first):
            return self._only(names, table).records(style=style, table=table)
        if table:
            signatures = [self.signature(part.name, system) for _, part, system in self._rows()]
            return signed(self._paper_table(style or "plain", for_people=False), signatures)
        rows = []
        others = [(b, p, s) for b, parts in self.pairs.items() for p in parts for s in p.cells if self.baseline != b != s]
        for base, part, system in (*((self.baseline, part, system) for _, part, system in self._rows()), *others):
            signature = self.signature(part.name, system)
            for m, cell in part.cells[system].items():
                rows.append([part.name, part.documents, system, m, self.units[m], *_numbers(cell, base), signature])
        return Listing([Column(name, "number") for name in RECORD], rows)

    def to_dict(self, *, style: str = "", table: str = "", sort: str = "") -> dict[str, object]:
        """Return the content of the JSON report: everything there is, None for what is undefined; or the table of papers."""
        if sort:
            return self._in_order(sort).to_dict(style=style, table=table)
        if table:
            return super().to_dict(style=style, table=table)
        pairs = {"pairs": {base: list(map(_part_as_dict, parts)) for base, parts in self.pairs.items()}} if self.pairs else {}
        return headed(
            key=self.key,
            systems=list(self.systems),
            baseline=self.baseline,
            units=dict(self.units),
            resampling=asdict(self.resampling),
            parts=list(map(_part_as_dict, self.parts)),
            **pairs,
            notes=list(self.notes),
            signatures=list(self.signatures),
        )

    def verdict(self, *, worse: Sequence[Worse] = ()) -> Verdict:
        """Return what builds and boards read: the forms of `referee.reports.forms.VERDICTS`.

        Parameters
        ----------
        worse : sequence of Worse
            What is a reason to fail, as `referee.comparison.regression.worse` finds it.
        """
        part, notes, baseline = self.parts[-1], [*self.notes, *self.signatures], self.baseline
        return verdict_on(
            part, self.units, self.resampling, baseline=baseline, truncate=self.truncates, worse=worse, notes=notes
        )

    @property
    def truncates(self) -> bool:
        """Whether percentages are truncated, not rounded."""
        return self._first.options.decimals == "truncate"

    @property
    def _first(self) -> Scores:
        """The scores of the first system, which are made as all others."""
        return next(iter(next(iter(self.evaluations.values())).values()))

    @property
    def signatures(self) -> tuple[str, ...]:
        """How all numbers were made, to be cited with them."""
        return self._signed([e for by_system in self.evaluations.values() for e in by_system.values()])

    def signature(self, part: str, system: str) -> str:
        """How the numbers of one system on one part were made; several signatures where the part is of several corpora."""
        by_system = [self.evaluations[part]] if part in self.evaluations else self.evaluations.values()
        return "; ".join(self._signed([evaluations[system] for evaluations in by_system]))

    def _signed(self, evaluations: Sequence[Scores]) -> tuple[str, ...]:
        tests = "".join(f" | {field}" for field in self._tests)
        return joined(f"{e.signature} | {self.resampling.signature}{tests}" for e in evaluations)

    @property
    def _tests(self) -> list[str]:
        """What signatures say of the tests; nothing of one system."""
        test = [
            f"test:{self.resampling.test}",
            "correction:holm",
            f"baseline:{one_line(self.baseline)}",
            *["pairs:all"] * bool(self.pairs),
        ]
        return test if len(self.systems) > 1 else []

    @property
    def _footnotes(self) -> list[str]:
        """The short signatures."""
        resampled = [*self.resampling.unusual, *self._tests]
        short = (e.short_signature for by_system in self.evaluations.values() for e in by_system.values())
        return ["|".join([s, *resampled]) for s in dict.fromkeys(short)]

    def _rows(self, *, for_people: bool = True) -> Iterator[tuple[list[str], Part, str]]:
        """The labels, the part and the system of each row."""
        for part in self.parts:
            for system in self.systems:
                is_over_all = for_people and part.name in OVER_ALL
                label = label_of(part.name, self.over, len(self.parts) - 2) if is_over_all else part.name
                yield [label, system] if len(self.parts) > 1 else [system], part, system

    @property
    def _heads(self) -> list[Title]:
        """The headers of the labels."""
        return [PARTS[self.over], SYSTEM] if len(self.parts) > 1 else [SYSTEM]


def _numbers(cell: ComparisonCell, baseline: str) -> list[object]:
    """The values for the columns of `RECORD` from "recall" to "significant"; None for those that the baseline does not have."""
    score, interval, d = cell.score, cell.interval or (None, None, None), cell.difference
    tests = d and (*(d.interval or (None, None))[:2], d.randomization, d.exact, d.bootstrap, d.p, d.significant)
    return [score.recall, score.precision, score.value, *interval, baseline, d and d.value, *(tests or [None] * 7)]


def _part_as_dict(part: Part) -> dict[str, object]:
    systems = {system: {m: _as_dict(cell) for m, cell in cells.items()} for system, cells in part.cells.items()}
    return {"name": part.name, "documents": part.documents, "units": part.units, "systems": systems}


def _as_dict(cell: ComparisonCell) -> dict[str, object]:
    sides = {side: plain(value) for side in SIDES if (value := getattr(cell.score, side)) is not None}
    intervals = {side: {name: plain(v) for name, v in i._asdict().items()} for side, i in cell.intervals.items()}
    d = cell.difference
    if d is None:
        return {**sides, "intervals": intervals, "difference": None, "best": cell.best}
    difference = {name: plain(value) for name, value in d._asdict().items() if name != "interval"}
    ends = d.interval and [plain(d.interval.low), plain(d.interval.high)]
    return {**sides, "intervals": intervals, "difference": {**difference, "interval": ends}, "best": cell.best}
