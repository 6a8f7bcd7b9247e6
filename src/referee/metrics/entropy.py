"""Information-theoretic metrics, over the extension of key and response to one set of mentions.

Entropies are in bits and weighted by mentions: what is counted is n·H, so documents add. Entities of different documents are
never compared, so a response gains nothing by keeping documents apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats
from referee.algorithms.logarithm import binary_logarithm
from referee.metrics.metric import metric
from referee.metrics.table import Table
from referee.stats.counts import Counts, rates, single


@metric("Homogeneity", counts="bits", scope="document", panel="named")
def homogeneity(table: Table) -> Counts:
    """Share of the key's information in the response, one number.

    Notes
    -----
    1 - H(K|R)/H(K). It is 1 if each response entity has mentions of a single key entity.

    References
    ----------
    Rosenberg and Hirschberg (2007).
    """
    i = table.extended.memo_call(information)
    return single(i.shared, i.key)


@metric("Completeness", counts="bits", scope="document", panel="named")
def completeness(table: Table) -> Counts:
    """Share of the response's information in the key, one number.

    Notes
    -----
    1 - H(R|K)/H(R). It is 1 if all mentions of a key entity are in a single response entity.

    References
    ----------
    Rosenberg and Hirschberg (2007).
    """
    i = table.extended.memo_call(information)
    return single(i.shared, i.response)


@metric("V-measure", counts="bits", aliases=("mutual_information",), scope="document", symmetric=True)
def v_measure(table: Table) -> Counts:
    """Harmonic mean of homogeneity (R) and completeness (P).

    Notes
    -----
    With mutual information I, recall is I(K;R)/H(K) and precision I(K;R)/H(R). A side with one entity has no entropy: 0/0.

    References
    ----------
    Rosenberg and Hirschberg (2007); Popescu-Belis (2000), as "referring information".
    """
    i = table.extended.memo_call(information)
    return rates((i.shared, i.key), (i.shared, i.response))


@metric(
    "VI",
    counts="bits and mentions",
    aliases=("variation_of_information",),
    scope="document",
    unit="bits",
    symmetric=True,
    target=0.0,
)
def vi(table: Table) -> Counts:
    """Information that differs, in bits for each mention, one number.

    Notes
    -----
    H(K|R) + H(R|K), the variation of information. It is a distance: 0 for equal partitions.

    References
    ----------
    Meilă (2003).
    """
    i = table.extended.memo_call(information)
    return single(i.key_given_response + i.response_given_key, table.extended.key_mentions, unit="bits")


class Information(NamedTuple):
    """Bits of each document, times its mentions: float64, shape (documents,)."""

    key: Floats
    response: Floats
    key_given_response: Floats
    response_given_key: Floats
    shared: Floats


def information(t: Table) -> Information:
    """Return n·H(K), n·H(R), n·H(K|R), n·H(R|K) and n·I(K;R).

    The entropy of one entity and the conditional entropy of equal partitions are exactly 0. I = H(K) - H(K|R) is clipped to
    its bounds, 0 and the smaller entropy, because rounding may leave them.
    """
    key, response = _entropy(t), _entropy(t.T)
    key_given_response = t.sum_cells(t.shared * binary_logarithm(t.response_size[t.response] / t.shared))
    response_given_key = t.sum_cells(t.shared * binary_logarithm(t.key_size[t.key] / t.shared))
    shared = np.clip(key - key_given_response, 0.0, np.minimum(key, response))
    return Information(key, response, key_given_response, response_given_key, shared)


def _entropy(t: Table) -> Floats:
    mentions = t.key_mentions[t.key_whole_document]
    return t.sum_keys(t.key_size * binary_logarithm(mentions / t.key_size))
