"""Pairs with probabilities, scored at several thresholds: `thresholds`, and the `Thresholds` that it returns.

At a threshold, the pairs with at least this probability are links, and the entities are their connected components. Thresholds
go down, so that components only grow, and each pair is linked once. Besides, the pairs are scored as they are given, without
the pairs that follow from them: recall is the share of the pairs of the key that were given, precision the share of those given
that are in the key.
"""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING, cast

import numpy as np

from referee.algorithms.arrays import Floats, Ints, starts_of_runs, tally
from referee.algorithms.components import joined
from referee.basics import progress
from referee.basics.exceptions import MismatchError, OptionError, brief, counted, one_line, shortened
from referee.basics.names import check_call
from referee.basics.options import choices
from referee.basics.options.reading import ReadOptions
from referee.basics.options.types import ReadingOptions
from referee.basics.version import VERSION
from referee.inputs.kinds import Input, called
from referee.inputs.labels import LabelTable
from referee.inputs.load import corpus_of, load_both
from referee.matching.items import warn_of_alone
from referee.matching.key_samples import warn_of_sample
from referee.matching.repeated_mentions import resolve_repeated_mentions
from referee.metrics.common_records import nothing_in_common
from referee.metrics.metric import Metric
from referee.metrics.registry import METRICS, metrics_named
from referee.metrics.table import Table
from referee.metrics.titles import named, title_of, title_of_f
from referee.reports.figures import Drawing, drawn, figure, label, legend_below, line, save
from referee.reports.listing import Cell, Column, Listing, Title, against
from referee.reports.numbers import number as formatted_number
from referee.reports.result import Result
from referee.stats.counts import Counts, Score, rates
from referee.tables.paired import with_key
from referee.tabular.pairs import PairTable

if TYPE_CHECKING:
    from typing_extensions import Unpack

THRESHOLDS = tuple(n / 20 for n in range(1, 20))
"""What a table shows besides the best, where nobody asks for others."""

MOST_VALUES, MOST_RECORDS = 500, 20_000
"""Different probabilities, and records, up to which each threshold that makes a difference is scored unasked: a few seconds."""

USUAL = choices.ESTIMATED

PAIRS = "pairs"
"""What the scores of the pairs as given are called."""

GIVEN_TITLE = "pairs as given"
"""What people read instead: `pairs` is their number, too."""

