"""Recall, precision and F of a hard answer: chunks against chunks, as conlleval counts them, and with credit for parts.

A chunk of the response is right if a chunk of the key

``exact``
    has its span and its category (conlleval, seqeval)
``boundary``
    has its span, whatever its category
``type``
    has its category, and a word in common
``partial``
    has a word in common, whatever its category; worth a half if the spans are not the same

These are SemEval 2013's strict, exact, type and partial. Each chunk is matched with one at most, and the matching has the
greatest sum of credits, so nested and overlapping chunks are counted right, too. (nervaluate compares with the first chunk that
overlaps: of the key [0, 9) and the response [0, 3), [0, 9) it finds nothing correct. Here `exact` finds one.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.algorithms.arrays import Floats, Ints
from referee.algorithms.assignment import assign
from referee.algorithms.sorting import ranges
from referee.counts import divide, f_measure
from referee.exceptions import UnknownNameError, warn
from referee.phrases.candidates import Chunks, found, same_sentences, together

MATCHES = ("exact", "boundary", "type", "partial")

GROUPS = ("category", "length", "sentence")


@dataclass(frozen=True, eq=False)
class HardScores:
    """Counts of chunks, of one shape: a group each, or a single total.

    found  : chunks of the key that the response has, or their credit
    key    : chunks of the key
    right  : chunks of the response that the key has, or their credit; in a group this may differ from `found`
    response : chunks of the response
    """

    found: Floats
    key: Ints
    right: Floats
    response: Ints

    @property
    def recall(self) -> Floats:
        return divide(self.found, self.key)

    @property
    def precision(self) -> Floats:
        return divide(self.right, self.response)

    @property
    def f1(self) -> Floats:
        return f_measure(self.recall, self.precision)

    def macro(self, undefined: float = 0.0) -> tuple[float, float, float]:
        """Means of recall, precision and F over the groups that either side has chunks of; 0 / 0 counts as `undefined`."""
        some = (self.key > 0) | (self.response > 0)
        rates = [np.nan_to_num(rate[some], nan=undefined) for rate in (self.recall, self.precision, self.f1)]
        recall, precision, f1 = (float(divide(rate.sum(), len(rate))) for rate in rates)
        return recall, precision, f1


@dataclass(frozen=True, eq=False)
class Matching:
    """Key and response over the same sentences and categories, with the credit of each chunk, from 0 to 1."""

    key: Chunks
    response: Chunks
    key_credit: Floats
    response_credit: Floats

    @property
    def total(self) -> HardScores:
        """The counts of all chunks."""
        return HardScores(
            self.key_credit.sum(), np.asarray(len(self.key)), self.response_credit.sum(), np.asarray(len(self.response))
        )

    def by(self, group: str) -> HardScores:
        """The counts of each category, length (from 1), or sentence; group is one of `GROUPS`."""
        if group not in GROUPS:
            raise UnknownNameError("group", group, GROUPS)
        sides = (self.key, self.key_credit), (self.response, self.response_credit)
        of = [getattr(chunks, group) - (group == "length") for chunks, _ in sides]
        groups = {
            "category": len(self.key.categories),
            "length": 1 + max(int(number.max(initial=0)) for number in of),
            "sentence": len(self.key.sentences),
        }[group]
        counts: list[Any] = []
        for (_, credit), number in zip(sides, of, strict=True):
            counts += [np.bincount(number, credit, groups), np.bincount(number, minlength=groups)]
        return HardScores(*counts)


def match(key: Chunks, response: Chunks, how: str = "exact") -> Matching:
    """The chunks of the response matched with those of the key; how is one of `MATCHES`.

    MismatchError if the sentences are not the same.
    """
    if how not in MATCHES:
        raise UnknownNameError("match", how, MATCHES)
    place = same_sentences(key, response)
    key, response = together(key, response if place is None else response.select(place))
    if how == "exact":
        right, had = found(key, response)
        return Matching(key, response, had.astype(np.float64), right.astype(np.float64))
    k, r = overlaps(key, response)
    same_span = (key.start[k] == response.start[r]) & (key.end[k] == response.end[r])
    same_category = key.category[k] == response.category[r]
    credit = {"boundary": same_span * 1.0, "type": same_category * 1.0, "partial": np.where(same_span, 1.0, 0.5)}[how]
    assigned = assign(k, r, credit, len(key), len(response))
    if assigned.slack is not None:
        more = f"{assigned.slack.sum():g}"
        warn(f"{response.source}: matching chunks ({how}) was too much work; up to {more} more might have been credited")
    chosen = assigned.edges
    key_credit, response_credit = np.zeros(len(key)), np.zeros(len(response))
    key_credit[k[chosen]] = response_credit[r[chosen]] = credit[chosen]
    return Matching(key, response, key_credit, response_credit)


def overlaps(key: Chunks, response: Chunks) -> tuple[Ints, Ints]:
    """The pairs of chunks that have a word in common, each once: numbers of the key's, numbers of the response's."""
    n = key.sentences.length.astype(np.int64)
    first = np.cumsum(n) - n
    (a, a_end), (b, b_end) = (
        (first[c.sentence] + c.start, first[c.sentence] + c.end) for c in (key, response)
    )  # sorted by start, through all sentences
    # Either the key's chunk starts in the response's, or the other way round and not at its first word.
    r, k = ranges(np.searchsorted(a, b), np.searchsorted(a, b_end))
    k2, r2 = ranges(np.searchsorted(b, a, side="right"), np.searchsorted(b, a_end))
    return np.concatenate([k, k2]), np.concatenate([r, r2])
