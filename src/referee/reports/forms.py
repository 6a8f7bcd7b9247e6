"""The forms of reports: `FORMS` of tables, `VERDICTS` for builds and boards, and `render`.

A form is one module with ``render(listings) -> str``, or ``render(verdict) -> str``, and one line here. It is imported when it
is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from referee.basics.exceptions import check_name
from referee.reports.listing import Listing
from referee.reports.text import Screen

FORMS = {
    "text": "referee.reports.text",
    "markdown": "referee.reports.markdown",
    "latex": "referee.reports.latex",
    "csv": "referee.reports.csv",
    "tsv": "referee.reports.tsv",
    "json": "referee.reports.json",
    "html": "referee.reports.html",
}

VERDICTS = {
    "junit": "referee.reports.junit",
    "github": "referee.reports.github",
    "badge": "referee.reports.badge",
    "codalab": "referee.reports.codalab",
}

ALL_FORMS = {**FORMS, **VERDICTS}


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
    check_name("report", form, FORMS)
    several = [listings] if isinstance(listings, Listing) else listings
    module = import_module(FORMS[form])
    text: str = module.render(several, screen or Screen()) if form == "text" else module.render(several)
    return text