ABOUT_GIVEN = "of the pairs as given, without those that follow from them (recall and precision: --report csv)"

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
        A metric, or "pairs" for the pairs as given -> the score at each threshold.
    units : mapping
        The same -> the unit of the value.
    signature : str
        How the scores were made.
    every : bool
        Whether no other threshold makes other entities. People see the best of them, and those of `THRESHOLDS`.
    command : str
        Writes the entities of pairs in a file, if a threshold is added.
    """

    key: str
    name: str
    thresholds: tuple[float, ...]
    pairs: tuple[int, ...]
    entities: tuple[int, ...]
    scores: Mapping[str, tuple[Score, ...]]
    units: Mapping[str, str]
    signature: str
    every: bool = False
    command: str = ""

    def __repr__(self) -> str:
        metric = next((name for name in self.scores if name != PAIRS), PAIRS)
        number = counted(len(self.thresholds), "threshold")
        return f"<Thresholds of {brief(self.name)}: {self.best(metric):g} is best by {metric}, of {number}>"

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
        among = "" if self.every else f" of {counted(len(self.thresholds), 'threshold')}"
        bests = "; ".join(self._format_best(name, "" if alike else f" {self._f(name)}".rstrip()) for name in self.scores)
        return f"best{f' {titles.pop()}' if alike else ''}{among}: {bests.replace(' at ', ' at threshold ', 1)}"

    def _f(self, name: str) -> str | Title:
        score = self.scores[name][0]
        return "" if score.recall is None else title_of_f(score.beta or 1)

    def _format_best(self, name: str, f: str) -> str:
        threshold, unit = self.best(name), self.units[name]
        if math.isnan(threshold):
            return f"{self._title(name)} undefined"
        value = formatted_number(self.scores[name][self.thresholds.index(threshold)].value, unit)
        return f"{self._title(name)}{f} {value}{f' {unit}'.rstrip()} at {threshold}"

    @staticmethod
    def _title(name: str) -> str | Title:
        return GIVEN_TITLE if name == PAIRS else title_of(name)

    def listing(self) -> Listing:
        """Return a row for each threshold, with the best score of each metric marked; of `every` one only some of them."""
        best = {self.best(name) for name in self.scores}
        rows = [n for n, t in enumerate(self.thresholds) if not self.every or t in THRESHOLDS or t in best]
        legend = [
            f"{BEST} best of its metric; of equal ones, that of the highest threshold",
            f"{PAIRS} {self._f(PAIRS)}: {ABOUT_GIVEN}",
        ]
        if len(rows) < len(self.thresholds):
            legend.insert(1, f"of {len(self.thresholds)} thresholds, a few and the best ones (all: --report csv)")
        notes = [self.signature]
        metric = "b_cubed" if "b_cubed" in self.scores else next(iter(self.scores))
        if self.command and not math.isnan(self.best(metric)):
            notes += [
                f"writes the entities that are best by {self._title(metric)}:",
                f"{self.command} --threshold {self.best(metric)}",
            ]
        table = self._table(rows, sides_given=False)
        return table._replace(notes=notes, legend=legend, caption=self.lead, title=against([self.name], self.key))

    def records(self) -> Listing:
        """Return the same for all thresholds, and recall and precision of the pairs as given, too."""
        facts = {"key": one_line(self.key), "pairs": one_line(self.name), "signature": self.signature}
        return self._table(range(len(self.thresholds)), sides_given=True)._replace(notes=[self.signature], facts=facts)

    def _table(self, rows: Sequence[int], *, sides_given: bool) -> Listing:
        columns = [Column("threshold", "label"), Column("pairs", "count", field="number"), Column("entities", "count")]
        cells: list[list[object]] = [[self.thresholds[n], self.pairs[n], self.entities[n]] for n in rows]
        for name, scores in self.scores.items():
            group, unit, best, f = self._title(name), self.units[name], self.best(name), self._f(name)
            sides = scores[0].recall is not None and (sides_given or name != PAIRS)
            if name == PAIRS and not sides:
                columns.append(Column(f"{PAIRS} {f}", "score"))
            else:
                titles = ("recall", "precision", f) if sides else ("value",)
                columns += [Column(title, "score", unit, group, field=f"{name} {title}") for title in titles]
            for row, n in zip(cells, rows, strict=True):
                score, is_best = scores[n], self.thresholds[n] == best
                shown = Cell(score.value, mark=BEST * is_best, best=is_best)
                row.extend([score.recall, score.precision, shown] if sides else [shown])
        return Listing(columns, cells)

    def plot(self, path: str) -> None:
        """Plot precision over recall, and F over thresholds, to a .svg, .png or .pdf file.

        Raises
        ------
        OptionError, MissingExtraError
            For an ending that cannot be plotted, or without matplotlib.
        """
        with drawn(path):
            drawing = figure(11, 5)
            curve, height = drawing.subplots(1, 2)
            for n, (name, scores) in enumerate(self.scores.items()):
                best = self.best(name)
                at = self.thresholds.index(best) if best in self.thresholds else None  # nan: all are undefined
                title = named(name, scores[0].beta) if name != PAIRS else f"{PAIRS}, as given"
                shown = label(title) if at is None else f"{label(title)}: best at {best:g}"
                panels: list[tuple[Drawing, Sequence[float | None], Sequence[float | None]]] = []
                if scores[0].recall is not None:
                    panels.append((curve, [s.recall for s in scores], [s.precision for s in scores]))
                if not self.units[name]:
                    panels.append((height, self.thresholds, [s.value for s in scores]))
                how = {**line(n), "clip_on": False}  # so that markers at 1 are whole
                for axis, x, y in panels:
                    axis.plot(x, y, **how, label=shown)
                    if at is not None:
                        axis.plot(x[at], y[at], **{**how, "markersize": 11, "markerfacecolor": "white", "zorder": 3})
            curve.set(xlabel="recall", ylabel="precision", xlim=(0, 1.02), ylim=(0, 1.02), box_aspect=1)
            height.set(xlabel="threshold", ylabel="F1, or value", ylim=(0, 1.02))
            legend_below(height, title="large: the best threshold")
            save(drawing, path)


@check_call(ReadingOptions, other="referee.score(key, response) takes entities")
def thresholds(
    key: object,
    pairs: object,
    *,
    thresholds: Sequence[float] | None = None,
    metrics: str | Sequence[str] = USUAL,
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
        A table with both ends of each pair and its probability: a file (see `referee formats pairs`), or a table in memory.
    thresholds : sequence of float or None
        From 0 to 1. None for `THRESHOLDS`, and, if there are not too many, all that make other entities.
    metrics : str or sequence of str
        Metrics of entities.
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
    >>> found = thresholds([{"a", "b"}, {"c"}], pairs, thresholds=[0.5, 0.8])
    >>> [score.precision for score in found.scores["links"]], found.best("links")
    ([0.3333333333333333, 1.0], 0.8)
    """
    records = metrics_named(metrics)
    if wrong := next((m for m in records.values() if not m.of_entities), None):
        raise OptionError(f"{wrong.id} looks at more than items and entities; expected another metric")
    candidates = THRESHOLDS if thresholds is None else thresholds
    numbers = candidates if isinstance(candidates, Iterable) and not isinstance(candidates, str) else ()
    limits = sorted({*numbers})
    if not limits or not all(0 <= limit <= 1 for limit in limits):
        raise OptionError(f"thresholds are a list of numbers from 0 to 1; found {shortened(repr(thresholds))}")
    sides = ReadOptions.of_sides(key_format, pairs_format, **reading)
    k, pair_table = load_both(key, pairs, sides, probable=True)
    if not isinstance(pair_table, PairTable):
        raise OptionError(f"found {called(pair_table)}; expected pairs with probabilities: a file, or a data frame")
    pair_table.check_probable()
    documents = 1 if pair_table.documents is None else len(set(cast("Sequence[str]", pair_table.texts().documents)))
    if documents > 1:
        raise MismatchError(f"{pair_table.name} has {counted(documents, 'document')}; expected pairs of a single one")
    progress.step("looking up the records of the key")
    source, pair_table, of_record, key_size = _key(k, pair_table)
    listed = np.zeros(len(of_record), dtype=bool)
    listed[pair_table.first] = listed[pair_table.second] = True
    warn_of_sample(source, pair_table.name, int((of_record[listed] >= 0).sum()), int(listed.sum()))
    name = pair_table.name
    different = _different(pair_table)
    values = np.unique(different[2]) if thresholds is None and len(of_record) <= MOST_RECORDS else ()
    every = 0 < len(values) <= MOST_VALUES
    limits = sorted({*limits, *_short(values)}) if every else limits
    counts, numbers_of_pairs, entities = _counted(of_record, key_size, different, limits, records)
    scores = {m: tuple(c.score(zero_division, beta)[0] for c in rows) for m, rows in counts.items()}
    units = {m: rows[0].unit for m, rows in counts.items()}
    how = f"zero-division:{zero_division:g}" + ("" if beta == 1 else f" | beta:{beta:g}")
    how += "".join(f" | {option}:{value}" for option, value in sides[0].signature_fields.items())
    signature = f"referee {VERSION} | {'+'.join(scores)} | {how} | thresholds:{len(limits)}"
    command = _command(os.fspath(pairs), sides[1]) if isinstance(pairs, (str, os.PathLike)) else ""
    return Thresholds(source, name, tuple(limits), numbers_of_pairs, entities, scores, units, signature, every, command)


