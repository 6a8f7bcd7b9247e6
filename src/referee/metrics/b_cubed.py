"""B³ and its relatives: each mention is scored by the mentions that share its entity."""

from __future__ import annotations

from referee.algorithms.arrays import Numbers
from referee.metrics.metric import metric
from referee.metrics.table import Table, both_ways
from referee.stats.counts import Counts


@metric(
    "B³", counts="mentions", aliases=("bcub", "bcubed", "b3"), scope="entity", panel="default", symmetric=True, latex="B$^3$"
)
def b_cubed(table: Table) -> Counts:
    """Mean over mentions: the share of the mention's entity found.

    Notes
    -----
    A missed mention scores 0, a singleton found 1.

    References
    ----------
    Bagga and Baldwin (1998); missed and spurious mentions as in the CoNLL scorer (Pradhan et al. 2014).
    """

    def recall(t: Table) -> tuple[Numbers, Numbers]:
        return t.sum_cells(t.shared**2 / t.key_size[t.key]), t.key_mentions

    return both_ways(recall, table)


@metric("B³ over entities", counts="entities", scope="entity", symmetric=True, latex="B$^3$ over entities")
def b_cubed_entity(table: Table) -> Counts:
    """B³, averaged over entities instead of mentions.

    Notes
    -----
    A singleton weighs as much as the largest entity.

    References
    ----------
    Bagga and Baldwin (1998), with equal weights for entities: R = 1/n Σ R_i over n entities.
    """

    def recall(t: Table) -> tuple[Numbers, Numbers]:
        return t.sum_cells((t.shared / t.key_size[t.key]) ** 2), t.key_entities

    return both_ways(recall, table)


@metric("Purity", counts="mentions", scope="entity", symmetric=True)
def purity(table: Table) -> Counts:
    """Mentions in the largest part (precision: purity).

    Notes
    -----
    Precision is purity: mentions in the largest part of their response entity. Recall is inverse purity. A response of
    singletons has a precision of 1. A response of one entity has a recall of 1.

    References
    ----------
    Zhao and Karypis (2001); inverse purity as in Amigó et al. (2009).
    """

    def recall(t: Table) -> tuple[Numbers, Numbers]:
        return t.sum_keys(t.key_largest), t.key_mentions

    return both_ways(recall, table)
