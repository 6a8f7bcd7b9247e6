"""What a Python value is by its structure: one thing, a pair of integers, a tuple of things, or a collection of values.

`shapes_of` decides for many values at a time. The types of all of them are looked at first, in a loop of the interpreter; only
odd ones are looked at one by one.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from numbers import Number
from typing import Any, TypeGuard

import numpy as np

from referee.exceptions import OptionError, one_line, shortened
from referee.formats.shared.untyped import Untyped

ATOM = "one thing"
SPAN = "a span"
PAIR = "a pair of integers that is no span"
TUPLE = "a tuple of things"
LEVEL = "a collection"

ATOMS = frozenset({str, int, float})
"""Types whose values are one thing, without a further look."""
LEVELS = frozenset({set, frozenset})
"""Types whose values are collections, without a further look."""
PAIRS = frozenset({tuple, list})
"""Types whose values may be spans."""
LARGEST = 1 << 31
"""Offsets of a `Corpus` are smaller."""


def shapes_of(values: Collection[object]) -> set[str]:
    """The shapes of all values.

    Examples
    --------
    >>> shapes_of(["a", 1]) == {ATOM}, shapes_of([(0, 2), [3, 4]]) == {SPAN}, shapes_of([{"a"}, ["a", "b"], []]) == {LEVEL}
    (True, True, True)
    """
    types = set(map(type, values))
    if types <= ATOMS:
        return {ATOM} if types else set()
    if types <= LEVELS:
        return {LEVEL}
    return {SPAN} if types <= PAIRS and _are_spans(values) else set(map(shape_of, values))  # type: ignore[arg-type]


def _are_spans(values: Collection[Sequence[Any]]) -> bool:
    """Whether tuples and lists are all spans, of Python's own integers."""
    if set(map(len, values)) != {2} or set(map(type, chain.from_iterable(values))) != {int}:
        return False
    offsets = list(chain.from_iterable(values))
    return bool(min(offsets) >= 0 and max(offsets) < LARGEST)


def shape_of(value: object) -> str:
    """The shape of one value."""
    if is_array(value):
        array = as_array(value)
        if array.shape != (2,):
            return LEVEL if array.ndim else ATOM
        value = array.tolist()
    if isinstance(value, (tuple, list)):
        if len(value) == 2 and (pair := integers(value)):
            fits = all(0 <= offset < LARGEST for offset in pair)
            return SPAN if fits else PAIR
        return TUPLE if isinstance(value, tuple) and value and shapes_of(value) == {ATOM} else LEVEL
    return LEVEL if is_collection(value) or isinstance(value, Iterator) else ATOM


def integers(value: Iterable[object]) -> list[int] | None:
    """The values as integers, whatever library holds them; None if one is none, as True is."""
    found = []
    for number in value:
        if isinstance(number, (str, bool, np.bool_)) or not hasattr(number, "__index__"):
            return None
        try:
            found.append(operator.index(number))
        except TypeError:  # a tensor with a fraction, or with many values
            return None
    return found


def is_array(value: object) -> TypeGuard[Collection[Any]]:
    """NumPy's arrays, tensors, and what turns into an array, such as the column of a data frame."""
    return hasattr(value, "__array__") and not isinstance(value, np.generic)


def is_collection(value: object) -> TypeGuard[Collection[Any]]:
    """Whether a value has members; a text has none."""
    return isinstance(value, Collection) and not isinstance(value, (str, bytes, bytearray))


def as_array(value: Untyped) -> np.ndarray[Any, Any]:  # of any library
    """A NumPy array of a column or a tensor, on whatever device it is.

    Raises
    ------
    OptionError
        If a part of it is masked.
    """
    if np.any(getattr(value, "mask", False)):
        raise OptionError("found a masked array; expected a value for every item: give value.compressed()")
    return np.asarray(value.detach().cpu() if hasattr(value, "detach") else value)


def members(value: Untyped) -> list[Any]:
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


def check_item(value: object) -> None:
    """Raise OptionError for a value that names no mention: none, a truth value, bytes, an object without a text of its own."""
    if isinstance(value, tuple):
        for part in value:
            check_item(part)
    elif value is None or isinstance(value, (bool, np.bool_, bytes, bytearray)) or is_missing(value):
        raise OptionError(f"found the mention {shown(value)}; expected a span (start, end), a text or a number")
    elif not isinstance(value, (str, Number)) and type(value).__repr__ is object.__repr__:
        kind = type(value).__name__
        raise OptionError(f"found a mention of the type {kind}, which has no text form; expected its span or its id")


def is_missing(value: Untyped) -> bool:
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
