"""Profiles: named settings, of which some reproduce another program to the digit.

There is one code path; a profile only chooses among options that anyone may choose. (The one exception is a document that
repeats a mention, under the policy `conll`: see `markable.reference_scorer`.)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from markable.counts import Counts
from markable.errors import OptionError, UnknownNameError
from markable.matching import ZEROS
from markable.metrics.blanc import blanc_by_key, blanc_of_links
from markable.table import Table

CHOICES = {
    "zeros": ZEROS,
    "singletons": ("keep", "drop", "drop-listed"),
    "average": ("micro", "macro"),
    "tokens": ("compare", "align", "warn", "ignore"),
    "extra_documents": ("score", "ignore"),
    "decimals": ("round", "cut"),
}
"""Options with a few values each; matchers, formats and policies for duplicates have registries of their own."""


@dataclass(frozen=True)
class Options:
    """How key and response are compared. Each value stands in the signature unless it is the default and of no consequence.

    match           : one of `MATCHERS`
    duplicates      : one of `DUPLICATES`: what to do with a mention listed twice
    overlap         : of the matcher overlap: the least share (below 1) or number of positions in common
    zeros           : one of `markable.matching.ZEROS`: match them by their dependencies, like other mentions, or drop them
    singletons      : keep, or drop entities of one mention from each side by its own count; "drop-listed" goes by what the
                      file lists, "drop" by what is left of it without zeros
    undefined       : the value of 0 / 0; nan leaves it out of means and prints -
    across          : one of `ACROSS`: entities within documents, or across those of a topic, or of the whole corpus
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
    overlap: float = 0.5
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
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise OptionError(f"{name} is {' or '.join(choices)}; found {getattr(self, name)!r}")
        if not (isinstance(self.beta, (int, float)) and 0 < self.beta < math.inf):
            raise OptionError(f"beta is a number above 0; found {self.beta!r}")
        if not (isinstance(self.undefined, (int, float)) and (math.isnan(self.undefined) or 0 <= self.undefined <= 1)):
            raise OptionError(f"undefined is nan or a number from 0 to 1; found {self.undefined!r}")
        if not (isinstance(self.overlap, (int, float)) and 0 < self.overlap < math.inf):
            raise OptionError(f"overlap is a share below 1 or a number of positions; found {self.overlap!r}")
        weights = [] if self.lea_importance is None else list(self.lea_importance.values())
        if self.lea_importance is not None and not (all(0 <= w < math.inf for w in weights) and any(weights)):
            raise OptionError(f"lea_importance has weights of 0 or more, not all 0; found {dict(self.lea_importance)}")


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
    if name not in PROFILES:
        raise UnknownNameError("profile", name, PROFILES)
    return PROFILES[name]
