"""One side written, both counted: precision is the recall of the table with key and response exchanged.

"Switching our notion of where the base sets come from" (Vilain et al. 1995).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.counts import Counts, rates
from referee.metrics.table import Table


def both_ways(recall: Callable[[Table], tuple[Any, Any]], table: Table) -> Counts:
    """Counts with the recall of the table and, as precision, the recall of its transpose.

    recall : gives numerator and denominator, arrays of shape (documents,)
    """
    return rates(recall(table), recall(table.T))
