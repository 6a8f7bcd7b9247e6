"""How intervals and tests are made: `Resampling`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from referee.exceptions import OptionError, check_name
from referee.messages import counted
from referee.stats.intervals import INTERVALS
from referee.stats.significance import ROUNDING, TESTS

MOST = 1_000_000
"""Resamples, all of which are kept."""

UNITS = ("document", "sentence")


@dataclass(frozen=True)
class Resampling:
    """How intervals and tests are made; all of it stands in the signature.

    method    : one of `INTERVALS`
    level     : of the intervals, at least 1/2; a difference is significant if its p, corrected, is at most 1 - level
    resamples : how many are drawn, at least 2 / (1 - level), so that there is one beyond each end of an interval
    seed      : the same one gives the same digits
    unit      : one of `UNITS`: draw documents, or sentences, over which only mention detection (`mentions`) is a sum
    test      : one of `TESTS`: whose p is corrected and shown; both are computed
    """

    method: str = "percentile"
    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0
    unit: str = "document"
    test: str = "randomization"

    def __post_init__(self) -> None:
        check_name("interval", self.method, INTERVALS)
        check_name("unit of resampling", self.unit, UNITS)
        check_name("test", self.test, TESTS)
        if not 0.5 <= self.level < 1:
            raise OptionError(f"level is a number from 0.5 to below 1; found {self.level!r}")
        fewest = math.ceil(2 / (1 - self.level) * (1 - ROUNDING))
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

    def too_few(self, units: int) -> str:
        """Why so many documents, or sentences, have no interval; empty if they have."""
        found = counted(units, self.unit)
        return "" if units > 1 else f"no interval can be given: there is {found}, and at least two are needed"

    @property
    def signature(self) -> str:
        """Its part of a signature, but for the test."""
        return (
            f"intervals:{self.method} | level:{self.level!r} | resamples:{self.resamples} | seed:{self.seed} | unit:{self.unit}"
        )
