"""JUnit's XML, which servers of continuous integration show as tests: a suite for each system or file, a case for a check.

Reports were validated against the schema of Jenkins (junit-10.xsd of its xUnit plugin). That of Ant, which needs the host and
the time of a run, is another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from xml.sax.saxutils import escape, quoteattr

from referee.reports.verdict import Check, Verdict

_IMPOSSIBLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold, even escaped."""


def render(verdict: Verdict) -> str:
    """Write a verdict in this form."""
    suites = "".join(
        _suite(about, list(checks), verdict.notes) for about, checks in groupby(verdict.checks, attrgetter("about"))
    )
    counts = _counts(verdict.checks)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="referee" {counts}>\n{suites}</testsuites>\n'


def _suite(about: str, checks: Sequence[Check], notes: Sequence[str]) -> str:
    properties = "".join(f'<property name="note" value={_quoted(note)}/>\n' for note in notes)
    return (
        f'<testsuite name={_quoted(about)} {_counts(checks)} skipped="0" time="0">\n'
        + (f"<properties>\n{properties}</properties>\n" if notes else "")
        + "".join(map(_case, checks))
        + "</testsuite>\n"
    )


def _case(check: Check) -> str:
    failure = f"<failure message={_quoted(check.text)}/>" if check.failed else ""
    content = failure or f"<system-out>{escape(_possible(check.text))}</system-out>"
    return f'<testcase classname={_quoted(check.about)} name={_quoted(check.name)} time="0">{content}</testcase>\n'


def _counts(checks: Iterable[Check]) -> str:
    failed = [check.failed for check in checks]
    return f'tests="{len(failed)}" failures="{sum(failed)}" errors="0"'


def _quoted(text: str) -> str:
    return quoteattr(_possible(text))


def _possible(text: str) -> str:
    return _IMPOSSIBLE.sub("\N{REPLACEMENT CHARACTER}", text)
