"""Mentions and links, the plain way: how many of the key's are in the response."""

from __future__ import annotations

from typing import Any

from referee.counts import Counts, rates, undefined
from referee.metrics.both_ways import both_ways
from referee.metrics.metric import metric
from referee.metrics.table import Table, link


@metric("Mentions", counts="mentions", aliases=("md", "mention_detection"), panel="default", symmetric=True)
def mentions(table: Table) -> Counts:
    """Mention detection: mentions found, whatever entity they were put in."""
    return both_ways(lambda t: (t.common, t.key_mentions), table)


@metric("Pairwise links", counts="links", aliases=("pairwise",), symmetric=True)
def links(table: Table) -> Counts:
    """Pairs of mentions of one entity: every pair, not a spanning tree as in MUC. Entity resolution calls it pairwise.

    Notes
    -----
    Singletons have none.

    References
    ----------
    coreference links C of Luo et al. (2014), equation (16).
    """

    def recall(t: Table) -> tuple[Any, Any]:
        return t.sum_cells(link(t.shared)), t.sum_keys(link(t.key_size))

    return both_ways(recall, table)


@metric("Syntactic links", counts="links", scope="links", panel="all", needs="links")
def syntactic_links(table: Table) -> Counts:
    """Links as the files list them, found when the other side's closure has them: the scorer that MUC replaced.

    Notes
    -----
    It depends on which links of an entity a file happens to list, which is its known failure. Formats that list no links
    (anything but plain links and MUC SGML) give 0 / 0.

    References
    ----------
    Sundheim et al., as described and criticised in Vilain et al. (1995).
    """
    if table.links is None:
        return undefined(table.documents)
    return rates((table.links.key_found, table.links.key), (table.links.response_found, table.links.response))
