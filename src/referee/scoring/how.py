"""`How`: the options of a call, sorted: how inputs are read, how they are compared, and with what label tables are counted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.basics.exceptions import OptionError, check_name
from referee.formats.inputs.request import Request
from referee.options.options import ENGINE_OPTIONS, EXTRA_ITEMS, READING_OPTIONS, Options
from referee.scoring.other_scorers.profiles import profile_named

if TYPE_CHECKING:
    from referee.formats.inputs.settings import EngineSettings


OF_TEXTS = ("match", "min_overlap", "zeros", "quotes", "lea_importance")
"""Options that say nothing of records, which have neither spans nor words."""


class How(NamedTuple):
    """How inputs are read, and compared.

    Parameters
    ----------
    options : Options
    request : Request
    settings : EngineSettings or None
        The engine for label tables, if an option of engines is given.
    """

    options: Options
    request: Request
    settings: EngineSettings | None

    def check_records(self) -> None:
        """Raise OptionError for an option that says nothing of records; a profile may have it."""
        usual = profile_named(self.options.profile).options
        for name in OF_TEXTS:
            if getattr(self.options, name) != getattr(usual, name):
                shown = f"--{name.replace('_', '-')} {getattr(self.options, name)}"
                raise OptionError(f"{shown} is for mentions in texts; found tables of records: expected no such option")

    @property
    def of_columns(self) -> bool:
        """Whether columns can be counted so, without a look at each mention."""
        options = self.options
        of_each = options.repeated_mentions in ("first", "error"), options.cross_document is None, options.items != "both"
        return all(of_each)


def how_of(
    *,
    profile: str = "default",
    key_format: str | None = None,
    response_format: str | None = None,
    extra_items: str | None = None,
    **given: Any,  # noqa: ANN401  # options of several kinds
) -> How:
    """Sort the options of a call: those of scoring, of reading, and of the engine.

    Raises
    ------
    UnknownNameError, OptionError
        If a name or a value is not known.
    """
    options = {name: value for name, value in given.items() if name not in (*READING_OPTIONS, *ENGINE_OPTIONS)}
    if extra_items == "estimate":
        raise OptionError("found --extra-items estimate; expected score or drop: referee estimate (referee.estimate) estimates")
    if extra_items is not None:
        check_name("way of extra items", extra_items, EXTRA_ITEMS)
        wanted = EXTRA_ITEMS[extra_items]
        if options.setdefault("items", wanted) != wanted:
            raise OptionError(f"--extra-items {extra_items} is --items {wanted}; found --items {options['items']}, too")
    settings = None
    if engine := {name: given[name] for name in ENGINE_OPTIONS if given.get(name) is not None}:
        from referee.formats.inputs.settings import EngineSettings  # only tables need it

        settings = EngineSettings(**engine)
    reading = {name: given[name] for name in READING_OPTIONS if name in given}
    request = Request(key_format, response_format, **reading, settings=settings)
    return How(replace(profile_named(profile).options, **options), request, settings)
