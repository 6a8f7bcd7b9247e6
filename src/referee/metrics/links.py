"""Mentions and links, the plain way: how many of the key's are in the response."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.counts import Counts, rates
from referee.metrics.both_ways import both_ways
from referee.metrics.table import Table, link


def mentions(table: Table) -> Counts:
    """Mention detection: mentions found, whatever entity they were put in.

    Counts are mentions.
    """
    return both_ways(lambda t: (t.common, t.key_mentions), table)


def links(table: Table) -> Counts:
    """Pairs of mentions of one entity: every pair, not a spanning tree as in MUC. Entity resolution calls it pairwise.

    Counts are links. Singletons have none.

    Source: coreference links C of Luo et al. (2014), equation (16).
    """

    def recall(t: Table) -> tuple[Any, Any]:
        return t.sum_cells(link(t.shared)), t.sum_keys(link(t.key_size))

    return both_ways(recall, table)


def syntactic_links(table: Table) -> Counts:
    """Links as the files list them, found when the other side's closure has them: the scorer that MUC replaced.

    Counts are links. It depends on which links of an entity a file happens to list, which is its known failure. Formats
    that list no links (anything but plain links and MUC SGML) give 0 / 0.

    Source: Sundheim et al., as described and criticised in Vilain et al. (1995).
    """
    if table.links is None:
        none = np.zeros(table.documents, dtype=np.int64)
        return rates((none, none), (none, none))
    return rates((table.links.key_found, table.links.key), (table.links.response_found, table.links.response))
