"""How intervals and tests are made: `Resampling`."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Literal, TypedDict

from referee.basics.exceptions import OptionError, check_name, shortened
from referee.stats.choices import INTERVALS, MANY, MOST, TESTS, UNITS

RELIABLE = 10
"""The smallest number of units whose intervals are shown without a warning.

A percentile interval is too narrow in small samples. For the mean of n normal numbers it is that of the standard deviation
without the factor n/(n - 1), and of the normal distribution instead of Student's [1]_. So an interval of 95 % holds the true
mean in 60 % of all samples of n = 2, in 85 % of n = 5, in 90 % of n = 10. There are also few different resamples: 3 of two
units, 126 of five, 92,378 of ten.

References
----------
.. [1] Hesterberg (2015), What Teachers Should Know About the Bootstrap.
"""


def format_unit(unit: str | None, number: int = 0) -> str:
    """What units are called, with their number if it is given.

    >>> format_unit(None), format_unit("sentence", 1), format_unit("entity", 2)
    ('documents', '1 sentence', '2 groups of merged entities')
    """
    noun = f"{'group' if unit == 'entity' else unit or 'document'}{'s' * (number != 1)}"
    return f"{number} " * bool(number) + noun + " of merged entities" * (unit == "entity")


class ResamplingOptions(TypedDict, total=False):
    """What an interval may be made of, as type checkers see it; `Resampling` says what each means."""

    method: Literal["percentile", "bca", "linear"] | None
    level: float
    resamples: int
    seed: int
    unit: Literal["document", "sentence", "entity"] | None


@dataclass(frozen=True)
class Resampling:
    """How intervals and tests are made; all of it stands in the signature.

    Parameters
    ----------
    method : str or None
        One of `INTERVALS`; "linear" needs no resamples. None for "percentile", and "linear" above 100,000 units.
    level : float
        Of the intervals, from 1/2 to below 1. A difference is significant if its corrected p is at most 1 - level.
    resamples : int
        Their number, at least 2 / (1 - level), so that there is one beyond each end of an interval.
    seed : int
        Of the random numbers, 0 or more: the same seed gives the same digits.
    unit : str or None
        One of `UNITS`: resample documents; sentences, over which only mention detection (`mentions`) is a sum; or entities of
        the key, those that responses merge together, for metrics that are sums over them. None for entities of records in one
        document, else documents.
    test : str
        One of `TESTS`: the one whose p is corrected and shown. Both are computed.

    Raises
    ------
    UnknownNameError, OptionError
        If a value is none of these.
    """

    method: str | None = None
    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0
    unit: str | None = None
    test: str = "randomization"

    def __post_init__(self) -> None:
        if self.method is not None:
            check_name("interval", self.method, INTERVALS)
        if self.unit is not None:
            check_name("unit of resampling", self.unit, UNITS)
        check_name("test", self.test, TESTS)
        for name, number, noun in (
            ("level", Real, "number"),
            ("resamples", Integral, "whole number"),
            ("seed", Integral, "whole number"),
        ):
            if not isinstance(value := getattr(self, name), number):
                raise OptionError(f"{name} is a {noun}; found {value!r}")
        if not 0.5 <= self.level < 1:
            raise OptionError(f"level is a number from 0.5 to below 1; found {self.level!r}")
        fewest = math.ceil(2 / (1 - self.level) * (1 - 1e-9))  # 1 - level has lost digits
        if fewest > MOST:
            raise OptionError(
                f"a level of {self.level!r} needs {fewest} resamples; expected a lower level: {MOST} are the most"
            )
        if not fewest <= self.resamples <= MOST:
            raise OptionError(
                f"resamples is a number from {fewest} to {MOST} for a level of {self.level!r}; found {self.resamples!r}"
            )
        if self.seed < 0:
            raise OptionError(f"seed is 0 or more; found {self.seed!r}")

    def for_units(self, units: int) -> Resampling:
        """Return the settings with a method: the one for so many units, unless one was named."""
        return self if self.method else replace(self, method="linear" if units > MANY else "percentile")

    def caution(self, units: int, remedy: str = "") -> str:
        """Return the note on the intervals of so few units; empty if there are enough. What to do instead is the `remedy`."""
        noun = format_unit(self.unit, units)
        if units < 2 and self.unit == "entity":
            merged = "responses merge entities, one with the next, until all are one group: nothing is left to resample"
            return f"no interval can be given: {merged}{remedy}"
        if units < 2:
            return f"no interval can be given: there is {noun}, and at least two are needed{remedy}"
        if units < RELIABLE:
            return f"the intervals are too narrow to be relied on: there are {noun}; expected at least {RELIABLE}"
        return ""

    def legend(self, style: str = "interval") -> str:
        """What the signs of an interval mean where it is shown in a style; empty where none is shown."""
        over = f" over {format_unit(self.unit)}" if self.unit not in (None, "document") else ""
        share = f"{self.level * 100:.10g} % interval{over}"
        return {"margin": f"± half the {share}", "interval": f"[{share}]", "plain": ""}[style]

    @property
    def signature(self) -> str:
        """Its part of a signature, except for the test."""
        how = f"intervals:{self.method or 'percentile'} | level:{self.level!r}"
        resampled = "" if self.method == "linear" else f" | resamples:{self.resamples} | seed:{self.seed}"
        return f"{how}{resampled} | unit:{self.unit or 'document'}"

    @property
    def unusual(self) -> list[str]:
        """What differs from the defaults, as the signature says it: for a short one."""
        usual = Resampling().signature.split(" | ")
        return [field for field in self.signature.split(" | ") if field not in usual]


def as_resampling(resampling: object) -> Resampling:
    """What was asked for; the defaults for None. OptionError for another value."""
    if resampling is not None and not isinstance(resampling, Resampling):
        raise OptionError(f"resampling is a referee.Resampling, as in Resampling(seed=1); found {shortened(repr(resampling))}")
    return resampling or Resampling()
