"""Comma-separated values, for programs: a line for each response, document and measure, fractions at full precision.

The document is empty for the whole corpus; an undefined number is empty. `value` is F1, or the one number of a measure without
sides, in its `unit` if it has one; `upper` its certified upper bound where an alignment ran out of its budget, otherwise empty.
"""

from __future__ import annotations

import csv
import math
from typing import TextIO

from referee.counts import Score
from referee.reports import Results

HEADER = ("response", "document", "measure", "recall", "precision", "f1", "value", "upper", "unit", "signature")


def render(results: Results, out: TextIO, delimiter: str = ",") -> None:
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(HEADER)
    for e in results.evaluations:
        for metric, counts in e.counts.items():
            writer.writerow([e.name, "", metric, *_numbers(e[metric]), counts.unit, e.signature])
        for number, document in enumerate(e.documents if results.by_document else ()):
            for metric, counts in e.counts.items():
                writer.writerow([e.name, document, metric, *_numbers(e.by_document[metric][number]), counts.unit, e.signature])


def _numbers(score: Score) -> list[str]:
    upper = None if score.upper is None else score.upper.value
    values = (score.recall, score.precision, score.value if score.beta == 1 else None, score.value, upper)
    return ["" if v is None or math.isnan(v) else repr(float(v)) for v in values]
