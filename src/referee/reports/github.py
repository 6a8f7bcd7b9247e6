"""Commands of GitHub's workflows: errors and warnings, beside their lines if they have any, and a notice for each number.

A command ends with its line, so a text has none: breaks and the signs of commands are written as GitHub reads them.
"""

from __future__ import annotations

from referee.basics.exceptions import one_line
from referee.reports.verdict import Check, Verdict


def render(verdict: Verdict) -> str:
    """Write a verdict in this form."""
    errors = [_problem(check) for check in verdict.checks if check.failed or check.is_warning]
    notices = [
        f"::notice title={_value(f'{system}: {headline.label}')}::{_message(headline.message)}"
        for system, headline in verdict.headlines.items()
    ]
    return "".join(f"{line}\n" for line in (*errors, *notices))


def _problem(check: Check) -> str:
    level = "error" if check.failed else "warning"
    if check.line is not None:
        place = f"file={_value(check.about)}" + f",line={check.line}" * bool(check.line)
        return f"::{level} {place}::{_message(check.text)}"
    return f"::{level} title={_value(f'{check.about}: {check.name}')}::{_message(check.text)}"


def _message(text: str) -> str:
    return one_line(text).replace("%", "%25")


def _value(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
