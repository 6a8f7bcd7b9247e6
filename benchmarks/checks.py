"""Figures beside the least that each must be: what the scripts of scores share."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from referee.basics.exceptions import RefereeWarning


class Check(NamedTuple):
    """A figure, such as a score in percent, and the least that it must be."""

    name: str
    value: float
    least: float


def run(parts: Mapping[str, Callable[[], Iterator[Check]]]) -> None:
    """Print the figures of the parts that the command names, or of all; exit with 1 if one is too low."""
    warnings.simplefilter("ignore", RefereeWarning)
    low = 0
    for part in sys.argv[2:] or parts:
        for name, value, least in parts[part]():
            low += value < least
            print(f"{name:56} {value:9.2f}  {least or '':>7}  {'too low' if value < least else ''}".rstrip(), flush=True)
    sys.exit(low > 0)
