"""Pairs of records as they were decided: what links records is looked at pair by pair, and nothing is closed.

Each side decides about pairs: where it lists pairs by what it says of each, and a pair that it lacks is no match; where it has
entities, two records of one entity are a match. The key says which pairs count:

* A key that lists pairs of both kinds is a sample of decisions: pairs that it lacks are not known, and left out.
* A key that lists matches alone, or has entities, decides about all pairs of records; of two tables, those with one of each.

Of the pairs of the key only the numbers of matches and of others are needed. The rest follows from the pairs that a side lists.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, Numbers, tally, unique
from referee.basics.exceptions import OptionError, counted
from referee.corpus import Corpus
from referee.corpus.layers import PairFrame, is_left
from referee.matching.pair import Pair, Sides
from referee.metrics.metric import metric
from referee.stats.counts import Columns, Counts, Finish, ScoreColumns, divide, finish_rates


class PairedRecords(NamedTuple):
    """The records of both sides.

    Parameters
    ----------
    document : integers, shape (records,)
    documents : int
    left : bool, shape (records,), or None
        Whether a record is of the first of two tables; None if there is one.
    """

    document: Ints
    documents: int = 1
    left: Bools | None = None

    def pairs(self, group: Ints | None = None) -> Ints:
        """The number of pairs of each document; of records of one `group` each, if that is given, where -1 is none."""
        if group is None:
            return self._within(self.document, self.documents)
        grouped = group >= 0
        records = PairedRecords(group[grouped], 0, None if self.left is None else self.left[grouped])
        groups = int(group.max(initial=-1)) + 1
        of_group = np.zeros(groups, dtype=np.int64)
        of_group[group[grouped]] = self.document[grouped]
        return tally(of_group, records._within(records.document, groups), minlength=self.documents).astype(np.int64)

    def _within(self, group: Ints, groups: int) -> Ints:
        """The number of pairs in each group."""
        size: Ints = tally(group, minlength=groups).astype(np.int64)
        if self.left is None:
            return size * (size - 1) // 2
        left: Ints = tally(group[self.left], minlength=groups).astype(np.int64)
        return left * (size - left)


class ListedPairs(NamedTuple):
    """Pairs that a side lists, by the numbers of their records, the lower first: each once, and whether it is a match."""

    first: Ints
    second: Ints
    linked: Bools
    matches_only: bool

    def matches(self) -> ListedPairs:
        """Those that are matches."""
        return ListedPairs(self.first[self.linked], self.second[self.linked], self.linked[self.linked], True)


Decisions: TypeAlias = "ListedPairs | Ints"
"""What a side says: of the pairs that it lists; or of all, by the entity of each record, -1 for one that is alone."""

UNKNOWN = -1


def decided_by(decisions: Decisions, first: Ints, second: Ints) -> Ints:
    """What a side says of pairs: 1 for a match, 0 for none, `UNKNOWN` where it lists others of both kinds alone."""
    if not isinstance(decisions, ListedPairs):
        same: Ints = ((decisions[first] == decisions[second]) & (decisions[first] >= 0)).astype(np.int8)
        return same
    width = int(max((side.max(initial=0) for side in (second, decisions.second)), default=0)) + 1
    code, listed = first * width + second, decisions.first * width + decisions.second
    order = np.argsort(listed, kind="stable")
    place = np.minimum(np.searchsorted(listed, code, sorter=order), max(len(order) - 1, 0))
    decision = np.full(len(code), 0 if decisions.matches_only else UNKNOWN, dtype=np.int8)
    if len(order):
        row = order[place]
        there = listed[row] == code
        decision[there] = decisions.linked[row[there]]
    return decision


class Universe(NamedTuple):
    """The pairs that the key decides about: how many matches and others each document has; others are nan if not known."""

    matches: Ints
    others: Numbers


def universe(key: Decisions, records: PairedRecords, *, are_all: bool) -> Universe:
    """Return how many pairs the key decides about; `are_all` says whether these are all records that there are."""

    def by_document(listed: ListedPairs, which: Bools) -> Ints:
        counted: Ints = tally(records.document[listed.first[which]], minlength=records.documents).astype(np.int64)
        return counted

    if isinstance(key, ListedPairs):
        matches = by_document(key, key.linked)
        if not key.matches_only:
            return Universe(matches, by_document(key, ~key.linked))
    else:
        matches = records.pairs(key)
    others: Numbers = records.pairs() - matches
    return Universe(matches, others if are_all else np.full(records.documents, np.nan))


def counts_of_decisions(key: Decisions, response: Decisions, records: PairedRecords) -> Columns:
    """Count true and false positives and negatives, and the matches of the response that the key does not know.

    At least one side lists pairs.
    """
    listed = isinstance(key, ListedPairs), isinstance(response, ListedPairs)
    matches, others = universe(key, records, are_all=not all(listed))
    if isinstance(response, ListedPairs):
        first, second = response.matches()[:2]
        decision = decided_by(key, first, second)
        claimed: Ints = tally(records.document[first], minlength=records.documents)
    else:
        assert isinstance(key, ListedPairs)
        is_claimed = decided_by(response, key.first, key.second) > 0
        first, decision = key.first[is_claimed], key.linked[is_claimed].astype(np.int8)
        claimed = records.pairs(response)
    tp, fp = (tally(records.document[first[decision == value]], minlength=records.documents) for value in (1, 0))
    if isinstance(key, ListedPairs) and not key.matches_only:
        unlabelled = claimed - tp - fp
    else:
        fp, unlabelled = claimed - tp, np.zeros_like(tp)
    return {"tp": tp, "fp": fp, "fn": matches - tp, "tn": others - fp, "unlabelled": unlabelled}


def decisions_of(sides: Sides, identity: tuple[Ints, Ints]) -> tuple[Decisions, Decisions, PairedRecords]:
    """Return what both sides decide, and the records of both, by their numbers."""
    _, number = unique(np.concatenate(identity))
    numbers = number[: len(identity[0])], number[len(identity[0]) :]
    records = int(number.max(initial=-1)) + 1
    document, left = np.zeros(records, dtype=np.int64), np.zeros(records, dtype=bool)
    is_two = any(side.pair_frame is not None and side.pair_frame.two for side in sides)
    for side, number_of_side in zip(sides, numbers, strict=True):
        document[number_of_side] = side.document
        if is_two and side.items is not None:
            left[number_of_side] = is_left(side.items)
    key, response = (_decisions(side, number_of_side, records) for side, number_of_side in zip(sides, numbers, strict=True))
    return key, response, PairedRecords(document, len(sides.key.doc_ids), left if is_two else None)


def _decisions(side: Corpus, number: Ints, records: int) -> Decisions:
    """What a side says."""
    if side.decided_pairs is None:
        entity = np.full(records, -1, dtype=np.int64)
        entity[number] = side.entity
        return entity
    first, second = number[side.decided_pairs.first], number[side.decided_pairs.second]
    frame = side.pair_frame or PairFrame(matches_only=True)
    return ListedPairs(np.minimum(first, second), np.maximum(first, second), side.decided_pairs.linked, frame.matches_only)


def _counted(pair: Pair) -> Columns:
    """What is counted of two sides, once for all metrics of pairs; nothing where neither side lists pairs."""
    if all(side.decided_pairs is None for side in pair.unfiltered):
        nothing = np.zeros(len(pair.key.doc_ids), dtype=np.int64)
        return dict.fromkeys(("tp", "fp", "fn", "tn", "unlabelled"), nothing)
    return counts_of_decisions(*decisions_of(pair.unfiltered, pair.places))


@metric("Pairs as decided", counts="pairs", scope="annotation", panel="named")
def pairs(pair: Pair) -> Counts:
    """Pairs of records as they were decided, without those that follow from them.

    Notes
    -----
    True and false positives, and false negatives. If the key has matches and others, pairs that it lacks are left out, and
    counted as `unlabelled`; if it has matches alone or entities, each other pair is no match.

    References
    ----------
    Christen (2012), chapter 7; on F of pairs Hand and Christen (2018).
    """
    return Counts(pair.memo_call(_counted), finish_pairs)


@metric("Accuracy of pairs", counts="pairs", scope="annotation", panel="named")
def pairs_accuracy(pair: Pair) -> Counts:
    """Pairs of records about which both sides decide alike, of all pairs.

    Notes
    -----
    0/0 where nobody knows how many pairs there are: where both sides list pairs, and the key matches alone.

    References
    ----------
    Christen (2012), chapter 7, who advises against it: nearly all pairs are no matches.
    """
    return Counts(pair.memo_call(_counted), finish_accuracy)


@metric("MCC of pairs", counts="pairs", scope="annotation", panel="named")
def pairs_mcc(pair: Pair) -> Counts:
    """Matthews correlation of the decisions about pairs, from -1 to 1.

    Notes
    -----
    0/0 if one side says the same of all pairs, or nobody knows how many there are.

    References
    ----------
    Matthews (1975).
    """
    return Counts(pair.memo_call(_counted), finish_mcc)


def finish_pairs(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    """Recall TP / (TP + FN) and precision TP / (TP + FP)."""
    tp = c["tp"]
    sides = {"recall_numerator": tp, "recall_denominator": tp + c["fn"]}
    return finish_rates({**sides, "precision_numerator": tp, "precision_denominator": tp + c["fp"]}, zero_division, beta)


def finish_accuracy(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    """(TP + TN) / all pairs."""
    right = c["tp"] + c["tn"]
    return ScoreColumns(divide(right, right + c["fp"] + c["fn"], zero_division))


def finish_mcc(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    """(TP TN - FP FN) / sqrt of the product of the four sums."""
    tp, fp, fn, tn = (np.asarray(c[name], dtype=np.float64) for name in ("tp", "fp", "fn", "tn"))
    sums: list[Floats] = [np.sqrt(total) for total in (tp + fp, tp + fn, tn + fp, tn + fn)]
    return ScoreColumns(divide(tp * tn - fp * fn, sums[0] * sums[1] * sums[2] * sums[3], zero_division))


FINISH: Mapping[str, Finish] = {"pairs": finish_pairs, "pairs_accuracy": finish_accuracy, "pairs_mcc": finish_mcc}
"""What divides the counts of pairs."""


def check_decided(names: Iterable[str]) -> None:
    """Raise OptionError for a metric of pairs where neither side lists pairs."""
    if name := next((name for name in names if name in FINISH), None):
        raise OptionError(f"{name} is about pairs as decided, and neither side lists pairs; expected links, those of entities")


def about_decisions(counts: Counts, name: str) -> list[str]:
    """How many pairs were decided in which way, in a line; none where no side lists pairs.

    >>> columns = {"tp": [1, 1], "fp": [2, 0], "fn": [1, 0], "tn": [np.nan, 4], "unlabelled": [0, 3]}
    >>> about_decisions(Counts({name: np.array(column) for name, column in columns.items()}, finish_pairs), "pairs")
    ['pairs: TP 2, FP 2, FN 1, TN -; 3 pairs that the response matches have no label: left out']
    """
    c = {column: float(values[0]) for column, values in counts.total().columns.items()}
    numbers = [c[column] for column in ("tp", "fp", "fn", "tn")]
    if not any(numbers) and not c["unlabelled"]:
        return []
    cells = zip(("TP", "FP", "FN", "TN"), numbers, strict=True)
    line = ", ".join(f"{title} {'-' if math.isnan(number) else int(number)}" for title, number in cells)
    lacking = counted(int(c["unlabelled"]), "pair")
    has = "has" if c["unlabelled"] == 1 else "have"
    return [f"{name}: {line}" + (f"; {lacking} that the response matches {has} no label: left out" if c["unlabelled"] else "")]
