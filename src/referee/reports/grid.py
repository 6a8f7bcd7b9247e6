"""What the tabular reports have in common: which rows and columns there are, and how a number is written.

* One response, corpus only: a row a measure, with recall, precision, F1, or the one value of a measure without sides.
* Several responses, or documents: a row each, with one column a measure (its F1 or value); a handful of measures unless
  others are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.counts import Score
from referee.messages import one_line
from referee.metrics.distribution import direction
from referee.reports import Results
from referee.stats.intervals import Interval

if TYPE_CHECKING:
    from referee.scoring.evaluation import Evaluation

OVERVIEW = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll")
"""The measures shown side by side when all were computed."""


@dataclass(frozen=True)
class Grid:
    """Rows of text, all as long as the header; the first `labels` columns name the row, the others are numbers.

    notes : what stands below the table: signatures, and means that leave documents out
    """

    header: list[str]
    rows: list[list[str]]
    labels: int
    notes: list[str]


def grid(results: Results) -> Grid:
    if len(results.evaluations) == 1 and not results.by_document:
        return _by_measure(results)
    return _by_system(results)


def number(value: float | None, unit: str = "", cut: bool = False) -> str:
    """A percentage with two decimals, or a plain number if it has a unit; `-` where undefined, nothing for nothing.

    >>> number(0.66668), number(0.66668, cut=True), number(float("nan")), number(None), number(5.0, "operations")
    ('66.67', '66.66', '-', '', '5')
    """
    if value is None:
        return ""
    if math.isnan(value):
        return "-"
    if unit:
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return f"{int(value * 10000) / 100 if cut else value * 100:.2f}"


def signature(e: Evaluation, results: Results) -> str:
    """How an evaluation was made, and its intervals if they are shown."""
    return f"{e.signature} | {results.resampling}" if results.resampling else e.signature


def remark(metric: str, score: Score, unit: str) -> str:
    """What goes with a number: its unit, the side that a d-error accuses, the upper bound of an interrupted alignment."""
    if score.upper is not None:
        return f"at most {number(score.upper.value)}"
    return direction(score.value) if metric == "d_error" else unit


def between(interval: Interval | None, unit: str = "", cut: bool = False) -> str:
    """The ends of an interval behind its number; nothing where there is none."""
    if interval is None or math.isnan(interval.low):
        return ""
    return f" [{number(interval.low, unit, cut)}, {number(interval.high, unit, cut)}]"


def _by_measure(results: Results) -> Grid:
    (e,) = results.evaluations
    rows = []
    for metric, counts in e.counts.items():
        score, cut = e[metric], e.options.decimals == "truncate"
        intervals = results.intervals[0][metric] if results.intervals else {}
        sides = {"recall": score.recall, "precision": score.precision, "value": score.value}
        written = [number(x, counts.unit, cut) + between(intervals.get(side), counts.unit, cut) for side, x in sides.items()]
        cells = ["", "", "", written[2]] if score.recall is None else [*written, ""]
        rows.append([metric, *cells, remark(metric, score, counts.unit)])
    header = ["measure", "recall", "precision", _f(e), "value", ""]
    blank = [c for c in range(1, 6) if not any(row[c] for row in rows)]
    keep = [c for c in range(6) if c not in blank]
    notes = [*_left_out(e, list(e.counts), e.options.average == "macro"), signature(e, results)]
    return Grid([header[c] for c in keep], [[row[c] for c in keep] for row in rows], 1, notes)


def _by_system(results: Results) -> Grid:
    first = results.evaluations[0]
    metrics = list(first.counts)
    several = len(results.evaluations) > 1
    signatures = [signature(e, results) for e in results.evaluations]
    rows, notes = [], []
    for place, e in enumerate(results.evaluations):
        notes += bounds(e, metrics, e.name)
        notes += _left_out(e, metrics, results.by_document or e.options.average == "macro")
        for label, scores in _lines(e, results.by_document, metrics):
            name = [one_line(e.name)] if several else []
            name += [one_line(label)] if results.by_document else []
            cells = [number(scores[m].value, e.counts[m].unit, e.options.decimals == "truncate") for m in metrics]
            if results.intervals and label in ("", e.options.average):
                found = [results.intervals[place][m].get("value") for m in metrics]
                pairs = zip(cells, found, metrics, strict=True)
                cells = [cell + between(i, e.counts[m].unit, e.options.decimals == "truncate") for cell, i, m in pairs]
            rows.append(name + cells)
    labels = (["response"] if several else []) + (["document"] if results.by_document else [])
    titles = [f"{m} ({unit})" if (unit := first.counts[m].unit) else m for m in metrics]
    return Grid([*labels, *titles], rows, len(labels), list(dict.fromkeys([*notes, *signatures])))


def _lines(e: Evaluation, by_document: bool, metrics: list[str]) -> Iterator[tuple[str, dict[str, Score]]]:
    """The scores to show of one response, with the name of the line."""
    if by_document:
        for number_, name in enumerate(e.documents):
            yield name, {m: e.by_document[m][number_] for m in metrics}
        yield "micro", {m: e.micro(m) for m in metrics}
        yield "macro", {m: e.macro(m)[0] for m in metrics}
    else:
        yield "", {m: e[m] for m in metrics}


def _left_out(e: Evaluation, metrics: list[str], macro: bool) -> list[str]:
    """How many documents each mean is over, where that is not all of them."""
    if not macro:
        return []
    defined = {m: e.macro(m)[1] for m in metrics}
    fewer = [f"{m} {n}" for m, n in defined.items() if n < len(e.documents)]
    return (
        [f"{e.name}: means over the documents with a defined score, of {len(e.documents)}: {', '.join(fewer)}"] if fewer else []
    )


def bounds(e: Evaluation, metrics: Sequence[str], name: str) -> list[str]:
    """Upper bounds of what is only known to be at least as printed."""
    uppers = {m: e[m].upper for m in metrics}
    loose = [f"{m} {number(upper.value)}" for m, upper in uppers.items() if upper is not None]
    return [f"{name}: lower bounds; the certified upper bounds are {', '.join(loose)}"] if loose else []


def _f(e: Evaluation) -> str:
    return f"F{e.options.beta:g}"
