"""CEAF: align each key entity with at most one response entity, as well as possible, and count what the pairs share.

References
----------
Luo (2005): φ1 to φ4 are his similarities, the alignment is the exact optimum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from referee.algorithms.arrays import Bools, Numbers
from referee.metrics.metric import metric
from referee.metrics.table import Table
from referee.stats.counts import Counts, rates


def phi1(t: Table) -> Numbers:
    """1 for equal entities."""
    equal: Bools = (t.shared == t.key_size[t.key]) & (t.shared == t.response_size[t.response])
    return equal.astype(np.int64)


def phi2(t: Table) -> Numbers:
    """1 for entities with a mention in common."""
    return np.ones_like(t.shared)


def phi3(t: Table) -> Numbers:
    """Mentions in common."""
    return t.shared


def phi4(t: Table) -> Numbers:
    """Dice coefficient: 2 |K ∩ R| / (|K| + |R|), rounded to a multiple of 2⁻⁵².

    Multiples add without rounding, so of several best alignments each gives the same score.
    """
    dice: Numbers = np.rint(2.0**53 * t.shared / (t.key_size[t.key] + t.response_size[t.response])) / 2.0**52
    return dice


@metric(
    "CEAFm",
    counts="mentions",
    aliases=("ceafm", "ceaf_phi3"),
    scope="alignment",
    panel="default",
    symmetric=True,
    latex="CEAF$_m$",
)
def ceaf_m(table: Table) -> Counts:
    """Mentions shared by key and response entities in the best alignment (φ3).

    References
    ----------
    Luo (2005), mention-based CEAF.
    """
    return _aligned(table, phi3, table.key_mentions, table.T.key_mentions)


@metric(
    "CEAFe",
    counts="entities",
    aliases=("ceafe", "ceaf_phi4"),
    scope="alignment",
    panel="default",
    symmetric=True,
    latex="CEAF$_e$",
)
def ceaf_e(table: Table) -> Counts:
    """Similarity of key and response entities in the best alignment (φ4).

    Notes
    -----
    The similarity is the Dice coefficient. Counts are entities: a perfect pair counts 1, so large entities weigh no more than
    small ones.

    References
    ----------
    Luo (2005), entity-based CEAF.
    """
    return _aligned(table, phi4, table.key_entities, table.T.key_entities)


@metric("Exact entities", counts="entities", aliases=("ceaf_phi1", "cluster"), scope="alignment", symmetric=True)
def exact(table: Table) -> Counts:
    """Entities that are completely right: CEAF with φ1.

    Notes
    -----
    Entity resolution calls it the cluster metric. The alignment of equal entities is unique.

    References
    ----------
    Luo (2005), φ1.
    """
    return _aligned(table, phi1, table.key_entities, table.T.key_entities)


@metric("CEAFφ2", counts="entities", scope="alignment", symmetric=True, latex=r"CEAF$_{\phi_2}$")
def ceaf_phi2(table: Table) -> Counts:
    """Entities in the largest alignment of overlapping entities (φ2).

    References
    ----------
    Luo (2005), φ2.
    """
    return _aligned(table, phi2, table.key_entities, table.T.key_entities)


SIMILARITIES: Mapping[str, Callable[[Table], Numbers]] = {"ceaf_m": phi3, "ceaf_e": phi4, "exact": phi1, "ceaf_phi2": phi2}
"""What each metric maximises by aligning entities."""


def _aligned(table: Table, similarity: Callable[[Table], Numbers], key_self: Numbers, response_self: Numbers) -> Counts:
    """Counts of an alignment; `key_self` is the similarity of the key with itself."""
    alignment = table.alignment(similarity)
    common = table.sum_cells(alignment.weight)
    return rates((common, key_self), (common, response_self), alignment.slack)
