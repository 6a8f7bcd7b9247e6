"""Pairs with probabilities, scored at several thresholds: `thresholds`, and the `Thresholds` that it returns.

At a threshold, the pairs with at least this probability are matches, and the entities are their connected components. `pairs`
scores the pairs as they are decided, the other metrics the entities. Thresholds go down, so that components only grow, and each
pair is linked once. The best threshold is that of all values that occur: see `referee.scoring.sweep`.
"""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from referee.algorithms.arrays import Floats, Ints, tally
from referee.algorithms.components import joined
from referee.basics import progress
from referee.basics.exceptions import MismatchError, OptionError, brief, check_name, counted, one_line, shortened, warn
from referee.basics.names import check_call
from referee.basics.options import choices
from referee.basics.options.reading import ReadOptions
from referee.basics.options.types import ReadingOptions
from referee.basics.version import VERSION
from referee.corpus.layers import is_left
from referee.inputs.kinds import Input, called
from referee.inputs.labels import LabelTable
from referee.inputs.load import corpus_of, load_both
from referee.matching.items import warn_of_alone
from referee.matching.key_samples import warn_of_sample, warn_of_weights
from referee.matching.repeated_mentions import resolve_repeated_mentions
from referee.metrics.common_records import nothing_in_common
from referee.metrics.metric import Metric
from referee.metrics.pairs import FINISH, UNKNOWN, Decisions, ListedPairs, PairedRecords, about_decisions, decided_by, universe
from referee.metrics.registry import METRICS, PAIRS, metrics_named
from referee.metrics.table import Table
from referee.metrics.titles import named, title_of, title_of_f
from referee.reports.figures import Drawing, drawn, figure, label, legend_below, line, save
from referee.reports.listing import Cell, Column, Listing, Title, against
from referee.reports.numbers import number as formatted_number
from referee.reports.result import Result
from referee.scoring.evaluation import MATCHES_ONLY
from referee.scoring.limits import read_limits
from referee.scoring.sweep import KeyOfRecords, sweep
from referee.stats.counts import Columns, Counts, Score, ScoreColumns, concatenate
from referee.tables.paired import with_key
from referee.tabular.pairs import PairTable, different

if TYPE_CHECKING:
    from typing_extensions import Unpack

ROWS = 11
"""Thresholds in a table, besides the best, where nobody asks for others: as many pairs lie between each two of them."""

MOST_VALUES, MOST_RECORDS = 500, 20_000
"""Different probabilities, and records, up to which programs get a row for each threshold that makes a difference."""

MOST_SIDED = 3
"""Metrics up to which people see recall and precision of all of them."""

POINTS = 1000
"""Points of a curve in a plot, about."""

USUAL = choices.ESTIMATED

LEADING = PAIRS[0]

BEST = "*"
"""The sign of the best score of a metric."""


