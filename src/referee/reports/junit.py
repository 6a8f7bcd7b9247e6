"""JUnit's XML, which servers of continuous integration show as tests: a suite for each system or file, a case for a check.

Reports were validated against the schema of Jenkins (junit-10.xsd of its xUnit plugin). That of Ant, which needs the host and
the time of a run, is another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from xml.sax.saxutils import escape, quoteattr

from referee.reports.verdict import Check, Verdict

_IMPOSSIBLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold, even escaped."""


def render(verdict: Verdict) -> str:
    """Write a verdict in this form."""
    properties = "".join(f'<property name="note" value={_quoted(note)}/>\n' for note in verdict.notes)
    suites = ""
    for about, each in groupby(verdict.checks, attrgetter("about")):
        checks = list(each)
        suites += f'<testsuite name={_quoted(about)} {_counts(checks)} skipped="0" time="0">\n'
        suites += f"<properties>\n{properties}</properties>\n" if verdict.notes else ""
        suites += "".join(map(_case, checks)) + "</testsuite>\n"
    counts = _counts(verdict.checks)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="referee" {counts}>\n{suites}</testsuites>\n'


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
