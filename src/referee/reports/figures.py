"""Figures that are written to files: svg, png or pdf. Needs the extra referee[plot]."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

from referee.basics.exceptions import OptionError, one_line
from referee.basics.extras import matplotlib, matplotlib_figure, need
from referee.basics.files import written_whole

ENDINGS = (".svg", ".png", ".pdf")

Drawing: TypeAlias = Any
"""A figure or axes of matplotlib, which has no types here."""


def check_drawable(path: str) -> None:
    """OptionError for an ending that is none of `ENDINGS`; MissingExtraError if nothing can be drawn here."""
    if os.path.splitext(path)[1] not in ENDINGS:
        raise OptionError(f"cannot draw {path}; expected a name that ends in {', '.join(ENDINGS)}")
    figure(1, 1)


def figure(width: float, height: float) -> Drawing:
    """An empty figure, in inches. MissingExtraError without matplotlib."""
    need("a plot", "matplotlib.figure")
    return matplotlib_figure.Figure(figsize=(width, height), layout="constrained")


def label(text: object, length: int = 28) -> str:
    r"""A name for a figure, as it is: a $ begins no formula, and a name that begins with _ is not hidden from a legend.

    The middle of a name longer than `length` is left out, as names of files differ at their ends.

    Examples
    --------
    >>> print(label("a$b"), label("dev/abcdefghi.conll", 11))
    a\$b dev/a…conll
    """
    line = one_line(text)
    if len(line) > length:
        line = f"{line[: length // 2]}…{line[-(length // 2) :]}"
    return (" " if line.startswith("_") else "") + line.replace("$", r"\$")


def save(drawn: Drawing, path: str) -> None:
    """Write a figure, whole or not at all; the same figure gives the same file. OptionError if it cannot be written."""
    ending = os.path.splitext(path)[1]
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending)
    settings = {"svg.hashsalt": "referee", "svg.fonttype": "none"}
    with written_whole(path) as partial, matplotlib.rc_context(settings):
        drawn.savefig(partial, format=ending[1:], metadata=metadata, dpi=150)
