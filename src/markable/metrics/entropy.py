"""Information-theoretic measures, over the extension of key and response to one set of mentions.

Entropies are in bits and weighted by mentions: what is counted is n·H, so documents add. Entities of different documents are
never compared, so nothing is credited for telling documents apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from markable.counts import Columns, Counts, Score, divide, f_measure, rates, single
from markable.table import Table


def mutual_information(table: Table) -> Counts:
    """What the response tells about the key: recall I(K;R)/H(K), precision I(K;R)/H(R).

    Counts are bits. Recall equals homogeneity, precision completeness, F the V-measure. One entity on a side has no
    entropy: 0 / 0.

    Source: Popescu-Belis (2000), as "referring information"; Rosenberg and Hirschberg (2007).
    """
    t = table.extended
    shared = _shared_information(t)
    return rates((shared, _entropy(t)), (shared, _entropy(t.T)))


def homogeneity(table: Table) -> Counts:
    """1 - H(K|R)/H(K), one number: does each response entity hold mentions of a single key entity?

    Counts are bits.

    Source: Rosenberg and Hirschberg (2007).
    """
    return _kept(table.extended)


def completeness(table: Table) -> Counts:
    """1 - H(R|K)/H(R), one number: are all mentions of a key entity in a single response entity?

    Counts are bits.

    Source: Rosenberg and Hirschberg (2007).
    """
    return _kept(table.extended.T)


def v_measure(table: Table) -> Counts:
    """The harmonic mean of homogeneity and completeness, one number.

    Counts are bits.

    Source: Rosenberg and Hirschberg (2007).
    """
    return Counts(mutual_information(table).columns, _finish_v_measure)


def vi(table: Table) -> Counts:
    """Variation of information, H(K|R) + H(R|K), in bits a mention: a distance, 0 for equal partitions.

    Counts are bits and mentions.

    Source: Meilă (2003).
    """
    t = table.extended
    return single(_conditional_entropy(t) + _conditional_entropy(t.T), t.key_mentions, unit="bits")


def _kept(t: Table) -> Counts:
    """The share of the key's information that the response has."""
    return single(_shared_information(t), _entropy(t))


def _finish_v_measure(c: Columns, undefined: float, beta: float) -> Score:
    homogeneous = divide(c["recall_numerator"], c["recall_denominator"], undefined)
    complete = divide(c["precision_numerator"], c["precision_denominator"], undefined)
    return Score(f_measure(homogeneous, complete, undefined, beta))


def _conditional_entropy(t: Table) -> Any:
    """n·H(K|R): 0 where every response entity lies within one key entity."""
    return t.sum_cells(t.shared * np.log2(t.response_size[t.response] / t.shared))


def _entropy(t: Table) -> Any:
    """n·H(K): exactly 0 for one entity."""
    mentions = t.key_mentions[t.key_document]
    return t.sum_keys(t.key_size * np.log2(mentions / t.key_size))


def _shared_information(t: Table) -> Any:
    """n·I(K;R) = n·H(K) - n·H(K|R), clipped to its bounds where rounding leaves them: 0, or all of H for equal partitions."""
    return np.clip(_entropy(t) - _conditional_entropy(t), 0.0, np.minimum(_entropy(t), _entropy(t.T)))
