"""The tables of evaluations: `listing` for people, `records` and `as_dict` for programs.

* One response, corpus only: a row a metric, with recall, precision, F1, or the one value of a metric without sides.
* Several responses, or documents: a row each, with one column a metric (its F1 or value); a handful of metrics unless
  others are asked for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from referee.counts import Counts, Score
from referee.messages import one_line
from referee.metrics.distribution import direction
from referee.reports.listing import Cell, Column, Listing, headed, plain
from referee.reports.numbers import number
from referee.reports.titles import DOCUMENT, METRIC, SYSTEM, title_of, title_of_f

if TYPE_CHECKING:
    from referee.reports import Results
    from referee.scoring.evaluation import Evaluation


def listing(results: Results) -> Listing:
    """The table for people."""
    single = len(results.evaluations) == 1 and not results.by_document
    return _by_metric(results) if single else _by_system(results)


def signature(e: Evaluation, results: Results) -> str:
    """How an evaluation was made, and its intervals if they are shown."""
    return f"{e.signature} | {results.resampling}" if results.resampling else e.signature


def remark(metric: str, score: Score, unit: str) -> str:
    """What goes with a number: its unit, the side that a d-error accuses, the upper bound of an interrupted alignment."""
    if score.upper is not None:
        return f"at most {number(score.upper.value)}"
    return direction(score.value) if metric == "d_error" else unit


def _by_metric(results: Results) -> Listing:
    (e,) = results.evaluations
    rows = []
    for metric, counts in e.counts.items():
        score, intervals = e[metric], results.intervals[0][metric] if results.intervals else {}
        sides = {"recall": score.recall, "precision": score.precision, "value": score.value}
        recall, precision, value = (Cell(x, intervals.get(side), unit=counts.unit) for side, x in sides.items())
        cells = [None, None, None, value] if score.recall is None else [recall, precision, value, None]
        rows.append([title_of(metric), *cells, remark(metric, score, counts.unit) or None])
    titles = ("recall", "precision", title_of_f(e.options.beta), "value")
    columns = [Column(METRIC), *(Column(title, "score") for title in titles), Column("", "remark")]
    keep = [c for c in range(6) if not c >= 1 or any(row[c] is not None for row in rows)]
    return Listing(
        [columns[c] for c in keep],
        [[row[c] for c in keep] for row in rows],
        notes=[*_left_out(e, list(e.counts), e.options.average == "macro"), signature(e, results)],
        title=one_line(e.name),
        truncate=e.options.decimals == "truncate",
    )


def _by_system(results: Results) -> Listing:
    first = results.evaluations[0]
    metrics = list(first.counts)
    several = len(results.evaluations) > 1
    signatures = [signature(e, results) for e in results.evaluations]
    rows, notes = [], []
    for place, e in enumerate(results.evaluations):
        notes += bounds(e, metrics, e.name)
        notes += _left_out(e, metrics, results.by_document or e.options.average == "macro")
        for label, scores in _lines(e, results.by_document, metrics):
            intervals = results.intervals[place] if results.intervals and label in ("", e.options.average) else {}
            cells = [Cell(scores[m].value, intervals[m].get("value") if intervals else None) for m in metrics]
            rows.append([*([e.name] if several else []), *([label] if results.by_document else []), *cells])
    labels = [*([SYSTEM] if several else []), *([DOCUMENT] if results.by_document else [])]
    return Listing(
        [*map(Column, labels), *(Column(title_of(m), "score", first.counts[m].unit) for m in metrics)],
        rows,
        notes=list(dict.fromkeys([*notes, *signatures])),
        title=one_line(first.name),
        truncate=first.options.decimals == "truncate",
    )


def _lines(e: Evaluation, by_document: bool, metrics: list[str]) -> Iterator[tuple[str, dict[str, Score]]]:
    """The scores to show of one response, with the name of the line."""
    if by_document:
        for place, name in enumerate(e.documents):
            yield name, {m: e.by_document[m][place] for m in metrics}
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


HEADER = ("system", "document", "metric", "recall", "precision", "f1", "value", "upper", "unit", "signature")


def records(results: Results) -> Listing:
    """The table for programs: a row for each response, document and metric; no document for the whole corpus."""
    rows: list[list[object]] = []
    for e in results.evaluations:
        for metric, counts in e.counts.items():
            rows.append([e.name, None, metric, *_numbers(e[metric]), counts.unit, e.signature])
        for place, document in enumerate(e.documents if results.by_document else ()):
            for metric, counts in e.counts.items():
                rows.append([e.name, document, metric, *_numbers(e.by_document[metric][place]), counts.unit, e.signature])
    return Listing([Column(name, "number") for name in HEADER], rows)


def _numbers(score: Score) -> list[object]:
    upper = None if score.upper is None else score.upper.value
    return [score.recall, score.precision, score.value if score.beta == 1 else None, score.value, upper]


def as_dict(results: Results) -> dict[str, object]:
    """Everything there is, for JSON.

    ::

        {"referee": "0.2.0", "key": "key.conll", "warnings": [],
         "systems": [{"name": "response.conll", "signature": "...", "options": {...}, "documents": 2,
                      "metrics": {"muc": {"recall": 0.5, "precision": 0.5, "f1": 0.5, "value": 0.5, "unit": "",
                                          "counts": {...}, "macro": {...}}},
                      "by_document": {"d1": {"muc": {...}}}}]}

    `recall`, `precision`, `f1` are there for metrics with two sides, `value` for all; `upper` where an alignment ran out of its
    budget; `intervals`, of each side, if they were wanted. `metrics` are averaged as `options.average` says; `macro` gives the
    mean over documents and over how many it is.
    """
    return headed(
        key=one_line(results.evaluations[0].key.source),
        systems=[_system(e, results, place) for place, e in enumerate(results.evaluations)],
        warnings=list(results.warnings),
    )


def _system(e: Evaluation, results: Results, place: int) -> dict[str, Any]:
    metrics: dict[str, dict[str, Any]] = {}
    for name, counts in e.counts.items():
        mean, documents = e.macro(name)
        macro = {**_score(mean), "documents": documents}
        metrics[name] = {**_score(e[name]), "unit": counts.unit, "counts": _row(counts.total()), "macro": macro}
        if results.intervals:
            ends = results.intervals[place][name].items()
            metrics[name]["intervals"] = {side: [plain(i.low), plain(i.high)] for side, i in ends}
    system: dict[str, Any] = {
        "name": e.name,
        "signature": signature(e, results),
        "options": {k: v if isinstance(v, dict) else plain(v) for k, v in dataclasses.asdict(e.options).items()},
        "documents": len(e.documents),
        "metrics": metrics,
    }
    if results.by_document:
        system["by_document"] = {
            name: {
                metric: {**_score(e.by_document[metric][row]), "counts": _row(counts.rows(row))}
                for metric, counts in e.counts.items()
            }
            for row, name in enumerate(e.documents)
        }
    return system


def _row(counts: Counts) -> dict[str, Any]:
    """The columns of counts with a single row."""
    return {column: values[0].item() for column, values in counts.columns.items()}


def _score(score: Score) -> dict[str, Any]:
    sides = {} if score.recall is None else {"recall": score.recall, "precision": score.precision}
    if score.beta is not None:
        sides["f1" if score.beta == 1 else "f"] = score.value
    numbers = {name: plain(value) for name, value in {**sides, "value": score.value}.items()}
    return numbers if score.upper is None else {**numbers, "upper": _score(score.upper)}
