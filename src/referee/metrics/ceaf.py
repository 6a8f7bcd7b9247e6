"""CEAF: align each key entity with at most one response entity, as well as possible, and count what the pairs share.

Source: Luo (2005): φ1 to φ4 are his similarities, the alignment is the exact optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from referee.counts import Counts, rates
from referee.metrics.metric import metric
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


@metric("CEAFm", counts="mentions", aliases=("ceafm",), panel="default", symmetric=True, latex="CEAF$_m$")
def ceaf_m(table: Table) -> Counts:
    """Mentions that key and response entities share under the best alignment (φ3).

    References
    ----------
    Luo (2005), mention-based CEAF.
    """
    return _aligned(table, phi3, table.key_mentions, table.T.key_mentions)


@metric("CEAFe", counts="entities", aliases=("ceafe",), panel="default", symmetric=True, latex="CEAF$_e$")
def ceaf_e(table: Table) -> Counts:
    """Dice similarity of aligned entities, summed (φ4).

    Notes
    -----
    Counts are entities: a perfect pair counts 1, so large entities weigh no more than small ones.

    References
    ----------
    Luo (2005), entity-based CEAF.
    """
    return _aligned(table, phi4, table.key_entities, table.T.key_entities)


@metric("Exact entities", counts="entities", aliases=("ceaf_phi1", "cluster"), symmetric=True)
def exact(table: Table) -> Counts:
    """Entities reproduced to the last mention, as entity resolution counts clusters; CEAF with φ1.

    Notes
    -----
    The alignment of equal entities is unique.

    References
    ----------
    Luo (2005), φ1.
    """
    return _aligned(table, phi1, table.key_entities, table.T.key_entities)


@metric("CEAFφ2", counts="entities", symmetric=True, latex=r"CEAF$_{\phi_2}$")
def ceaf_phi2(table: Table) -> Counts:
    """Entities that can be paired at all (φ2): the size of a maximum matching of overlapping entities.

    References
    ----------
    Luo (2005), φ2.
    """
    return _aligned(table, phi2, table.key_entities, table.T.key_entities)


SIMILARITIES: Mapping[str, Callable[[Table], Any]] = {"ceaf_m": phi3, "ceaf_e": phi4, "exact": phi1, "ceaf_phi2": phi2}
"""What each metric maximises by aligning entities."""


def _aligned(table: Table, similarity: Callable[[Table], Any], key_self: Any, response_self: Any) -> Counts:
    """Counts of an alignment; `key_self` is the similarity of the key with itself."""
    alignment = table.alignment(similarity)
    chosen = np.zeros(len(table.shared), dtype=bool)
    chosen[alignment.cells] = True
    common = table.sum_cells(np.where(chosen, similarity(table), 0))
    return rates((common, key_self), (common, response_self), alignment.slack)
