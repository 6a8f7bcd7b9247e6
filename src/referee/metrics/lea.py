"""LEA, the link-based entity-aware metric."""

from __future__ import annotations

from typing import Any

import numpy as np

from referee.counts import Counts
from referee.metrics.both_ways import both_ways
from referee.metrics.metric import metric
from referee.metrics.table import Table, link


@metric("LEA", counts="mentions", panel="default", symmetric=True)
def lea(table: Table) -> Counts:
    """How important an entity is, times the share of its links that the other side has, summed over entities.

    Notes
    -----
    Counts are mentions when importance is the size of the entity, the default; or weights by entity type (`score(...,
    lea_importance={"person": 2, ...})`). A singleton has one link, to itself, found when its counterpart is a singleton
    too.

    References
    ----------
    Moosavi and Strube (2016).
    """

    def recall(t: Table) -> tuple[Any, Any]:
        importance = t.key_size if t.key_importance is None else t.key_importance
        size = t.key_size[t.key]
        lone = (size == 1) & (t.response_size[t.response] == 1)
        found = np.where(size == 1, lone, link(t.shared) / np.maximum(link(size), 1))
        return t.sum_cells(importance[t.key] * found), t.sum_keys(importance)

    return both_ways(recall, table)
