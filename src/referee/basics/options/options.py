"""`Options`: how a response is scored. Every option stands in the signature."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from numbers import Real

from referee.basics.exceptions import OptionError, UnknownNameError, check_name, counted, shortened
from referee.basics.options.choices import CHOICES, CROSS_DOCUMENT, MATCHERS, REPEATED_MENTIONS

ENGINE_OPTIONS = ("engine", "memory", "spill", "threads", "master", "spark_conf")
"""Options of the engine that counts label tables; `referee.basics.options.engines` says what each means."""

MIN_OVERLAP = 0.5

NUMBERS: Mapping[str, tuple[str, Callable[[float], bool]]] = {
    "beta": ("a number above 0, up to 1e100", lambda x: 0 < x <= 1e100),  # its square is a float
    "zero_division": ("nan or a number from 0 to 1", lambda x: math.isnan(x) or 0 <= x <= 1),
    "min_overlap": ("a share below 1 or a number of positions", lambda x: 0 < x < math.inf),
}
"""What options with numbers for values may be."""


@dataclass(frozen=True)
class Options:
    """How key and response are compared.

    Parameters
    ----------
    profile : str
        One of `PROFILES`: where the other values come from.
    match : str
        One of `MATCHERS`: when a key mention and a response mention are the same.
    min_overlap : float
        For the matcher `overlap` only: the least share (below 1) or number of positions in common.
    zeros : str
        Zero mentions: match them by their dependencies (`dependent`), like other mentions (`linear`), or `drop` them.
    repeated_mentions : str
        One of `REPEATED_MENTIONS`: what to do with a mention that is annotated twice.
    singletons : str
        `keep` entities of one mention, or `drop` them from each side. `drop-annotated` goes by the mentions as annotated,
        `drop` by those that are left without zeros.
    cross_document : str or None
        None for entities within documents; `topic` or `corpus` for entities across the documents of a topic or all documents.
    zero_division : float
        The value of 0/0. With nan the score is undefined: means leave it out and reports print `-`.
    average : str
        `micro` adds counts over documents and divides last; `macro` is the mean of the documents' scores.
    tokens : str
        `compare` the words of key and response and refuse to score different ones, `align` them by their characters, only
        `warn`, or `ignore` them.
    extra_documents : str
        `score` documents that only the response has, or `ignore` them.
    items : str
        For mentions that are items, not spans: score those of either side (`union`), only those that the `key` has, where it is
        a sample, or only those that `both` have.
    quotes : str
        For answers that are lists of strings: the k-th time that a string is listed is its k-th occurrence in the text
        (`ordered`), or it stands for `all` occurrences, or for the `first`.
    decimals : str
        `round` percentages in reports, or `truncate` them.
    beta : float
        The F-measure treats recall as beta times as important as precision.
    lea_importance : mapping or None
        The weight of each entity type for LEA; None for entity sizes.

    Raises
    ------
    UnknownNameError, OptionError
        If a value is not one of those above.
    """

    profile: str = "default"
    match: str = "exact"
    min_overlap: float = MIN_OVERLAP
    zeros: str = "dependent"
    repeated_mentions: str = "first"
    singletons: str = "keep"
    cross_document: str | None = None
    zero_division: float = math.nan
    average: str = "micro"
    tokens: str = "compare"
    extra_documents: str = "score"
    items: str = "union"
    quotes: str = "ordered"
    decimals: str = "round"
    beta: float = 1.0
    lea_importance: Mapping[str, float] | None = None

    def __repr__(self) -> str:
        given = {f.name: getattr(self, f.name) for f in fields(self) if repr(getattr(self, f.name)) != repr(f.default)}
        return f"Options({', '.join(f'{name}={shortened(repr(value))}' for name, value in given.items())})"

    def __post_init__(self) -> None:
        check_name("matcher", self.match, MATCHERS)
        check_name("policy for repeated mentions", self.repeated_mentions, REPEATED_MENTIONS)
        if self.cross_document is not None:
            check_name("cross_document grouping", self.cross_document, CROSS_DOCUMENT)
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise OptionError(f"{name} is {' or '.join(choices)}; found {_shown(value)}")
        for name, (expected, allowed) in NUMBERS.items():
            value = getattr(self, name)
            number = _float(value)
            if number is None or not allowed(number):
                raise OptionError(f"{name} is {expected}; found {_shown(value)}")
            object.__setattr__(self, name, number)
        if self.min_overlap != MIN_OVERLAP and self.match != "overlap":
            raise OptionError(
                f"min_overlap is for the matcher overlap only; found {self.min_overlap:g} with {self.match}: add --match "
                "overlap (match='overlap')"
            )
        if self.lea_importance is not None:
            object.__setattr__(self, "lea_importance", _weights(self.lea_importance))


def check_threshold(threshold: float) -> None:
    """Raise OptionError unless a threshold of probabilities is a number from 0 to 1."""
    number = _float(threshold)
    if number is None or not 0 <= number <= 1:
        raise OptionError(f"threshold is a number from 0 to 1; found {_shown(threshold)}")


def check_options(names: Collection[str]) -> None:
    """Raise UnknownNameError for a name that is no option."""
    known = [field.name for field in fields(Options)]
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise UnknownNameError("option", unknown[0], known)


def _weights(importance: object) -> dict[str, float]:
    weights = {name: _float(weight) for name, weight in importance.items()} if isinstance(importance, Mapping) else {}
    known = {name: w for name, w in weights.items() if isinstance(name, str) and w is not None and (w == 0 or 1e-6 <= w <= 1e9)}
    if len(known) < len(weights) or not any(known.values()):
        raise OptionError(
            f"lea_importance gives each entity type a weight, 0 or from 1e-6 to 1e9, not all 0; found {_shown(importance)}"
        )
    return known


def _float(value: object) -> float | None:
    """The value as a float; None if it is no number, or too large for one."""
    try:
        return float(value) if isinstance(value, Real) else None
    except OverflowError:
        return None


def _shown(value: object) -> str:
    return shortened(repr(value), 100)


def names_given(text: str, number: int) -> list[str]:
    """Return the names of systems, which a text has with commas between them. OptionError if they do not fit."""
    names = [name.strip() for name in text.split(",")]
    if len(names) != number or len(set(names)) != number or not all(names):
        raise OptionError(f"--names takes {counted(number, 'name')}, different, with commas between them; found {text!r}")
    return names
