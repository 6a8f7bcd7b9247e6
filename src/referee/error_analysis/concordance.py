"""The concordance of errors as text: each one in a line of its document, with mentions below each other."""

from __future__ import annotations

from collections.abc import Iterable

from referee.reports.cells import written
from referee.reports.listing import Listing
from referee.reports.text import Screen, length, wrapped

WIDTH = 100
"""Characters of a line in a file."""


def concordance(listing: Listing, screen: Screen) -> str:
    """Write errors with their contexts, as wide as the screen.

    Parameters
    ----------
    listing : Listing
        Errors with contexts, as `Errors.listing` gives them.
    screen : Screen
        Where it is shown.

    Returns
    -------
    str
        Two lines for each error, what it is and its context; then the notes.
    """
    width = screen.width or WIDTH
    names = [str(column.title) for column in listing.columns]
    first_cost = next(n for n, column in enumerate(listing.columns) if column.kind == "cost")
    lines = []
    for row in written(listing):
        cell = dict(zip(names, (c.text for c in row), strict=True))
        cost = f"{names[first_cost]} {row[first_cost].text}"
        place = f"{cell['document']} {cell['place']}".strip()
        more = f" and {int(cell['mentions']) - 1} more" if cell["mentions"] != "1" else ""
        said = wrapped(f"{cell['kind']}: “{cell['text']}”{more}, {cell['what']}  {cost}  {place}", width)
        lines += [f"\033[1m{line}\033[0m" if screen.bold else line for line in said]
        lines.append(_in_context(cell["before"], cell["text"], cell["after"], width))
    below = [line for note in listing.notes for line in wrapped(note, screen.width)]
    return "".join(f"{line}\n" for line in [*lines, "", *below])


def _in_context(before: str, text: str, after: str, width: int) -> str:
    """One line; what does not fit is cut, mostly far from the mention."""
    text, left = f"[{_start(text, width // 2 - 2)}]", width * 2 // 5
    before = _start(before[::-1], left)[::-1]
    right = max(width - left - length(text) - 2, 0)
    return f"{' ' * (left - length(before))}{before} {text} {_start(after, right)}".rstrip()


def _start(text: str, width: int) -> str:
    """As much of a text as fits, with an ellipsis where it is cut."""
    if length(text) <= width:
        return text
    kept = list(_fitting(text, width - 1))
    return "".join(kept).rstrip() + "…" if width else ""


def _fitting(text: str, width: int) -> Iterable[str]:
    for character in text:
        width -= length(character)
        if width < 0:
            return
        yield character
