"""What the CoNLL reference scorer v8.01 counts in a document that repeats a mention.

A table of entities cannot hold a mention of two entities, and each metric of the program treats it in its own way. So those
documents, and no others, are counted here on lists of mentions, as the program does: all documents at once, in columns.

References
----------
`IdentifMentions`, `MUCScorer`, `BCUBED`, `CEAF` and `BLANC_Internal` of the program, read and written anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from sys import maxsize
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

from referee.algorithms.arrays import (
    Bools,
    Floats,
    Ints,
    Numbers,
    arange,
    argsort,
    lengths,
    pack,
    ranges,
    repeat,
    starts_of_runs,
    tally,
)
from referee.algorithms.assignment import assign
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.matching.repeated_mentions import repeated, without_repeated_mentions
from referee.metrics.table import link
from referee.stats.counts import Counts

REPLACED = frozenset(("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "conll"))
"""The metrics of which `apply_emulation` replaces all columns; `blanc` has others, too."""

BLOCK = 1 << 12
"""Places whose pairs with others are looked at together."""

Value = TypeVar("Value")
Columns: TypeAlias = Mapping[str, Numbers]
"""Column of a metric -> a value for each document."""


def split_emulated(pair: Pair) -> tuple[Pair, frozenset[str]]:
    """Return the pair without matches in documents that repeat a mention, and the metrics by which to count it."""
    documents = _documents(pair)
    if not len(documents):
        return pair, frozenset()
    return replace(pair, emulated_documents=np.isin(arange(len(pair.key.doc_ids)), documents)), REPLACED


def _documents(pair: Pair) -> Ints:
    """The documents that repeat a mention."""
    return np.unique(np.concatenate([side.document[repeated(side)] for side in pair.scored]))


def apply_emulation(pair: Pair, counts: Mapping[str, Counts]) -> dict[str, Counts]:
    """Replace the counts of documents that repeat a mention by those of the program."""
    documents = _documents(pair)
    sides = (_ListedSide.from_corpus(side, documents, place) for side, place in zip(pair.scored, _places(pair), strict=True))
    rows = _rows(*_numbered_alike(*sides), len(documents))
    return {metric: _replaced(metric, c, documents, rows) for metric, c in counts.items()}


def _places(pair: Pair) -> tuple[Ints, Ints]:
    """Numbers of the mentions of both sides: equal for a mention and its copies, and for mentions that are matched."""
    once = pair.scored.each(without_repeated_mentions)
    matching = replace(pair, scored=once).matching
    of_key, of_response = (np.cumsum(~repeated(side)) - 1 for side in pair.scored)
    place = len(once.key.document) + arange(len(once.response.document))
    place[matching.response_mention] = matching.key_mention
    return of_key, place[of_response]


def _replaced(metric: str, counts: Counts, documents: Ints, rows: Mapping[str, Columns]) -> Counts:
    """The average has the columns of its parts under their names, ``muc.recall_numerator``."""
    columns = dict(counts.columns)
    of_metrics = (
        {f"{m}.{c}": v for m, metric_columns in rows.items() for c, v in metric_columns.items()}
        if metric == "conll"
        else rows.get(metric, {})
    )
    for name, values in of_metrics.items():
        if name in columns:
            columns[name] = columns[name].copy()
            columns[name][documents] = values
    return Counts(columns, counts.finish, counts.unit)


class _ListedSide(NamedTuple):
    """The mentions of one side, entity by entity, in the order in which the file lists the entities.

    Parameters
    ----------
    entity, place : int64, shape (mentions,)
        The entity of each mention, and its place: equal for equal mentions of both sides.
    size, document : int64, shape (entities,)
        The mentions of each entity, and its document.
    """

    entity: Ints
    place: Ints
    size: Ints
    document: Ints

    @classmethod
    def from_corpus(cls, corpus: Corpus, documents: Ints, place: Ints) -> _ListedSide:
        """The side in some documents, numbered from 0."""
        entities = np.flatnonzero(np.isin(corpus.entity_document, documents))
        entities = entities[argsort(corpus.entity_document[entities], corpus.file_order[entities])]
        number = np.full(len(corpus.entity_document), -1, dtype=np.int64)
        number[entities] = arange(len(entities))
        mentions = np.flatnonzero(number[corpus.entity] >= 0)
        mentions = mentions[argsort(number[corpus.entity[mentions]])]
        entity, document = number[corpus.entity[mentions]], np.searchsorted(documents, corpus.entity_document[entities])
        return cls(entity, place[mentions], tally(entity, minlength=len(entities)), document)

    @property
    def mention_document(self) -> Ints:
        return self.document[self.entity]


class _EntitiesByPlace(NamedTuple):
    """The distinct entities of each place of a side, ascending.

    Parameters
    ----------
    begin, number : int64, shape (places,)
        Where the entities of each place begin, and how many it has.
    entity : int64, shape (pairs of a place and an entity,)
    copied : bool, shape (places,)
        Whether an entity has the place twice.
    """

    begin: Ints
    number: Ints
    entity: Ints
    copied: Bools

    @classmethod
    def from_side(cls, side: _ListedSide, places: int) -> _EntitiesByPlace:
        order = argsort(side.place, side.entity)
        place, entity = side.place[order], side.entity[order]
        new = starts_of_runs(place, entity)
        copied = np.zeros(places, dtype=bool)
        copied[place[~new]] = True
        number = tally(place[new], minlength=places)
        return cls(np.cumsum(number) - number, number, entity[new], copied)

    def of_mentions(self, place: Ints) -> tuple[Ints, Ints]:
        """Each mention with each entity of its place, as two columns."""
        mention, at = ranges(self.begin[place], self.begin[place] + self.number[place])
        return mention, self.entity[at]

    def linked(self, first: Ints) -> Ints:
        """The pairs of these places and later ones that have an entity in common, each as a number, ascending."""
        order = argsort(self.entity)  # places, entity by entity
        place = repeat(arange(len(self.number)), self.number)[order]
        after = np.cumsum(tally(self.entity))
        mention, entity = self.of_mentions(first)
        link, at = ranges(np.append(0, after)[entity], after[entity])
        pairs = first[mention[link]] * len(self.number) + place[at]
        pairs = np.sort(pairs[place[at] > first[mention[link]]])  # np.unique takes longer
        return pairs[starts_of_runs(pairs)]


def _numbered_alike(key: _ListedSide, response: _ListedSide) -> tuple[_ListedSide, _ListedSide]:
    """Both sides with places numbered from 0."""
    place = np.unique(np.concatenate([key.place, response.place]), return_inverse=True)[1].reshape(-1)
    return key._replace(place=place[: len(key.place)]), response._replace(place=place[len(key.place) :])


def _rows(key: _ListedSide, response: _ListedSide, documents: int) -> dict[str, Columns]:
    """The columns of each metric, a row for each document."""
    document = np.zeros(max(side.place.max(initial=-1) for side in (key, response)) + 1, dtype=np.int64)  # of each place
    for side in (key, response):
        document[side.place] = side.mention_document
    in_key, in_response = (_EntitiesByPlace.from_side(side, len(document)) for side in (key, response))

    def counted(document_of: Ints) -> Ints:
        return np.asarray(tally(document_of, minlength=documents))

    positions = counted(document[(in_key.number > 0) & (in_response.number > 0)])
    key_size, response_size = counted(key.mention_document), counted(response.mention_document)
    key_entities, response_entities = counted(key.document), counted(response.document)

    mention, of_response = in_response.of_mentions(key.place)
    cell, shared = _cells(key.entity[mention], of_response)
    mention, of_key = in_key.of_mentions(response.place)
    together_cell, together = _cells(response.entity[mention], of_key)

    owned = np.flatnonzero(in_key.number[response.place] > 0)
    last = (in_key.begin + in_key.number)[response.place[owned]] - 1
    entity, owner = response.entity[owned], in_key.entity[last]  # of copies, the last
    owned_document = response.document[entity]
    kept = counted(owned_document) - counted(response.document[_cells(entity, owner)[0][0]])
    common = together[_row_of(together_cell, (entity, owner))]
    recall = tally(owned_document, common / key.size[owner], documents)
    precision = tally(owned_document, common / response.size[entity], documents)

    cell_document = key.document[cell[0]]
    in_common = _aligned(cell_document, cell, shared.astype(np.float64), documents)
    alike = _aligned(cell_document, cell, 2 * shared / (key.size[cell[0]] + response.size[cell[1]]), documents)
    places_of = [counted(document[side.number > 0]) for side in (in_key, in_response)]
    return {
        "mentions": sides(positions, places_of[0], positions, places_of[1]),
        "muc": sides(kept, key_size - key_entities, kept, response_size - response_entities),
        "b_cubed": sides(recall, key_size, precision, response_size),
        "ceaf_m": sides(in_common, key_size, in_common, response_size),
        "ceaf_e": sides(alike, key_entities, alike, response_entities),
        "blanc": _blanc(in_key, in_response, document, documents),
    }


def sides(recall: Value, of_key: Value, precision: Value, of_response: Value) -> dict[str, Value]:
    """The columns of recall and precision."""
    return {
        "recall_numerator": recall, "recall_denominator": of_key,
        "precision_numerator": precision, "precision_denominator": of_response,
    }  # fmt: skip


def _cells(row: Ints, column: Ints) -> tuple[tuple[Ints, Ints], Ints]:
    """The different pairs of numbers, ascending, and how often each occurs."""
    order = argsort(row, column)
    row, column = row[order], column[order]
    first = np.flatnonzero(starts_of_runs(row, column))
    return (row[first], column[first]), lengths(first, len(row))


def _row_of(cells: tuple[Ints, Ints], wanted: tuple[Ints, Ints]) -> Ints:
    """The number of each of the wanted pairs, all of which are there."""
    width = max(int(cells[1].max(initial=0)), int(wanted[1].max(initial=0))) + 1
    return np.searchsorted(cells[0] * width + cells[1], wanted[0] * width + wanted[1])


def _aligned(document: Ints, cell: tuple[Ints, Ints], weight: Floats, documents: int) -> Floats:
    """The total of the best alignment of each document; `cell` has the pairs of entities that overlap.

    It is the best whatever it takes, as in the program: no column says how far a bound might be from it.
    """
    rows, columns = (int(side.max(initial=-1)) + 1 for side in cell)
    aligned = assign(*cell, weight, rows, columns, maxsize).edges
    edges = np.searchsorted(document[aligned], np.arange(documents + 1)).tolist()
    return np.array([weight[aligned[first:after]].sum() for first, after in pairwise(edges)])


def _blanc(key: _EntitiesByPlace, response: _EntitiesByPlace, document: Ints, documents: int) -> Columns:
    """Links are sets of pairs of places; a mention and its copy make a pair, too."""
    row: dict[str, Numbers] = {}
    each = {"found": [key, response], "key": [key], "response": [response]}
    together = {name: np.zeros(documents, dtype=np.int64) for name in each}
    for first in range(0, len(document), BLOCK):
        here = arange(len(document))[first : first + BLOCK]
        of_key, of_response = key.linked(here), response.linked(here)
        found = np.intersect1d(of_key, of_response, assume_unique=True)
        for name, pairs in (("found", found), ("key", of_key), ("response", of_response)):
            together[name] += tally(document[pairs // len(document)], minlength=documents)
    for name, sides in each.items():
        places = np.flatnonzero(np.all([side.number > 0 for side in sides], axis=0))
        copied = places[np.all([side.copied[places] for side in sides], axis=0)]
        row[f"coreference_{name}"] = together[name] + tally(document[copied], minlength=documents)
        row[f"other_{name}"] = _apart(sides, places, document, documents)
    return row


def _equal_pairs(columns: Sequence[Ints], documents: int) -> Ints:
    """How many pairs of rows are equal; the first column is the document."""
    packed = pack(*columns)
    if packed is None:
        order = argsort(*columns)
        rows = [column[order] for column in columns]
    else:
        rows = [np.sort(columns[0]), np.sort(packed)]  # a sort of numbers, without their rows
    first = np.flatnonzero(starts_of_runs(*rows))
    return tally(rows[0][first], link(lengths(first, len(rows[0]))), documents).astype(np.int64)


def _apart(sides: Sequence[_EntitiesByPlace], places: Ints, document: Ints, documents: int) -> Ints:
    """How many pairs of places are in different entities, on each of the sides.

    Different places are not only if both are in one and the same entity alone. A place and its copy are if it has two entities.
    """
    several = np.all([side.number[places] > 1 for side in sides], axis=0)
    pairs: Ints = tally(document[places[several]], minlength=documents)
    for size in range(len(sides) + 1):
        for some in combinations(sides, size):
            alone = places[np.all([np.ones(len(places), dtype=bool), *(side.number[places] == 1 for side in some)], axis=0)]
            columns = [document[alone], *(side.entity[side.begin[alone]] for side in some)]
            pairs = pairs + (-1) ** size * _equal_pairs(columns, documents)
    return pairs
