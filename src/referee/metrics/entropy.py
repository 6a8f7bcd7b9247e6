"""Information-theoretic measures, over the extension of key and response to one set of mentions.

Entropies are in bits and weighted by mentions: what is counted is n·H, so documents add. Entities of different documents are
never compared, so nothing is credited for telling documents apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats
from referee.counts import Columns, Counts, Score, divide, f_measure, rates, single
from referee.metrics.table import Table


def mutual_information(table: Table) -> Counts:
    """What the response tells about the key: recall I(K;R)/H(K), precision I(K;R)/H(R).

    Counts are bits. Recall equals homogeneity, precision completeness, F the V-measure. One entity on a side has no
    entropy: 0 / 0.

    Source: Popescu-Belis (2000), as "referring information"; Rosenberg and Hirschberg (2007).
    """
    i = table.extended.once(information)
    return rates((i.shared, i.key), (i.shared, i.response))


def homogeneity(table: Table) -> Counts:
    """1 - H(K|R)/H(K), one number: does each response entity hold mentions of a single key entity?

    Counts are bits.

    Source: Rosenberg and Hirschberg (2007).
    """
    i = table.extended.once(information)
    return single(i.shared, i.key)


def completeness(table: Table) -> Counts:
    """1 - H(R|K)/H(R), one number: are all mentions of a key entity in a single response entity?

    Counts are bits.

    Source: Rosenberg and Hirschberg (2007).
    """
    i = table.extended.once(information)
    return single(i.shared, i.response)


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
    i = table.extended.once(information)
    return single(i.key_given_response + i.response_given_key, table.extended.key_mentions, unit="bits")


def _finish_v_measure(c: Columns, undefined: float, beta: float) -> Score:
    homogeneous = divide(c["recall_numerator"], c["recall_denominator"], undefined)
    complete = divide(c["precision_numerator"], c["precision_denominator"], undefined)
    return Score(f_measure(homogeneous, complete, undefined, beta))


class Information(NamedTuple):
    """Bits of each document, times its mentions: float64, shape (documents,)."""

    key: Floats
    response: Floats
    key_given_response: Floats
    response_given_key: Floats
    shared: Floats


def information(t: Table) -> Information:
    """n·H(K), n·H(R), n·H(K|R), n·H(R|K) and n·I(K;R).

    The entropy of one entity and the conditional entropy of equal partitions are exactly 0. I = H(K) - H(K|R) is clipped to
    its bounds where rounding leaves them: 0, or all of an entropy.
    """
    key, response = _entropy(t), _entropy(t.T)
    key_given_response = t.sum_cells(t.shared * np.log2(t.response_size[t.response] / t.shared))
    response_given_key = t.sum_cells(t.shared * np.log2(t.key_size[t.key] / t.shared))
    shared = np.clip(key - key_given_response, 0.0, np.minimum(key, response))
    return Information(key, response, key_given_response, response_given_key, shared)


def _entropy(t: Table) -> Floats:
    mentions = t.key_mentions[t.key_document]
    return t.sum_keys(t.key_size * np.log2(mentions / t.key_size))
