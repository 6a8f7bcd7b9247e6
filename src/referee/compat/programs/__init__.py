"""Other programs' command lines and outputs, with the scores of this one: `PROGRAMS`, for which `referee as` stands."""

from __future__ import annotations

from referee.basics.registry import Registry
from referee.compat.programs.printed import Program

PROGRAMS: Registry[Program] = Registry(
    "program",
    {
        "scorer.pl": "referee.compat.programs.scorer_pl:run",
        "corefud-scorer": "referee.compat.programs.corefud_scorer:run",
        "ua-scorer": "referee.compat.programs.ua_scorer:run",
        "ua-scorer-1": "referee.compat.programs.ua_scorer_1:run",
        "coval": "referee.compat.programs.coval:run",
        "conlleval": "referee.compat.programs.conlleval:run",
    },
)
"""Name -> the function that is the program; imported when needed."""