@dataclass(frozen=True, eq=False, repr=False)
class Thresholds(Result):
    """The scores of pairs at several thresholds, the smallest first.

    Parameters
    ----------
    key, name : str
        Where key and pairs came from.
    thresholds : tuple of float
    pairs, entities : tuple of int
        The number of pairs with at least this probability, and of entities that they make.
    scores : mapping
        A metric -> the score at each threshold.
    units : mapping
        The same -> the unit of the value.
    signature : str
        How the scores were made.
    threshold : float
        The best threshold by `best_by`, or the lowest one with the precision that was asked for; nan if there is none.
    best_by : str
        The metric that decides.
    in_table : tuple of float
        The thresholds that people see.
    notes : tuple of str
        What is said of the best threshold.
    every : bool
        Whether the best threshold of a metric is that of all values that occur.
    command : str
        Writes the entities of pairs in a file, if a threshold is added.
    curves : mapping
        A metric -> its thresholds and their scores, at most some thousand, for plots.
    """

    key: str
    name: str
    thresholds: tuple[float, ...]
    pairs: tuple[int, ...]
    entities: tuple[int, ...]
    scores: Mapping[str, tuple[Score, ...]]
    units: Mapping[str, str]
    signature: str
    threshold: float
    best_by: str
    in_table: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    every: Mapping[str, bool] = field(default_factory=dict)
    command: str = ""
    curves: Mapping[str, tuple[Floats, ScoreColumns]] = field(default_factory=dict)

    def __repr__(self) -> str:
        number = counted(len(self.thresholds), "threshold")
        return f"<Thresholds of {brief(self.name)}: {self.best(self.best_by):g} is best by {self.best_by}, of {number}>"

    def best(self, metric: str) -> float:
        """The threshold with the best F, or value; the highest of several; nan if none is defined.

        The best value of a distance is the lowest.
        """
        sign = -1 if metric in METRICS and METRICS[metric].target is not None else 1
        values = [(sign * score.value, t) for score, t in zip(self.scores[metric], self.thresholds, strict=True)]
        return max((both for both in values if not math.isnan(both[0])), default=(math.nan, math.nan))[1]

    @property
    def lead(self) -> str:
        """The first line of a report: the best score of each metric, and its threshold."""
        titles = {str(self._f(name)) for name in self.scores}  # one and the same F, if all metrics have one
        alike = len(titles) == 1 and titles != {""}
        among = "" if all(self.every.get(name) for name in self.scores) else f" of {counted(len(self.thresholds), 'threshold')}"
        bests = "; ".join(self._format_best(name, "" if alike else f" {self._f(name)}".rstrip()) for name in self.scores)
        return f"best{f' {titles.pop()}' if alike else ''}{among}: {bests.replace(' at ', ' at threshold ', 1)}"

    def _f(self, name: str) -> str | Title:
        score = self.scores[name][0]
        return "" if score.recall is None else title_of_f(score.beta or 1)

    def _format_best(self, name: str, f: str) -> str:
        threshold, unit = self.best(name), self.units[name]
        if math.isnan(threshold):
            return f"{title_of(name)} undefined"
        value = formatted_number(self.scores[name][self.thresholds.index(threshold)].value, unit)
        return f"{title_of(name)}{f} {value}{f' {unit}'.rstrip()} at {threshold}"

    def listing(self) -> Listing:
        """Return a row for each threshold that people see, with the best score of each metric marked."""
        rows = [n for n, t in enumerate(self.thresholds) if t in self.in_table]
        legend = [f"{BEST} best of its metric; of equal ones, that of the highest threshold"]
        if len(rows) < len(self.thresholds):
            legend.append(f"of {len(self.thresholds)} thresholds, a few and the best ones (all: --report csv)")
        legend.append("pairs: as they were decided, one by one; other metrics: the entities that they make")
        first = next((name for name in self.scores if name not in PAIRS), LEADING)
        sided = {*self.scores} if len(self.scores) <= MOST_SIDED else {LEADING, first}
        if len(sided) < len(self.scores):
            legend.append("recall and precision of all metrics: --report csv")
        notes = [*self.notes, self.signature]
        if self.command and not math.isnan(self.threshold):
            why = f"best by {title_of(self.best_by)}" if self.threshold == self.best(self.best_by) else "asked for"
            notes += [f"writes the entities at the threshold that is {why}:", f"{self.command} --threshold {self.threshold}"]
        table = self._table(rows, sided)
        return table._replace(notes=notes, legend=legend, caption=self.lead, title=against([self.name], self.key))

    def records(self) -> Listing:
        """Return the same for all thresholds."""
        facts = {"key": one_line(self.key), "pairs": one_line(self.name), "signature": self.signature}
        facts |= {"best_by": self.best_by, "threshold": str(self.threshold)}
        notes = [*self.notes, self.signature]
        return self._table(range(len(self.thresholds)), self.scores)._replace(notes=notes, facts=facts)

    def _table(self, rows: Sequence[int], sided: Container[str]) -> Listing:
        columns = [Column("threshold", "label"), Column("pairs", "count", field="number"), Column("entities", "count")]
        cells: list[list[object]] = [[self.thresholds[n], self.pairs[n], self.entities[n]] for n in rows]
        for name, scores in self.scores.items():
            group, unit, best, f = title_of(name), self.units[name], self.best(name), self._f(name)
            sides = scores[0].recall is not None and name in sided
            titles = ("recall", "precision", f) if sides else (f or "value",)
            columns += [Column(title, "score", unit, group, field=f"{name} {title}") for title in titles]
            for row, n in zip(cells, rows, strict=True):
                score, is_best = scores[n], self.thresholds[n] == best
                shown = Cell(score.value, mark=BEST * is_best, best=is_best)
                row.extend([score.recall, score.precision, shown] if sides else [shown])
        return Listing(columns, cells)

    def plot(self, path: str | None = None) -> Drawing:
        """Plot precision over recall, and F over thresholds, to a .svg, .png or .pdf file; returns the figure of matplotlib.

        Probabilities have an axis of log odds, which opens the parts near 0 and 1.

        Raises
        ------
        OptionError, MissingExtraError
            For an ending that cannot be plotted, or without matplotlib.
        """
        with drawn(path):
            drawing = figure(11, 5)
            curve, height = drawing.subplots(1, 2)
            probable = all(0 <= t <= 1 for t in self.thresholds)
            for n, (name, rows) in enumerate(self.scores.items()):
                at, columns = self.curves.get(name) or (np.array(self.thresholds), _columns(rows))
                best = self.best(name)
                title = label(named(name, rows[0].beta)) + ("" if math.isnan(best) else f": best at {best:g}")
                how: dict[str, object] = {**line(n), "clip_on": False, "markersize": 0}
                large = how | {"markersize": 11, "zorder": 3, "markerfacecolor": "white"}
                score = None if math.isnan(best) else rows[self.thresholds.index(best)]
                panels: list[tuple[Drawing, object, object, float, float]] = []
                if rows[0].recall is not None:
                    top = (math.nan, math.nan) if score is None else (score.recall or 0.0, score.precision or 0.0)
                    panels.append((curve, columns.recall, columns.precision, *top))
                if not self.units[name]:
                    opened = np.clip(at, EDGE, 1 - EDGE) if probable else at
                    x = float(np.clip(best, EDGE, 1 - EDGE)) if probable else best
                    panels.append((height, opened, columns.value, x, math.nan if score is None else score.value))
                for axis, x_values, y_values, x, y in panels:
                    axis.plot(x_values, y_values, **how, label=title)
                    axis.plot([x], [y], **large)
            curve.set(xlabel="recall", ylabel="precision", xlim=(0, 1.02), ylim=(0, 1.02), box_aspect=1)
            height.set(xlabel="threshold", ylabel="F1, or value", ylim=(0, 1.02))
            if probable:
                height.set_xscale("logit")
            legend_below(height, title="marked: the best threshold")
            save(drawing, path)
        return drawing


