"""How scores are shown: `REPORTS` and `render`.

A report is one module with ``render(results, out)`` and one line here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, TextIO

from referee.exceptions import UnknownNameError

if TYPE_CHECKING:
    from referee.scoring.evaluation import Evaluation
from referee.stats.intervals import Interval

REPORTS = {
    "text": "referee.reports.text",
    "markdown": "referee.reports.markdown",
    "latex": "referee.reports.latex",
    "csv": "referee.reports.csv",
    "tsv": "referee.reports.tsv",
    "json": "referee.reports.json",
    "html": "referee.reports.html",
}


@dataclass(frozen=True)
class Results:
    """What a report shows.

    evaluations : one a response, all against the same key with the same metrics and options
    by_document : whether each document's scores are wanted too
    warnings    : what was said while scoring
    colour      : whether the reader is a terminal that shows it
    intervals   : of each evaluation, metric -> "value", "recall", "precision" -> its interval; none if they were not wanted
    resampling  : how they were made, for the signature
    """

    evaluations: Sequence[Evaluation]
    by_document: bool = False
    warnings: Sequence[str] = field(default_factory=tuple)
    colour: bool = False
    intervals: Sequence[Mapping[str, Mapping[str, Interval]]] = ()
    resampling: str = ""


def render(results: Results, out: TextIO, *, report: str = "text") -> None:
    """Write a report. UnknownNameError for an unknown one."""
    if report not in REPORTS:
        raise UnknownNameError("report", report, REPORTS)
    import_module(REPORTS[report]).render(results, out)
