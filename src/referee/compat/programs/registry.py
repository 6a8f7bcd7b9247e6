"""`PROGRAMS`: the programs that `referee as` stands for."""

from __future__ import annotations

from importlib import import_module

from referee.basics.exceptions import check_name
from referee.compat.programs.printed import Program

PROGRAMS = {
    "scorer.pl": "referee.compat.programs.scorer_pl",
    "corefud-scorer": "referee.compat.programs.corefud_scorer",
    "ua-scorer": "referee.compat.programs.ua_scorer",
    "ua-scorer-1": "referee.compat.programs.ua_scorer_1",
    "coval": "referee.compat.programs.coval",
    "conlleval": "referee.compat.programs.conlleval",
}
"""Name -> module, whose `run` is the program; imported when needed."""


def program_named(name: str) -> Program:
    """Return a program. UnknownNameError if there is none of that name."""
    check_name("program", name, PROGRAMS)
    program: Program = import_module(PROGRAMS[name]).run
    return program
