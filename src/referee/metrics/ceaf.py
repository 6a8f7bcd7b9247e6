"""CEAF: align each key entity with at most one response entity, as well as possible, and count what the pairs share.

Source: Luo (2005): φ1 to φ4 are his similarities, the alignment is the exact optimum.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from referee.counts import Counts, rates
from referee.metrics.table import Table


def phi1(t: Table) -> Any:
    """1 for equal entities."""
    return ((t.shared == t.key_size[t.key]) & (t.shared == t.response_size[t.response])).astype(np.int64)


def phi2(t: Table) -> Any:
    """1 for entities with a mention in common."""
    return np.ones_like(t.shared)


def phi3(t: Table) -> Any:
    """Mentions in common."""
    return t.shared


def phi4(t: Table) -> Any:
    """Dice coefficient: 2 |K ∩ R| / (|K| + |R|)."""
    return 2 * t.shared / (t.key_size[t.key] + t.response_size[t.response])


def ceaf_m(table: Table) -> Counts:
    """Mentions that key and response entities share under the best alignment (φ3).

    Counts are mentions.

    Source: Luo (2005), mention-based CEAF.
    """
    return _aligned(table, phi3, table.key_mentions, table.T.key_mentions)


def ceaf_e(table: Table) -> Counts:
    """Dice similarity of aligned entities, summed (φ4).

    Counts are entities: a perfect pair counts 1, so large entities weigh no more than small ones.

    Source: Luo (2005), entity-based CEAF.
    """
    return _aligned(table, phi4, table.key_entities, table.T.key_entities)


def ceaf_phi1(table: Table) -> Counts:
    """Entities reproduced exactly (φ1): the alignment of equal entities is unique.

    Counts are entities.

    Source: Luo (2005), φ1.
    """
    return _aligned(table, phi1, table.key_entities, table.T.key_entities)


def ceaf_phi2(table: Table) -> Counts:
    """Entities that can be paired at all (φ2): the size of a maximum matching of overlapping entities.

    Counts are entities.

    Source: Luo (2005), φ2.
    """
    return _aligned(table, phi2, table.key_entities, table.T.key_entities)


exact = ceaf_phi1
"""The name that entity resolution uses for φ1: cluster precision and recall."""


def _aligned(table: Table, similarity: Callable[[Table], Any], key_self: Any, response_self: Any) -> Counts:
    """Counts of an alignment; `key_self` is the similarity of the key with itself."""
    alignment = table.alignment(similarity)
    chosen = np.zeros(len(table.shared), dtype=bool)
    chosen[alignment.cells] = True
    common = table.sum_cells(np.where(chosen, similarity(table), 0))
    return rates((common, key_self), (common, response_self), alignment.slack)
