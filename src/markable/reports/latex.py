"""A LaTeX table with the rules of the booktabs package; the signature is a comment."""

from __future__ import annotations

import re
from typing import TextIO

from markable.reports import Results
from markable.reports.grid import grid

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
    table = grid(results)
    align = "".join("l" if c < table.labels or not title else "r" for c, title in enumerate(table.header))
    out.writelines(f"% {note}\n" for note in table.notes)
    out.write(f"\\begin{{tabular}}{{{align}}}\n\\toprule\n{_row(table.header)}\\midrule\n")
    out.writelines(_row(row) for row in table.rows)
    out.write("\\bottomrule\n\\end{tabular}\n")


def _row(cells: list[str]) -> str:
    return " & ".join("--" if cell == "-" else TITLES.get(cell) or escaped(cell) for cell in cells) + r" \\" + "\n"


def escaped(text: str) -> str:
    r"""The text with LaTeX's special characters made harmless.

    >>> print(escaped("a_b & 50%"))
    a\_b \& 50\%
    """
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\~^&%$#_{}]", lambda m: special.get(m[0], "\\" + m[0]), text)