def _columns(scores: Sequence[Score]) -> ScoreColumns:
    """The same as columns."""
    value, recall, precision = (
        np.array([getattr(score, side) for score in scores], dtype=np.float64) for side in choices.SIDES
    )
    return ScoreColumns(value, *((recall, precision) if scores[0].recall is not None else ()))


EDGE = 1e-6
"""Where an axis of log odds ends, which has no place for 0 and 1."""


@check_call(ReadingOptions, other="referee.score(key, response) takes entities")
def thresholds(
    key: object,
    pairs: object,
    *,
    thresholds: Sequence[float] | None = None,
    metrics: str | Sequence[str] = USUAL,
    best: str | None = None,
    min_precision: float | str | None = None,
    key_format: str | None = None,
    pairs_format: str | None = None,
    zero_division: float = math.nan,
    beta: float = 1.0,
    **reading: Unpack[ReadingOptions],
) -> Thresholds:
    r"""Score pairs with probabilities against a key, at several thresholds.

    Parameters
    ----------
    key : path, Corpus or plain value
        As `score` accepts it: items and their entities, or pairs with labels.
    pairs : path, data frame or whatever has an Arrow stream
        A table with both ends of each pair and its probability, or another number that is higher for pairs that are more
        probable: a file (see `referee formats pairs`), or a table in memory.
    thresholds : sequence of float or None
        None for the best of all values that occur, with some rows between.
    metrics : str or sequence of str
        Metrics of entities, and of pairs; `pairs` is always among them.
    best : str or None
        The metric by which a threshold is recommended; None for the one that leads: `pairs` where the key lists pairs with both
        decisions, or the first of entities.
    min_precision : float, str or None
        In percent: the lowest threshold such that the precision of `best` is at least this high at it and above.
    key_format, pairs_format : str or None
        One of `FORMATS`; None to detect it.
    zero_division, beta : float
        As in `Options`.
    **reading
        How tables are read: fields of `ReadOptions`.

    Raises
    ------
    FormatError
        If a file cannot be read, or has no column of probabilities.
    OptionError, UnknownNameError
        If a threshold is none, or a metric needs more than items.
    MismatchError
        If the key has spans, or several documents.

    Examples
    --------
    >>> pairs = {"unique_id_l": ["a", "b"], "unique_id_r": ["b", "c"], "match_probability": [0.9, 0.6]}
    >>> found = thresholds([{"a", "b"}, {"c"}], pairs)
    >>> [score.precision for score in found.scores["links"]], found.best("links"), found.threshold
    ([0.3333333333333333, 1.0], 0.9, 0.9)
    """
    records = metrics_named(metrics)
    if wrong := next((m for m in records.values() if not m.of_entities and m.id not in PAIRS), None):
        raise OptionError(f"{wrong.id} looks at more than items and entities; expected another metric")
    named = _named_limits(thresholds)
    sides = ReadOptions.of_sides(key_format, pairs_format, **reading)
    k, pair_table = load_both(key, pairs, sides, probable=True)
    if not isinstance(pair_table, PairTable):
        raise OptionError(f"found {called(pair_table)}; expected pairs with probabilities: a file, or a data frame")
    pair_table.check_probable()
    if isinstance(k, PairTable):
        warn_of_weights(k.name, k.origin)
    if pair_table.decision == "probability" and named is not None and not all(0 <= limit <= 1 for limit in named):
        raise OptionError(f"thresholds of probabilities are numbers from 0 to 1; found {shortened(repr(thresholds))}")
    documents = 1 if pair_table.documents is None else len(set(cast("Sequence[str]", pair_table.texts().documents)))
    if documents > 1:
        raise MismatchError(f"{pair_table.name} has {counted(documents, 'document')}; expected pairs of a single one")
    progress.step("looking up the records of the key")
    of_key = _key(k, pair_table)
    if not isinstance(of_key.decisions, ListedPairs):
        listed = np.zeros(len(of_key.entity), dtype=bool)
        listed[of_key.pairs.first] = listed[of_key.pairs.second] = True
        warn_of_sample(of_key.name, pair_table.name, int((of_key.entity[listed] >= 0).sum()), int(listed.sum()))
    records = _with_pairs(records, of_key.decisions)
    name = next(iter(records)) if best is None else best
    check_name("metric", name, records)
    limit = {} if min_precision is None else {f"{name}.precision": min_precision}
    wanted = next((limit.percent for limit in read_limits(limit, {}, "min_precision")), None)
    ranked = _ranked(of_key.pairs)
    values = _values(ranked.probability, named)
    curves = {m: counts.score(zero_division, beta) for m, counts in _curves(of_key, ranked, values.last, records).items()}
    marked = {m: place for m, columns in curves.items() if (place := _highest(columns.value)) is not None}
    lowest = None
    if wanted is not None:
        if name not in curves or curves[name].precision is None:
            raise OptionError(f"a precision of {name} is not known at each threshold; expected --best pairs or links")
        lowest = _lowest(cast("Floats", curves[name].precision), wanted)
    few = len(values.limit) <= MOST_VALUES and len(of_key.entity) <= MOST_RECORDS
    in_table = {*_spread(values.last), *marked.values(), *([] if lowest is None else [lowest])}
    in_table = {*range(len(values.limit))} if named is not None else in_table
    places = sorted({*range(len(values.limit))} if few else in_table, reverse=True)
    limits = dict(zip(places, _short(values, places, named), strict=True))
    counts, entities = _counted(of_key, ranked, values.last[places], records)
    scores = {m: tuple(c.score(zero_division, beta)[0] for c in rows) for m, rows in counts.items()}
    units = {m: rows[0].unit for m, rows in counts.items()}
    how = f"zero-division:{zero_division:g}" + ("" if beta == 1 else f" | beta:{beta:g}")
    how += "".join(f" | {option}:{value}" for option, value in sides[0].signature_fields.items())
    signature = f"referee {VERSION} | {'+'.join(scores)} | {how} | thresholds:{len(values.limit)}"
    result = Thresholds(
        of_key.name,
        pair_table.name,
        tuple(limits.values()),
        tuple(values.last[places].tolist()),
        tuple(entities),
        scores,
        units,
        signature,
        math.nan,
        name,
        in_table=tuple(limits[place] for place in sorted(in_table)),
        every=dict.fromkeys(records if few else curves, named is None),
        command=_command(os.fspath(pairs), sides[1]) if isinstance(pairs, (str, os.PathLike)) else "",
        curves=_thinned(values.limit, curves, marked),
    )
    threshold = result.best(name) if wanted is None else math.nan if lowest is None else limits[lowest]
    notes = _notes(result, threshold, values, named, wanted, concatenate(counts[LEADING]))
    return replace(result, threshold=threshold, notes=tuple(notes))


