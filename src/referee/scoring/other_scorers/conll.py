"""What the CoNLL reference scorer v8.01 counts in a document that repeats a mention.

A table of entities cannot hold a mention of two entities, and each metric of the program treats it in its own way. So those
documents, and no others, are counted here on lists of mentions, step by step as the program does.

References
----------
`IdentifMentions`, `MUCScorer`, `BCUBED`, `CEAF` and `BLANC_Internal` of the program, read and written anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from math import comb
from typing import Any, TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.assignment import assign
from referee.corpus import Corpus
from referee.counts import Counts
from referee.matching.exact import identities
from referee.matching.positions import on_common_positions
from referee.matching.repeated_mentions import repeated
from referee.pair import Pair

Entities: TypeAlias = list[list[int]]
FEW = 5
"""Entities of one place whose choices are counted."""

Row: TypeAlias = dict[str, float]
EntitiesOf: TypeAlias = dict[int, list[int]]
"""Place -> the numbers of the entities that it is in."""


def emulated(pair: Pair, counts: Mapping[str, Counts]) -> dict[str, Counts]:
    """Replace the counts of documents that repeat a mention by those of the program."""
    key, response = pair.scored
    places_of_both = identities(*on_common_positions(key, response, pair.characters))
    documents = {int(side.document[m]) for side in (key, response) for m in np.flatnonzero(repeated(side))}
    rows = {
        d: _rows(*(entities(side, d, place) for side, place in zip((key, response), places_of_both, strict=True)))
        for d in documents
    }
    return {metric: _replaced(metric, c, rows) for metric, c in counts.items()}


def _replaced(metric: str, counts: Counts, rows: Mapping[int, Mapping[str, Row]]) -> Counts:
    columns: dict[str, Any] = dict(counts.columns)
    for document, row in rows.items():
        own = (
            {f"{m}.{c}": v for m, values in row.items() for c, v in values.items()}
            if metric == "conll"
            else row.get(metric, {})
        )
        for column, value in own.items():
            if column in columns:
                columns[column] = columns[column].copy()
                columns[column][document] = value
    return Counts(columns, counts.finish, counts.unit)


def entities(corpus: Corpus, document: int, place: Ints) -> Entities:
    """The mentions of each entity of a document, as their places, in the order in which the file lists the entities."""
    first, after = np.searchsorted(corpus.document, [document, document + 1])
    found: dict[int, list[int]] = {}
    for m in range(first, after):
        found.setdefault(int(corpus.entity[m]), []).append(int(place[m]))
    return [found[e] for e in sorted(found, key=lambda e: int(corpus.file_order[e]))]


def _rows(key: Entities, response: Entities) -> dict[str, Row]:
    key_entity = {m: n for n, entity in enumerate(key) for m in entity}  # of copies, the last
    in_key, in_response = _entities_of(key), _entities_of(response)
    found = len(in_key.keys() & in_response.keys())
    key_size, response_size = sum(map(len, key)), sum(map(len, response))
    cells = Counter((n, j) for n, entity in enumerate(key) for m in entity for j in in_response.get(m, ()))
    shared = dict(sorted(cells.items()))
    mentions = sides(found, len(in_key), found, len(in_response))

    kept = 0
    recall = precision = 0.0
    for entity in response:
        owners = [key_entity[m] for m in entity if m in key_entity]
        kept += len(owners) - len(set(owners))
        together = Counter(n for m in entity for n in in_key.get(m, ()))
        for owner in owners:
            recall += together[owner] / len(key[owner])
            precision += together[owner] / len(entity)
    muc = sides(kept, key_size - len(key), kept, response_size - len(response))
    b_cubed = sides(recall, key_size, precision, response_size)

    def dice(k: int, r: int) -> float:
        return 2 * shared[k, r] / (len(key[k]) + len(response[r]))

    in_common = _aligned(shared)
    alike = _aligned({cell: dice(*cell) for cell in shared})
    return {
        "mentions": mentions,
        "muc": muc,
        "b_cubed": b_cubed,
        "ceaf_m": sides(in_common, key_size, in_common, response_size),
        "ceaf_e": sides(alike, len(key), alike, len(response)),
        "blanc": _blanc(key, response),
    }


def sides(recall: float, of_key: float, precision: float, of_response: float) -> Row:
    """The columns of recall and precision."""
    return {
        "recall_numerator": recall, "recall_denominator": of_key,
        "precision_numerator": precision, "precision_denominator": of_response,
    }  # fmt: skip


def _aligned(similarity: Mapping[tuple[int, int], float]) -> float:
    """The total of the best alignment; `similarity` has the pairs of entities that overlap."""
    cells = np.array(list(similarity), dtype=np.int64).reshape(-1, 2)
    weight = np.array(list(similarity.values()), dtype=np.float64)
    sizes = cells.max(axis=0, initial=-1) + 1
    chosen = assign(cells[:, 0], cells[:, 1], weight, *sizes.tolist()).edges
    return float(weight[chosen].sum())


def _entities_of(entities: Entities) -> EntitiesOf:
    """The entities that each place is in, each once."""
    found: dict[int, list[int]] = {}
    for n, entity in enumerate(entities):
        for place in dict.fromkeys(entity):
            found.setdefault(place, []).append(n)
    return found


def _blanc(key: Entities, response: Entities) -> Row:
    """Links are sets of pairs of places; a mention and its copy make a pair, too."""
    each = [(_entities_of(entities), _copied(entities)) for entities in (key, response)]
    row: Row = {}
    for name, of in (("found", each), ("key", each[:1]), ("response", each[1:])):
        places, copied = zip(*of, strict=True)
        row[f"coreference_{name}"] = _together(*places) + len(frozenset.intersection(*copied))
        row[f"other_{name}"] = _apart(*places)
    return row


def _copied(entities: Entities) -> frozenset[int]:
    """The places that some entity has twice."""
    twice = (Counter(entity) for entity in entities if len(set(entity)) < len(entity))
    return frozenset(place for number in twice for place, times in number.items() if times > 1)


def _together(*sides: EntitiesOf) -> int:
    """How many pairs of different places have an entity in common, on each of the sides.

    Places that are in all of some entities are counted for all choices of entities: pairs with one entity in common once, those
    with two 2 - 1 times, those with three 3 - 3 + 1 times. Where that would be too many choices, pairs are counted place by
    place.
    """
    if max((len(entities) for side in sides for entities in side.values()), default=0) > FEW:
        members = [(side, _members(side)) for side in sides]
        return (
            sum(len(_on_all(*({p for e in side[m] for p in of[e]} for side, of in members))) - 1 for m in _on_all(*sides)) // 2
        )
    choices: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for place in _on_all(*sides):
        choices.update(product(*(_chosen(side[place]) for side in sides)))
    return sum(comb(number, 2) * (-1) ** sum(len(chosen) + 1 for chosen in choice) for choice, number in choices.items())


def _members(side: EntitiesOf) -> dict[int, list[int]]:
    """The places in each entity."""
    members: dict[int, list[int]] = {}
    for place, entities in side.items():
        for entity in entities:
            members.setdefault(entity, []).append(place)
    return members


def _chosen(entities: Sequence[int]) -> list[tuple[int, ...]]:
    """All choices of at least one entity."""
    return [chosen for size in range(1, len(entities) + 1) for chosen in combinations(entities, size)]


def _apart(*sides: EntitiesOf) -> int:
    """How many pairs of places are in different entities, on each of the sides.

    Different places are not only if both are in one and the same entity alone. A place and its copy are if it has two entities.
    """
    places = _on_all(*sides)
    pairs = sum(all(len(side[place]) > 1 for side in sides) for place in places)
    for size in range(len(sides) + 1):
        for some in combinations(sides, size):
            alone = Counter(tuple(side[p][0] for side in some) for p in places if all(len(side[p]) == 1 for side in some))
            pairs += (-1) ** size * sum(comb(number, 2) for number in alone.values())
    return pairs


def _on_all(*sides: Iterable[int]) -> set[int]:
    return set(sides[0]).intersection(*sides[1:])
