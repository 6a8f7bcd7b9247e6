"""What the CoNLL reference scorer v8.01 counts in a document that repeats a mention.

A table of entities cannot hold a mention of two entities, and each metric of the program treats it in its own way. So those
documents, and no others, are counted here on lists of mentions, step by step as the program does.

References
----------
`IdentifMentions`, `MUCScorer`, `BCUBED`, `CEAF` and `BLANC_Internal` of the program, read and written anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product
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
Row: TypeAlias = dict[str, float]


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
    in_response = {m for entity in response for m in entity}
    found = len(in_response.intersection(key_entity))
    key_size, response_size = sum(map(len, key)), sum(map(len, response))
    shared = {
        (n, j): together for n, k in enumerate(key) for j, r in enumerate(response) if (together := sum(m in r for m in k))
    }
    mentions = sides(found, len(key_entity), found, len(in_response))

    kept = 0
    for entity in response:
        owners = [key_entity.get(m, -1) for m in entity]
        kept += sum(o >= 0 and o in owners[i + 1 :] for i, o in enumerate(owners))
    muc = sides(kept, key_size - len(key), kept, response_size - len(response))

    recall = precision = 0.0
    for entity in response:
        for owner in (key[key_entity[m]] for m in entity if m in key_entity):
            together = sum(m in owner for m in entity)
            recall += together / len(owner)
            precision += together / len(entity)
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


def _blanc(key: Entities, response: Entities) -> Row:
    """Links are sets of pairs of places; a mention and its copy make a pair, too."""

    def links(entities: Entities) -> tuple[set[Any], set[Any]]:
        together = {tuple(sorted(pair)) for entity in entities for pair in combinations(entity, 2)}
        apart = {tuple(sorted(pair)) for one, other in combinations(entities, 2) for pair in product(one, other)}
        return together, apart

    key_together, key_apart = links(key)
    response_together, response_apart = links(response)
    return {
        "coreference_found": len(key_together & response_together),
        "coreference_key": len(key_together),
        "coreference_response": len(response_together),
        "other_found": len(key_apart & response_apart),
        "other_key": len(key_apart),
        "other_response": len(response_apart),
    }
