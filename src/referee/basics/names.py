"""Names that people type: hints for attributes, options and functions that there are not, and completion of keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from referee.basics.exceptions import counted, shortened

Function = TypeVar("Function", bound=Callable[..., Any])

SYNONYMS: Mapping[str, Sequence[str]] = {
    "key": ("gold", "reference", "references", "true", "y_true", "truth"),
    "response": ("pred", "predicted", "prediction", "predictions", "system", "sys", "y_pred", "hypothesis"),
    "target": ("output", "out", "file"),
}
"""What other packages call an argument."""

RESAMPLING = ("method", "level", "resamples", "seed", "unit")
"""What `referee.Resampling` takes."""

HINTS: Mapping[str, str] = {
    "evaluate": "referee.score(key, response) scores",
    "load": "referee.read(path) reads every format",
    **dict.fromkeys(("save", "write", "export"), "referee.write(corpus, path) writes a file, result.report('csv') its text"),
    **dict.fromkeys(("to_df", "to_dataframe", "to_pandas"), "pandas.DataFrame(result.to_rows()) is a frame"),
    **dict.fromkeys(("to_json", "to_csv", "to_latex", "report"), "result.report('json') is the text of a file"),
    **dict.fromkeys(("show", "print", "summary", "output"), "print(result) shows its table, page.save(path) writes a page"),
    **dict.fromkeys(("f", "f1", "recall", "precision"), "each metric has it: evaluation['muc'].f1, .recall, .precision"),
    **dict.fromkeys(
        ("ci", "interval", "intervals", "confidence"), "evaluation.intervals() has intervals, comparisons have some"
    ),
    **{name: f"evaluation.intervals({name}=...) takes it" for name in RESAMPLING},
    **dict.fromkeys(("p", "p_value", "test", "significance"), "comparison[system, metric].difference.p is that of a system"),
    **dict.fromkeys(("alpha", "kappa"), "referee.agree(a, b).alpha is the agreement of annotators"),
    **dict.fromkeys(("by", "top", "context"), "a result has it, as in result.report(by='document')"),
    **dict.fromkeys(("mentions", "entities", "clusters"), "the documents have them, as in corpus[name].entities"),
    "answers": "evaluation.errors().report(by='answer') lists what was answered, to_rows(by='answer') has all of it",
    "plot": "referee.errors(key, response).plot(path) draws what errors cost",
    "names": "a mapping {name: response} names responses",
    "against": "referee.compare('last.counts.parquet', evaluation) compares with an earlier run",
    "errors": "referee.errors(key, response) has them: scores of counts alone know no mentions",
    "id2label": "referee.phrases.from_ids(label_ids, predictions, id2label) makes tags of ids",
    "worse": "referee.comparison.worse(comparison, ['lea']) lists the systems that are",
    **dict.fromkeys(("CorefEvaluator", "MentionEvaluator", "ClusterChecker"), "referee.training has it"),
}
"""What people look for by another name, or in another place."""


def similar_name(name: str, names: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The one of the names that is most like this one, if one is."""
    from difflib import get_close_matches  # a slow import, of use only for mistakes

    return next(iter(get_close_matches(name, list(names), n=1, cutoff=cutoff)), None)


class NoAttributeError(AttributeError):
    """An attribute that there is not; the text is made when it is shown, as many programs only ask whether there is one."""

    __module__ = "referee"  # as it is imported

    def __init__(self, owner: str, name: str, names: Collection[str], hint: str = "") -> None:
        super().__init__(owner, name, name=name, obj=None)  # of None, so that Python adds no guess to the one below
        self.owner, self.names, self.hint = owner, names, hint

    def __str__(self) -> str:
        message = f"{self.owner} has no attribute {shortened(repr(self.name), 100)}"
        if self.hint:
            return f"{message}; {self.hint}"
        meant = similar_name(str(self.name), [name for name in self.names if not name.startswith("_")], cutoff=0.7)
        return f"{message}; did you mean {meant}?" if meant else message