def _named_limits(thresholds: Sequence[float] | None) -> list[float] | None:
    """The thresholds that were asked for."""
    if thresholds is None:
        return None
    numbers = thresholds if isinstance(thresholds, Iterable) and not isinstance(thresholds, str) else ()
    limits = sorted({*numbers}, reverse=True)
    if not limits or not all(isinstance(limit, (int, float, np.number)) and math.isfinite(limit) for limit in limits):
        raise OptionError(f"thresholds are a list of numbers; found {shortened(repr(thresholds))}")
    return limits


class _RankedPairs(NamedTuple):
    """The records of each different pair, by their places, and its probability; the most probable pairs first."""

    first: Ints
    second: Ints
    probability: Floats


class _SweptValues(NamedTuple):
    """The thresholds, from the highest on, and how many pairs are matches at each."""

    limit: Floats
    last: Ints


class _ThresholdKey(NamedTuple):
    """What is known of the records of both sides.

    name      : what the key is called
    pairs     : the pairs, with all records of the key
    entity    : the key entity of each record, -1 for none
    size      : the sizes of the entities
    decisions : what the key says of pairs
    records   : the records, for the number of their pairs
    """

    name: str
    pairs: PairTable
    entity: Ints
    size: Ints
    decisions: Decisions
    records: PairedRecords


