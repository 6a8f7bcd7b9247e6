"""Rows of anything, in the same forms as scores: for verbs that list something else.

Text, Markdown and LaTeX round numbers; CSV, TSV and JSON have them at full precision, fractions of 1.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple, TextIO

from referee.exceptions import check_name
from referee.messages import one_line
from referee.reports import REPORTS
from referee.reports.grid import Grid, number
from referee.reports.json import plain
from referee.version import VERSION


class Column(NamedTuple):
    """A column of values.

    kind : "label" for text (these come first), "count", "score", or "cost", a difference of scores
    unit : of scores that are no fractions of 1
    """

    name: str
    kind: str
    unit: str = ""


@dataclass(frozen=True)
class Listing:
    """Rows of values, as many in each as there are columns; nan for what is undefined.

    notes : what stands below, in reports for people
    facts : what goes with it, in JSON
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    notes: Sequence[str] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


def render(listing: Listing, out: TextIO, *, report: str = "text", colour: bool = False) -> None:
    """Write a listing in the form of one of `REPORTS`. UnknownNameError for an unknown one."""
    check_name("report", report, REPORTS)
    if report == "json":
        _json(listing, out)
    elif report in ("csv", "tsv"):
        writer = csv.writer(out, delimiter="," if report == "csv" else "\t", lineterminator="\n")
        writer.writerow(column.name for column in listing.columns)
        writer.writerows(["" if (v := plain(value)) is None else v for value in row] for row in listing.rows)
    else:
        cells = [[_cell(value, column) for value, column in zip(row, listing.columns, strict=True)] for row in listing.rows]
        labels = sum(column.kind == "label" for column in listing.columns)
        titles = [f"{c.name} ({c.unit})" if c.unit else c.name for c in listing.columns]
        colours = {"colour": colour} if report == "text" else {}
        import_module(REPORTS[report]).write(Grid(titles, cells, labels, list(listing.notes)), out, **colours)


def _json(listing: Listing, out: TextIO) -> None:
    names = [column.name for column in listing.columns]
    rows = [dict(zip(names, map(plain, row), strict=True)) for row in listing.rows]
    report = {"referee": VERSION, **listing.facts, "rows": rows}
    out.write(json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def _cell(value: Any, column: Column) -> str:
    if column.kind == "label":
        return one_line(str(value))
    if column.kind == "count":
        return f"{value}"
    written = number(value, column.unit)
    return f"+{written}" if column.kind == "cost" and value > 0 and not set(written) <= set("0.") else written
