"""Intervals of phrase scores, from resamples of the sentences.

References
----------
.. [1] Efron (1979), Bootstrap Methods: Another Look at the Jackknife.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.algorithms.arrays import Floats
from referee.phrases.sums import CandidateSums
from referee.stats.intervals import Interval, bca, percentile
from referee.stats.resampling import addable, draws
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
        How intervals are made. The same seed draws the same sentences for every response to a key.

    Returns
    -------
    dict
        Name to interval; nan if there are fewer than two sentences.
    """
    number = len(rows["candidates"])
    if number < 2:
        return dict.fromkeys(quantities, Interval(np.nan, np.nan))
    columns = np.stack([addable([column.astype(np.float64)])[0] for column in rows.columns.values()])

    def values(sums: Floats, sentences: int) -> dict[str, Floats]:
        found = CandidateSums(dict(zip(rows.columns, sums, strict=True)), sentences)
        return {name: np.asarray(getattr(found, name)) for name in quantities}

    drawn = np.concatenate([columns @ block.T for block in draws(number, resampling.resamples, resampling.seed)], axis=1)
    resampled = values(drawn, number)
    if resampling.method == "percentile":
        return {name: percentile(of, resampling.level) for name, of in resampled.items()}
    total = columns.sum(axis=1)
    whole, left_out = values(total, number), values(total[:, None] - columns, number - 1)
    return {name: bca(of, float(whole[name]), left_out[name], resampling.level) for name, of in resampled.items()}