def _short(values: Sequence[float] | Floats) -> list[float]:
    """Numbers of few digits that are above the value before and not above their own: as thresholds they do the same.

    >>> _short([0.111, 0.592, 0.5924, 0.9])
    [0.1, 0.5, 0.5924, 0.9]
    """
    shortest, before = [], -1.0
    for value in map(float, values):
        digits = (math.floor(value * 10**n) / 10**n for n in range(1, 18))
        shortest.append(next((number for number in digits if before < number <= value), value))
        before = value
    return shortest


def _command(pairs: str, options: ReadOptions) -> str:
    """The command that writes entities of these pairs, without its threshold."""
    columns = ",".join(f"{role}={name}" for role, name in options.columns.items())
    nulls = None if options.nulls == "error" else options.nulls
    values = {"--from": options.format, "--columns": columns, "--tables": options.tables, "--nulls": nulls}
    arguments = [part for option, value in values.items() if value for part in (option, value)]
    numbered = (f"clusters-{number}.csv" for number in count(2))
    new = next(name for name in chain(["clusters.csv"], numbered) if not os.path.exists(name))  # convert replaces a file
    return shlex.join(["referee", "convert", pairs, new, *arguments])


def _key(key: Input, pairs: PairTable) -> tuple[str, PairTable, Ints, Ints]:
    """What the key is called, the pairs with all of its records, the key entity of each (-1: none), and their sizes."""
    if isinstance(key, LabelTable) and (paired := with_key(key, pairs)) is not None:
        return key.name, paired.pairs, paired.entity, paired.key_size
    corpus = corpus_of(key)
    if corpus.items is None or len(corpus.doc_ids) > 1:
        content = "spans" if corpus.items is None else counted(len(corpus.doc_ids), "document")
        raise MismatchError(f"{corpus.source} has {content}; expected items of a single document")
    corpus, _ = resolve_repeated_mentions(corpus, corpus, "first")
    pairs = pairs.texts()
    number = {name: n for n, name in enumerate(cast("Sequence[str]", pairs.names))}
    lone = [item for item in corpus.items or () if item not in number]
    if len(lone) == len(corpus.document) > 0 < len(number):
        nothing_in_common(corpus.source, pairs.name, list(corpus.items or ())[:5], list(number)[:5], len(number))
    elif lone:
        warn_of_alone(len(lone), len(corpus.document), corpus.source, pairs.name, lone[0])
    number |= {item: n for n, item in enumerate(lone, start=len(number))}
    of_record = np.full(len(number), -1, dtype=np.int64)
    of_record[[number[item] for item in corpus.items or ()]] = corpus.entity
    return corpus.source, pairs._replace(names=list(number)), of_record, tally(corpus.entity, minlength=len(corpus.entity_ids))


