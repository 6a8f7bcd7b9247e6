"""`Registry`: names, and the modules or parts of modules that they stand for, which are imported when they are used."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Generic, TypeVar

from referee.basics.exceptions import check_name

Named = TypeVar("Named")

_imported = cache(import_module)  # formats are looked up again and again


class Registry(dict[str, str], Generic[Named]):
    """Name -> module, or module:part.

    Parameters
    ----------
    kind : str
        What messages call a name.
    places : mapping
        The names, in the order in which they are listed.

    Examples
    --------
    >>> from types import ModuleType
    >>> squares: Registry[ModuleType] = Registry("function", {"root": "math:sqrt", "mathematics": "math"})
    >>> squares.load("root")(9)
    3.0
    >>> squares.load("rot")
    Traceback (most recent call last):
    referee.UnknownNameError: no function named 'rot'; did you mean root?
    """

    def __init__(self, kind: str, places: dict[str, str]) -> None:
        super().__init__(places)
        self.kind = kind

    def load(self, name: str) -> Named:
        """Import what a name stands for. UnknownNameError if it is none of them."""
        check_name(self.kind, name, self)
        module, _, part = self[name].partition(":")
        module_object: Any = _imported(module)
        named: Named = getattr(module_object, part) if part else module_object
        return named
