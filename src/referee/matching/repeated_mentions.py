"""What to do with repeated mentions: `REPEATED_MENTIONS` names the policies.

A mention is a span (or an item) of a document. It is repeated if the file annotates it twice, in two entities or in one. It
would then be counted twice, and the reference scorer refuses to score after ten of them. Here repeated mentions never stop a
score, unless a policy asks for that, and never go without a warning.

A policy takes a side that has repeated mentions, and gives it back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, argsort, starts_of_runs
from referee.algorithms.components import components
from referee.basics.exceptions import MismatchError, UnknownNameError, counted, shortened, warn
from referee.corpus import Corpus, Mention
from referee.formats.shared.documents import is_unnamed
from referee.matching.exact import identities
from referee.matching.positions import on_common_positions

Sides: TypeAlias = tuple[Corpus, Corpus]
Policy: TypeAlias = Callable[[Corpus], Corpus]


def repeated(corpus: Corpus) -> Bools:
    """Which mentions repeat the mention before them, shape (mentions,). A corpus has equal mentions one after another."""
    fragments = () if corpus.fragments is None else (corpus.fragments,)
    return ~starts_of_runs(corpus.document, corpus.start, corpus.end, *fragments)


def without_repeated_mentions(corpus: Corpus) -> Corpus:
    """The corpus with each mention once, in that of its entities which comes first in the text."""
    again = repeated(corpus)
    return corpus.select(~again) if again.any() else corpus


def keep_first(side: Corpus) -> Corpus:
    """Leave each mention in that of its entities which comes first in the text."""
    again = np.flatnonzero(repeated(side))
    in_several = (side.entity[again] != side.entity[again - 1]).any()
    where = "in the text" if side.kind == "texts" else "by the ids of its records"
    rule = f"each stays in the entity that comes first {where} (the larger one of two that begin alike)"
    why = f"as metrics score a {side.unit} in one entity (referee.compat.bcubed in several)"
    warn(f"{_first_repeated(side)}; {f'{rule}, {why}' if in_several else 'each counts once'}")
    return without_repeated_mentions(side)


def merge(side: Corpus) -> Corpus:
    """Make one entity of those that share a mention."""
    warn(f"{_first_repeated(side)}; merged their entities")
    again = np.flatnonzero(repeated(side))
    pairs = zip(side.entity[again - 1].tolist(), side.entity[again].tolist(), strict=True)
    whole = np.array(components(len(side.entity_document), pairs), dtype=np.int32)
    return replace(side, entity=whole[side.entity]).select(~repeated(side))


def refuse(side: Corpus) -> Corpus:
    """Raise a MismatchError that names the first repeated mention."""
    remedy = "remove it, or use --repeated-mentions first or merge"
    raise MismatchError(f"{_first_repeated(side)}; expected each {side.unit} once: {remedy}")


def as_the_reference_scorer(key: Corpus, response: Corpus) -> Sides:
    """Keep what the reference scorer of CoNLL keeps.

    A repeated response mention that the key has stays in that of its entities which comes first in the file. All other
    repeated mentions, and those of the key, stay in all their entities. `referee.scoring.other_scorers.conll` says how the
    program then counts documents with repeated mentions.
    """
    if repeated(response).any():
        key_identity, response_identity = identities(*on_common_positions(key, response))
        order = argsort(response_identity, response.file_order[response.entity])
        dropped = np.zeros(len(order), dtype=bool)
        dropped[order] = ~starts_of_runs(response_identity[order])
        dropped &= np.isin(response_identity, key_identity)
        warn(f"{_first_repeated(response)}; kept the first of {int(dropped.sum())} that the key has, all of the others")
        response = response.select(~dropped)
    if repeated(key).any():
        warn(f"{_first_repeated(key)}; all of them count")
    return key, response


def keep_all(side: Corpus) -> Corpus:
    """Let a repeated mention count as often as it is annotated, in the sizes of its entities."""
    if repeated(side).any():
        warn(f"{_first_repeated(side)}; all of them count")
    return side


def keep_one_an_entity(side: Corpus) -> Corpus:
    """Let a repeated mention count once in the size of each of its entities."""
    identity = np.cumsum(~repeated(side), dtype=np.int64)
    order = argsort(identity, side.entity)
    first = np.empty(len(order), dtype=bool)
    first[order] = starts_of_runs(identity[order], side.entity[order])
    return keep_all(side.select(first))


REPEATED_MENTIONS: Mapping[str, Policy | None] = {
    "first": keep_first,
    "merge": merge,
    "error": refuse,
    "conll": None,
    "corefud": keep_one_an_entity,
    "ua": keep_all,
}
"""From name to policy; that of the reference scorer looks at both sides."""

COUNTED_REPEATEDLY = ("corefud", "ua")
"""Policies that keep repeated mentions for the metrics of two other scorers (`referee.scoring.other_scorers.corefud_ua`). All
other metrics count a mention once."""


def resolve_repeated_mentions(key: Corpus, response: Corpus, policy: str) -> Sides:
    """Apply a policy to the repeated mentions of both sides.

    Parameters
    ----------
    key, response : Corpus
        Over the same documents.
    policy : str
        One of `REPEATED_MENTIONS`.

    Returns
    -------
    key, response : Corpus

    Raises
    ------
    UnknownNameError
        If there is no such policy.
    MismatchError
        If the policy is "error" and a mention is repeated.

    Warns
    -----
    RefereeWarning
        If a mention is repeated; says how many and shows the first.
    """
    if policy not in REPEATED_MENTIONS:
        raise UnknownNameError("policy for repeated mentions", policy, REPEATED_MENTIONS)
    change = REPEATED_MENTIONS[policy]
    if change is None:
        return as_the_reference_scorer(key, response)
    key, response = (change(side) if repeated(side).any() else side for side in (key, response))
    return key, response


def _first_repeated(corpus: Corpus) -> str:
    """How many mentions are repeated, and the first of them."""
    again = np.flatnonzero(repeated(corpus))
    one, other = Mention(corpus, int(again[0]) - 1), Mention(corpus, int(again[0]))
    document = one.document.name
    times = counted(len(again), f"repeated {corpus.unit}")
    place = "" if is_unnamed(corpus) else f" in document {document!r}"
    return f"{corpus.source}: {times}, the first{place}: {described(one, other)}"


def described(one: Mention, other: Mention) -> str:
    """Say which mention two equal ones are, and their entities."""
    mention = f"tokens {other.start} to {other.end - 1}" if other.end - other.start > 1 else f"token {other.start}"
    if other.corpus.items is not None:
        mention = repr(shortened(other.text))
    if one.entity == other.entity:
        return f"{mention} in entity {shortened(one.entity.id)}, twice"
    return f"{mention} in entities {shortened(one.entity.id)} and {shortened(other.entity.id)}"
