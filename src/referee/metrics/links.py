"""Mentions and links, counted one by one: how many of the key are in the response."""

from __future__ import annotations

from referee.algorithms.arrays import Numbers
from referee.metrics.metric import metric
from referee.metrics.table import Table, both_ways, link
from referee.stats.counts import Counts, rates, undefined


@metric("Mentions", counts="mentions", aliases=("md", "mention_detection"), scope="entity", panel="default", symmetric=True)
def mentions(table: Table) -> Counts:
    """Mentions found, in whatever entity."""
    return both_ways(lambda t: (t.common, t.key_mentions), table)


@metric("Pairwise links", counts="links", scope="entity", symmetric=True)
def links(table: Table) -> Counts:
    """All pairs of mentions of one entity.

    Notes
    -----
    MUC counts the n - 1 links of a spanning tree, this metric all n(n - 1)/2 pairs. Singletons have none. Entity resolution
    calls it the pairwise metric.

    References
    ----------
    Coreference links C of Luo et al. (2014), equation (16).
    """

    def recall(t: Table) -> tuple[Numbers, Numbers]:
        return t.sum_cells(link(t.shared)), t.sum_keys(link(t.key_size))

    return both_ways(recall, table)


@metric("Syntactic links", counts="links", scope="links", panel="all", needs="links", symmetric=True)
def syntactic_links(table: Table) -> Counts:
    """Links as annotated, within an entity of the other side.

    Notes
    -----
    The metric before MUC. Its known weakness: the score depends on which links of an entity a file lists. Only the formats
    of links and MUC SGML list links; for all others the score is 0/0.

    References
    ----------
    Sundheim et al., as described and criticised in Vilain et al. (1995).
    """
    if table.links is None:
        return undefined(table.documents)
    return rates((table.links.key_found, table.links.key), (table.links.response_found, table.links.response))
