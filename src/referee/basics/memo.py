"""`Memo`: a mixin for frozen dataclasses whose instances keep what was computed of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

Own = TypeVar("Own", bound="Memo")
Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Memo:
    """Keeps what was computed of an instance. `replace` and pickle begin with nothing."""

    _memo: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def memo(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what `make` gives, called once for each key."""
        if key not in self._memo:
            self._memo[key] = make()
        made: Made = self._memo[key]
        return made

    def memo_call(self: Own, function: Callable[[Own], Made]) -> Made:  # noqa: PYI019  # Self is of Python 3.11
        """Return what a function gives for this instance, called once."""
        return self.memo(function, lambda: function(self))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_memo": {}}
