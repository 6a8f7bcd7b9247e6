"""Components that are too large for a part: what is aligned in them, exactly or within bounds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from math import fsum, inf, nextafter

import numpy as np

from referee.algorithms.arrays import Floats, Ints, Numbers, argsort
from referee.metrics.ceaf import phi2, phi3, phi4
from referee.metrics.core_mr import claims, greedy
from referee.metrics.parts import Ledger
from referee.metrics.table import Table

SIMILARITIES: tuple[Callable[[Table], Numbers], ...] = (phi2, phi3, phi4)
"""What is maximised by alignments; φ1 is 0, as equal entities stand alone."""


def add_large(ledger: Ledger, component: Table, *, exact: bool) -> None:
    """Add what is aligned in a component to a ledger that has all else of it.

    Parameters
    ----------
    ledger : Ledger
    component : Table
        All its entities and cells, without a fold.
    exact : bool
        Whether the best alignments are computed. If not, the heaviest cells are aligned first: the sums are lower bounds, and
        the slack leads to upper bounds, the sums of the heaviest cells of all key entities, or of all response entities.
    """
    for similarity in SIMILARITIES:
        if similarity.__name__ in ledger.labels:
            weight = similarity(component)
            values, slack = (_best if exact else _bounded)(component, similarity, weight)
            ledger.add_aligned(similarity.__name__, values)
            ledger.add_aligned(f"{similarity.__name__} slack", slack)
    if "claimed" in ledger.labels:
        t = component.extended
        cells = claims(t)
        ledger.add_aligned("claimed", t.shared[cells])
        ledger.add_aligned("foreign", t.response_size[t.response[cells]] - t.shared[cells])


def _best(component: Table, similarity: Callable[[Table], Numbers], _: object) -> tuple[Numbers, Floats]:
    found = component.alignment(similarity)
    return found.weight, np.zeros(1) if found.slack is None else found.slack


def _bounded(component: Table, _: object, weight: Numbers) -> tuple[Numbers, Floats]:
    """The values of cells that share no entity, the heaviest first, and how much the best alignment may have more."""
    ranks = np.unique(weight, return_inverse=True)[1]
    keys, responses = len(component.key_size), len(component.response_size)
    chosen = weight[greedy(component.key, component.response, argsort(ranks.max(initial=0) - ranks), keys, responses)]
    upper = (_heaviest(component.key, weight, keys), _heaviest(component.response, weight, responses))
    missing = min(fsum(chain(heaviest.tolist(), (-chosen).tolist())) for heaviest in upper)  # rounded once
    return chosen, np.array([nextafter(missing, inf) if missing > 0 else 0.0])


def _heaviest(entity: Ints, weight: Numbers, entities: int) -> Numbers:
    """The heaviest cell of each entity."""
    heaviest = np.zeros(entities, dtype=weight.dtype)
    np.maximum.at(heaviest, entity, weight)
    return heaviest
