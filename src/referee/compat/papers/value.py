"""A value that a paper prints, beside ours: `PrintedValue`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

NUMBER = re.compile(r"\d*\.?\d+%?|\d+/\d+")
TOLERANCE = Fraction(1, 10**12)
"""How far a double may be from the exact fraction that it stands for, relative to numbers above 1."""


class Data(NamedTuple):
    """Folders with corpora that may not be distributed; None where there is none.

    Attributes
    ----------
    conll2000 : str or None
        Has `train.txt` and `test.txt` of the shared task of CoNLL-2000.
    treebank : str or None
        Has the `.mrg` files of the sample of the Penn Treebank, in itself or in its subfolders.
    """

    conll2000: str | None = None
    treebank: str | None = None


@dataclass(frozen=True)
class PrintedValue:
    """A value of a paper, and what Referee computes.

    Parameters
    ----------
    place
        Where the paper prints it.
    name
        What it is.
    printed
        The value as printed. A number agrees with ours if ours rounds to it; a fraction, if it is the same number.
    ours
        What Referee computes: a number, or a text where the paper prints one; None if it cannot be computed.
    exact
        The same value as a fraction, worked by hand; empty if it is the printed one, or if it has none.
    remark
        What should be known about an equal value.
    misprint
        Why the printed value is wrong.
    missing
        What is missing to compute the value; ours is then a value of other data, if there is any.
    """

    place: str
    name: str
    printed: str
    ours: float | str | None
    exact: str = ""
    remark: str = ""
    misprint: str = ""
    missing: str = ""

    @property
    def fraction(self) -> str:
        """The exact value: as given, or the printed fraction, or the printed number of a count; empty if there is none."""
        is_exact = "/" in self.printed or isinstance(self.ours, int)
        return self.exact or (self.printed if is_exact and NUMBER.fullmatch(self.printed) and not self.misprint else "")

    @property
    def differs(self) -> bool:
        """Whether ours is not what it should be."""
        if self.missing:
            return False
        if self.fraction and not _near(self.ours, self.fraction):
            return True
        is_comparable = isinstance(self.ours, str) or NUMBER.fullmatch(self.printed)
        return self.agrees == bool(self.misprint) if is_comparable else not self.fraction

    @property
    def agrees(self) -> bool:
        """Whether ours is the printed value: the same text, the same fraction, or a number that rounds to it."""
        if isinstance(self.ours, str) or not NUMBER.fullmatch(self.printed):
            return self.ours == self.printed
        if "/" in self.printed:
            return _near(self.ours, self.printed)
        digits, percent = self.printed.rstrip("%"), self.printed.endswith("%")
        last = Fraction(1, 10 ** len(digits.partition(".")[2]))
        return self.ours is not None and abs(self.ours * (100 if percent else 1) - Fraction(digits)) <= last / 2 + TOLERANCE

    @property
    def verdict(self) -> str:
        """`equal`, `misprint: ...`, `not reproducible: ...` or `differs`, with the remark."""
        if self.missing:
            return f"not reproducible: {self.missing}"
        if self.differs:
            return f"differs: expected {self.fraction or self.printed}"
        if self.misprint:
            return f"misprint: {self.misprint}"
        return f"equal: {self.remark}" if self.remark else "equal"


def _near(value: float | str | None, exact: str) -> bool:
    """Whether a number stands for a fraction; none stands for 0/0."""
    if exact == "0/0" or not isinstance(value, (int, float)):
        return False
    fraction = Fraction(exact)
    return abs(value - fraction) <= TOLERANCE * max(fraction, Fraction(1))