def _key(key: Input, pairs: PairTable) -> _ThresholdKey:
    """Look up the records of both sides."""
    if isinstance(key, LabelTable) and (paired := with_key(key, pairs)) is not None:
        records = PairedRecords(np.zeros(len(paired.entity), dtype=np.int64), 1, paired.left)
        return _ThresholdKey(key.name, paired.pairs, paired.entity, paired.key_size, paired.entity, records)
    corpus = corpus_of(key)
    if corpus.items is None or len(corpus.doc_ids) > 1:
        content = "spans" if corpus.items is None else counted(len(corpus.doc_ids), "document")
        raise MismatchError(f"{corpus.source} has {content}; expected items of a single document")
    listed, frame = corpus.decided_pairs, corpus.pair_frame
    corpus, _ = resolve_repeated_mentions(corpus, corpus, "first")
    pairs, items = pairs.texts(), list(corpus.items or ())
    number = {name: n for n, name in enumerate(cast("Sequence[str]", pairs.names))}
    lone = [item for item in items if item not in number]
    named = len(number)
    if len(lone) == len(items) > 0 < named:
        nothing_in_common(corpus.source, pairs.name, items[:5], list(number)[:5], named)
    elif lone:
        warn_of_alone(len(lone), len(items), corpus.source, pairs.name, lone[0])
    number |= {item: n for n, item in enumerate(lone, start=named)}
    of_item = np.array([number[item] for item in items], dtype=np.int64)
    entity = np.full(len(number), -1, dtype=np.int64)
    entity[of_item] = corpus.entity
    size = tally(corpus.entity, minlength=len(corpus.entity_ids))
    left = np.array(is_left(list(number)), dtype=bool) if pairs.two or (frame is not None and frame.two) else None
    records = PairedRecords(np.zeros(len(number), dtype=np.int64), 1, left)
    decisions: Decisions = entity
    if listed is not None and frame is not None:
        a, b = of_item[listed.first], of_item[listed.second]
        decisions = ListedPairs(np.minimum(a, b), np.maximum(a, b), listed.linked, frame.matches_only)
        if frame.matches_only and items:
            warn(f"{corpus.source} {MATCHES_ONLY}")
            others = np.flatnonzero(entity < 0)
            if len(others) and len(lone) < len(items):
                warn_of_alone(len(others), named, pairs.name, corpus.source, list(number)[int(others[0])])
                entity[others] = len(size) + np.arange(len(others))
                size = np.concatenate([size, np.ones(len(others), dtype=np.int64)])
    return _ThresholdKey(corpus.source, pairs._replace(names=list(number)), entity, size, decisions, records)


