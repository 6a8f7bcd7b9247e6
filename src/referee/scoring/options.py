"""Profiles: named settings, of which some reproduce another program to the digit.

There is one code path; a profile only chooses among options that anyone may choose. (The one exception is a document that
repeats a mention, under the policy `conll`: see `referee.scoring.other_scorers.conll`.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real

from referee.corpus.cross_document import GROUPINGS
from referee.counts import Counts
from referee.exceptions import OptionError, check_name
from referee.matching.matchers import MATCHERS, ZEROS
from referee.matching.repeated_mentions import REPEATED_MENTIONS
from referee.messages import shortened
from referee.metrics.blanc import blanc_by_key, blanc_of_links
from referee.metrics.table import Table

CHOICES = {
    "zeros": ZEROS,
    "singletons": ("keep", "drop", "drop-listed"),
    "average": ("micro", "macro"),
    "tokens": ("compare", "align", "warn", "ignore"),
    "extra_documents": ("score", "ignore"),
    "decimals": ("round", "cut"),
}
"""Options with a few values each; matchers, formats and policies for duplicates have registries of their own."""

OVERLAP = 0.5

NUMBERS: Mapping[str, tuple[str, Callable[[float], bool]]] = {
    "beta": ("a number above 0", lambda x: 0 < x < math.inf),
    "undefined": ("nan or a number from 0 to 1", lambda x: math.isnan(x) or 0 <= x <= 1),
    "overlap": ("a share below 1 or a number of positions", lambda x: 0 < x < math.inf),
}
"""What options that are numbers may be."""


@dataclass(frozen=True)
class Options:
    """How key and response are compared. Each value stands in the signature unless it is the default and of no consequence.

    match           : one of `MATCHERS`
    duplicates      : one of `REPEATED_MENTIONS`: what to do with a mention listed twice
    overlap         : of the matcher overlap: the least share (below 1) or number of positions in common
    zeros           : one of `referee.matching.ZEROS`: match them by their dependencies, like other mentions, or drop them
    singletons      : keep, or drop entities of one mention from each side by its own count; "drop-listed" goes by what the
                      file lists, "drop" by what is left of it without zeros
    undefined       : the value of 0 / 0; nan leaves it out of means and prints -
    across          : one of `GROUPINGS`: entities within documents, or across those of a topic, or of the whole corpus
    average         : micro (add counts over documents, divide last) or macro (mean of the documents' scores)
    tokens          : compare the words of key and response and refuse to score different ones, align them by characters, only
                      warn, or ignore them
    extra_documents : score documents that only the response has, or ignore them
    decimals        : round percentages in reports, or cut them
    beta            : F-measure with recall beta times as important as precision
    lea_importance  : weight of each entity type for LEA; None for entity sizes
    """

    profile: str = "default"
    match: str = "exact"
    overlap: float = OVERLAP
    zeros: str = "dependent"
    duplicates: str = "first"
    singletons: str = "keep"
    across: str = "document"
    undefined: float = math.nan
    average: str = "micro"
    tokens: str = "compare"
    extra_documents: str = "score"
    decimals: str = "round"
    beta: float = 1.0
    lea_importance: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        for kind, name, known in (
            ("matcher", self.match, MATCHERS),
            ("policy for duplicates", self.duplicates, REPEATED_MENTIONS),
            ("grouping", self.across, GROUPINGS),
        ):
            check_name(kind, name, known)
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if not isinstance(value, str) or value not in choices:
                raise OptionError(f"{name} is {' or '.join(choices)}; found {_shown(value)}")
        for name, (what, allowed) in NUMBERS.items():
            value = getattr(self, name)
            number = _float(value)
            if number is None or not allowed(number):
                raise OptionError(f"{name} is {what}; found {_shown(value)}")
            object.__setattr__(self, name, number)
        if self.overlap != OVERLAP and self.match != "overlap":
            raise OptionError(
                f"overlap is of the matcher overlap alone; found {self.overlap:g} with {self.match}: add --match overlap "
                "(match='overlap')"
            )
        if self.lea_importance is not None:
            object.__setattr__(self, "lea_importance", _weights(self.lea_importance))


def _weights(importance: object) -> dict[str, float]:
    weights = {type_: _float(weight) for type_, weight in importance.items()} if isinstance(importance, Mapping) else {}
    known = {type_: w for type_, w in weights.items() if isinstance(type_, str) and w is not None and 0 <= w < math.inf}
    if len(known) < len(weights) or not any(known.values()):
        raise OptionError(f"lea_importance gives each entity type a weight of 0 or more, not all 0; found {_shown(importance)}")
    return known


def _float(value: object) -> float | None:
    """The number; None if it is none, or too large."""
    try:
        return float(value) if isinstance(value, Real) else None
    except OverflowError:
        return None


def _shown(value: object) -> str:
    return shortened(repr(value), 100)


@dataclass(frozen=True)
class Profile:
    """Settings, and the metrics that another program computes in its own way."""

    options: Options = Options()
    metrics: Mapping[str, Callable[[Table], Counts]] = field(default_factory=dict)


PROFILES = {
    "default": Profile(),
    "conll-8.01": Profile(
        Options(
            profile="conll-8.01", duplicates="conll", undefined=0.0, tokens="warn", extra_documents="ignore", decimals="cut"
        ),
        {"blanc": blanc_by_key},
    ),
    "ua-2.0": Profile(Options(profile="ua-2.0", duplicates="ua", zeros="drop", singletons="drop-listed", undefined=0.0)),
    "corefud-1.2": Profile(
        Options(profile="corefud-1.2", duplicates="corefud", match="head", singletons="drop-listed", undefined=0.0),
        {"blanc": blanc_of_links},
    ),
}
"""`default` follows the papers; the others are the CoNLL reference scorer (Perl), the Universal Anaphora scorer and the CorefUD
scorer of these versions."""


def profile_named(name: str) -> Profile:
    check_name("profile", name, PROFILES)
    return PROFILES[name]
