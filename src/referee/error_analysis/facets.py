"""Facets: properties of mentions by which errors are counted, such as the mention type, or the distance to the one before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from referee.algorithms.arrays import Ints, argsort, starts_of_runs
from referee.basics.exceptions import OptionError
from referee.corpus import MENTION_TYPES, Corpus
from referee.corpus.mention_typing import ANNOTATED, TypedMentions, typed_mentions
from referee.error_analysis.differences import Differences, at

T = TypeVar("T")


class Facet(NamedTuple):
    """A property of all mentions.

    Parameters
    ----------
    value : int64, shape (mentions,)
        A number that stands for the value of each mention.
    name : callable
        Gives the name of a value.
    """

    value: Ints
    name: Callable[[int], str]


def size(d: Differences, side: Corpus) -> Facet:
    """Number of mentions in the entity."""
    return Facet(_power(side.entity_size[side.entity]), _range_of_power)


def mention_type(d: Differences, side: Corpus) -> Facet:
    """Mention type: pronoun, name, nominal, zero; see `referee.corpus.mention_typing` where the annotation has none."""
    key, response = types_of_sides(d)
    if not key.source:
        expected = "a format that has them, such as corefud, or words in a language whose pronouns are known"
        raise OptionError(f"{d.pair.key.source} has no mention types; expected {expected}")
    types = key.types if side is d.pair.key else response.types
    return Facet(types.astype(np.int64), lambda c: MENTION_TYPES[c] or "unknown")


def types_of_sides(d: Differences) -> tuple[TypedMentions, TypedMentions]:
    """The types of the mentions of key and response, and how they are known."""
    key, response = d.pair.key, d.pair.response
    return d.memo("mention types", lambda: (typed_mentions(key, response), typed_mentions(response, key)))


def told_by(d: Differences) -> str:
    """Says how the mention types are known, unless all are annotated.

    >>> from referee import score
    >>> e = score("examples/key.conll", "examples/response.conll").errors()
    >>> told_by(e.differences)
    'mention types are those of English words, not annotated'
    """
    key, response = (side.source for side in types_of_sides(d))
    if key == response or not response:
        return "" if key == ANNOTATED else f"mention types are those of {key}, not annotated"
    return f"mention types are those of {key} in the key, of {response} in the response"


def of_errors(d: Differences, key: Facet, response: Facet) -> Ints:
    """The value of each error: that of the first mention that it concerns, in the key if it concerns one there."""
    return np.where(d.key_mention >= 0, at(key.value, d.key_mention), at(response.value, d.response_mention))


def distance(d: Differences, side: Corpus) -> Facet:
    """Mentions back to the nearest one of the entity: 1 for the one just before."""
    back = mentions_back(side)
    return Facet(np.where(back < 0, 0, 1 + _power(np.maximum(back, 1))), _or_first(_range_of_power))


def mentions_back(side: Corpus) -> Ints:
    """Mentions back to the nearest one of the entity, -1 for the first; shape (mentions,)."""
    before = _antecedent(side)
    return np.where(before < 0, -1, np.arange(len(before)) - before)


def sentences(d: Differences, side: Corpus) -> Facet:
    """Sentences back to the nearest mention of the entity: 0 within one sentence."""
    text = side.text or d.pair.key.text or d.pair.response.text
    if text is None:
        raise OptionError(f"{side.source} has no words, so no sentences; expected --by distance")
    number = np.zeros(len(side.document), dtype=np.int64)
    edges = np.searchsorted(side.document, np.arange(len(side.doc_ids) + 1)).tolist()
    for words, first, after in zip(text.words, edges, edges[1:], strict=False):
        number[first:after] = np.searchsorted(
            np.asarray(words.sentences, dtype=np.int64), side.start[first:after], side="right"
        )
    before = _antecedent(side)
    back = np.maximum(number - number[before], 0)
    value = np.where(before < 0, 0, np.where(back == 0, 1, 2 + _power(np.maximum(back, 1))))
    return Facet(value, _or_first(lambda n: "same" if n == 0 else _range_of_power(n - 1)))


def position(d: Differences, side: Corpus) -> Facet:
    """Tenth of the document: of its words, or of the part up to its last mention."""
    pair = d.pair
    length = np.ones(len(pair.key.doc_ids), dtype=np.int64)
    for s in (pair.key, pair.response):
        np.maximum.at(length, s.document, s.end)
        if s.text is not None:
            length = np.maximum(length, [len(words.tokens) for words in s.text.words])
    return Facet(10 * side.start.astype(np.int64) // length[side.document], lambda tenth: f"{10 * tenth}-{10 * tenth + 10} %")


def entity_type(d: Differences, side: Corpus) -> Facet:
    """Entity type."""
    key, response = d.pair.key, d.pair.response
    if key.entity_types is None:
        raise OptionError(f"{key.source} has no entity types; expected a format that has them, such as corefud")
    names = sorted({"", *key.entity_types, *(response.entity_types or ())})
    number = {name: n for n, name in enumerate(names)}
    of_entity = np.array([number[t] for t in side.entity_types or [""] * len(side.entity_size)], dtype=np.int64)
    return Facet(of_entity[side.entity], lambda n: names[n] or "none")


def document(d: Differences, side: Corpus) -> Facet:
    """The document."""
    return Facet(side.document.astype(np.int64), side.doc_ids.__getitem__)


FACETS: Mapping[str, Callable[[Differences, Corpus], Facet]] = {
    "size": size,
    "mention-type": mention_type,
    "distance": distance,
    "sentences": sentences,
    "position": position,
    "entity-type": entity_type,
    "document": document,
}


PROPERTIES = ("mention_type", "mention_type_by", "entity_type", "size", "distance")
"""Columns of an error for programs: its mention type and how that is known, and of its entity the type and the size; how many
mentions back its entity was mentioned before. Nothing where it is not known, or not mentioned before."""


def properties_of_errors(d: Differences) -> list[list[str | int | None]]:
    """What `PROPERTIES` says of each error: of its first mention, in the key if it has one there."""
    sides = d.pair.key, d.pair.response
    typed = types_of_sides(d)

    def column(key: Sequence[T], response: Sequence[T]) -> list[T]:
        rows = zip(d.key_mention.tolist(), d.response_mention.tolist(), strict=True)
        return [key[k] if k >= 0 else response[r] for k, r in rows]

    types = column(*([MENTION_TYPES[n] for n in side.types.tolist()] for side in typed))
    known_by = column(*([side.source] * len(side.types) for side in typed))
    entity_types = column(*(_entity_types(side) for side in sides))
    sizes = column(*(side.entity_size[side.entity].tolist() for side in sides))
    back = column(*([n if n > 0 else None for n in mentions_back(side).tolist()] for side in sides))
    return [list(row) for row in zip(types, known_by, entity_types, sizes, back, strict=True)]


def _entity_types(side: Corpus) -> list[str]:
    """The type of the entity of each mention."""
    types = side.entity_types or [""] * len(side.entity_size)
    return [types[entity] for entity in side.entity.tolist()]


def _antecedent(side: Corpus) -> Ints:
    """The mention of the same entity before each mention, -1 for the first."""
    order = argsort(side.entity)
    before = np.full(len(order), -1, dtype=np.int64)
    later = ~starts_of_runs(side.entity[order])
    before[order[later]] = order[np.flatnonzero(later) - 1]
    return before


def _power(n: Ints) -> Ints:
    """0 for 1, 1 for 2, 2 for 3 and 4, 3 for 5 to 8, and so on."""
    return np.ceil(np.log2(n)).astype(np.int64)


def _range_of_power(power: int) -> str:
    low, high = (2 ** (power - 1) + 1 if power else 1), 2**power
    return str(high) if low == high else f"{low}-{high}"


def _or_first(name: Callable[[int], str]) -> Callable[[int], str]:
    return lambda value: "first" if value == 0 else name(value - 1)
