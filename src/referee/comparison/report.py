"""A comparison as a table: systems by measures, with intervals and marks; in all forms of reports.

Text, HTML and Markdown have the same cells, in Markdown with the best in bold; LaTeX is for `siunitx`. CSV, TSV and JSON have
everything there is, at full precision.
"""

from __future__ import annotations

import csv
import json
from dataclasses import asdict
from importlib import import_module
from typing import Any, TextIO

from referee.comparison import latex
from referee.comparison.cells import STYLES, legend, lines, mark
from referee.comparison.values import Cell, Comparison
from referee.counts import Score
from referee.exceptions import check_name
from referee.reports import REPORTS
from referee.reports.grid import Grid, between, number
from referee.reports.json import plain
from referee.version import VERSION


def render(c: Comparison, out: TextIO, *, report: str = "text", style: str = "margin", colour: bool = False) -> None:
    """Write a comparison. UnknownNameError for an unknown report or style."""
    check_name("report", report, REPORTS)
    check_name("style", style, STYLES)
    if report == "json":
        out.write(json.dumps(as_dict(c), ensure_ascii=False, indent=1, allow_nan=False) + "\n")
    elif report in ("csv", "tsv"):
        _values(c, out, "," if report == "csv" else "\t")
    elif report == "latex":
        latex.write(c, out, style)
    else:
        colours = {"colour": colour} if report == "text" else {}
        import_module(REPORTS[report]).write(_grid(c, style, bold=report == "markdown"), out, **colours)


def _grid(c: Comparison, style: str, *, bold: bool) -> Grid:
    rows = []
    for labels, part, system in lines(c):
        cells = []
        for m in c.shown:
            cell, unit = part.cells[system][m], c.units[m]
            text = number(cell.score.value, unit, c.cut) + _interval(cell, unit, style, cut=c.cut)
            if bold:
                best = len(c.systems) > 1 and system in part.best(m)
                cells.append((f"**{text}**" if best else text) + mark(cell))
            else:
                cells.append(text + (mark(cell) or " "))
        rows.append(labels + cells)
    labels = ["group", "response"] if len(c.parts) > 1 else ["response"]
    titles = [f"{m} ({c.units[m]})" if c.units[m] else m for m in c.shown]
    return Grid([*labels, *titles], rows, len(labels), [*legend(c, style), *c.notes, *c.signatures])


def _interval(cell: Cell, unit: str, style: str, *, cut: bool) -> str:
    ends = between(cell.interval, unit, cut)
    if style == "margin" and cell.interval and ends:
        return f" ±{number(cell.interval.margin, unit, cut)}"
    return "" if style == "plain" else ends


HEADER = (
    "group", "documents", "response", "measure", "unit", "recall", "precision", "value", "low", "high", "undefined_resamples",
    "baseline", "difference", "difference_low", "difference_high", "p_randomization", "exact", "p_bootstrap", "p",
    "significant", "signature",
)  # fmt: skip


def _values(c: Comparison, out: TextIO, delimiter: str) -> None:
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(HEADER)
    for part in c.parts:
        for system in c.systems:
            for m in c.metrics:
                cell = part.cells[system][m]
                row = [
                    part.name,
                    part.documents,
                    system,
                    m,
                    c.units[m],
                    *_numbers(cell),
                    c.baseline,
                    *_compared(cell),
                    c.signature(part.name, system),
                ]
                writer.writerow("" if plain(value) is None else value for value in row)


def _numbers(cell: Cell) -> list[Any]:
    return [cell.score.recall, cell.score.precision, cell.score.value, *(cell.interval or (None, None, None))]


def _compared(cell: Cell) -> list[Any]:
    d = cell.difference
    if d is None:
        return [None] * 8
    return [d.value, *(d.interval or (None, None))[:2], d.randomization, d.exact, d.bootstrap, d.p, d.significant]


def as_dict(c: Comparison) -> dict[str, Any]:
    """Everything there is, for JSON: null for what is undefined."""
    parts = [
        {
            "name": part.name,
            "documents": part.documents,
            "units": part.units,
            "systems": {
                system: {m: _cell(cell) | {"best": system in part.best(m)} for m, cell in cells.items()}
                for system, cells in part.cells.items()
            },
        }
        for part in c.parts
    ]
    return {
        "referee": VERSION, "key": c.key, "systems": list(c.systems), "baseline": c.baseline, "units": dict(c.units),
        "resampling": asdict(c.resampling), "parts": parts, "notes": list(c.notes), "signatures": list(c.signatures),
    }  # fmt: skip


def _cell(cell: Cell) -> dict[str, Any]:
    d = cell.difference
    intervals = {side: {name: plain(v) for name, v in i._asdict().items()} for side, i in cell.intervals.items()}
    compared = None
    if d is not None:
        compared = {name: plain(getattr(d, name)) for name in d.__slots__ if name != "interval"}
        compared["interval"] = d.interval and [plain(d.interval.low), plain(d.interval.high)]
    return {**_sides(cell.score), "intervals": intervals, "difference": compared}


def _sides(score: Score) -> dict[str, Any]:
    sides = {side: getattr(score, side) for side in ("recall", "precision", "value")}
    return {side: plain(value) for side, value in sides.items() if value is not None}
