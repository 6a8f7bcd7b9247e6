"""B³ and its relatives: each mention is judged by the company it keeps."""

from __future__ import annotations

from typing import Any

from referee.counts import Counts
from referee.metrics.both_ways import both_ways
from referee.metrics.metric import metric
from referee.metrics.table import Table


@metric("B³", counts="mentions", aliases=("bcub", "bcubed", "b3"), panel="default", symmetric=True, latex="B$^3$")
def b_cubed(table: Table) -> Counts:
    """Averaged over mentions: the share of a mention's entity that the other side puts together with it.

    Notes
    -----
    A missed mention scores 0, a singleton found 1.

    References
    ----------
    Bagga and Baldwin (1998); missed and spurious mentions as in the CoNLL scorer (Pradhan et al. 2014).
    """

    def recall(t: Table) -> tuple[Any, Any]:
        return t.sum_cells(t.shared**2 / t.key_size[t.key]), t.key_mentions

    return both_ways(recall, table)


@metric("B³ over entities", counts="entities", symmetric=True, latex="B$^3$ over entities")
def b_cubed_entity(table: Table) -> Counts:
    """B³ averaged over entities instead of mentions: a singleton weighs as much as a protagonist.

    References
    ----------
    Bagga and Baldwin (1998), with equal weights for entities: R = 1/n Σ R_i over n entities.
    """

    def recall(t: Table) -> tuple[Any, Any]:
        return t.sum_cells((t.shared / t.key_size[t.key]) ** 2), t.key_entities

    return both_ways(recall, table)


@metric("Purity", counts="mentions", symmetric=True)
def purity(table: Table) -> Counts:
    """Precision is purity: the mentions that belong to the largest key part of their response entity. Recall is inverse
    purity.

    Notes
    -----
    Singletons everywhere give perfect precision, one entity for all gives perfect recall.

    References
    ----------
    Zhao and Karypis (2001); inverse purity as in Amigó et al. (2009).
    """

    def recall(t: Table) -> tuple[Any, Any]:
        return t.sum_keys(t.key_largest), t.key_mentions

    return both_ways(recall, table)
