"""The decoder: mentions are read in order, and each is attached to a mental representation (MR), or makes a new one.

All documents go in step: at step n, the n-th mention of each document is decided. So a step is a few NumPy calls, however
many documents there are, and no document knows of another.

References
----------
Popescu-Belis and Robba (1998), "Three New Methods for Evaluating Reference Resolution", section "The System".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from referee.algorithms.arrays import Bools, Ints, Numbers, argsort, repeat, tally
from referee.basics.options import choices
from referee.resolver.constraints import Constraints, Ledger
from referee.resolver.relations import Pairs

QUANTIFIERS = choices.QUANTIFIERS
"""How the compatibility with an MR follows from that with its mentions: that of the best one, the average, the worst one, the
last one, the first one (of those in the window)."""


class CandidateMRs(NamedTuple):
    """The MRs that mentions are compared with, at one step; of each mention, the most recent MR last.

    Parameters
    ----------
    later : int64, shape (mentions,)
        The mentions that are decided.
    row : int64, shape (candidates,)
        Index in `later`.
    label : int64, shape (candidates,)
        The MR, by its first mention.
    last : int64, shape (candidates,)
        Its last mention among those compared.
    rank : int64, shape (candidates,)
        How many MRs are more recent.
    best : int64, shape (candidates,)
        The strongest string relation to one of its mentions.
    mentions : int64, shape (candidates,)
        How many of its mentions are compared.
    compatibility : shape (candidates,)
    group : int64, shape (pairs of the step,)
        The candidate of each pair.
    """

    later: Ints
    row: Ints
    label: Ints
    last: Ints
    rank: Ints
    best: Ints
    mentions: Ints
    compatibility: Numbers
    group: Ints


class Decision(NamedTuple):
    """What became of the mentions of one step.

    Parameters
    ----------
    compatibility : shape (pairs of the step,)
    scores : shape (candidates,)
    allowed : bool, shape (candidates,), or None
        Which candidates may be chosen; None for all.
    barred : bool, shape (candidates,), or None
        Which others may be chosen by the model, but not by the constraints; None for none.
    new : shape (mentions,)
        The score of a new MR.
    winner : int64, shape (mentions,)
        The candidate that the mention is attached to; -1 for a new MR.
    antecedent : int64, shape (mentions,)
        The earlier mention that the mention must be one with, whatever the scores are; -1 for none.
    ledger : Ledger
    """

    compatibility: Numbers
    scores: Numbers
    allowed: Bools | None
    barred: Bools | None
    new: Numbers
    winner: Ints
    antecedent: Ints
    ledger: Ledger


class Judge(Protocol):
    """What the decoder asks a model for.

    Attributes
    ----------
    quantifier : str
    """

    quantifier: str

    def compatibilities(self, pairs: Pairs) -> Numbers:
        """How compatible the two mentions of each pair are."""

    def scores(self, candidates: CandidateMRs) -> tuple[Numbers, Bools | None, Numbers]:
        """The score of each candidate; which of them may be chosen (None for all); the score of a new MR of each mention."""

    def attached(self, later: Ints, label: Ints, new: Bools) -> None:
        """Learn where mentions were attached."""


Watcher: TypeAlias = Callable[[Pairs, slice, CandidateMRs, Decision], None]
"""Called at each step with its pairs, its candidates and what was decided."""


def in_step(document: Ints) -> tuple[Ints, Ints]:
    """The order in which mentions are decided, and the number of mentions at each step.

    Documents with more mentions go first, so that those still being read are always the first ones.
    """
    size = tally(document) if len(document) else np.zeros(0, dtype=np.int64)
    first = np.cumsum(size) - size
    rank = np.empty(len(size), dtype=np.int64)
    rank[np.argsort(-size, kind="stable")] = np.arange(len(size))
    step = np.arange(len(document)) - first[document]
    return argsort(step, rank[document]), tally(step, minlength=0)


def candidates_of(
    pairs: Pairs, block: slice, later: Ints, base: int, label: Ints, compatibility: Numbers, quantifier: str, scratch: Ints
) -> CandidateMRs:
    """Group the pairs of one step by MR.

    Parameters
    ----------
    pairs : Pairs
    block : slice
        The pairs of the step.
    later : integers, shape (mentions,)
    base : int
        Index in `pairs.rows` of the first of `later`.
    label : int64, shape (all mentions,)
        The MR of each mention decided so far.
    compatibility : shape (pairs of the step,)
    quantifier : str
    scratch : int64, shape (all mentions,)
        Overwritten.
    """
    earlier = pairs.earlier[block]
    of_pair = label[earlier]
    numbers = np.arange(len(of_pair))
    scratch[of_pair] = numbers  # the last pair of an MR stays, as earlier mentions ascend
    last = scratch[of_pair]
    is_last = last == numbers
    kept = is_last.nonzero()[0]
    group = (is_last.cumsum() - 1)[last]
    row = pairs.row[block][kept]
    row -= base
    best = np.zeros(len(kept), dtype=np.int64)
    string = pairs.string[block]
    alike = string.nonzero()[0]
    np.maximum.at(best, group[alike], string[alike])
    after = len(kept) if len(later) == 1 else row.searchsorted(row, side="right")
    return CandidateMRs(
        later,
        row,
        of_pair[kept],
        earlier[kept],
        after - 1 - numbers[: len(kept)],
        best,
        tally(group, minlength=len(kept)),
        quantified(compatibility, group, kept, quantifier),
        group,
    )


def quantified(values: Numbers, group: Ints, last: Ints, quantifier: str) -> Numbers:
    """The compatibility with each MR from those with its mentions."""
    if quantifier == "last":
        return values[last]
    if quantifier == "mean":
        return tally(group, values, minlength=len(last)) / tally(group, minlength=len(last))
    counts = values[last].copy()
    if quantifier == "any":
        np.maximum.at(counts, group, values)
    elif quantifier == "all":
        np.minimum.at(counts, group, values)
    else:
        counts[group[::-1]] = values[::-1]  # the first pair of an MR stays
    return counts


def decide(candidates: CandidateMRs, scores: Numbers, allowed: Bools | None, new: Numbers) -> Ints:
    """The index of the candidate that each mention is attached to; -1 for a new MR.

    The greatest score wins, the more recent MR among equals. A new MR must score more than any.
    """
    if len(candidates.later) == 1 and allowed is None:  # the short way, for a text of one document
        best = len(scores) - 1 - int(scores[::-1].argmax()) if len(scores) else -1
        return np.array([best if best >= 0 and scores[best] >= new[0] else -1])
    winner = np.full(len(candidates.later), -1, dtype=np.int64)
    numbers = np.arange(len(scores))
    row = candidates.row
    if allowed is not None:
        numbers = np.flatnonzero(allowed)
        row, scores = row[numbers], scores[numbers]
    if not len(numbers):
        return winner
    begins = np.flatnonzero(np.concatenate([[True], row[1:] != row[:-1]]))
    greatest = np.maximum.reduceat(scores, begins)
    length = np.diff(np.append(begins, len(row)))
    winners = np.flatnonzero((scores == repeat(greatest, length)) & (scores >= new[row]))
    winner[row[winners]] = numbers[winners]
    return winner


def decode(
    document: Ints,
    blocks: Callable[[Ints], Iterable[Pairs]],
    judge: Judge,
    constraints: Constraints,
    watcher: Watcher | None = None,
) -> Ints:
    """Attach the mentions of all documents.

    Parameters
    ----------
    document : integers, shape (mentions,)
        Ascending.
    blocks : function
        Gives the pairs of mentions in an order; see `referee.resolver.relations.Relations.blocks`.
    judge : Judge
        The model.
    constraints : Constraints
        What must be one, and what cannot.
    watcher : Watcher, optional

    Returns
    -------
    int64, shape (mentions,)
        The first mention of the MR of each mention.
    """
    label = np.arange(len(document))
    ledger, masks = Ledger(constraints, label), constraints.possible.copy()
    scratch = np.empty(len(document), dtype=np.int64)
    order, sizes = in_step(document)
    edges = np.concatenate([[0], np.cumsum(sizes)])
    done = 0
    for pairs in blocks(order):
        compatibility = judge.compatibilities(pairs)
        first = 0
        while first < len(pairs.rows):  # a block may begin or end within a step
            step = int(np.searchsorted(edges, done, side="right"))
            size = min(int(edges[step]) - done, len(pairs.rows) - first)
            later = pairs.rows[first : first + size]
            block = slice(int(pairs.first[first]), int(pairs.first[first + size]))
            candidates = candidates_of(pairs, block, later, first, label, compatibility[block], judge.quantifier, scratch)
            scores, allowed, new = judge.scores(candidates)
            barred = (masks[candidates.label] & constraints.possible[later][candidates.row]) == 0
            antecedent = np.array([ledger.antecedent(i) for i in later.tolist()], dtype=np.int64)
            for row, i in enumerate(later.tolist()):
                if i in constraints.apart or constraints.names:
                    for c in np.flatnonzero((candidates.row == row) & ~barred).tolist():
                        barred[c] = bool(ledger.bar(i, int(candidates.label[c])))
            if barred.any():
                barred, allowed = (barred, ~barred) if allowed is None else (barred & allowed, allowed & ~barred)
            winner = decide(candidates, scores, allowed, new)
            attached = winner >= 0
            label[later[attached]] = candidates.label[winner[attached]]
            forced = antecedent >= 0
            label[later[forced]] = label[antecedent[forced]]
            judge.attached(later, label[later], ~attached & ~forced)
            np.bitwise_and.at(masks, label[later], constraints.possible[later])
            decision = Decision(compatibility[block], scores, allowed, barred, new, winner, antecedent, ledger)
            if watcher:
                watcher(pairs, block, candidates, decision)
            for i in later.tolist():
                ledger.attach(i, int(label[i]))
            first, done = first + size, done + size
    return label
