"""LEA, the link-based entity-aware metric."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Numbers
from referee.metrics.metric import metric
from referee.metrics.table import Table, both_ways, link
from referee.stats.counts import Counts


@metric("LEA", counts="mentions", scope="entity", panel="default", symmetric=True)
def lea(table: Table) -> Counts:
    """Importance of each entity, times the share of its links found.

    Notes
    -----
    By default importance is the size of the entity, so counts are mentions. It can be a weight for each entity type:
    ``score(..., lea_importance={"person": 2, ...})``. A singleton has one link, to itself. It is found if its counterpart is
    a singleton, too.

    References
    ----------
    Moosavi and Strube (2016).
    """

    def recall(t: Table) -> tuple[Numbers, Numbers]:
        importance = t.key_size if t.key_importance is None else t.key_importance
        size = t.key_size[t.key]
        lone = (size == 1) & (t.response_size[t.response] == 1)
        share = np.where(size == 1, lone, link(t.shared) / np.maximum(link(size), 1))
        return t.sum_cells(importance[t.key] * share), t.sum_keys(importance)

    return both_ways(recall, table)
