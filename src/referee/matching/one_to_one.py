"""From candidate pairs to a one-to-one matching of the greatest total weight.

Ties are settled by reading order: of all such matchings, the one where the first key mention has the earliest partner that it
can have (earlier start, then earlier end; none at all is the last choice), then the second key mention, and so on. Weights are
fractions, and are added and compared as such.
"""

from __future__ import annotations

from collections import defaultdict
from math import lcm

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.assignment import assign
from referee.algorithms.components import components
from referee.algorithms.sorting import inverse
from referee.corpus.corpus import Corpus
from referee.exceptions import warn
from referee.matching.spans import Candidates

LARGEST = 64
"""Mentions a side of a group of candidates that are compared exactly; a larger group, which takes dozens of mentions around
one another, has its ties settled as they come."""


def one_to_one(candidates: Candidates, key_corpus: Corpus, response_corpus: Corpus) -> tuple[Ints, Ints]:
    """The numbers of the matched mentions of key and response."""
    if not len(candidates.key):
        return candidates.key, candidates.response
    orders = [np.lexsort((c.end, c.start, c.document)) for c in (key_corpus, response_corpus)]
    key, response = (inverse(order)[m] for order, m in zip(orders, candidates[:2], strict=True))
    candidates = candidates._replace(key=key, response=response)
    alone = (np.bincount(key)[key] == 1) & (np.bincount(response)[response] == 1)
    taken = [np.flatnonzero(alone)]
    rest = np.flatnonzero(~alone)
    groups = defaultdict(list)
    mentions, edges = np.unique(np.concatenate([key[rest], response[rest] + key.max() + 1]), return_inverse=True)
    first, second = edges[: len(rest)].tolist(), edges[len(rest) :].tolist()
    group = components(len(mentions), zip(first, second, strict=True))
    for edge, k in zip(rest.tolist(), first, strict=True):
        groups[group[k]].append(edge)
    taken += [_best(Candidates(*(column[m] for column in candidates)), np.array(m)) for m in groups.values()]
    pairs = np.sort(np.concatenate(taken))
    return orders[0][key[pairs]], orders[1][response[pairs]]


def _best(group: Candidates, edges: Ints) -> Ints:
    """The chosen edges of a group of candidates that are connected."""
    keys, row = np.unique(group.key, return_inverse=True)
    responses, column = np.unique(group.response, return_inverse=True)
    n, m = len(keys), len(responses)
    if max(n, m) > LARGEST:
        chosen, slack = assign(row, column, group.shared / group.size, n, m)
        if slack is not None:
            warn(f"{n} and {m} mentions around one another were matched as well as could be in reasonable time, not exactly")
        return edges[chosen]
    # One whole number says it all: the weight over a common denominator, then a digit for each key mention's partner.
    common, base = lcm(*group.size.tolist()), m + 1
    weight = {
        (i, j): shared * (common // size) * base**n + (m - j) * base ** (n - 1 - i)
        for i, j, shared, size in zip(row.tolist(), column.tolist(), group.shared.tolist(), group.size.tolist(), strict=True)
    }
    pairs = set(_hungarian(weight, n, m))
    return edges[[pair in pairs for pair in weight]]


def _hungarian(weight: dict[tuple[int, int], int], rows: int, columns: int) -> list[tuple[int, int]]:
    """The assignment with the greatest total weight, exactly; pairs without a weight are not assigned.

    Successive shortest paths with potentials (Kuhn 1955, Munkres 1957). Each row has a column of its own to stay free in.
    """
    width = columns + rows
    u, v = [0] * (rows + 1), [0] * (width + 1)
    row_of = [0] * (width + 1)  # 1-based; column 0 is where the search begins
    for start in range(1, rows + 1):
        row_of[0] = start
        least: list[int | None] = [None] * (width + 1)
        back, done = [0] * (width + 1), [False] * (width + 1)
        column = 0
        while row_of[column]:
            done[column] = True
            row = row_of[column]
            delta, following = None, 0
            for j in range(1, width + 1):
                if done[j]:
                    continue
                if j <= columns:
                    gain = weight.get((row - 1, j - 1))
                elif j - columns == row:
                    gain = 0
                else:
                    gain = None
                if gain is not None:
                    distance = -gain - u[row] - v[j]
                    if least[j] is None or distance < least[j]:  # type: ignore[operator]  # it is not None
                        least[j], back[j] = distance, column
                if least[j] is not None and (delta is None or least[j] < delta):  # type: ignore[operator]
                    delta, following = least[j], j
            step = delta or 0
            for j in range(width + 1):
                if done[j]:
                    u[row_of[j]] += step
                    v[j] -= step
                elif least[j] is not None:
                    least[j] -= step  # type: ignore[operator]
            column = following
        while column:
            row_of[column] = row_of[back[column]]
            column = back[column]
    return [(row_of[j] - 1, j - 1) for j in range(1, columns + 1) if row_of[j]]
