"""Figures that are written to files: svg, png or pdf. Needs the extra referee[plot].

All plots have the colours of the pages, on white, as papers are: see `shell.css`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeAlias

from referee.basics.exceptions import OptionError, one_line
from referee.basics.extras import matplotlib, matplotlib_figure, matplotlib_fonts, need
from referee.basics.files import written_whole
from referee.basics.options.choices import PLOT_ENDINGS
from referee.reports.colours import colours

Drawing: TypeAlias = Any
"""A figure or axes of matplotlib, which has no types here."""

FONTS = """
    DejaVu Sans, Noto Sans, Noto Sans CJK JP, Noto Sans CJK SC, Source Han Sans, IPAexGothic, WenQuanYi Micro Hei,
    Droid Sans Fallback, Hiragino Sans, Apple SD Gothic Neo, PingFang SC, Yu Gothic, Malgun Gothic, Microsoft YaHei,
    Arial Unicode MS
"""
"""Where glyphs are looked for, if these are installed. The first comes with matplotlib; it has no Chinese, for example."""

SLIDE = 16 / 9
"""The shape of a slide: its width over its height."""

LINES, MARKERS = ("-", "--", ":", "-."), ("o", "s", "D", "^")
"""Of the first seven systems, the second seven, and so on."""


def check_drawable(path: str) -> None:
    """OptionError for an ending that is none of `PLOT_ENDINGS`; MissingExtraError if nothing can be drawn here."""
    if os.path.splitext(path)[1] not in PLOT_ENDINGS:
        raise OptionError(f"cannot draw {path}; expected a name that ends in {', '.join(PLOT_ENDINGS)}")
    need("a plot", "matplotlib.figure")


@contextmanager
def drawn(path: str | None) -> Iterator[None]:
    """What is drawn and saved inside looks like the pages. OptionError and MissingExtraError as in `check_drawable`."""
    if path is None:
        need("a plot", "matplotlib.figure")
    else:
        check_drawable(path)
    with matplotlib.rc_context(_look()), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # drawn as a box
        yield


def figure(width: float, height: float) -> Drawing:
    """An empty figure, in inches."""
    return matplotlib_figure.Figure(figsize=(width, height), layout="constrained")


def grid(panels: int, width: float, height: float) -> tuple[int, int]:
    """In how many rows and columns panels of this size fit on the smallest slide, with as few empty places as there can be.

    >>> grid(2, 6, 4), grid(4, 6, 4), grid(8, 6, 4)
    ((1, 2), (2, 2), (3, 3))
    """

    def room(columns: int) -> tuple[float, int]:
        rows = -(-panels // columns)
        return max(height * rows, width * columns / SLIDE), rows * columns

    columns = min(range(1, panels + 1), key=room)
    return -(-panels // columns), columns


def slide(width: float, height: float) -> Drawing:
    """An empty figure of the shape of a slide, at least so many inches wide and high."""
    return figure(max(width, height * SLIDE), max(height, width / SLIDE))


def beside(axis: Drawing, text: str, x: float, y: float, *, above: bool = False) -> None:
    """Print a value on the right of its point, or above it where there is an interval on both sides."""
    place = {"xytext": (0, 6), "ha": "center", "va": "bottom"} if above else {"xytext": (4, 0), "va": "center"}
    axis.annotate(text, (x, y), textcoords="offset points", fontsize="small", **place)


@cache
def series() -> tuple[str, ...]:
    """The colours of systems: blue, orange, green and so on, which colour-blind readers can tell apart."""
    named = colours()
    return (named["accent"], "#e08e1b", "#2f9c7a", named["bad"], "#67aad9", "#c26f9f", named["soft"])


def line(n: int) -> dict[str, object]:
    """The style of the line of the nth system."""
    turn = n // len(series()) % len(LINES)
    return {"color": series()[n % len(series())], "linestyle": LINES[turn], "marker": MARKERS[turn], "markersize": 4}


def dots(n: int, many: int = 100) -> dict[str, object]:
    """The style of the documents of the nth system: smaller and paler where they are many."""
    size, alpha = (10, 0.6) if many > 30 else (36, 0.9)
    return {"color": line(n)["color"], "marker": line(n)["marker"], "s": size, "alpha": alpha, "linewidths": 0}


def legend_below(axis: Drawing, columns: int = 2, **how: object) -> None:
    """A legend below the axes, where it hides nothing."""
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=columns, **how)


def shades() -> Drawing:
    """A colour map of numbers from -1 over 0, which is white, to 1."""
    named = colours()
    return matplotlib.colors.LinearSegmentedColormap.from_list("referee", [named["bad"], "#ffffff", named["accent"]])


def label(text: object, length: int = 24) -> str:
    r"""A name for a figure, as it is: a $ begins no formula, and a name that begins with _ is not hidden from a legend.

    The middle of a name longer than `length` is left out, as names of files differ at their ends.

    Examples
    --------
    >>> print(label("a$b"), label("dev/abcdefghi.conll", 11))
    a\$b dev/a…conll
    """
    shown = one_line(text)
    if len(shown) > length:
        shown = f"{shown[: length // 2]}…{shown[-(length // 2) :]}"
    return (" " if shown.startswith("_") else "") + shown.replace("$", r"\$")


def save(drawing: Drawing, path: str | None) -> None:
    """Write a figure, whole or not at all; the same figure gives the same file. OptionError if it cannot be written.

    Without a path it is not written.
    """
    if path is None:
        return
    ending = os.path.splitext(path)[1]
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending)
    settings = {"svg.hashsalt": "referee", "svg.fonttype": "none"}
    with written_whole(path) as partial, matplotlib.rc_context(settings):
        drawing.savefig(partial, format=ending[1:], metadata=metadata, dpi=150)


def _look() -> dict[str, object]:
    named, installed = colours(), matplotlib_fonts.get_font_names()
    ink = dict.fromkeys(("text.color", "axes.titlecolor"), named["ink"])
    soft = dict.fromkeys(("axes.labelcolor", "xtick.labelcolor", "xtick.color", "ytick.color"), named["soft"])
    return {
        **ink,
        **soft,
        "ytick.labelcolor": named["ink"],
        "axes.edgecolor": named["soft"],
        "axes.linewidth": 0.8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": "medium",
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.axisbelow": True,
        "axes.grid": True,
        "grid.color": named["line"],
        "grid.linewidth": 0.5,
        "legend.frameon": False,
        "legend.fontsize": "small",
        "legend.title_fontsize": "small",
        "hatch.linewidth": 0.6,
        "font.family": [name for name in map(str.strip, FONTS.split(",")) if name in installed],
    }
