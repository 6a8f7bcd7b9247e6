"""The functions of the package `bcubed`: extended B³, for items that have several labels.

Examples
--------
>>> key = {"a": {1}, "b": {1, 2}, "c": {2}, "d": {3}}
>>> response = {"a": {"x"}, "b": {"x"}, "c": {"x"}, "d": {"y"}}
>>> precision(response, key), recall(response, key)
(0.8333333333333333, 0.9583333333333334)
>>> round(fscore(precision(response, key), recall(response, key)), 3)
0.891

References
----------
Amigó, Gonzalo, Artiles and Verdejo (2009), "A comparison of extrinsic clustering evaluation metrics based on formal
constraints", section 7; `bcubed` 1.5 by Hugo Hromic.

Notes
-----
Two items that share labels on both sides count min(shared in the response, shared in the key), divided by what they share in
the response for precision, in the key for recall. An item's score is the mean over those that share a label with it there,
itself included, and the result is the mean over items. With one label for each item this is B³.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Ints, repeat
from referee.basics.exceptions import MismatchError, OptionError, warn
from referee.formats.shared.shapes import shown

__all__ = ["fscore", "precision", "recall"]

Labels: TypeAlias = Mapping[Hashable, Collection[Hashable]]
"""Item -> its labels."""

Profile: TypeAlias = "tuple[Ints, Ints]"
"""The numbers of the labels of an item: on the side that is divided by, and on the other."""


def precision(cdict: Labels, ldict: Labels) -> float:
    """Return the precision of a response, `cdict`, which comes first as in `bcubed`; `ldict` is the key.

    Raises
    ------
    MismatchError
        If the key lacks an item, or there is none.
    OptionError
        If an item has no label, or what is given for it is no collection.
    """
    _check(cdict, ldict)
    return _mean([(cdict[item], ldict[item]) for item in cdict])


def recall(cdict: Labels, ldict: Labels) -> float:
    """Return the recall of a response, `cdict`; `ldict` is the key. See `precision`."""
    _check(cdict, ldict)
    return _mean([(ldict[item], cdict[item]) for item in cdict])


def fscore(p_val: float, r_val: float, beta: float = 1.0) -> float:
    """Return F: recall counts beta times as much as precision; 0 for 0/0."""
    below = beta**2 * p_val + r_val
    return float((1 + beta**2) * p_val * r_val / below) if below else 0.0


def _check(response: Labels, key: Labels) -> None:
    """Raise MismatchError or OptionError for what cannot be compared; warn of items that are not scored, as there."""
    for side in (response, key):
        for item, labels in side.items():
            if not isinstance(labels, Collection) or isinstance(labels, (str, bytes, Mapping)) or not len(labels):
                raise OptionError(f"found {shown(labels)} for {shown(item)}; expected a set of labels, at least one")
    if missing := [item for item in response if item not in key]:
        raise MismatchError(f"found {len(missing)} items that the key lacks, as {shown(missing[0])}; expected all there")
    if not response:
        raise MismatchError("found no items; expected {item: labels}")
    if more := len(key) - len(response):
        warn(f"{more} items of the key are not in the response, left out as in bcubed: recall is too high")


def _mean(sides: Sequence[tuple[Collection[Hashable], Collection[Hashable]]]) -> float:
    """The mean over items, given their labels on the side that is divided by, and on the other.

    Items with the same labels on both sides have the same score, and count as often as they are.
    """
    numbers: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
    times: dict[tuple[frozenset[int], ...], int] = {}
    for pair in sides:
        labels_of_item = tuple(
            frozenset(number.setdefault(label, len(number)) for label in labels)
            for number, labels in zip(numbers, pair, strict=True)
        )
        times[labels_of_item] = times.get(labels_of_item, 0) + 1
    weight = np.fromiter(times.values(), dtype=np.int64, count=len(times))
    profiles = [tuple(np.array(sorted(side), dtype=np.int64) for side in profile) for profile in times]
    members = [_members([profile[side] for profile in profiles], len(numbers[side])) for side in (0, 1)]
    scores = np.array([_score(profile, members, weight) for profile in profiles])
    return float(scores @ weight / weight.sum())


def _members(profiles: Sequence[Ints], labels: int) -> Sequence[Ints]:
    """The numbers of the profiles that have each label."""
    row = repeat(np.arange(len(profiles)), [len(profile) for profile in profiles])
    label = np.concatenate(profiles)
    order = np.argsort(label, kind="stable")
    return np.split(row[order], np.searchsorted(label[order], np.arange(1, labels)))


def _score(profile: Sequence[Ints], members: Sequence[Sequence[Ints]], weight: Ints) -> float:
    """The score of an item with these labels."""
    others, shared = (
        np.unique(np.concatenate([members[side][n] for n in profile[side].tolist()]), return_counts=True) for side in (0, 1)
    )
    both, here, there = np.intersect1d(others[0], shared[0], assume_unique=True, return_indices=True)
    divided = np.minimum(others[1][here], shared[1][there]) / others[1][here]
    return float(divided @ weight[both] / weight[others[0]].sum())
