"""`Printed`: what a program prints; and the arguments of the programs that have options."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn, TypeAlias

from referee.basics.exceptions import OptionError
from referee.stats.counts import Score


class Printed(NamedTuple):
    """What a program prints.

    Parameters
    ----------
    text : str
        On standard output, byte for byte what the program prints.
    status : int
        The exit status.
    errors : str
        On standard error.
    signatures : sequence of str
        How the numbers were computed; `--note` shows them.
    """

    text: str
    status: int = 0
    errors: str = ""
    signatures: Sequence[str] = ()


def rates_line(s: Score) -> str:
    """Return the line of recall, precision and F1 that the scorers in Python print."""
    recall, precision, f1 = (100 * (side or 0.0) for side in (s.recall, s.precision, s.value))
    return f"Recall: {recall:.2f}  Precision: {precision:.2f}  F1: {f1:.2f}\n"


Program: TypeAlias = Callable[[Sequence[str]], Printed]
"""(arguments) -> what the program prints."""


class Arguments(ArgumentParser):
    """The arguments of a program; a mistake is an OptionError."""

    def error(self, message: str) -> NoReturn:
        """Raise the mistake."""
        raise OptionError(f"{self.prog}: {message}")
