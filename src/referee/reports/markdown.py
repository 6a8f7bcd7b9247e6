"""A Markdown table (GitHub's dialect), then the signature."""

from __future__ import annotations

import re
from typing import TextIO

from referee.reports import Results
from referee.reports.grid import Grid, grid


def render(results: Results, out: TextIO) -> None:
    write(grid(results), out)


def write(table: Grid, out: TextIO) -> None:
    rule = [":---" if c < table.labels or not title else "---:" for c, title in enumerate(table.header)]
    for row in (table.header, rule, *table.rows):
        names = len(row) if row is table.header else 0 if row is rule else table.labels
        out.write(f"| {' | '.join([*map(escaped, row[:names]), *row[names:]])} |\n")
    out.writelines(f"\n{_code(note)}\n" for note in table.notes)


def escaped(text: str) -> str:
    r"""The text with Markdown's signs made harmless. An _ inside a word is no sign.

    >>> print(escaped("**best** b_cubed _x_ <b> a|b"))
    \*\*best\*\* b_cubed \_x\_ \<b> a\|b
    """
    return re.sub(r"[\\`*<|\[]|(?<![^\W_])_|_(?![^\W_])", r"\\\g<0>", text)


def _code(text: str) -> str:
    """The text as code, whatever backticks it has."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " * (len(fence) > 1)
    return f"{fence}{space}{text}{space}{fence}"
