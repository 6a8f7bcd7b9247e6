"""Error breakdown: which categories, lengths or uncovered candidates the cross-entropy comes from.

The excess of a group is its share of the cross-entropy minus its share of the candidates; excesses add up to 0. A rare
category always has a large negative excess, because it has as many candidates as any other, nearly all trivially false. So
the bits per chunk must be read with it: on CoNLL-2000, ADJP has an excess of -4 points and costs more bits per true chunk
than any other frequent category.

References
----------
.. [1] Abney (1993), Measures and Models for Phrase Recognition.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from referee.algorithms.arrays import Floats
from referee.phrases.metrics import METRICS
from referee.phrases.sums import CandidateSums, GroupedSums, SumColumn
from referee.phrases.types import TITLES
from referee.reports.listing import Column, Listing
from referee.stats.counts import divide

MAX_LENGTH = 10
"""Candidates of this length and longer ones are one group."""


OF_BITS = ("bits per sentence", "bits per chunk", "share", "excess")
"""Columns of the table that say something of finite numbers of bits alone."""


@dataclass(frozen=True, eq=False)
class ErrorBreakdown:
    """The groups of candidates and their part in the cross-entropy.

    Parameters
    ----------
    group
        What the candidates are grouped by.
    names
        The names of the groups.
    sums
        Sums of shape (groups,).
    share
        The share of the whole cross-entropy, a fraction; nan if any event has probability 0.
    excess
        The share of the cross-entropy minus the share of the candidates.
    one_best
        Whether every probability is 0 or 1. Then bits say nothing, and phrases are counted.
    """

    group: str
    names: list[str]
    sums: CandidateSums
    share: Floats
    excess: Floats
    one_best: bool = False

    def listing(self, system: str = "") -> Listing:
        """The table of the groups.

        Parameters
        ----------
        system
            The name of the system, for the caption.
        """
        of_system = f": {system}" if system else ""
        if self.one_best:
            titles = [Column(self.group), *(Column(title, "score") for title in TITLES), Column("support", "count")]
            counted = [
                [name, *(sides["exact_match"][side] for side in ("recall", "precision", "value")), sides["support"]["value"]]
                for name, sides in self.rows()
            ]
            return Listing(titles, counted, caption=f"by {self.group}{of_system}")
        sums = self.sums
        columns = {
            Column(self.group): self.names,
            Column("candidates", "count"): sums["candidates"],
            Column("true chunks", "count"): sums["true_chunks"],
            Column("per sentence", "number", group="bits", form=".4f"): sums.bits_per_sentence,
            Column("per chunk", "number", group="bits", form=".4f"): sums.bits_per_chunk,
            Column("share", "score"): self.share,
            Column("excess", "cost"): self.excess,
            Column("recall", "score", group="expected"): sums.recall,
            Column("precision", "score", group="expected"): sums.precision,
            Column("events", "count", group="zero-probability"): sums.zero_probability_events,
        }
        if sums.zero_probability_events.any():  # then bits are infinite, and have no shares
            columns = {column: numbers for column, numbers in columns.items() if column.key not in OF_BITS}
        rows = list(zip(*columns.values(), strict=True))
        return Listing([*columns], rows, caption=f"error breakdown by {self.group}{of_system}")

    def rows(self) -> list[tuple[str, dict[str, dict[str, float]]]]:
        """Each group with its numbers at full precision: the sides of each metric, and what else the table shows."""
        sums = self.sums
        columns: dict[str, dict[str, SumColumn]]
        if self.one_best:
            groups = np.flatnonzero(sums["true_chunks"] + sums["expected_chunks"]).tolist()  # most lengths have none
            rates = {"recall": sums.recall, "precision": sums.precision, "value": sums.f1}
            columns = {"exact_match": rates, "support": {"value": sums["true_chunks"]}}
        else:
            groups = list(range(len(self.names)))
            values = {"candidates": sums["candidates"], "true_chunks": sums["true_chunks"]}
            values |= {"share": self.share, "excess": self.excess}
            columns = {name: {"value": column} for name, column in values.items()}
            for name, metric in METRICS.items():
                if metric.sides and not metric.one_best:
                    columns[name] = {side: getattr(sums, quantity) for side, quantity in metric.sides.items()}
        return [
            (self.names[g], {m: {side: column[g].item() for side, column in sides.items()} for m, sides in columns.items()})
            for g in groups
        ]


def error_breakdown(sums: GroupedSums, group: str, *, max_length: int = MAX_LENGTH, one_best: bool = False) -> ErrorBreakdown:
    """Break the cross-entropy down by groups of candidates.

    Parameters
    ----------
    sums
        The sums of a response.
    group
        "category" or "sentence" (the largest share first; of a 1-best prediction the most errors), "length", or "coverage".
    max_length
        Candidates of this length and longer ones are one group.
    one_best
        Whether every probability is 0 or 1.

    Raises
    ------
    UnknownNameError
        If there is no such group.

    Examples
    --------
    >>> from referee.phrases import DefaultProbabilities, PhraseCandidates, decode, score
    >>> key = decode([["B-NP", "B-VP"]])
    >>> guess = PhraseCandidates.unlisted(key.sentences, key.categories, DefaultProbabilities.constant(0.5))
    >>> score(key, guess).breakdown("length").share.round(2).tolist()
    [0.67, 0.33]
    """
    names, groups = sums.by(group)
    if group == "length" and len(names) > max_length:
        starts = np.arange(max_length)
        columns = {name: np.add.reduceat(column, starts) for name, column in groups.columns.items()}
        names, groups = [*names[: max_length - 1], f"{max_length}+"], CandidateSums(columns, groups.sentences)
    bits, total = groups.finite_cross_entropy, sums.total
    share = np.full(len(names), np.nan) if total.zero_probability_events else divide(bits, total.cross_entropy)
    excess = share - divide(groups["candidates"], total["candidates"])
    if group in ("category", "sentence"):
        order = np.lexsort((np.arange(len(names)), -bits, -groups.zero_probability_events))
        names, groups, share, excess = [names[g] for g in order], groups.at(order), share[order], excess[order]
    return ErrorBreakdown(group, names, groups, share, excess, one_best)
