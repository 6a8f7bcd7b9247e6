"""Core MR and exclusive core MR: mentions outside the largest part of their entity are errors.

Both are defined over one set of mentions. If key and response differ in mentions, both are extended (`Table.extended`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from referee.algorithms.arrays import Ints, Numbers, argsort
from referee.metrics.metric import metric
from referee.metrics.table import Table, both_ways
from referee.stats.counts import Counts, rates


@metric("Core MR", counts="mentions", symmetric=True)
def core_mr(table: Table) -> Counts:
    """Mentions in the core, the largest part of their entity.

    Notes
    -----
    Counts are mentions without the first of each entity, as in MUC. The score never exceeds that of MUC: if a group is split
    off, MUC counts one error, and core MR counts an error for each of its mentions.

    References
    ----------
    Popescu-Belis and Robba (1998), "First Algorithm: Core MRs".
    """

    def recall(t: Table) -> tuple[Numbers, Numbers]:
        return t.sum_keys(t.key_largest) - t.key_entities, t.key_mentions - t.key_entities

    return both_ways(recall, table.extended)


@metric("Exclusive core MR", counts="mentions")
def exclusive_core_mr(table: Table) -> Counts:
    """Mentions in the response entity that their key entity claims.

    Notes
    -----
    Each entity is claimed once: the largest cell claims its key and response entity, then the largest of the remaining
    cells, and so on. Recall errors are mentions outside the claimed entity. Precision errors are mentions of other entities
    inside a claimed one. Both are divided by all mentions, so exchanging key and response does not exchange recall and
    precision.

    Counts are mentions. The paper leaves ties open; here the larger Dice overlap decides, then the key entity that starts
    first, then the response entity that starts first. Its Table 3 prints a precision of 9/17 for the example of its Table 1;
    its formula gives 10/17.

    References
    ----------
    Popescu-Belis and Robba (1998), "Second Algorithm: Exclusive Core-MRs".
    """
    t = table.extended
    claimed = np.zeros(len(t.shared), dtype=bool)
    claimed[claims(t)] = True
    mentions = t.sum_cells(np.where(claimed, t.shared, 0))
    foreign = t.sum_cells(np.where(claimed, t.response_size[t.response] - t.shared, 0))
    return rates((mentions, t.key_mentions), (t.key_mentions - foreign, t.key_mentions))


def claims(t: Table) -> Ints:
    """Return the claimed cells: largest first, each key and response entity at most once.

    A cell that comes before all others of its row and of its column is claimed whatever happens elsewhere. So each round
    claims all such cells at once. Long chains of ties would need many rounds; they are finished one by one.
    """
    together = t.key_size[t.key] + t.response_size[t.response]  # among cells of one size, less is a greater Dice overlap
    order = argsort(t.shared.max(initial=0) - t.shared, together)  # stable, and cells are in the order of entities
    return greedy(t.key, t.response, order, len(t.key_size), len(t.response_size))


def greedy(key: Ints, response: Ints, cells: Ints, keys: int, responses: int) -> Ints:
    """Return the cells that are claimed if those that come first claim first.

    Parameters
    ----------
    key, response : int64, shape (all,)
        The entities of the cells.
    cells : int64
        The cells in their order.
    keys, responses : int
        The number of entities.
    """
    key_open, response_open = np.ones(keys, dtype=bool), np.ones(responses, dtype=bool)
    claimed: list[ArrayLike] = []
    for _ in range(50):
        if not len(cells):
            break
        place = np.arange(len(cells))
        first_of_key, first_of_response = np.full(keys, len(cells)), np.full(responses, len(cells))
        np.minimum.at(first_of_key, key[cells], place)
        np.minimum.at(first_of_response, response[cells], place)
        first = cells[(first_of_key[key[cells]] == place) & (first_of_response[response[cells]] == place)]
        claimed.append(first)
        key_open[key[first]] = False
        response_open[response[first]] = False
        cells = cells[key_open[key[cells]] & response_open[response[cells]]]
    for cell in cells.tolist():
        if key_open[key[cell]] and response_open[response[cell]]:
            claimed.append([cell])
            key_open[key[cell]] = response_open[response[cell]] = False
    return np.concatenate([*claimed, np.empty(0, dtype=np.int64)]).astype(np.int64)
