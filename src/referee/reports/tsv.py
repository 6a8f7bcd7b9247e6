"""Tab-separated values, otherwise as CSV."""

from __future__ import annotations

from typing import TextIO

from referee.reports import Results, csv


def render(results: Results, out: TextIO) -> None:
    csv.render(results, out, delimiter="\t")
