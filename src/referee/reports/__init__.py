"""How scores are shown: `REPORTS` and `render`.

The forms themselves are in `referee.reports.forms`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, TextIO

from referee.exceptions import check_name
from referee.reports.forms import FORMS
from referee.reports.forms import render as rendered
from referee.reports.text import screen

if TYPE_CHECKING:
    from referee.scoring.evaluation import Evaluation
from referee.stats.intervals import Interval

REPORTS = FORMS


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
    check_name("report", report, FORMS)
    grid = import_module("referee.reports.grid")
    if report == "json":
        out.write(import_module(FORMS[report]).written(grid.as_dict(results)))
    else:
        shown = grid.records(results) if report in ("csv", "tsv") else grid.listing(results)
        out.write(rendered(shown, report, screen=screen(out)._replace(bold=results.colour)))
