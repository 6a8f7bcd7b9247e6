"""Errors, or entities with errors, as text: each one in a line, and perhaps a line of its document below it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate, takewhile

from referee.basics.exceptions import counted
from referee.reports.cells import written
from referee.reports.listing import Listing
from referee.reports.text import Screen, length, wrapped

WIDTH = 100
"""Characters of a line in a file."""


def error_lines(listing: Listing, screen: Screen) -> str:
    """Write errors or entities one after the other, as wide as the screen.

    Parameters
    ----------
    listing : Listing
        Errors or entities, as `Errors.listing` gives them to people; with contexts, mentions are below each other.
    screen : Screen
        Where it is shown.

    Returns
    -------
    str
        What each one is, in as many lines as it needs, and a line with its context if it has one; then the notes.
    """
    width = screen.width or WIDTH
    names = [column.field or str(column.title) for column in listing.columns]
    in_context, noun = "before" in names, str(listing.columns[names.index("mentions")].title)[:-1]
    lines = []
    for row in written(listing):
        *cells, cost = (c.text for c in row)
        cell = dict(zip(names, cells, strict=False))
        place = f"{cell.get('document', '')} {cell.get('place', '')}".strip()
        about = f"{listing.columns[-1].title} {cost}  {place}".rstrip()
        first = wrapped(f"{_error(cell, int(cells[-1]), noun)}  {about}", width)
        lines += [f"\033[1m{line}\033[0m" if screen.bold and in_context else line for line in first]
        if in_context and (cell["before"] or cell["after"]):
            lines.append(_in_context(cell["before"], cell["text"], cell["after"], width, whose=cell["part"]))
            if cell["other_part"]:
                before, text, after = (cell[f"other_{part}"] for part in ("before", "text", "after"))
                lines.append(_in_context(before, text, after, width, whose=cell["other_part"]))
    below = [line for note in listing.notes for line in wrapped(note, screen.width)]
    return "".join(f"{line}\n" for line in [*lines, "", *below])


def _error(cell: Mapping[str, str], mentions: int, noun: str) -> str:
    """What an error, or an entity with errors, is."""
    name = f"“{cell['text']}”"
    if "entity" in cell:
        return f"{cell['entity']} {name} ({counted(mentions, noun)}): {cell['what']}"
    return f"{cell['kind']}: {name}{'' if mentions == 1 else f' and {mentions - 1} more'}, {cell['what']}"


def _in_context(before: str, text: str, after: str, width: int, *, whose: str = "") -> str:
    """One line, which begins with whose mention it is; what does not fit is cut, mostly far from the mention."""
    text, left = f"[{_start(text, width // 2 - 2)}]", width * 2 // 5
    whose = whose and f"{_start(whose, left // 2)}: "
    before = _start(before[::-1], left - length(whose))[::-1]
    right = max(width - left - length(text) - 2, 0)
    return f"{whose}{' ' * (left - length(whose) - length(before))}{before} {text} {_start(after, right)}".rstrip()


def _start(text: str, width: int) -> str:
    """As much of a text as fits, with an ellipsis where it is cut."""
    if length(text) <= width:
        return text
    widths = accumulate(map(length, text))
    start = "".join(takewhile(lambda _: next(widths) < width, text)).rstrip()
    return f"{start}…" if width else ""
