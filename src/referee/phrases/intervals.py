"""Intervals of phrase scores, from resamples of the sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.counts import Columns, Counts, ScoreColumns
from referee.phrases.sums import CandidateSums
from referee.stats.intervals import Interval
from referee.stats.resampling import intervals as resampled
from referee.stats.settings import Resampling

DEFAULT = Resampling(unit="sentence")


def intervals(rows: CandidateSums, quantities: Sequence[str], resampling: Resampling = DEFAULT) -> dict[str, Interval]:
    """Compute the interval of each quantity over resamples of the sentences.

    Parameters
    ----------
    rows
        Sums of shape (sentences,).
    quantities
        Names of properties of `CandidateSums`.
    resampling
        How intervals are made. The same seed resamples the same sentences for every response to a key.

    Returns
    -------
    dict
        Name to interval; nan if there are fewer than two sentences.
    """
    columns = {**rows.columns, "sentences": np.ones(len(rows["candidates"]))}

    def counts(quantity: str) -> Counts:
        def finish(sums: Columns, _zero_division: float, _beta: float) -> ScoreColumns:
            return ScoreColumns(np.asarray(getattr(CandidateSums(sums, sums["sentences"]), quantity)))

        return Counts(columns, finish)

    found = resampled({name: counts(name) for name in quantities}, resampling)
    return {name: sides.get("value", Interval(np.nan, np.nan)) for name, sides in found.items()}
