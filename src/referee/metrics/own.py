"""A metric of the caller: a function of the table that gives counts, or numerators and denominators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.basics.exceptions import OptionError, shortened
from referee.basics.options.options import function_name
from referee.metrics.metric import Metric
from referee.metrics.table import Table
from referee.stats.counts import Counts, rates, single

EXPECTED = (
    "expected Counts, or (numerator, denominator), or ((numerator, denominator) of recall, the same of precision), "
    "with whole numbers as denominators"
)


def metric_of(name: str, function: Callable[[Table], Any]) -> Metric:
    """Return the metric of a function of the caller."""
    return Metric(name, name, OwnCounts(function), scope="document")


@dataclass(frozen=True)
class OwnCounts:
    """The `Counts` of a function of the caller.

    Parameters
    ----------
    function : callable
        From a `Table` to `Counts`; or to a numerator and a denominator, or to such a pair for recall and one for precision.
        These are arrays with a number for each document. If they are single numbers, it is called for one document at a time.
    """

    function: Callable[[Table], Any]

    def __call__(self, table: Table) -> Counts:
        """Count."""
        value = self.function(table)
        if isinstance(value, Counts):
            return value
        columns = self._columns(value)
        if not columns[0].ndim:
            of_documents = [self._columns(self.function(table.part(n, n + 1))) for n in range(table.documents)]
            columns = [np.array(column).reshape(-1) for column in zip(*of_documents, strict=True)] or [np.empty(0, int)] * len(
                columns
            )
        return single(*columns) if len(columns) == 2 else rates((columns[0], columns[1]), (columns[2], columns[3]))

    def _columns(self, value: Any) -> list[Any]:  # noqa: ANN401  # of the caller
        """Numerator and denominator, of one number or of recall and precision."""
        pairs = (
            value if isinstance(value, (tuple, list)) and all(isinstance(part, (tuple, list)) for part in value) else [value]
        )
        columns = [np.asarray(part) for pair in pairs if isinstance(pair, (tuple, list)) for part in pair]
        is_pair = len(columns) == 2 * len(pairs) and len(pairs) in (1, 2) and all(len(pair) == 2 for pair in pairs)
        if not is_pair or len({column.shape for column in columns}) > 1 or columns[0].ndim > 1:
            raise OptionError(f"metric {function_name(self.function)!r} gave {type(value).__name__}; {EXPECTED}")
        if any(column.dtype.kind not in "biuf" for column in columns) or any(c.dtype.kind == "f" for c in columns[1::2]):
            raise OptionError(f"metric {function_name(self.function)!r} gave {shortened(repr(value))}; {EXPECTED}")
        return [column.astype(np.int64) if column.dtype.kind == "b" else column for column in columns]
