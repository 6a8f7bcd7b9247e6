"""The forms of reports: `FORMS` of tables, `VERDICTS` for builds and boards, and `render`.

A form is one module with ``render(listings) -> str``, or ``render(verdict) -> str``, and one line here. It is imported when it
is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from referee.basics.registry import Registry
from referee.reports.listing import Listing
from referee.reports.text import Screen


def _forms(*names: str) -> Registry[ModuleType]:
    return Registry("report", {name: f"referee.reports.{name}" for name in names})


FORMS = _forms("text", "markdown", "latex", "csv", "tsv", "json", "html")

VERDICTS = _forms("junit", "github", "badge", "codalab")

ALL_FORMS = _forms(*FORMS, *VERDICTS)

ENDINGS = {"txt": "text", "md": "markdown", "tex": "latex", "htm": "html", "xml": "junit"}
"""Endings of files that are no form's name, and names that people give forms."""


def form_named(name: str) -> str:
    """Return the form of a name, or of the ending of a file, such as tex for latex; the name itself if it is none."""
    return ENDINGS.get(name, name)


def render(listings: Listing | Sequence[Listing], form: str = "text", *, screen: Screen | None = None) -> str:
    """Write one listing or several in a form.

    Parameters
    ----------
    listings
        What is shown; of several, one below the other.
    form
        One of `FORMS`.
    screen
        What a text is shown on; None for one without end. See `referee.reports.text.screen`.

    Returns
    -------
    str
        Whole lines.

    Raises
    ------
    UnknownNameError
        For an unknown form.
    """
    module = FORMS.load(form)
    several = [listings] if isinstance(listings, Listing) else listings
    text: str = module.render(several, screen or Screen()) if form == "text" else module.render(several)
    return text
