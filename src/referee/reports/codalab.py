"""The scores of one response as CodaLab and Codabench read them: a line `name: number` each, in a file `scores.txt`."""

from __future__ import annotations

import re

from referee.basics.exceptions import warn
from referee.reports.verdict import Verdict, only


def render(verdict: Verdict) -> str:
    """Write the scores of a verdict in this form; a name is one word, and undefined ones are left out."""
    system = only(verdict.scores, "codalab")
    if missing := [name for name, number in verdict.scores[system].items() if number == "-"]:
        warn(f"{system}: undefined, so not in the report: {', '.join(missing)}")
    scores = {name: number for name, number in verdict.scores[system].items() if number != "-"}
    return "".join(f"{re.sub(r'[^0-9A-Za-z_.-]', '_', name)}: {number}\n" for name, number in scores.items())
