"""A mention that a file lists twice: `DUPLICATES` names what can be done about it.

A mention is a span (or a name) of a document. Listed in two entities, or twice in one, it would be counted twice; the
reference scorer refuses to score after ten of them. Here it never stops a score, unless asked to, and is never silent.

A policy gets key and response over the same documents, and gives both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from referee.algorithms.components import components
from referee.algorithms.sorting import order_by, starts_of_runs
from referee.corpus.corpus import Corpus, Mention
from referee.exceptions import MismatchError, UnknownNameError, warn
from referee.matching.exact import places
from referee.matching.positions import on_common_positions
from referee.messages import counted, shortened

Policy: TypeAlias = Callable[[Corpus, Corpus], tuple[Corpus, Corpus]]


def repeated(corpus: Corpus) -> NDArray[np.bool_]:
    """Which mentions stand in the same place as the mention before them."""
    shape = () if corpus.fragments is None else (corpus.fragments,)
    return ~starts_of_runs(corpus.document, corpus.start, corpus.end, *shape)


def without_copies(corpus: Corpus) -> Corpus:
    """Each mention once, in the first entity that lists it, in the order of the text."""
    again = repeated(corpus)
    return corpus.select(~again) if again.any() else corpus


def keep_first(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Each mention belongs to the first entity that lists it, in the order of the text."""

    def kept(side: Corpus) -> Corpus:
        warn(f"{_first(side)}; kept the first of each")
        return without_copies(side)

    return _where_needed(kept, key), _where_needed(kept, response)


def merge(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Entities that share a mention become one."""

    def merged(side: Corpus) -> Corpus:
        warn(f"{_first(side)}; merged their entities")
        again = np.flatnonzero(repeated(side))
        pairs = zip(side.entity[again - 1].tolist(), side.entity[again].tolist(), strict=True)
        together = np.array(components(len(side.entity_document), pairs), dtype=np.int32)
        return replace(side, entity=together[side.entity]).select(~repeated(side))

    return _where_needed(merged, key), _where_needed(merged, response)


def refuse(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """MismatchError that names the first of them."""

    def refused(side: Corpus) -> Corpus:
        raise MismatchError(f"{_first(side)}; expected each mention once: remove it, or use --duplicates first or merge")

    return _where_needed(refused, key), _where_needed(refused, response)


def as_the_reference_scorer(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Of a response mention that the key has, the copy in the entity that the file names first; every copy of all others, and
    of the key's. How the program then counts documents with copies is told in `referee.scoring.other_scorers.conll`.
    """
    again = repeated(response)
    if again.any():
        place, key_place = _together(key, response)
        order = order_by(place, response.file_order[response.entity])
        dropped = np.zeros(len(order), dtype=bool)
        dropped[order] = ~starts_of_runs(place[order])
        dropped &= np.isin(place, key_place)
        warn(f"{_first(response)}; kept the first of {int(dropped.sum())} that the key has, all of the others")
        response = response.select(~dropped)
    if repeated(key).any():
        warn(f"{_first(key)}; all of them count")
    return key, response


def keep_all(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """Every copy counts in the size of its entity; see `referee.scoring.other_scorers.corefud_ua`."""
    for side in (key, response):
        if repeated(side).any():
            warn(f"{_first(side)}; all of them count")
    return key, response


def keep_one_an_entity(key: Corpus, response: Corpus) -> tuple[Corpus, Corpus]:
    """A copy in another entity counts in the size of that entity, but not a copy in the same one."""

    def kept(side: Corpus) -> Corpus:
        place = np.cumsum(~repeated(side), dtype=np.int64)
        order = order_by(place, side.entity)
        first = np.empty(len(order), dtype=bool)
        first[order] = starts_of_runs(place[order], side.entity[order])
        return side.select(first)

    return keep_all(_where_needed(kept, key), _where_needed(kept, response))


DUPLICATES: dict[str, Policy] = {
    "first": keep_first,
    "merge": merge,
    "error": refuse,
    "conll": as_the_reference_scorer,
    "corefud": keep_one_an_entity,
    "ua": keep_all,
}

WITH_COPIES = ("corefud", "ua")
"""Those that count copies in the measures of two programs, see `referee.scoring.other_scorers.corefud_ua`; other measures
count a mention once."""

AS_THE_PROGRAM = ("conll", *WITH_COPIES)
"""Those by which documents that repeat a mention are not counted by the table alone."""


def resolve(key: Corpus, response: Corpus, policy: str) -> tuple[Corpus, Corpus]:
    """Key and response with repeated mentions treated by one of `DUPLICATES`; a warning says how many and shows the first."""
    if policy not in DUPLICATES:
        raise UnknownNameError("policy for duplicates", policy, DUPLICATES)
    return DUPLICATES[policy](key, response)


def _where_needed(change: Callable[[Corpus], Corpus], corpus: Corpus) -> Corpus:
    return change(corpus) if repeated(corpus).any() else corpus


def _together(key: Corpus, response: Corpus) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places of the response's and of the key's mentions, numbered from 0."""
    key_place, response_place = places(*on_common_positions(key, response))
    _, numbers = np.unique(np.concatenate([response_place, key_place]), return_inverse=True)
    return numbers[: len(response_place)], numbers[len(response_place) :]


def _first(corpus: Corpus) -> str:
    mentions = np.flatnonzero(repeated(corpus))
    one, other = Mention(corpus, int(mentions[0]) - 1), Mention(corpus, int(mentions[0]))
    where = corpus.doc_ids[corpus.document[one.number]]
    what = f"{shortened(other.text)!r}" if corpus.items is not None else f"tokens {other.start} to {other.end}"
    entities = (
        f"entities {shortened(one.entity.id)} and {shortened(other.entity.id)}"
        if one.entity.number != other.entity.number
        else f"entity {shortened(one.entity.id)}, twice"
    )
    times = counted(len(mentions), "repeated mention")
    return f"{corpus.source}: {times}, the first in document {where!r}: {what} in {entities}"
