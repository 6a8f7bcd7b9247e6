"""A LaTeX table with the rules of the booktabs package; the signature is a comment."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TextIO

from referee.reports import Results
from referee.reports.grid import Grid, grid

TITLES = {
    "muc": "MUC",
    "b_cubed": "B$^3$",
    "b_cubed_entity": "B$^3$ (entities)",
    "ceaf_m": "CEAF$_m$",
    "ceaf_e": "CEAF$_e$",
    "ceaf_phi1": r"CEAF$_{\phi_1}$",
    "ceaf_phi2": r"CEAF$_{\phi_2}$",
    "blanc": "BLANC",
    "lea": "LEA",
    "conll": "CoNLL",
    "vi": "VI",
    "ari": "ARI",
    "v_measure": "V-measure",
    "d_error": "d-error",
    "core_mr": "core MR",
    "exclusive_core_mr": "exclusive core MR",
    "F1": "F$_1$",
}
"""How papers write the names; all others are written as they are."""


def render(results: Results, out: TextIO) -> None:
    write(grid(results), out)


def write(table: Grid, out: TextIO) -> None:
    align = "".join("l" if c < table.labels or not name else "r" for c, name in enumerate(table.header))
    label = _title if table.header[0] == "measure" else escaped
    out.writelines(f"% {note}\n" for note in table.notes)
    out.write(f"\\begin{{tabular}}{{{align}}}\n\\toprule\n{row(map(_title, table.header))}\\midrule\n")
    for cells in table.rows:
        numbers = ("--" if cell == "-" else escaped(cell) for cell in cells[table.labels :])
        out.write(row([*map(label, cells[: table.labels]), *numbers]))
    out.write("\\bottomrule\n\\end{tabular}\n")


def row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\" + "\n"


def _title(name: str) -> str:
    return TITLES.get(name) or escaped(name)


def escaped(text: str) -> str:
    r"""The text with LaTeX's special characters made harmless: a [ or * that begins a row would belong to the \\ before it.

    >>> print(escaped("a_b & 50%"), escaped("[best] *"))
    a\_b \& 50\% {[}best] *
    """
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "[": "{[}", "*": "{*}"}
    return re.sub(r"[\\~^&%$#_{}]|^[\[*]", lambda m: special.get(m[0], "\\" + m[0]), text)