class AttributeHints:
    """A mixin: the error about an attribute that there is not says what may be meant."""

    BETWEEN_MODULES: ClassVar[frozenset[str]] = frozenset({"BETWEEN_MODULES"})
    """Attributes that are for other modules: completion leaves them out."""

    def __dir__(self) -> list[str]:
        bases = (base for base in type(self).__mro__ if issubclass(base, AttributeHints))
        left_out = frozenset().union(*(base.BETWEEN_MODULES for base in bases))
        return [name for name in super().__dir__() if name not in left_out]

    @classmethod
    def _hint(cls, name: str) -> str:
        return HINTS.get(name, "")

    if not TYPE_CHECKING:  # for a type checker such an attribute is a mistake

        def __getattr__(self, name: str) -> object:
            names = (*dir(type(self)), *getattr(type(self), "__dataclass_fields__", ()))
            raise NoAttributeError(type(self).__name__, name, names, self._hint(name))


class KeyCompletion:
    """A mixin for mappings: what is completed after `["`."""

    def _ipython_key_completions_(self) -> list[object]:
        assert isinstance(self, Iterable)
        return list(self)


def check_call(options: type | None = None, *, other: str = "") -> Callable[[Function], Function]:
    """Let a function refuse calls that cannot be, before it does anything: in one line, with what was meant.

    Parameters
    ----------
    options : type or None
        The TypedDict of its keywords, where it takes more of them than it names.
    other : str
        Other functions for what may have been meant: the end of a message about values that are missing or too many.

    Raises
    ------
    TypeError
        By the function, for a name that is no option, and for too few or too many values.

    Examples
    --------
    >>> @check_call(other="area(side, side) of a square")
    ... def area(width, height, *, unit="m"):
    ...     return width * height
    >>> area(2, 3, units="m")
    Traceback (most recent call last):
    TypeError: area() has no option 'units'; did you mean 'unit'? (options: unit)
    >>> area(2)
    Traceback (most recent call last):
    TypeError: area() found 1 value; expected area(width, height); area(side, side) of a square
    """

    def decorate(function: Function) -> Function:
        code, defaults = function.__code__, function.__defaults__ or ()
        positional = code.co_varnames[: code.co_argcount]
        keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        required, is_endless = positional[: len(positional) - len(defaults)], bool(code.co_flags & 0x04)  # *args
        rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if is_endless else ""
        names = (*positional[len(required) :], *keywords, *(options.__annotations__ if options else ()))
        allowed = {*positional, *names}

        def mistake(values: Sequence[object], named: Mapping[str, object]) -> str:
            is_method = positional[:1] == ("self",)
            called = function.__name__
            if is_method:
                called = function.__qualname__.removesuffix(".__init__").removesuffix(".__call__")
            if unknown := next((name for name in named if name not in allowed), None):
                hint = _option_hint(unknown, positional, names)
                return f"{called}() has no option {unknown!r}{hint} (options: {', '.join(names)})"
            lacking = [argument for argument in required[len(values) :] if argument not in named]
            if not lacking and (len(values) <= len(positional) or is_endless):
                return ""  # what is given twice Python tells itself
            found = counted(len(values) - is_method, "value") + "".join(f", {name}" for name in named if name in positional)
            usage = f"{called}({', '.join(required[is_method:])}{f', *{rest}' * is_endless})"
            by_name = f", and options by name, as in {keywords[0]}=..." if not lacking and keywords else ""
            return f"{called}() found {found}; expected {usage}{by_name}{other and f'; {other}'}"

        @wraps(function)
        def check(*values: Any, **named: Any) -> Any:  # noqa: ANN401  # of any function
            fits = len(required) <= len(values) and (len(values) <= len(positional) or is_endless)
            if (not fits or not allowed.issuperset(named)) and (message := mistake(values, named)):
                raise TypeError(message)
            return function(*values, **named)

        return cast("Function", check)

    return decorate


def _option_hint(unknown: str, positional: Sequence[str], names: Sequence[str]) -> str:
    """What was meant by a name that is no option, after a semicolon; empty if nobody knows."""
    words = (*positional, *names)
    synonym = next((word for word, others in SYNONYMS.items() if unknown in others and word in words), None)
    if synonym is None and unknown in HINTS:
        if "resampling" in names and unknown in RESAMPLING:
            return f"; did you mean resampling=referee.Resampling({unknown}=...)?"
        return f"; {HINTS[unknown]}"
    meant = synonym or similar_name(unknown, [*names, *positional])
    return f"; did you mean {meant!r}?" if meant else ""
