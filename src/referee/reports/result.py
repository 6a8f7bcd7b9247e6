"""What all results can do: show and export themselves."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from referee.basics.content import EqualByContent
from referee.basics.exceptions import OptionError, check_name
from referee.basics.names import AttributeHints
from referee.reports.forms import ALL_FORMS, FORMS, VERDICTS, form_named, render
from referee.reports.listing import Listing, Plain
from referee.reports.text import Screen, screen

if TYPE_CHECKING:
    from referee.reports.verdict import Verdict


class Result(EqualByContent, AttributeHints, ABC):
    """A result that can be shown as a table in every form, and exported as rows or as a dictionary.

    Results are equal if their contents are.

    A class says what its table is: `listing`. Where people want several tables it overrides `listings`, too; where programs
    want another table than people, `records`, and where they want more than a table, `to_dict`. All of them take the same
    keyword arguments, and so does `report`.
    """

    BETWEEN_MODULES = frozenset({"listings", "verdict"})

    @abstractmethod
    def listing(self, *args: Any, **how: Any) -> Listing:
        """The table for people."""

    def listings(self, *args: Any, **how: Any) -> Sequence[Listing]:
        """All tables for people."""
        return [self.listing(*args, **how)]

    def records(self, *args: Any, **how: Any) -> Listing:
        """The table for programs: CSV, TSV and `to_rows`."""
        return self.listing(*args, **how)

    def to_rows(self, *args: Any, **how: Any) -> list[dict[str, Plain]]:
        """Flat dictionaries, as ``pandas.DataFrame`` and ``polars.DataFrame`` take them: what CSV has.

        Numbers have full precision, and None stands for what is undefined.
        """
        return self.records(*args, **how).to_rows()

    def to_dict(self, *args: Any, **how: Any) -> dict[str, object]:
        """The content of the JSON report, as plain Python values."""
        return self.records(*args, **how).to_dict()

    def verdict(self, *_: Any, **_how: Any) -> Verdict:
        """What builds and boards read: only results with scores have it."""
        raise OptionError(f"found a form of report that is for scores and comparisons; expected one of {', '.join(FORMS)}")

    def report(self, form: str = "text", *, screen: Screen | None = None, **how: Any) -> str:
        """The report that the command prints.

        Parameters
        ----------
        form
            One of `referee.reports.forms.FORMS`, such as ``latex``, or the ending of such a file, as ``tex``; of scores and
            comparisons also one of `VERDICTS`, such as ``junit``.
        screen
            What a text is shown on; None for one without end, as in a file.
        **how
            What `listing` accepts; for `VERDICTS` what `verdict` accepts.

        Returns
        -------
        str

        Raises
        ------
        UnknownNameError
            For an unknown form.
        """
        form = form_named(form)
        check_name("report", form, ALL_FORMS)
        if form in VERDICTS:
            verdict: str = VERDICTS.load(form).render(self.verdict(**how))
            return verdict
        if form == "json":
            text: str = FORMS.load(form).written(self.to_dict(**how))  # costs more to import than a text to make
            return text
        return render(self.records(**how) if form in ("csv", "tsv") else self.listings(**how), form, screen=screen)

    def __str__(self) -> str:
        return self.report(screen=screen(sys.stdout)).removesuffix("\n")

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        fragment = FORMS.load("html").fragment  # a notebook needs it, a terminal does not
        return "\n".join(map(fragment, self.listings()))
