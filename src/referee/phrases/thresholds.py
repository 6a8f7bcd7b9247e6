"""Recall, precision and F1 of candidates at every threshold: `PhraseThresholds`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, tally
from referee.basics.exceptions import brief, one_line
from referee.metrics.titles import title_of_f
from referee.phrases.annotation import PhraseCandidates
from referee.phrases.one_best import ChunkCounts
from referee.reports.listing import Cell, Column, Listing, against
from referee.reports.numbers import number
from referee.reports.result import Result
from referee.stats.counts import divide, f_measure

GRID = tuple(n / 10 for n in range(1, 10))
"""The thresholds that people see, besides the best one and that of the other tables."""

BEST = "*"


class ThresholdScores(NamedTuple):
    """How many phrases a threshold predicts, and their scores; nan where nothing is to divide by."""

    threshold: float
    phrases: int
    recall: float
    precision: float
    f1: float


@dataclass(frozen=True, eq=False, repr=False)
class PhraseThresholds(Result):
    """Recall, precision and F1 (`exact_match`) of the candidates with at least a probability, for each that occurs.

    Parameters
    ----------
    name, key
        The names of the response and of the key.
    probabilities
        Those that occur, in ascending order; none that unlisted candidates reach.
    matched, response
        How many candidates have at least these, and how many of them are phrases of the key.
    of_key
        How many phrases the key has.
    threshold
        The one at which the phrases of the other tables are predicted.
    unlisted
        The largest probability of candidates that are not listed: no threshold up to it predicts what is listed alone.
    signature
        All settings on which the numbers depend.
    """

    name: str
    key: str
    probabilities: Floats
    matched: Ints
    response: Ints
    of_key: int
    threshold: float
    unlisted: float = 0.0
    signature: str = ""

    def __repr__(self) -> str:
        return f"<PhraseThresholds of {brief(self.name)}: {self.lead}>"

    def at(self, threshold: float) -> ThresholdScores:
        """The scores at a threshold.

        Examples
        --------
        >>> import numpy as np
        >>> two = PhraseThresholds("a", "key", np.array([0.25, 0.5]), np.array([2, 1]), np.array([2, 1]), 2, 0.5)
        >>> two.at(0.3)
        ThresholdScores(threshold=0.3, phrases=1, recall=0.5, precision=1.0, f1=0.666...)
        >>> two.best.threshold
        0.25
        """
        place = int(np.searchsorted(self.probabilities, threshold))
        is_above = place == len(self.probabilities)
        matched, response = (0, 0) if is_above else (int(self.matched[place]), int(self.response[place]))
        counts = ChunkCounts(float(matched), self.of_key, response)
        return ThresholdScores(threshold, response, counts.recall, counts.precision, counts.f1)

    @property
    def best(self) -> ThresholdScores:
        """The scores at the threshold with the highest F1, the highest of several; at nan if no F1 is defined."""
        f1 = f_measure(divide(self.matched, self.of_key), divide(self.matched, self.response))
        if not len(f1) or np.isnan(f1).all():
            return ThresholdScores(math.nan, 0, math.nan, math.nan, math.nan)
        place = len(f1) - 1 - int(np.nanargmax(f1[::-1]))
        return self.at(float(self.probabilities[place]))

    @property
    def lead(self) -> str:
        """The best F1, and its threshold."""
        best = self.best
        return f"best F1: {number(best.f1)} at threshold {best.threshold}" if best.phrases else "best F1: undefined"

    @property
    def in_table(self) -> list[ThresholdScores]:
        """The scores at the thresholds that people see."""
        best = self.best.threshold
        thresholds = {*GRID, self.threshold, *([] if math.isnan(best) else [best])}
        return [self.at(t) for t in sorted(thresholds) if t > self.unlisted]

    def listing(self, system: str = "") -> Listing:
        """A row for each threshold that people see; `system` is for the caption."""
        best = self.best.threshold
        columns = [Column("threshold"), Column("phrases", "count")]
        columns += [Column(title, "score") for title in ("recall", "precision", title_of_f(1))]
        rows = [
            [str(row.threshold), *row[1:4], Cell(row.f1, mark=BEST * (row.threshold == best), best=row.threshold == best)]
            for row in self.in_table
        ]
        caption = f"{self.lead}{f': {system}' if system else ''}"
        legend = [f"{BEST} best of all {len(self.probabilities):,} probabilities; of equal ones, the highest"]
        notes = [self.signature] if self.signature else []
        return Listing(
            columns, rows, caption=caption, legend=legend, notes=notes, title=against([one_line(self.name)], self.key)
        )


def sweep(
    key_phrases: int, candidates: PhraseCandidates, true: Bools, threshold: float, *, key: str, name: str
) -> PhraseThresholds:
    """Count the candidates at every threshold.

    Parameters
    ----------
    key_phrases
        How many phrases the key has.
    candidates, true
        The candidates, and which of them the key has.
    threshold
        The one of the other tables.
    key, name
        The names of key and response.
    """
    unlisted = 0.0 if candidates.default is None else candidates.default.most
    rows = candidates.probability > unlisted
    probabilities, place = np.unique(candidates.probability[rows], return_inverse=True)
    response = tally(place, minlength=len(probabilities))
    matched = tally(place, true[rows], minlength=len(probabilities)).astype(np.int64)
    of_key, at_least = [column[::-1].cumsum()[::-1] for column in (matched, response)]
    return PhraseThresholds(name, key, probabilities, of_key, at_least, key_phrases, threshold, unlisted)
