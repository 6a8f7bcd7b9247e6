"""JSON, for programs: everything there is, fractions at full precision, null where undefined.

::

    {"referee": "0.2.0", "key": "key.conll", "warnings": [],
     "systems": [{"name": "response.conll", "signature": "...", "options": {...}, "documents": 2,
                  "metrics": {"muc": {"recall": 0.5, "precision": 0.5, "f1": 0.5, "value": 0.5, "unit": "", "counts": {...},
                                      "macro": {...}}},
                  "by_document": {"d1": {"muc": {...}}}}]}

`recall`, `precision`, `f1` are there for measures with two sides, `value` for all; `upper` where an alignment ran out of its
budget; `intervals`, of each side, if they were wanted. `metrics` are averaged as `options.average` says; `macro` gives the mean
over documents and over how many it is.
"""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from referee.counts import Counts, Score
from referee.messages import one_line
from referee.reports import Results
from referee.reports.grid import signature
from referee.version import VERSION

if TYPE_CHECKING:
    from referee.scoring.evaluation import Evaluation


def render(results: Results, out: TextIO) -> None:
    systems = [_system(e, results, number) for number, e in enumerate(results.evaluations)]
    report = {
        "referee": VERSION,
        "key": one_line(results.evaluations[0].key.source),
        "systems": systems,
        "warnings": list(results.warnings),
    }
    out.write(json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def _system(e: Evaluation, results: Results, place: int) -> dict[str, Any]:
    metrics: dict[str, dict[str, Any]] = {}
    for name, counts in e.counts.items():
        mean, documents = e.macro(name)
        metrics[name] = {
            **_score(e[name]), "unit": counts.unit, "counts": _row(counts.total()),
            "macro": {**_score(mean), "documents": documents},
        }  # fmt: skip
        if results.intervals:
            found = results.intervals[place][name]
            metrics[name]["intervals"] = {side: [plain(i.low), plain(i.high)] for side, i in found.items()}
    system: dict[str, Any] = {
        "name": e.name,
        "signature": signature(e, results),
        "options": {k: plain(v) for k, v in dataclasses.asdict(e.options).items()},
        "documents": len(e.documents),
        "metrics": metrics,
    }
    if results.by_document:
        system["by_document"] = {
            name: {
                metric: {**_score(e.by_document[metric][number]), "counts": _row(counts.rows(number))}
                for metric, counts in e.counts.items()
            }
            for number, name in enumerate(e.documents)
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


def plain(value: Any) -> Any:
    """A value as Python has it, without NumPy's types; None for what is undefined."""
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and math.isnan(value) else value
