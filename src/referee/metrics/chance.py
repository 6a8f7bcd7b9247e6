"""Counts of links, corrected for chance or for size: `ari` and `fowlkes_mallows`, as research on clustering reports them."""

from __future__ import annotations

import numpy as np

from referee.metrics.metric import metric
from referee.metrics.table import Table, link
from referee.stats.counts import Columns, Counts, ScoreColumns, divide, single


@metric("ARI", counts="links", aliases=("adjusted_rand",), scope="entity", symmetric=True)
def ari(table: Table) -> Counts:
    """Links in common beyond chance: the adjusted Rand index, one number.

    Notes
    -----
    0 is what entities of these sizes share by chance. Counts are links, over the extension of both sides to one set of
    mentions. Expected links are fractions, computed for each document and then added.

    References
    ----------
    Hubert and Arabie (1985).
    """
    shared = table.sum_cells(link(table.shared))
    key, response = table.sum_keys(link(table.key_size)), table.T.sum_keys(link(table.T.key_size))
    pairs = link(table.key_mentions + table.T.key_mentions - table.common)
    expected = key * divide(response, pairs, 0.0)  # this way round, one entity for all leaves exactly nothing to adjust
    return single(shared - expected, (key + response) / 2 - expected)


@metric("Fowlkes–Mallows", counts="links", aliases=("fm",), scope="entity", symmetric=True, latex="Fowlkes--Mallows")
def fowlkes_mallows(table: Table) -> Counts:
    """Geometric mean of R and P of `links`, one number.

    Notes
    -----
    It is 0 if no link was found and either side has links, as F is.

    References
    ----------
    Fowlkes and Mallows (1983).
    """
    return Counts(
        {
            "links_found": table.sum_cells(link(table.shared)),
            "links_key": table.sum_keys(link(table.key_size)),
            "links_response": table.T.sum_keys(link(table.T.key_size)),
        },
        _finish_fowlkes_mallows,
    )


def _finish_fowlkes_mallows(c: Columns, zero_division: float, beta: float) -> ScoreColumns:
    recall = divide(c["links_found"], c["links_key"], zero_division)
    precision = divide(c["links_found"], c["links_response"], zero_division)
    nothing = (c["links_found"] == 0) & (c["links_key"] + c["links_response"] > 0)
    return ScoreColumns(np.where(nothing, 0.0, np.sqrt(recall * precision)))
