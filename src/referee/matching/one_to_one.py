"""From candidate pairs to the one-to-one matching with the greatest total weight.

Weights are fractions, and are added and compared as fractions. Reading order settles ties. Mentions go by start, then by end.
Of all matchings with the greatest weight, the first key mention gets the earliest partner that it has in any of them; no
partner is the last choice. Then the second key mention chooses among the matchings that are left, and so on.

One whole number for each pair expresses both, so that the assignment with the greatest sum is the matching that is wanted
(`_whole_numbers`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import lcm

import numpy as np

from referee.algorithms.arrays import Ints, arange, argsort, inverse, ranked, starts_of_runs, tally
from referee.algorithms.assignment import assign
from referee.algorithms.components import joined
from referee.basics.exceptions import warn
from referee.corpus import Corpus
from referee.matching.spans import Candidates

LARGEST = 64
"""Mentions a side of a connected group of candidates that are matched exactly. Numbers grow with the group. In a larger one,
which takes dozens of mentions that overlap each other, weights are floats, and ties are settled by the solver."""


def one_to_one(candidates: Candidates, key: Corpus, response: Corpus) -> tuple[Ints, Ints]:
    """Choose among candidate pairs.

    Parameters
    ----------
    candidates : Candidates
    key, response : Corpus
        The corpora whose mentions the candidates are; they give the reading order.

    Returns
    -------
    key_mention, response_mention : int64, shape (matched,)
        The numbers of the matched mentions.

    Warns
    -----
    RefereeWarning
        If a group is so large that the assignment stopped before it was certainly the best.
    """
    if not len(candidates.key):
        return candidates.key, candidates.response
    orders = [np.lexsort((side.end, side.start, side.document)) for side in (key, response)]
    candidates = Candidates(inverse(orders[0])[candidates.key], inverse(orders[1])[candidates.response], *candidates[2:])
    lone = (tally(candidates.key)[candidates.key] == 1) & (tally(candidates.response)[candidates.response] == 1)
    small, parts = [], [np.flatnonzero(lone)]
    for group, size in _groups(candidates, np.flatnonzero(~lone)):
        if size > LARGEST:
            parts.append(_by_floats(candidates, group))
        else:
            small.append(group)
    parts.append(_by_whole_numbers(candidates, small))
    pairs = np.sort(np.concatenate(parts))
    return orders[0][candidates.key[pairs]], orders[1][candidates.response[pairs]]


def _groups(candidates: Candidates, pairs: Ints) -> Iterator[tuple[Ints, int]]:
    """Some of the pairs, by connected component, and the number of mentions of its larger side."""
    first, second = candidates.key[pairs], candidates.response[pairs] + candidates.key.max() + 1
    label = joined(arange(int(second.max(initial=-1)) + 1), first, second)
    size = np.maximum(*(tally(label[np.flatnonzero(tally(side))], minlength=len(label)) for side in (first, second)))
    order = argsort(label[first])
    new = np.flatnonzero(starts_of_runs(label[first[order]]))
    return zip(np.split(pairs[order], new)[1:], size[label[first[order[new]]]].tolist(), strict=True)


def _by_floats(candidates: Candidates, group: Ints) -> Ints:
    """The chosen pairs of a large group."""
    key, response, shared, size = (column[group] for column in candidates)
    row, column = ranked(key), ranked(response)
    keys, responses = int(row.max()) + 1, int(column.max()) + 1
    edges, slack = assign(row, column, shared / size, keys, responses)
    if slack is not None:
        warn(
            f"{keys} key mentions and {responses} response mentions overlap each other; their matching stopped at "
            "its limit of work and may be short of the greatest weight"
        )
    return group[edges]


def _by_whole_numbers(candidates: Candidates, groups: list[Ints]) -> Ints:
    """The chosen pairs of small groups, all at once. Groups do not touch, so each may have weights on a scale of its own."""
    if not groups:
        return np.empty(0, dtype=np.int64)
    pairs = np.concatenate(groups)
    weight = np.array([number for group in groups for number in _whole_numbers(candidates, group)], dtype=object)
    row, column = (ranked(side[pairs]) for side in candidates[:2])
    return pairs[assign(row, column, weight, int(row.max()) + 1, int(column.max()) + 1, budget=sys.maxsize).edges]


def _whole_numbers(candidates: Candidates, group: Ints) -> list[int]:
    """For each pair of a group, a number such that the greatest sum is the greatest weight, with ties by reading order.

    Written in base m + 1, where n key mentions and m response mentions are in the group, the number of the pair of key
    mention i and response mention j is its weight, over the common denominator of the group, followed by n digits. They
    belong to the key mentions, the first one's in front. Digit i is m - j, which is greater the earlier the partner is, and
    at least 1; the other digits are 0. In the sum of a one-to-one matching no digit is carried. So the weight decides first,
    then the partner of the first key mention, then that of the second. Two matchings never have the same sum.
    """
    key, response, shared, size = (column[group].tolist() for column in candidates)
    row, column = ({mention: number for number, mention in enumerate(sorted(set(mentions)))} for mentions in (key, response))
    n, m, common = len(row), len(column), lcm(*size)
    power = [(m + 1) ** exponent for exponent in range(n + 1)]
    return [
        s * (common // z) * power[n] + (m - column[r]) * power[n - 1 - row[k]]
        for k, r, s, z in zip(key, response, shared, size, strict=True)
    ]