def _different(pairs: PairTable) -> tuple[Ints, Ints, Floats]:
    """The records of each different pair, by their places, and its probability; the most probable pairs first."""
    first, second = np.minimum(pairs.first, pairs.second), np.maximum(pairs.first, pairs.second)
    order = np.lexsort((-pairs.probability, second, first))
    first, second, probability = first[order], second[order], pairs.probability[order]
    new = np.flatnonzero(starts_of_runs(first, second) & (first != second))
    new = new[np.argsort(-probability[new], kind="stable")]
    return first[new], second[new], probability[new]


def _counted(
    of_record: Ints,
    key_size: Ints,
    pairs: tuple[Ints, Ints, Floats],
    limits: Sequence[float],
    metrics: Mapping[str, Metric],
) -> tuple[dict[str, list[Counts]], tuple[int, ...], tuple[int, ...]]:
    """The counts of the pairs and of each metric, the numbers of pairs, and those of entities, at each limit."""
    first, second, probability = pairs
    record = np.flatnonzero(of_record >= 0)
    same = (of_record[first] == of_record[second]) & (of_record[first] >= 0)
    counts: dict[str, list[Counts]] = {name: [] for name in (*metrics, PAIRS)}
    label, done = np.arange(len(of_record)), 0
    numbers, entities = [], []
    wanted = int((key_size * (key_size - 1) // 2).sum())
    for number, limit in enumerate(reversed(limits)):
        progress.step("scoring thresholds", number, len(limits))
        after = int(np.searchsorted(-probability, -limit, side="right"))
        label = joined(label, first[done:after], second[done:after])
        done, right = after, np.array([same[:after].sum()])
        counts[PAIRS].append(rates((right, np.array([wanted])), (right, np.array([after]))))
        roots, response = np.unique(label, return_inverse=True)
        size = tally(response, minlength=len(roots))
        in_document = np.zeros_like(key_size), np.zeros_like(size)
        table = Table.of(of_record[record], response[record], key_size, size, *in_document, 1)
        for name, metric in metrics.items():
            counts[name].append(metric.count(table))
        numbers.append(after)
        entities.append(len(table.response_size))
    return {name: rows[::-1] for name, rows in counts.items()}, tuple(numbers[::-1]), tuple(entities[::-1])
