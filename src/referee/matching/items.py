"""Which items are scored where key and response name different ones, and which of them are alone on a side that lacks them."""

from __future__ import annotations

import numpy as np

from referee.basics.exceptions import OptionError, counted, one_line, shortened, warn
from referee.corpus import Corpus
from referee.corpus.editing import with_lone_items
from referee.matching.exact import identities
from referee.matching.key_samples import warn_of_left_out


def with_items(key: Corpus, response: Corpus, items: str) -> tuple[Corpus, Corpus]:
    """Leave out the items that the option says; those that only one side names are alone on the other, or missed and spurious.

    A list of pairs names no record that is alone, so those that it lacks are. A key with decisions of both kinds is a sample,
    in which nothing is known of others.

    Raises
    ------
    OptionError
        If mentions are spans.
    """
    if items != "union" and (spans := [side.source for side in (key, response) if side.items is None and len(side.document)]):
        raise OptionError(f"items={items!r} is for items; found spans in {spans[0]}: leave it out, or give mentions as items")
    if items in ("key", "both"):
        of_key, of_response = identities(key, response)
        there = np.isin(of_response, of_key)
        response = response.select(there)
        if items == "both":
            return key.select(np.isin(of_key, of_response)), response
        warn_of_left_out(key.source, response.source, int((~there).sum()), len(there))
    everyone = items == "singletons"
    if everyone or response.pair_frame is not None:
        response = _with_alone(response, key, everyone=everyone)
    if everyone or (key.pair_frame is not None and key.pair_frame.matches_only):
        key = _with_alone(key, response, everyone=everyone)
    return key, response


def _with_alone(side: Corpus, other: Corpus, *, everyone: bool) -> Corpus:
    """A side with the items that only the other one has, each alone."""
    own, of_other = identities(side, other)
    lacking = np.flatnonzero(~np.isin(of_other, own))
    if not len(lacking) or len(lacking) == len(of_other):  # if the two have nothing in common, that is said elsewhere
        return side
    lone = lacking[np.unique(of_other[lacking], return_index=True)[1]]
    names = [(other.items or ())[n] for n in lone.tolist()]
    warn_of_alone(len(lone), len(np.unique(of_other)), other.source, side.source, names[0], listed=not everyone)
    return with_lone_items(side, names, other.document[lone])


def warn_of_alone(number: int, records: int, other: str, side: str, first: str, *, listed: bool = True) -> None:
    """Say how many of the records of the other side are alone on a side, as it does not name them."""
    where = f"in no pair of {side}" if listed else f"not in {side}"
    named = f"{counted(number, 'record')} of {records} of {other} {'is' if number == 1 else 'are'} {where}"
    warn(f"{named} (the first: {one_line(shortened(first))}): alone there")
