"""How many examples a property tries: as many as are asked for, or a multiple of it where one costs little or much."""

from hypothesis import settings


def examples(times):
    """So many times the examples of others, which are 12, or $REFEREE_EXAMPLES: see `tests/conftest.py`."""
    return settings(max_examples=max(1, round(times * settings().max_examples)))
