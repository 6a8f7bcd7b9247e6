"""Recall and precision of one function: precision is the recall of the table with key and response exchanged.

References
----------
Vilain et al. (1995): "switching our notion of where the base sets come from".
"""

from __future__ import annotations

from collections.abc import Callable

from referee.algorithms.arrays import Numbers
from referee.counts import Counts, rates
from referee.metrics.table import Table


def both_ways(recall: Callable[[Table], tuple[Numbers, Numbers]], table: Table) -> Counts:
    """Count the recall of the table and, as precision, the recall of its transpose.

    Parameters
    ----------
    recall : callable
        Gives numerator and denominator, arrays of shape (documents,).
    table : Table
        What is counted.
    """
    return rates(recall(table), recall(table.T))
