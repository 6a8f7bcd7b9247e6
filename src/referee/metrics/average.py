"""The CoNLL average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from referee.algorithms.arrays import Floats
from referee.metrics.b_cubed import b_cubed
from referee.metrics.ceaf import ceaf_e
from referee.metrics.metric import metric
from referee.metrics.muc import muc
from referee.metrics.table import Table
from referee.stats.counts import Columns, Counts, ScoreColumns


@metric("CoNLL", counts="those of the three", aliases=("avg", "average"), scope="alignment", panel="default", symmetric=True)
def conll(table: Table) -> Counts:
    """Mean F of `muc`, `b_cubed` and `ceaf_e`, one number.

    Notes
    -----
    It is undefined if one of the three is.

    References
    ----------
    Pradhan et al. (2012); the weights are Denis and Baldridge's (2009).
    """
    return mean_of_f({part.id: table.memo_call(part.count) for part in (muc, b_cubed, ceaf_e)})


def mean_of_f(counts: Mapping[str, Counts]) -> Counts:
    """Join the counts of several metrics; their score is the mean of their F-measures."""
    columns = {f"{name}.{column}": values for name, part in counts.items() for column, values in part.columns.items()}
    return Counts(columns, _MeanOfF({name: replace(part, columns={}) for name, part in counts.items()}))


@dataclass(frozen=True, eq=False, repr=False)
class _MeanOfF:
    """Divides the columns of all parts. A value, and no closure, so that an evaluation can be pickled."""

    parts: Mapping[str, Counts]

    def __call__(self, columns: Columns, zero_division: float, beta: float) -> ScoreColumns:
        scores = [self._part(name, columns).score(zero_division, beta) for name in self.parts]
        upper = None
        if any(s.upper for s in scores):
            upper = ScoreColumns(_mean([(s.upper or s).value for s in scores]), beta=beta)
        return ScoreColumns(_mean([s.value for s in scores]), beta=beta, upper=upper)

    def _part(self, name: str, columns: Columns) -> Counts:
        prefix = f"{name}."
        of_part = {column.removeprefix(prefix): v for column, v in columns.items() if column.startswith(prefix)}
        return replace(self.parts[name], columns=of_part)


def _mean(values: Sequence[Floats]) -> Floats:
    """The mean, added in the order of the parts."""
    mean: Floats = sum(values[1:], values[0]) / len(values)
    return mean
