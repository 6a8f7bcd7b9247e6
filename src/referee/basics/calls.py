"""`checked`: a call that cannot be is told in one line which options there are, and which function does what was meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from referee.basics.exceptions import counted

Called = TypeVar("Called", bound=Callable[..., Any])

SYNONYMS: Mapping[str, Sequence[str]] = {
    "key": ("gold", "reference", "references", "true", "y_true", "truth", "target"),
    "response": ("pred", "predicted", "prediction", "predictions", "system", "sys", "y_pred", "hypothesis"),
}
"""What other packages call an argument."""

OF_RESAMPLING = ("method", "level", "resamples", "seed", "unit", "test")
"""What functions that resample take in one argument; `referee.Resampling` says what each means."""

OF_RESULTS = ("by", "table", "style", "top", "context")
"""What is said when a result is shown."""

OF_INTERVALS = ("intervals", "ci", "confidence", "confidence_intervals", "bootstrap")
"""What people call intervals when they ask for them."""

OF_TESTS = ("significance", "p_value", "p_values", "test", "baseline")
"""What is asked of the difference of two systems."""

ELSEWHERE: Mapping[str, str] = {
    **{name: f"an evaluation has it: evaluation.intervals({name}=...)" for name in OF_RESAMPLING},
    **{name: f"a result has it: result.report({name}=...)" for name in OF_RESULTS},
    **dict.fromkeys(OF_INTERVALS, "an evaluation has them: evaluation.intervals()"),
    **dict.fromkeys(OF_TESTS, "referee.compare(key, a, b) tests the differences of systems"),
    **dict.fromkeys(("alpha", "kappa"), "referee.agree(a, b) has alpha"),
    **dict.fromkeys(("report", "form", "output", "file"), "a result writes itself: result.report('latex')"),
    **dict.fromkeys(("names", "systems"), "a mapping {name: response} names responses"),
}
"""Where an option is that these functions do not have."""


def checked(
    options: type | None = None, *, other: str = "", elsewhere: Mapping[str, str] = ELSEWHERE
) -> Callable[[Called], Called]:
    """Let a function refuse calls that cannot be, before it does anything.

    Parameters
    ----------
    options : type or None
        The TypedDict of its keywords, where it takes more of them than it names.
    other : str
        Other functions for what may have been meant: the end of a message about values that are missing or too many.
    elsewhere : mapping
        Names that are no options, and where to find what they mean.

    Raises
    ------
    TypeError
        By the function, for a name that is no option, and for too few or too many values.

    Examples
    --------
    >>> @checked(other="area(side, side) of a square")
    ... def area(width, height, *, unit="m"):
    ...     return width * height
    >>> area(2, 3, units="m")
    Traceback (most recent call last):
    TypeError: area() has no option 'units'; did you mean 'unit'? (options: unit)
    >>> area(2)
    Traceback (most recent call last):
    TypeError: area() found 1 value; expected area(width, height); area(side, side) of a square
    """

    def decorated(function: Called) -> Called:
        code, defaults = function.__code__, function.__defaults__ or ()
        positional = code.co_varnames[: code.co_argcount]
        own = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        required, endless = positional[: len(positional) - len(defaults)], bool(code.co_flags & 0x04)  # *args
        rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if endless else ""
        names = (*positional[len(required) :], *own, *(options.__annotations__ if options else ()))
        known = {*positional, *names}

        def mistake(values: Sequence[object], given: Mapping[str, object]) -> str:
            method = positional[:1] == ("self",)
            name = function.__qualname__.removesuffix(".__init__").removesuffix(".__call__") if method else function.__name__
            if unknown := next((option for option in given if option not in known), None):
                meant = _meant(unknown, positional, names, elsewhere)
                return f"{name}() has no option {unknown!r}{meant} (options: {', '.join(names)})"
            lacking = [argument for argument in required[len(values) :] if argument not in given]
            if not lacking and (len(values) <= len(positional) or endless):
                return ""  # what is given twice Python tells itself
            found = counted(len(values) - method, "value") + "".join(f", {option}" for option in given if option in positional)
            usage = f"{name}({', '.join(required[method:])}{f', *{rest}' * endless})"
            named = f", and options by name, as in {own[0]}=..." if not lacking and own else ""
            return f"{name}() found {found}; expected {usage}{named}{other and f'; {other}'}"

        @wraps(function)
        def called(*values: Any, **given: Any) -> Any:  # noqa: ANN401  # of any function
            fits = len(required) <= len(values) and (len(values) <= len(positional) or endless)
            if (not fits or not known.issuperset(given)) and (told := mistake(values, given)):
                raise TypeError(told)
            return function(*values, **given)

        return cast("Called", called)

    return decorated


def _meant(unknown: str, positional: Sequence[str], names: Sequence[str], elsewhere: Mapping[str, str]) -> str:
    """What was meant by a name that is no option, after a semicolon; empty if nobody knows."""
    meant = next((word for word, others in SYNONYMS.items() if unknown in others and word in positional), None)
    if meant is None:
        from difflib import get_close_matches  # a slow import

        others = get_close_matches(unknown, [name for name in elsewhere if name not in names], n=1, cutoff=0.85)
        meant = next(iter(others or get_close_matches(unknown, [*names, *positional], n=1)), None)
    if meant is None:
        return ""
    if meant in names or meant in positional:
        return f"; did you mean {meant!r}?"
    if meant in OF_RESAMPLING and "resampling" in names:
        return f"; did you mean resampling=referee.Resampling({meant}=...)?"
    if meant in OF_INTERVALS and "resampling" in names:
        return "; intervals are always there: resampling=referee.Resampling(...) says how they are made"
    return f"; {elsewhere[meant]}"
