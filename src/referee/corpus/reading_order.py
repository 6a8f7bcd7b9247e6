"""The order in which a corpus has its mentions and entities, given by the annotation alone.

Mentions go by document, then by start. At one start, mentions of one token come first, then longer before shorter (the order
in which the CoNLL reference scorer meets them), then mentions of one span before discontinuous ones. Entities go by their
first mentions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from referee.algorithms.arrays import Ints, argsort, inverse, starts_of_runs
from referee.corpus.columns import Columns
from referee.corpus.schema import numbers_of

TOGETHER = 1 << 16
"""Mentions that are sorted together, at least."""


def reading_order(corpus: Columns) -> tuple[Ints, Ints]:
    """The numbers of the mentions, and of the entities that have any, in reading order.

    Parameters
    ----------
    corpus : Columns
        With its rows in any order.

    Returns
    -------
    mentions : int32, shape (mentions,)
    entities : int64, shape (entities with mentions,)

    Notes
    -----
    Entities whose first mentions are one and the same span are ordered by what they contain, never by the file: the one with
    more mentions first. A repeated mention stands first in its first entity.
    """
    details = _details(corpus)
    mentions, entities = [], []
    for rows in _whole_documents(corpus.document):
        in_rows, numbers = _order(
            corpus.document[rows],
            corpus.start[rows],
            corpus.end[rows],
            corpus.entity[rows],
            np.zeros(rows.stop - rows.start, dtype=np.int32) if corpus.fragments is None else corpus.fragments[rows],
            [values[rows] for values in details],
        )
        mentions.append((in_rows + rows.start).astype(np.int32))
        entities.append(numbers)
    return np.concatenate(mentions), np.concatenate(entities)


def places_of_items(items: Sequence[str], document: Ints) -> tuple[Ints, Ints]:
    """The spans that items have instead of token offsets: the position of each id among the ids in sorted order.

    Returns
    -------
    start, end : int64, shape (mentions,)
        Equal for equal ids of a document.
    """
    from referee.corpus.strings import Names, ranks  # only items need it, and scoring spans should start fast

    if isinstance(items, Names):
        (rank,) = ranks(items)
        if not document.any():
            return rank, rank + 1
        numbers = argsort(document, rank)
        start = np.empty(len(items), dtype=np.int64)
        start[numbers] = np.cumsum(starts_of_runs(rank[numbers]), dtype=np.int64) - 1
        return start, start + 1
    order = sorted(range(len(items)), key=items.__getitem__)
    order.sort(key=document.tolist().__getitem__)  # stable; twice as fast as one sort by pairs
    ordered = [items[mention] for mention in order]
    start = np.empty(len(items), dtype=np.int64)
    start[order] = np.cumsum([0] + [a != b for a, b in pairwise(ordered)])[: len(items)]
    return start, start + 1


def _details(corpus: Columns) -> list[Ints]:
    """What tells mentions apart that are equal in place and entity: the columns of numbers that only some corpora have."""
    return [
        detail
        for name, part, values in numbers_of(corpus)
        if part.rows == "mention" and part.fill is not None and name != "fragments"
        for detail in np.atleast_2d(values.T).astype(np.int64) - min(part.fill, 0)  # argsort takes no negative numbers
    ]


def _whole_documents(document: Ints) -> Iterator[slice]:
    """Slices of whole documents, some TOGETHER mentions each; a single slice if the documents are not in order."""
    # To sort many small parts takes less time and memory than one sort of everything.
    mentions = len(document)
    if mentions <= TOGETHER or (np.diff(document) < 0).any():
        return iter([slice(0, mentions)])
    starts = np.flatnonzero(starts_of_runs(document))
    cuts = np.searchsorted(starts, np.arange(TOGETHER, mentions, TOGETHER)).clip(max=len(starts) - 1)
    edges = sorted({0, *starts[cuts].tolist(), mentions})  # np.unique would import numpy.ma
    return (slice(a, b) for a, b in pairwise(edges))


def _order(document: Ints, start: Ints, end: Ints, entity: Ints, fragments: Ints, details: Sequence[Ints]) -> tuple[Ints, Ints]:
    """The order of some mentions, and of their entities."""
    length = end - start
    # 0 for one token, else the smaller the longer the mention is: the columns are sorted upwards.
    by_length = np.where(length == 1, 0, length.max(initial=0) - length + (length > 0))  # within 32 bits
    columns = (document, start, by_length, *([fragments] if fragments.any() else []))
    order = argsort(*columns)
    lowest = int(entity.min()) if len(entity) else 0  # the entities of a part of the corpus have high numbers
    entity = entity - lowest
    first = np.full(int(entity.max(initial=-1)) + 1, len(order), dtype=np.int64)
    np.minimum.at(first, entity[order], np.arange(len(order)))  # the position of each entity's first mention
    entities = np.flatnonzero(first < len(order))
    entities = entities[argsort(first[entities])]
    if not starts_of_runs(*(column[order] for column in columns)).all():
        # Some mention is repeated. Entities that begin with one and the same span are ordered among themselves, and
        # only then the copies of the span can be: by their entities, then by what else is known of them.
        opening = order[first[entities]]
        new_span = starts_of_runs(document[opening], start[opening], end[opening], fragments[opening])
        entities = _larger_first(entities, np.flatnonzero(new_span), entity, start, end, fragments)
        rank = np.full(len(first), -1, dtype=np.int64)
        rank[entities] = np.arange(len(entities))
        order = argsort(*columns, rank[entity], *details)
    return order, entities + lowest


def _larger_first(entities: Ints, begins: Ints, entity: Ints, start: Ints, end: Ints, fragments: Ints) -> Ints:
    """Entities in groups, each group sorted: entities with more different mentions first, then with earlier ones."""
    entities = entities.copy()
    groups = [slice(a, b) for a, b in pairwise([*begins.tolist(), len(entities)]) if b - a > 1]
    if not groups:
        return entities
    grouped = np.zeros(int(entities.max()) + 1, dtype=bool)
    grouped[np.concatenate([entities[group] for group in groups])] = True
    members = np.flatnonzero(grouped[entity])
    spans = [column[members] for column in (start, end, fragments)]
    order = argsort(*spans)
    place = np.cumsum(starts_of_runs(*(column[order] for column in spans)), dtype=np.int64)[inverse(order)]
    order = argsort(entity[members], place)
    whose, place = entity[members[order]], place[order]
    new = starts_of_runs(whose, place)
    lists = [(place.tolist(), _limits(whose, len(grouped))), (place[new].tolist(), _limits(whose[new], len(grouped)))]

    def key(e: int) -> tuple[int, list[int], int, list[int]]:
        every, different = (places[limits[e] : limits[e + 1]] for places, limits in lists)
        return -len(different), different, -len(every), every

    for group in groups:
        entities[group] = sorted(entities[group].tolist(), key=key)
    return entities


def _limits(column: Ints, entities: int) -> list[int]:
    """Where the rows of each entity begin, and the last ones end, among rows that are in the order of their entities."""
    limits: list[int] = np.searchsorted(column, np.arange(entities + 1)).tolist()
    return limits
