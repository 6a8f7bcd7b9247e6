"""What a block of a test warns of."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from referee.basics.exceptions import RefereeWarning


@contextmanager
def recorded() -> Iterator[list[warnings.WarningMessage]]:
    """Every warning of the block, none of which is an error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught


@contextmanager
def silenced(category: type[Warning] = RefereeWarning) -> Iterator[None]:
    """No warning of this kind is seen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield
