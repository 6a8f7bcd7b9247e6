"""What builds and boards ask of a result, in the forms that they read: `Verdict`, `Check`, `Headline`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from referee.basics.exceptions import OptionError, counted

GOOD, BAD, PLAIN, UNDEFINED = "green", "red", "blue", "lightgrey"
"""The colours of badges."""


class Check(NamedTuple):
    """Something that was checked, and what was found.

    Attributes
    ----------
    about : str
        The system, or the file.
    name : str
        What was checked, such as a metric.
    text : str
        What was found.
    failed : bool
        Whether it is a reason to fail.
    line : int or None
        Of a file; 0 for a file as a whole, None for what is no file.
    is_warning : bool
        Whether it should be known, and is no reason to fail.
    """

    about: str
    name: str
    text: str
    failed: bool = False
    line: int | None = None
    is_warning: bool = False


class Headline(NamedTuple):
    """The one number of a system.

    Attributes
    ----------
    label, message : str
        The metric as papers write it; the number.
    color : str
        `GOOD`, `BAD`, `PLAIN` or `UNDEFINED`.
    """

    label: str
    message: str
    color: str = PLAIN


class Verdict(NamedTuple):
    """What was checked, and the numbers that a board shows.

    Attributes
    ----------
    checks : sequence of Check
        One after another; those about one thing follow each other.
    headlines : mapping
        System -> its one number.
    scores : mapping
        System -> name -> number, as it is printed; `-` where it is undefined.
    notes : sequence of str
        How the numbers were made.
    """

    checks: Sequence[Check]
    headlines: Mapping[str, Headline] = {}
    scores: Mapping[str, Mapping[str, str]] = {}
    notes: Sequence[str] = ()


def only(systems: Mapping[str, object], form: str) -> str:
    """Return the one system that there is.

    Raises
    ------
    OptionError
        If there are several, or none.
    """
    if len(systems) != 1:
        raise OptionError(
            f"--report {form} shows one response; found {counted(len(systems), 'response')}: expected one at a time"
        )
    return next(iter(systems))
