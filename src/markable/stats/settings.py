"""How intervals and tests are made: `Resampling`."""

from __future__ import annotations

from dataclasses import dataclass

from markable.errors import OptionError, check_name
from markable.stats.intervals import INTERVALS
from markable.stats.significance import TESTS

MOST = 1_000_000
"""Resamples, all of which are kept."""

UNITS = ("document", "sentence")


@dataclass(frozen=True)
class Resampling:
    """How intervals and tests are made; all of it stands in the signature.

    method    : one of `INTERVALS`
    level     : of the intervals; a difference is significant if its p, corrected, is at most 1 - level
    resamples : how many are drawn
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
        if not 0 < self.level < 1:
            raise OptionError(f"level is a number between 0 and 1; found {self.level!r}")
        if not 1 <= self.resamples <= MOST:
            raise OptionError(f"resamples is a number from 1 to {MOST}; found {self.resamples!r}")
        if self.seed < 0:
            raise OptionError(f"seed is 0 or more; found {self.seed!r}")

    @property
    def signature(self) -> str:
        """Its part of a signature, but for the test."""
        return (
            f"intervals:{self.method} | level:{self.level:g} | resamples:{self.resamples} | seed:{self.seed} | unit:{self.unit}"
        )
