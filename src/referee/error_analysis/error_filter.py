"""Some of the errors: those of some kinds, and of mentions and entities of some types."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Ints
from referee.basics.exceptions import check_name
from referee.error_analysis.differences import KINDS, Differences
from referee.error_analysis.facets import FACETS, Facet, of_errors, told_by

Names = str | Iterable[str] | None
"""Names one by one or with commas between them; None for all."""


class ErrorFilter(NamedTuple):
    """Which errors are wanted; of each property one of the names, None for any.

    Parameters
    ----------
    kind : tuple of str or None
    mention_type, entity_type : tuple of str or None
        Of the first mention that the error concerns, in the key if it concerns one there.
    """

    kind: tuple[str, ...] | None = None
    mention_type: tuple[str, ...] | None = None
    entity_type: tuple[str, ...] | None = None

    @classmethod
    def from_names(cls, kind: Names = None, mention_type: Names = None, entity_type: Names = None) -> ErrorFilter:
        """The filter of these names.

        >>> ErrorFilter.from_names("missed,span", ["pronoun", "zero"])
        ErrorFilter(kind=('missed', 'span'), mention_type=('pronoun', 'zero'), entity_type=None)
        """
        wanted = cls(*map(_names, (kind, mention_type, entity_type)))
        for name in wanted.kind or ():
            check_name("kind of error", name, KINDS)
        return wanted

    @property
    def is_empty(self) -> bool:
        """Whether all errors are wanted."""
        return self == ErrorFilter()

    def named(self) -> dict[str, list[str]]:
        """What the filter says, for programs."""
        return {name: list(values) for name, values in self._asdict().items() if values is not None}

    def described(self, errors: int, of_all: int) -> str:
        """What the filter leaves, in words.

        >>> ErrorFilter.from_names(mention_type="pronoun").described(3, 14)
        '3 of 14 errors (mention type pronoun)'
        """
        names = (f"{name.replace('_', ' ')} {' or '.join(values)}" for name, values in self.named().items())
        return f"{errors:,} of {of_all:,} {'error' if of_all == 1 else 'errors'} ({', '.join(names)})"


class SelectedErrors(NamedTuple):
    """Which errors and mentions are in a filter: those of the errors, of the key, of the response."""

    errors: Bools
    key: Bools
    response: Bools


def selection_of(d: Differences, wanted: ErrorFilter) -> SelectedErrors:
    """Find what a filter leaves. Kinds are those of errors; types leave out mentions, too.

    Raises
    ------
    UnknownNameError
        For a type that nothing has.
    OptionError
        If the annotation has no types.
    """
    sides = d.pair.key, d.pair.response
    key, response = (np.ones(len(side.document), dtype=bool) for side in sides)
    errors = np.ones(len(d), dtype=bool)
    if wanted.kind is not None:
        errors &= np.isin(d.kind, [KINDS.index(name) for name in wanted.kind])
    for by, names in (("mention-type", wanted.mention_type), ("entity-type", wanted.entity_type)):
        if names is not None:
            facets = [FACETS[by](d, side) for side in sides]
            is_wanted = _matcher(by.replace("-", " "), names, facets)
            errors &= is_wanted(of_errors(d, *facets))
            key &= is_wanted(facets[0].value)
            response &= is_wanted(facets[1].value)
    return SelectedErrors(errors, key, response)


def notes_of(d: Differences, wanted: ErrorFilter, selected: SelectedErrors, by: Iterable[str]) -> tuple[str, ...]:
    """Say which errors a table is about, if not about all, and how mention types are known, if it is about them."""
    notes = [] if wanted.is_empty else [wanted.described(int(selected.errors.sum()), len(d))]
    if "mention-type" in by or wanted.mention_type:
        notes.append(told_by(d))
    return tuple(filter(None, notes))


def _matcher(what: str, names: Iterable[str], facets: list[Facet]) -> Callable[[Ints], Bools]:
    """Says of values whether they have one of the names."""
    number = {facets[0].name(n): n for n in np.unique(np.concatenate([facet.value for facet in facets])).tolist()}
    for name in names:
        check_name(what, name, list(number))
    wanted = [number[name] for name in names]
    return lambda values: np.isin(values, wanted)


def _names(value: Names) -> tuple[str, ...] | None:
    if value is None:
        return None
    return tuple(name for part in ([value] if isinstance(value, str) else value) for name in part.split(","))
