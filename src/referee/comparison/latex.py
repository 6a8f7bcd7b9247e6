"""A comparison as a LaTeX table: rules of booktabs, numbers aligned by siunitx at the point and at the ±; the best in bold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TextIO

from referee.comparison.cells import BETTER, WORSE, legend, lines, mark
from referee.comparison.values import Cell, Comparison
from referee.reports.grid import number
from referee.reports.latex import TITLES, escaped, row

PREAMBLE = r"""% \usepackage{booktabs,siunitx}
% \sisetup{detect-weight=true,separate-uncertainty=true}
"""
"""What the document needs, as a comment."""


def write(c: Comparison, out: TextIO, style: str) -> None:
    columns = {
        m: _column([part.cells[system][m] for part in c.parts for system in c.systems], c.units[m], style, cut=c.cut)
        for m in c.shown
    }
    out.write(PREAMBLE)
    out.writelines(f"% {note}\n" for note in [*c.notes, *c.signatures])
    align = "".join(column.align + ("@{\\,}l" if style == "interval" else "") for column in columns.values())
    wide = "\\multicolumn{2}{c}{%s}" if style == "interval" else "{%s}"
    titles = [wide % ((TITLES.get(m) or escaped(m)) + (f" ({escaped(c.units[m])})" if c.units[m] else "")) for m in c.shown]
    labels = ["group", "response"] if len(c.parts) > 1 else ["response"]
    out.write(f"\\begin{{tabular}}{{{'l' * len(labels)}{align}}}\n\\toprule\n{row([*labels, *titles])}")
    last = None
    for names, part, system in lines(c):
        if part is not last:
            out.write("\\midrule\n")
            last = part
        cells = []
        for m, column in columns.items():
            best = len(c.systems) > 1 and system in part.best(m)
            cells += column.cells(part.cells[system][m], style, "\\bfseries " if best else "")
        out.write(row([*map(escaped, names), *cells]))
    out.write("\\bottomrule\n\\end{tabular}\n")
    out.writelines(f"\\par{{\\footnotesize {_signs(escaped(line))}\\par}}\n" for line in legend(c, style))


def _signs(line: str) -> str:
    """A legend, with the signs as they are in the table."""
    signs = {"* better": "$^{*}$ better", "† worse": "$^{\\dagger}$ worse", "±": "$\\pm$", "≤": "$\\le$"}
    for sign, written in signs.items():
        line = line.replace(sign, written)
    return line


class _Column(NamedTuple):
    """How a column is aligned, and its numbers are written: percentages, or numbers of a unit with so many decimals."""

    align: str
    places: int
    unit: str
    cut: bool

    def number(self, value: float) -> str:
        return f"{value:.{self.places}f}" if self.unit else number(value, cut=self.cut)

    def cells(self, cell: Cell, style: str, bold: str) -> list[str]:
        """The cells of a number: a second one for its interval in the style "interval"."""
        sign = {BETTER: "{$^{*}$}", WORSE: "{$^{\\dagger}$}", "": ""}[mark(cell)]
        if math.isnan(cell.score.value):
            return ["{--}", ""] if style == "interval" else ["{--}"]
        value, margin, ends = self.number(cell.score.value), "", ""
        if (i := cell.interval) is not None and not math.isnan(i.low):
            margin = f"+-{self.number(i.margin)}" if style == "margin" else ""
            ends = f"\\footnotesize[{self.number(i.low)}, {self.number(i.high)}]"
        return [f"{bold}{value}{margin}{sign}", *([ends] if style == "interval" else [])]


def _column(cells: Sequence[Cell], unit: str, style: str, *, cut: bool) -> _Column:
    """Wide enough for all its numbers, margins and marks."""
    values = [cell.score.value for cell in cells if not math.isnan(cell.score.value)]
    intervals = [cell.interval for cell in cells if cell.interval and not math.isnan(cell.interval.low)]
    margins = [i.margin for i in intervals] if style == "margin" else []
    ends = [end for i in intervals for end in (i.low, i.high)] if style == "interval" else []
    whole = bool(unit) and all(value.is_integer() for value in (*values, *margins, *ends))
    column = _Column("", 0 if whole else 4 if unit else 2, unit, cut)
    before = max((len(column.number(abs(value)).partition(".")[0]) for value in values), default=1)
    form = f"{'-' if any(value < 0 for value in values) else ''}{before}.{column.places}"
    if margins:
        form += f"({max(len(column.number(m).replace('.', '').lstrip('0')) for m in margins) or 1})"
    marks = ",table-space-text-post={$^{*}$}" if any(mark(cell) for cell in cells) else ""
    return column._replace(align=f"S[table-format={form}{marks}]")
