"""A badge: JSON as shields.io and services like it read it, under the address of the file (an endpoint badge)."""

from __future__ import annotations

import json

from referee.basics.exceptions import one_line
from referee.reports.verdict import Verdict, only


def render(verdict: Verdict) -> str:
    """Write the one number of a verdict in this form."""
    headline = verdict.headlines[only(verdict.headlines, "badge")]
    shown = {"label": one_line(headline.label), "message": one_line(headline.message), "color": headline.color}
    return json.dumps({"schemaVersion": 1, **shown}, ensure_ascii=True) + "\n"
