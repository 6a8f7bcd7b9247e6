"""Values are equal if their contents are: also after pickle, where nan is another nan, and with arrays in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any


class EqualByContent:
    """A mixin for frozen dataclasses: those of one class are equal if the fields that are compared have the same content."""

    def __eq__(self, other: object) -> bool:
        return same_content(self, other) if type(self) is type(other) else super().__eq__(other)

    def __hash__(self) -> int:
        return hash(type(self))


def same_content(a: Any, b: Any) -> bool:  # noqa: ANN401  # of any type
    """Whether two values say the same: fields, items and numbers one by one; nan is the same as nan.

    >>> import numpy as np
    >>> same_content({"x": np.array([0.5, np.nan])}, {"x": np.array([0.5, np.nan])}), same_content([1], [2])
    (True, False)
    """
    if a is b:
        return True
    if hasattr(a, "dtype") and hasattr(b, "dtype"):  # arrays
        return a.shape == b.shape and bool(((a == b) | ((a != a) & (b != b))).all())  # noqa: PLR0124  # nan is nan here
    if type(a) is not type(b):
        return bool(a == b)
    if is_dataclass(a) and not _has_rule(type(a)):
        return all(same_content(getattr(a, field.name), getattr(b, field.name)) for field in fields(a) if field.compare)
    if _rule(type(a)) is _rule(EqualByContent):
        return same_content(vars(a), vars(b))
    if isinstance(a, Mapping) and not _has_rule(type(a)):
        return a.keys() == b.keys() and all(same_content(value, b[name]) for name, value in a.items())
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same_content, a, b))
    return bool(a == b) or (a != a and b != b)  # noqa: PLR0124  # nan is nan here


def _has_rule(cls: type) -> bool:
    """Whether a class says itself when its values are equal, as a corpus does."""
    is_made = is_dataclass(cls) and cls.__dataclass_params__.eq  # type: ignore[attr-defined]
    return not is_made and _rule(cls) not in map(_rule, (object, EqualByContent, dict, Mapping))


def _rule(cls: type) -> object:
    return cls.__eq__