def _with_pairs(metrics: Mapping[str, Metric], decisions: Decisions) -> dict[str, Metric]:
    """The metrics, with `pairs`: first if the key lists decisions of both kinds, or pairs alone; else behind the others."""
    of_pairs = {LEADING: METRICS[LEADING]} | {name: metric for name, metric in metrics.items() if metric.id in PAIRS}
    of_entities = {name: metric for name, metric in metrics.items() if name not in of_pairs}
    return {**of_pairs, **of_entities} if isinstance(decisions, ListedPairs) else {**of_entities, **of_pairs}


def _ranked(pairs: PairTable) -> _RankedPairs:
    each = different(pairs)
    order = np.argsort(-each.highest, kind="stable")
    return _RankedPairs(each.first[order], each.second[order], each.highest[order])


def _values(probability: Floats, named: Sequence[float] | None) -> _SweptValues:
    """The thresholds that were asked for, or all values that occur."""
    if named is not None:
        limits = np.array(named, dtype=np.float64)
    else:
        limits = probability[np.flatnonzero(np.diff(probability, prepend=np.inf))]
    if not len(limits):
        limits = np.array([1.0])
    return _SweptValues(limits, np.searchsorted(-probability, -limits, side="right"))


def _curves(key: _ThresholdKey, ranked: _RankedPairs, last: Ints, metrics: Mapping[str, Metric]) -> dict[str, Counts]:
    """The counts of those metrics that are known at every threshold."""
    curves: dict[str, Counts] = {}
    decided = _decided(key, ranked, last)
    swept = None
    for name, metric in metrics.items():
        if metric.id in PAIRS:
            curves[name] = Counts(decided, FINISH[metric.id])
        elif metric.id in SWEPT:
            swept = swept or sweep(KeyOfRecords(key.entity, key.size), ranked.first, ranked.second, last)
            curves[name] = swept[metric.id]
    return curves


SWEPT = frozenset({"links", "b_cubed", "exact"})
"""The metrics of entities that are known at every threshold."""


def _decided(key: _ThresholdKey, ranked: _RankedPairs, last: Ints) -> Columns:
    """The counts of pairs as decided, at each threshold."""
    decision = decided_by(key.decisions, ranked.first, ranked.second)
    matches, others = universe(key.decisions, key.records, are_all=not isinstance(key.decisions, ListedPairs))
    tp, fp, unlabelled = (
        np.concatenate([[0], np.cumsum(decision == value)])[last].astype(np.int64) for value in (1, 0, UNKNOWN)
    )
    return {"tp": tp, "fp": fp, "fn": matches - tp, "tn": others - fp, "unlabelled": unlabelled}


def _highest(values: Floats) -> int | None:
    """The place of the best value, the first of several; None if none is defined."""
    return None if np.isnan(values).all() else int(np.nanargmax(values))


def _lowest(precision: Floats, percent: float) -> int | None:
    """The last place up to which each precision is at least so high; None if there is none."""
    low = np.flatnonzero(precision * 100 < percent - 1e-9)
    before = precision[: low[0] if len(low) else len(precision)]
    defined = np.flatnonzero(~np.isnan(before))
    return int(defined[-1]) if len(defined) else None


def _spread(last: Ints) -> list[int]:
    """The places of some thresholds between which there are as many pairs, both ends included."""
    wanted = np.linspace(last[0], last[-1], ROWS)
    return sorted({*np.searchsorted(last, wanted, side="left").tolist()})


def _short(values: _SweptValues, places: Sequence[int], named: Sequence[float] | None) -> list[float]:
    """Numbers of few digits that are above the value before and not above their own: as thresholds they do the same.

    >>> _short(_SweptValues(np.array([0.9, 0.5924, 0.592, 0.111]), np.arange(4)), [3, 2, 1, 0], None)
    [0.1, 0.5, 0.5924, 0.9]
    """
    if named is not None:
        return [named[place] for place in places]
    numbers: list[float] = []
    for place in places:
        value = float(values.limit[place])
        before = float(values.limit[place + 1]) if place + 1 < len(values.limit) else value - 1
        digits = (math.floor(value * 10**n) / 10**n for n in range(1, 18))
        numbers.append(next((number for number in digits if before < number <= value), value))
    return numbers


