"""How sure a number is: the same measures on resamples of the sentences (Efron 1979)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referee.algorithms.arrays import Floats
from referee.phrases.measures import PhraseScores, Sums
from referee.stats.intervals import Interval, bca, percentile
from referee.stats.resampling import addable, draws
from referee.stats.settings import Resampling

DEFAULT = Resampling(unit="sentence")


def intervals(scores: PhraseScores, measures: Sequence[str], asked: Resampling = DEFAULT) -> dict[str, Interval]:
    """The interval of each measure, over resamples of the sentences; nan if there are not two to draw. The same seed draws the
    same sentences for every response to a key.
    """
    number, rows = len(scores.sentences), scores.by_sentence
    if number < 2:
        return dict.fromkeys(measures, Interval(np.nan, np.nan))
    columns = np.stack([addable([column.astype(np.float64)])[0] for column in rows.columns.values()])

    def values(sums: Floats, sentences: int) -> dict[str, Floats]:
        found = Sums(dict(zip(rows.columns, sums, strict=True)), sentences)
        return {name: np.asarray(getattr(found, name)) for name in measures}

    drawn = np.concatenate([columns @ block.T for block in draws(number, asked.resamples, asked.seed)], axis=1)
    resampled = values(drawn, number)
    if asked.method == "percentile":
        return {name: percentile(of, asked.level) for name, of in resampled.items()}
    total = columns.sum(axis=1)
    whole, left_out = values(total, number), values(total[:, None] - columns, number - 1)
    return {name: bca(of, float(whole[name]), left_out[name], asked.level) for name, of in resampled.items()}
