"""False and missed pairs of records, one by one: a table for those who look at the decisions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, argsort
from referee.basics.exceptions import OptionError, counted
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.metrics.pairs import Decisions, ListedPairs, PairedRecords, decided_by, decisions_of
from referee.reports.listing import Column, Listing

PAIR = "pair"
"""What a row stands for."""

KINDS = ("false", "missed")
"""A match of the response alone, and of the key alone."""

MOST = 20_000_000
"""Pairs of records of one entity that are looked at, at most."""


def pairs_are_listed(pair: Pair) -> bool:
    """Whether a side lists pairs."""
    return any(side.decided_pairs is not None for side in pair.unfiltered)


class WrongPair(NamedTuple):
    """A false or a missed pair: its document, what its records are called, and the probability that the response gives it."""

    kind: str
    document: str
    left: str
    right: str
    probability: float | None


def wrong_pairs(pair: Pair) -> list[WrongPair]:
    """Return the wrong pairs: the false ones, the most probable first, then the missed ones, the least probable first.

    A missed pair that the response does not list has no probability.

    Raises
    ------
    OptionError
        If neither side lists pairs, or entities have too many.
    """
    if not pairs_are_listed(pair):
        raise OptionError("wrong pairs are listed where a side lists pairs; expected --by merge or --by split of entities")
    key, response, records = decisions_of(pair.unfiltered, pair.places)
    names, documents, first_of = _names(pair)
    rows: list[WrongPair] = []
    for kind, (decisions, other, is_key) in enumerate(((response, key, False), (key, response, True))):
        first, second = _matches(decisions, records)
        wrong = decided_by(other, first, second) == 0 if not is_key else decided_by(other, first, second) <= 0
        first, second = first[wrong], second[wrong]
        probability = _probabilities(pair, first_of, first, second)
        order = np.lexsort((second, first, np.where(np.isnan(probability), np.inf, probability) * (1 if is_key else -1)))
        for n in order.tolist():
            a, b = int(first[n]), int(second[n])
            value = None if np.isnan(probability[n]) else float(probability[n])
            rows.append(WrongPair(KINDS[kind], documents[a], names[a], names[b], value))
    return rows


def pairs_listing(pair: Pair, *, top: int | None = None) -> Listing:
    """Return `wrong_pairs` as a table.

    Raises
    ------
    OptionError
        As `wrong_pairs`.
    """
    listed = wrong_pairs(pair)
    several = [Column("document")] if len(pair.key.doc_ids) > 1 else []
    columns = [Column("kind"), *several, Column("left"), Column("right"), Column("probability", "number", form=".6g")]
    numbers = [sum(row.kind == kind for row in listed) for kind in KINDS]
    rows: list[list[object]] = [[row.kind, *([row.document] if several else []), *row[2:]] for row in listed]
    caption = ", ".join(f"{number} {kind}" for number, kind in zip(numbers, KINDS, strict=True))
    left_out = len(rows) - len(rows[:top])
    notes = [f"{counted(left_out, 'row')} left out: --by pair --top 0 shows all"] if left_out else []
    return Listing(columns, rows[:top], notes, caption=f"wrong pairs: {caption}")


def _matches(decisions: Decisions, records: PairedRecords) -> tuple[Ints, Ints]:
    """The pairs that a side says are matches; of entities all of their records, of two tables one of each."""
    if isinstance(decisions, ListedPairs):
        matches = decisions.matches()
        return matches.first, matches.second
    if int(records.pairs(decisions).sum()) > MOST:
        raise OptionError(f"entities have more than {MOST} pairs of records; expected --by merge or --by split")
    member = np.flatnonzero(decisions >= 0)
    member = member[argsort(decisions[member])]
    entity = decisions[member]
    blocks: list[tuple[Ints, Ints]] = [(member[:0], member[:0])]
    place = np.arange(len(member))
    for apart in range(1, len(member)):  # a record with none of its entity so far behind it has none further behind
        place = place[place + apart < len(member)]
        place = place[entity[place] == entity[place + apart]]
        if not len(place):
            break
        blocks.append((member[place], member[place + apart]))
    a, b = (np.concatenate(ends) for ends in zip(*blocks, strict=True))
    if records.left is not None:
        of_two: Bools = records.left[a] != records.left[b]
        a, b = a[of_two], b[of_two]
    return np.minimum(a, b), np.maximum(a, b)


def _names(pair: Pair) -> tuple[list[str], list[str], list[Ints]]:
    """What each record is called, its document, and the numbers of the mentions of both sides."""
    _, number = np.unique(np.concatenate(pair.places), return_inverse=True)
    numbers = np.split(number.astype(np.int64), [len(pair.places[0])])
    names = [""] * (int(number.max(initial=-1)) + 1)
    documents = list(names)
    for side, records in zip(pair.unfiltered, numbers, strict=True):
        for n, item, document in zip(records.tolist(), side.items or (), side.document.tolist(), strict=True):
            names[n], documents[n] = item, side.doc_ids[document]
    return names, documents, numbers


def _probabilities(pair: Pair, numbers: list[Ints], first: Ints, second: Ints) -> Floats:
    """The probability that the response gives to pairs; nan where it lists none."""
    response: Corpus = pair.unfiltered.response
    probability = np.full(len(first), np.nan)
    if response.decided_pairs is not None and len(response.decided_pairs.first):
        a, b = numbers[1][response.decided_pairs.first], numbers[1][response.decided_pairs.second]
        width = int(max(a.max(), b.max(), second.max(initial=0), first.max(initial=0))) + 1
        listed = np.minimum(a, b) * width + np.maximum(a, b)
        order = np.argsort(listed)
        place = np.minimum(np.searchsorted(listed, first * width + second, sorter=order), len(order) - 1)
        there = listed[order[place]] == first * width + second
        probability[there] = response.decided_pairs.probability[order[place[there]]]
    return probability
