"""MUC, the model-theoretic score."""

from __future__ import annotations

from referee.algorithms.arrays import Ints
from referee.metrics.metric import metric
from referee.metrics.table import Table, both_ways
from referee.stats.counts import Counts


@metric("MUC", counts="links", scope="entity", panel="default", symmetric=True)
def muc(table: Table) -> Counts:
    """Links kept, of the n - 1 that join the n mentions of an entity.

    Notes
    -----
    An entity in k parts has lost k - 1 links. A missed mention is a part of its own. Singletons have no links, so a text of
    singletons gives 0/0.

    References
    ----------
    Vilain et al. (1995), "Computing model-theoretic recall".
    """

    def recall(t: Table) -> tuple[Ints, Ints]:
        parts = t.sum_cells(t.shared > 0) + t.key_mentions - t.common
        return t.key_mentions - parts, t.key_mentions - t.key_entities

    return both_ways(recall, table)
