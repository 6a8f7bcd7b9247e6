"""What a block of a test warns of."""

import warnings
from contextlib import contextmanager

from referee.basics.exceptions import RefereeWarning


@contextmanager
def recorded():
    """Every warning of the block, none of which is an error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught


@contextmanager
def silenced(category=RefereeWarning):
    """No warning of this kind is seen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", category)
        yield