def _thinned(
    limits: Floats, curves: Mapping[str, ScoreColumns], marked: Mapping[str, int]
) -> dict[str, tuple[Floats, ScoreColumns]]:
    """The curves, at some of the thresholds, the best ones included."""
    some = np.unique([*np.linspace(0, len(limits) - 1, POINTS).astype(int).tolist(), *marked.values()])

    def at(columns: ScoreColumns) -> ScoreColumns:
        recall, precision = (None if side is None else side[some] for side in (columns.recall, columns.precision))
        return ScoreColumns(columns.value[some], recall, precision)

    return {name: (limits[some], at(columns)) for name, columns in curves.items()}


def _notes(
    result: Thresholds,
    threshold: float,
    values: _SweptValues,
    named: Sequence[float] | None,
    percent: float | None,
    decided: Counts,
) -> list[str]:
    """What is said of the threshold that is recommended: that it has the precision that was asked for, or is at an edge."""
    name, notes = result.best_by, list[str]()
    if percent is not None and math.isnan(threshold):
        notes.append(f"no threshold has a precision of {name} of at least {percent:g} at it and above")
    elif percent is not None:
        score = result.scores[name][result.thresholds.index(threshold)]
        recall, precision = formatted_number(score.recall), formatted_number(score.precision)
        lowest = f"the lowest threshold such that the precision of {name} is at least {percent:g} at it and above"
        notes.append(f"{threshold} is {lowest}: recall {recall}, precision {precision}")
    elif named is not None and len(named) > 1 and threshold in (named[0], named[-1]):
        beyond = "above" if threshold == named[0] else "below"
        notes.append(f"the best is at the edge of what was asked for: a threshold {beyond} {threshold} may be better")
    elif named is None and len(values.limit) > 1 and threshold <= values.limit[-1]:
        notes.append("the best takes all pairs of the file: others, which it lacks, may be matches, too")
    if not math.isnan(threshold):
        notes += about_decisions(
            decided.rows(int(np.flatnonzero(np.array(result.thresholds) == threshold)[0])), f"pairs at {threshold}"
        )
    return notes


def _command(pairs: str, options: ReadOptions) -> str:
    """The command that writes entities of these pairs, without its threshold."""
    columns = ",".join(f"{role}={name}" for role, name in options.columns.items())
    nulls = None if options.nulls == "error" else options.nulls
    values = {"--from": options.format, "--columns": columns, "--tables": options.tables, "--nulls": nulls}
    arguments = [part for option, value in values.items() if value for part in (option, value)]
    numbered = (f"clusters-{number}.csv" for number in count(2))
    new = next(name for name in chain(["clusters.csv"], numbered) if not os.path.exists(name))  # convert replaces a file
    return shlex.join(["referee", "convert", pairs, new, *arguments])


def _counted(
    key: _ThresholdKey, ranked: _RankedPairs, last: Ints, metrics: Mapping[str, Metric]
) -> tuple[dict[str, list[Counts]], list[int]]:
    """The counts of each metric, and the number of entities, where so many pairs are matches; the fewest come last."""
    record = np.flatnonzero(key.entity >= 0)
    decided = _decided(key, ranked, last)
    counts: dict[str, list[Counts]] = {name: [] for name in metrics}
    of_entities = {name: metric for name, metric in metrics.items() if metric.id not in PAIRS}
    label, done, entities = np.arange(len(key.entity)), 0, list[int]()
    for number, after in enumerate(last[::-1].tolist()):
        progress.step("scoring thresholds", number, len(last))
        label = joined(label, ranked.first[done:after], ranked.second[done:after])
        done = after
        roots, response = np.unique(label, return_inverse=True)
        size = tally(response, minlength=len(roots))
        in_document = np.zeros_like(key.size), np.zeros_like(size)
        table = Table.of(key.entity[record], response[record], key.size, size, *in_document, 1)
        for name, metric in of_entities.items():
            counts[name].append(metric.count(table))
        entities.append(len(table.response_size))
    for name, metric in metrics.items():
        if metric.id in PAIRS:
            rows = Counts(decided, FINISH[metric.id])
            counts[name] = [rows.rows(n) for n in range(len(last))]
        else:
            counts[name].reverse()
    return counts, entities[::-1]
