"""How sure a number is: the same measures on resamples of the sentences (Efron 1979)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from markable.errors import OptionError
from markable.phrases.measures import PhraseScores, Sums

BLOCK = 1 << 21
"""Numbers of sentences drawn at a time."""

MOST = 1_000_000
"""Resamples; their sums are kept."""


class Interval(NamedTuple):
    """Between these lie the middle 95 % of the resamples."""

    low: float
    high: float


def intervals(
    scores: PhraseScores, measures: Sequence[str], *, resamples: int = 1000, seed: int = 0, level: float = 0.95
) -> dict[str, Interval]:
    """The percentile interval of each measure, over resamples of the sentences. The same seed draws the same sentences for
    every response to a key.
    """
    if not (1 <= resamples <= MOST and 0 < level < 1):
        raise OptionError(
            f"found {resamples} resamples at level {level:g}; expected at least one, at most {MOST}, a level between 0 and 1"
        )
    if seed < 0:
        raise OptionError(f"found the seed {seed}; expected 0 or more")
    rows = scores.by_sentence
    number = len(scores.sentences)
    if not number:
        return {name: Interval(np.nan, np.nan) for name in measures}
    names = list(rows.columns)
    table = np.stack([rows[name].astype(np.float64) for name in names], axis=1)
    random = np.random.default_rng(seed)
    sums = []
    step = max(1, BLOCK // number)
    for done in range(0, resamples, step):
        drawn = random.multinomial(number, np.full(number, 1 / number), size=min(step, resamples - done))
        sums.append(drawn @ table)
    columns = np.concatenate(sums)
    resampled = Sums(dict(zip(names, columns.T, strict=True)), number)
    tails = [(1 - level) / 2, (1 + level) / 2]
    found = {}
    for name in measures:
        values = np.asarray(getattr(resampled, name))
        defined = values[~np.isnan(values)]
        # A value that occurs, not one between two: of which one may be infinite.
        low, high = np.quantile(defined, tails, method="inverted_cdf") if len(defined) else (np.nan, np.nan)
        found[name] = Interval(float(low), float(high))
    return found
