"""Scores at every threshold at once: what pairs, links, B³ and exact entities gain with each pair that becomes a link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, argsort, tally, unique
from referee.algorithms.merging import NEVER, last_between, merging
from referee.stats.counts import Counts, rates


class KeyOfRecords(NamedTuple):
    """The key entity of each record, -1 for none, and the sizes of the entities."""

    entity: Ints
    size: Ints


def sweep(key: KeyOfRecords, first: Ints, second: Ints, last: Ints) -> Mapping[str, Counts]:
    """Count links, B³ and exact entities, a row for each threshold.

    Parameters
    ----------
    key : KeyOfRecords
    first, second : int64, shape (pairs,)
        The records of different pairs, the most probable first.
    last : int64, shape (thresholds,)
        How many of these pairs are links at each threshold.

    Returns
    -------
    mapping
        Metric -> counts. Sums of fractions are not added in the order of `score`, so they may differ in their last digit.
    """
    records, node = unique(np.concatenate([first, second]))
    m = merging(len(records), *np.split(node, 2))
    entity, size = key.entity[records], key.size
    order = np.empty(len(records), dtype=np.int64)
    order[m.place] = np.arange(len(records))
    at_place = entity[order]
    # Of each key entity its records in the row: neighbours among them meet at the last merge between them.
    place = np.flatnonzero(at_place >= 0)
    place = place[argsort(at_place[place])]
    owner = at_place[place]
    code = owner * (len(records) + 1) + place
    next_to = np.flatnonzero(owner[1:] == owner[:-1])
    meet = last_between(m.between, place[next_to], place[next_to + 1])
    met = meet != NEVER
    next_to, meet = next_to[met], meet[met]
    base = owner[next_to] * (len(records) + 1)
    on_left = next_to + 1 - np.searchsorted(code, base + m.at[meet] - m.left[meet] + 1)
    on_right = np.searchsorted(code, base + m.at[meet] + m.right[meet], side="right") - next_to - 1
    merges = len(m.edge)
    true = tally(meet, on_left * on_right, minlength=merges)
    of_recall = tally(meet, 2 * on_left * on_right / size[owner[next_to]], minlength=merges)

    # What a stretch of the row has: records with an entity, and pairs of records of one entity.
    in_key = np.concatenate([[0], np.cumsum(at_place >= 0)])
    pairs_at = np.zeros(len(records), dtype=np.int64)
    pairs_at[m.at] = true
    inside = np.concatenate([[0], np.cumsum(pairs_at)])

    def stretch(start: Ints, end: Ints) -> tuple[Floats, Ints]:
        """The part of B³ precision that the component from `start` to before `end` has, and whether it is an entity."""
        squares = in_key[end] - in_key[start] + 2 * (inside[end - 1] - inside[start])
        length = end - start
        whole = (squares == length * length) & (at_place[start] >= 0)
        whole[whole] = size[at_place[start[whole]]] == length[whole]
        return squares / length, whole.astype(np.int64)

    start, middle, end = m.at - m.left + 1, m.at + 1, m.at + m.right + 1
    (whole, is_exact), (a, a_exact), (b, b_exact) = stretch(start, end), stretch(start, middle), stretch(middle, end)
    row = np.searchsorted(m.edge, last)  # how many merges there are at each threshold

    def at_thresholds(gain: Ints | Floats, alone: float) -> Ints | Floats:
        return alone + np.concatenate([[0], np.cumsum(gain)])[row]

    def same(number: float) -> Ints | Floats:
        return np.full(len(row), number)

    everyone, shared = len(key.entity), int((key.entity >= 0).sum())
    links = at_thresholds(true, 0)
    alone = float(tally(key.entity[key.entity >= 0], 1 / size[key.entity[key.entity >= 0]]).sum())
    exact = at_thresholds(is_exact - a_exact - b_exact, int((size[np.unique(key.entity[key.entity >= 0])] == 1).sum()))
    return {
        "links": rates(
            (links, same(int((size * (size - 1) // 2).sum()))), (links, at_thresholds(m.left * m.right, 0))
        ),
        "b_cubed": rates(
            (at_thresholds(of_recall, alone), same(int(size.sum()))), (at_thresholds(whole - a - b, shared), same(everyone))
        ),
        "exact": rates((exact, same(len(size))), (exact, at_thresholds(-np.ones(merges, dtype=np.int64), everyone))),
    }  # fmt: skip
