"""The command as the page of `referee app` runs it: in a worker of a browser, on files that were dropped on the page.

`run` takes the arguments of the command line, and returns what the page shows. `report` writes the last result in another form.
`assets/types.d.ts` of `pages/app` describes the records.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO
from typing import Any

from referee.basics import progress
from referee.cli import main
from referee.reports import on_pages
from referee.reports.cells import groups
from referee.reports.listing import Listing
from referee.reports.result import Result

_reports: list[Callable[[str], str]] = []
"""Writes the last result in a form; empty if there was none."""


def run(argv: Sequence[str], show: Callable[[str, float], None]) -> str:
    """Run a verb.

    Parameters
    ----------
    argv : sequence of str
        The verb and its arguments.
    show : function
        Called with each step that begins, and the share of it that is done.

    Returns
    -------
    str
        JSON: `Outcome`.
    """
    out, err = StringIO(), StringIO()
    tables: list[dict[str, object]] = []
    status: object
    _reports.clear()

    def take(result: Result, how: Mapping[str, Any]) -> None:
        tables.extend(_table(listing) for listing in result.listings(**how))
        _reports.append(partial(result.report, **how))

    with redirect_stdout(out), redirect_stderr(err), progress.use_progress(show):
        try:
            args = main.parser(argv[0]).parse_args(argv)
            args.take = take
            status = main.run(args)
        except SystemExit as exit_:
            status = exit_.code
    gc.collect()  # memory of a browser is scarce
    messages = err.getvalue().splitlines()
    return json.dumps({"status": status, "text": out.getvalue(), "messages": messages, "tables": tables})


def report(form: str) -> str:
    """Write the last result in another form, one of `reports.forms.FORMS`."""
    return _reports[0](form)


def _table(listing: Listing) -> dict[str, object]:
    """A table with the texts that pages show."""
    return {
        "caption": listing.caption,
        "groups": [[on_pages.title(group), span] for group, span in groups(listing.columns)],
        "columns": [[head, c.is_text] for head, c in zip(on_pages.heads(listing.columns), listing.columns, strict=True)],
        "labels": listing.labels,
        "rows": [[[cell.text + cell.mark, cell.best] for cell in row] for row in on_pages.cells(listing)],
        "below": on_pages.below(listing),
    }
