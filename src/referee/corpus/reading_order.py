"""The order in which a corpus has its mentions and entities, given by the annotation alone.

Mentions go by document, by start; at one start one-token mentions are first, then longer before shorter (the order in which
the CoNLL reference scorer meets them), then those of one part before those of several. Entities go by their first mentions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.sorting import order_by, starts_of_runs

PART = 1 << 16
"""Mentions that are sorted together, at least."""


def whole_documents(document: Ints) -> Iterator[slice]:
    """Slices of whole documents, some PART mentions each: sorting many small parts takes less time and memory than one sort
    of everything. A single slice if the documents are not in order."""
    mentions = len(document)
    if mentions <= PART or (np.diff(document) < 0).any():
        return iter([slice(0, mentions)])
    starts = np.flatnonzero(starts_of_runs(document))
    cuts = np.searchsorted(starts, np.arange(PART, mentions, PART)).clip(max=len(starts) - 1)
    edges = np.unique([0, *starts[cuts], mentions]).tolist()
    return (slice(a, b) for a, b in pairwise(edges))


def reading_order(
    document: Ints, start: Ints, end: Ints, entity: Ints, fragments: Ints | None = None, ties: Sequence[Ints] = ()
) -> tuple[Ints, Ints]:
    """The order of the mentions, and the entities in the order of their first mentions.

    fragments : tells mentions of several parts apart that have start and end in common
    ties  : order the copies of a mention in one entity

    Entities whose first mentions are one and the same span are ordered by what they contain, never by the file: the one
    with more mentions first. A repeated mention stands first in its first entity.
    """
    length = end - start
    columns: tuple[Ints, ...] = (document, start, np.where(length == 1, 0, length.max(initial=0) + 1 - length))
    if fragments is None:
        fragments = np.zeros(len(start), dtype=np.int32)
    else:
        columns += (fragments,)
    order = order_by(*columns)
    lowest = int(entity.min()) if len(entity) else 0
    entity = entity - lowest
    first = np.full(int(entity.max(initial=-1)) + 1, len(order), dtype=np.int64)
    np.minimum.at(first, entity[order], np.arange(len(order)))
    numbers = np.flatnonzero(first < len(order))
    numbers = numbers[order_by(first[numbers])]
    if not starts_of_runs(*(c[order] for c in columns)).all():
        opening = order[first[numbers]]
        alike = starts_of_runs(document[opening], start[opening], end[opening], fragments[opening])
        numbers = _larger_first(np.split(numbers, np.flatnonzero(alike)[1:]), entity, start, end, fragments)
        rank = np.full(len(first), -1, dtype=np.int64)
        rank[numbers] = np.arange(len(numbers))
        order = order_by(*columns, rank[entity], *ties)
    return order, numbers + lowest


def _larger_first(groups: Sequence[Ints], entity: Ints, start: Ints, end: Ints, fragments: Ints) -> Ints:
    """The entities of all groups, each group sorted: the entity with more different mentions first, then the earlier ones."""
    spans: dict[int, list[tuple[int, int, int]]] = {e: [] for group in groups if len(group) > 1 for e in group.tolist()}
    for m in np.flatnonzero(np.isin(entity, list(spans))):
        spans[int(entity[m])].append((int(start[m]), int(end[m]), int(fragments[m])))

    def key(e: int) -> tuple[int, list[tuple[int, int, int]], int, list[tuple[int, int, int]]]:
        different = sorted(set(spans[e]))
        return -len(different), different, -len(spans[e]), sorted(spans[e])

    return np.concatenate([group if len(group) == 1 else sorted(group.tolist(), key=key) for group in groups]).astype(np.int64)
