"""Python values: arrays and collections of any library, what is missing, and how messages show them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from referee.basics.exceptions import OptionError, one_line, shortened

Foreign: TypeAlias = Any
"""A value of any library, or of none, that a user gives: it is asked what it has before that is used."""


EXACT = 1 << 53
"""From here on, floats do not tell integers apart."""

WHOLE = "names or whole numbers below 2⁵³"
"""What messages expect where a float is no whole number."""


def is_whole(number: float) -> bool:
    """Whether a float is the name of an integer: as in Python, 2.0 is 2.

    >>> is_whole(2.0), is_whole(2.5), is_whole(1e17), is_whole(float("inf"))
    (True, False, False, False)
    """
    return float(number).is_integer() and abs(number) < EXACT


def is_array(value: object) -> TypeGuard[Collection[Any]]:
    """NumPy's arrays, tensors, and what turns into an array, such as the column of a data frame."""
    return hasattr(value, "__array__") and not isinstance(value, np.generic)


def is_collection(value: object) -> TypeGuard[Collection[Any]]:
    """Whether a value has members; a text has none."""
    return isinstance(value, Collection) and not isinstance(value, (str, bytes, bytearray))


def as_array(value: Foreign) -> np.ndarray[Any, Any]:  # of any library
    """A NumPy array of a column or a tensor, on whatever device it is.

    Raises
    ------
    OptionError
        If a part of it is masked.
    """
    mask = getattr(value, "mask", False)
    if not callable(mask) and np.any(mask):
        raise OptionError("found a masked array; expected a value for every item: give value.compressed()")
    return np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)


def members(value: Foreign) -> list[Any]:
    """The members of a collection, an array or an iterator.

    Raises
    ------
    OptionError
        If it is a mapping, whose keys are not its members.
    """
    if isinstance(value, Mapping):
        raise OptionError(
            f"found a dict with the keys {shown(list(value)[:3])} where a list is expected: give list(d) for its keys, or "
            "list(d.values()); several documents are {name: document}"
        )
    return as_array(value).tolist() if is_array(value) else list(value)


def is_missing(value: Foreign) -> bool:
    """Whether a value stands for none: None, NaN, and the missing values of data frames."""
    if value is None:
        return True
    try:
        return not isinstance(value, Hashable) or bool(value != value)  # noqa: PLR0124  # only NaN is not itself
    except TypeError:  # pandas.NA has no truth value
        return True


def shown(value: object) -> str:
    """A value in a message: on one line, not too long."""
    return one_line(shortened(repr(value), 60))
