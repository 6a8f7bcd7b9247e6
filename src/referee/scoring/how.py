"""`How`: the options of a call, sorted: how inputs are read, how they are compared, and with what label tables are counted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.basics.exceptions import OptionError
from referee.basics.options.options import ENGINE_OPTIONS, READING_OPTIONS, RECORDS, Options, check_options
from referee.inputs.request import Request
from referee.scoring.other_scorers.profiles import profile_named

if TYPE_CHECKING:
    from referee.inputs.settings import EngineSettings


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
        for name, record in RECORDS.items():
            if record.is_of_texts and getattr(self.options, name) != getattr(usual, name):
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
    **given: Any,  # noqa: ANN401  # options of several kinds
) -> How:
    """Sort the options of a call: those of scoring, of reading, and of the engine.

    Raises
    ------
    UnknownNameError, OptionError
        If a name or a value is not known.
    """
    options = {name: value for name, value in given.items() if name not in (*READING_OPTIONS, *ENGINE_OPTIONS)}
    check_options(options)
    settings = None
    if engine := {name: given[name] for name in ENGINE_OPTIONS if given.get(name) is not None}:
        from referee.inputs.settings import EngineSettings  # only tables need it

        settings = EngineSettings(**engine)
    reading = {name: given[name] for name in READING_OPTIONS if name in given}
    request = Request(key_format, response_format, **reading, settings=settings)
    return How(replace(profile_named(profile).options, **options), request, settings)
