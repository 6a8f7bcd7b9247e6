"""LaTeX tables with the rules of the booktabs package; notes and the signature are comments, a short signature is printed.

All numbers of a column have the same decimals, so they are aligned by being set flush right; digits that a margin or an
interval lacks are set as blank space. That needs no other package. A table that is too wide for the text of an ``article`` is
set in a smaller size, and if that is not enough, as several tables of some columns each. One that must be whole is scaled, and
has long headers upright; then it needs graphicx.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from referee.reports.blocks import blocks
from referee.reports.cells import Written, groups, titles, written
from referee.reports.listing import Column, Listing, Title

TEXT_WIDTH = 340.0
"""Points: a little less than the width of the text of an ``article`` in 10 pt."""


class Size(NamedTuple):
    """A size of type: the command, how wide letters are compared to 10 pt, and the space on either side of a column."""

    command: str
    scale: float
    space: float


SIZES = (
    Size("", 1, 6),
    Size("", 1, 4),
    Size(r"\small", 0.925, 4),
    Size(r"\small", 0.925, 3),
    Size(r"\footnotesize", 0.85, 3),
    Size(r"\footnotesize", 0.85, 2),
    Size(r"\scriptsize", 0.8, 2),
)
"""In the order in which they are tried."""


def render(listings: Sequence[Listing]) -> str:
    """Write tables in this form."""
    packages = ["booktabs", *["graphicx"] * any(listing.whole for listing in listings)]
    return f"% \\usepackage{{{','.join(packages)}}}\n" + "\n".join(map(_listing, listings))


def _listing(listing: Listing) -> str:
    table = _LatexTable.from_listing(listing)
    divided = {size: blocks(listing.columns, table.room(size), TEXT_WIDTH) for size in SIZES}
    size = min(divided, key=lambda size: len(divided[size]))  # the largest one that needs the fewest tables
    if listing.whole and len(divided[size]) > 1:
        tabulars = f"\\noindent\\resizebox{{\\textwidth}}{{!}}{{%\n{table.tabular(range(len(listing.columns)))}}}\n"
        size = SIZES[0]
    else:
        tabulars = "\\par\\medskip\\noindent\n".join(map(table.tabular, divided[size]))
    if size is not SIZES[0]:
        tabulars = f"{{{size.command}\\setlength{{\\tabcolsep}}{{{size.space}pt}}%\n{tabulars}}}%\n"
    caption = f"\\par\\textbf{{{typeset(listing.caption)}}}\\par\n" if listing.caption else ""
    comments = "".join(f"% {note}\n" for note in listing.notes)
    below = (*map(_legend, listing.legend), *map(typeset, listing.footnotes))
    return comments + caption + tabulars + "".join(f"\\par\\noindent{{\\footnotesize {text}\\par}}\n" for text in below)


class _LatexTable(NamedTuple):
    """The cells of a table in LaTeX, the estimated width of each column in points at 10 pt, and where rules are drawn."""

    columns: Sequence[Column]
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    widths: Sequence[float]
    sections: Sequence[int]

    @classmethod
    def from_listing(cls, listing: Listing) -> _LatexTable:
        columns, texts = listing.columns, written(listing, aligned=True)
        cells = [_column([row[c] for row in texts], [row[c] for row in listing.rows], col) for c, col in enumerate(columns)]
        heads = [_latex(c.title) + (f" ({typeset(c.unit)})" if c.unit else "") for c in columns]
        names = titles(listing)
        widths = [
            max(*(_width(row[c].text) * (1 + BOLD * row[c].best) for row in texts), 0.0, 0.0) for c in range(len(columns))
        ]
        for c, width in enumerate(widths):
            if listing.whole and columns[c].kind == "score" and _width(names[c]) > width:
                heads[c] = f"\\rotatebox{{90}}{{{heads[c]}}}"
            else:
                widths[c] = max(width, _width(names[c]))
        return cls(columns, heads, list(zip(*cells, strict=True)), widths, listing.sections)

    def room(self, size: Size) -> list[float]:
        return [width * size.scale + 2 * size.space for width in self.widths]

    def tabular(self, block: Sequence[int]) -> str:
        align = "".join("l" if self.columns[c].is_text else "r" for c in block)
        lines = [f"\\begin{{tabular}}{{{align}}}\n\\toprule\n", self._groups(block), line(self.heads[c] for c in block)]
        for number, row in enumerate(self.rows):
            lines += ["\\midrule\n"] * (number == 0 or number in self.sections)
            lines.append(line(row[c] for c in block))
        return "".join([*lines, "\\bottomrule\n\\end{tabular}\n"])

    def _groups(self, block: Sequence[int]) -> str:
        """The headers above several columns, with a rule under each."""
        cells, rules, first = [], [], 1
        spans = groups([self.columns[c] for c in block])
        for group, span in spans:
            cells.append(f"\\multicolumn{{{span}}}{{c}}{{{_latex(group)}}}" if group else "")
            rules += [f"\\cmidrule(lr){{{first}-{first + span - 1}}}"] if group else []
            first += span
        return line(cells) + "".join(f"{rule}\n" for rule in rules) if spans else ""


def _latex(title: str | Title) -> str:
    if not isinstance(title, Title):
        return typeset(title)
    return title.latex or typeset(title.paper or title.text)


def _column(cells: Sequence[Written], values: Sequence[object], column: Column) -> list[str]:
    """The cells of a column in LaTeX."""
    if column.is_text:
        return [_latex(v) if isinstance(v, Title) else typeset(c.value) for c, v in zip(cells, values, strict=True)]
    widest = max((cell.interval for cell in cells), key=_digits, default="")
    return [_number(cell, widest) for cell in cells]


def _number(cell: Written, widest: str) -> str:
    """A number with its interval and mark; blank space for what its interval lacks compared to the widest one of the column."""
    value, missing = _signed(cell.value), _digits(widest) - _digits(cell.interval)
    if cell.best:
        value = f"\\textbf{{{value}}}"
    if cell.interval:
        value += _interval(cell.interval, f"\\phantom{{{'0' * missing}}}" if missing else "")
    elif widest:
        value += f"\\phantom{{{_interval(widest)}}}"
    return value + MARKS.get(cell.mark, typeset(cell.mark))


def _interval(text: str, blank: str = "") -> str:
    if text.startswith("±"):
        return f"{blank}\\,$\\pm$\\,{text[1:]}"
    return f" {{\\scriptsize {blank}{text.replace('−', '$-$')}}}"


MARKS = {"": "", "*": "\\rlap{$^{*}$}", "†": "\\rlap{$^{\\dagger}$}"}
"""Signs that take no space, so that numbers with and without one are aligned."""


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def _signed(value: str) -> str:
    """A number; a dash for what is undefined."""
    return "--" if value == "-" else typeset(value)


def _legend(text: str | Title) -> str:
    """A line of a legend, with the signs as they are in the table."""
    return re.sub(r"(^|; )\{?\*\}? ", r"\1$^{*}$ ", _latex(text))


def line(cells: Iterable[str]) -> str:
    """A row of a tabular."""
    return " & ".join(cells) + r" \\" + "\n"


SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "[": "{[}", "*": "{*}",
    "<": "$<$", ">": "$>$", "|": "$|$", "±": r"$\pm$", "≤": r"$\le$", "≥": r"$\ge$",
    "−": "$-$", "×": r"$\times$", "…": r"\dots{}", "→": r"$\to$", "–": "--", "—": "---",
    "†": r"$^{\dagger}$", "²": "$^2$", "³": "$^3$", "₁": "$_1$", "₂": "$_2$", "φ": r"$\phi$", "σ": r"$\sigma$",
}  # fmt: skip


def typeset(text: str) -> str:
    r"""The text with LaTeX's special characters made harmless: a [ or * that begins a row would belong to the \\ before it.

    >>> print(typeset("a_b & 50%"), typeset("[best] *"), typeset("B³ ± 1"))
    a\_b \& 50\% {[}best] * B$^3$ $\pm$ 1
    """
    signs = "".join(sign for sign in SPECIAL if sign not in "[*")
    return re.sub(rf"[{re.escape(signs)}&%$#_{{}}]|^[\[*]", lambda m: SPECIAL.get(m[0], "\\" + m[0]), text)


WIDTHS = {
    **dict.fromkeys("ijl.,;:'|![]()", 2.8),
    **dict.fromkeys(" frtI-", 3.6),
    **dict.fromkeys("mwMW%±", 8.4),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ", 7.2),
}
"""Points, in Computer Modern at 10 pt; all other characters are about 5 wide, as digits are."""


BOLD = 0.1
"""By how much a number and its interval are wider, if the number is bold."""


def _width(text: str) -> float:
    """An estimate of the width of a text in points, at 10 pt."""
    return sum(WIDTHS.get(character, 5.1) for character in text)
