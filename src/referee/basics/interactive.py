"""What a session asks of values: keys for completion, what was meant by an attribute that there is not, names that fit a line.

`Keyed` and `Guided` are mixins. A class says in `MEANT` which attributes people look for in vain, and what they do instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from referee.basics.exceptions import one_line, shortened

LONGEST = 40
"""Characters of a name, or of several, in the line that a session shows."""


class NoAttributeError(AttributeError):
    """An attribute that there is not; the text is made when it is shown, as many programs only ask whether there is one."""

    __module__ = "referee"  # as it is imported

    def __init__(self, of: str, name: str, known: Collection[str], meant: str = "") -> None:
        super().__init__(of, name, name=name, obj=None)  # of None, so that Python adds no guess to the one below
        self.of, self.known, self.meant = of, known, meant

    def __str__(self) -> str:
        said = f"{self.of} has no attribute {shortened(repr(self.name), 100)}"
        if self.meant:
            return f"{said}; {self.meant}"
        from difflib import get_close_matches  # a slow import

        close = get_close_matches(str(self.name), [known for known in self.known if not known.startswith("_")], n=1, cutoff=0.7)
        return f"{said}; did you mean {close[0]}?" if close else said


class Guided:
    """A mixin: an attribute that there is not is told with what was meant."""

    MEANT: ClassVar[Mapping[str, str]] = {}
    """Attribute -> what to write instead, as a clause."""

    BETWEEN_MODULES: ClassVar[frozenset[str]] = frozenset({"MEANT", "BETWEEN_MODULES"})
    """Attributes that are for other modules: completion leaves them out."""

    def __dir__(self) -> list[str]:
        left_out = frozenset().union(*(of.BETWEEN_MODULES for of in type(self).__mro__ if issubclass(of, Guided)))
        return [name for name in super().__dir__() if name not in left_out]

    @classmethod
    def _meant(cls, name: str) -> str:
        return next((of.MEANT[name] for of in cls.__mro__ if issubclass(of, Guided) and name in of.MEANT), "")

    if not TYPE_CHECKING:  # for a type checker such an attribute is a mistake

        def __getattr__(self, name: str) -> object:
            meant = "" if name.startswith("_") else self._meant(name)
            known = (*dir(type(self)), *getattr(type(self), "__dataclass_fields__", ()))
            raise NoAttributeError(type(self).__name__, name, known, meant)


class Keyed:
    """A mixin for mappings: what is completed after `["`."""

    def _ipython_key_completions_(self) -> list[object]:
        assert isinstance(self, Iterable)
        return list(self)


def instead(text: str, *names: str) -> dict[str, str]:
    """The same for several names.

    >>> instead("print it", "show", "summary")
    {'show': 'print it', 'summary': 'print it'}
    """
    return dict.fromkeys(names, text)


def brief(name: str, length: int = LONGEST) -> str:
    """A name in a line; of a long one the end, which tells paths apart.

    >>> brief("runs/2026-05/response.conll", 20), brief("response.conll")
    ('…/response.conll', 'response.conll')
    """
    line = one_line(name)
    if len(line) <= length:
        return line
    end = line[1 - length :]
    return "…" + end[max(0, end.find("/")) :]


def brief_names(names: Sequence[str]) -> str:
    """Several names in a line: the first ones, and how many more there are.

    >>> brief_names(["ann", "bob", "eve"]), brief_names([f"annotator {n}" for n in range(9)])
    ('ann, bob, eve', 'annotator 0, annotator 1, annotator 2 and 6 more')
    """
    some = [brief(name, LONGEST if len(names) == 1 else LONGEST // 2 - 1) for name in names[:9]]
    shown = len(some)
    while shown > 1 and len(", ".join(some[:shown])) > LONGEST - 1:
        shown -= 1
    more = len(names) - shown
    return ", ".join(some[:shown]) + (f" and {more} more" if more else "")
