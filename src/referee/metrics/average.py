"""The CoNLL average."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee.counts import Columns, Counts, Score
from referee.metrics.b_cubed import b_cubed
from referee.metrics.ceaf import ceaf_e
from referee.metrics.muc import muc
from referee.metrics.table import Table


def conll(table: Table) -> Counts:
    """The mean of the F-measures of MUC, B³ and CEAF-e, one number; undefined if one of them is.

    Counts are those of the three.

    Source: Pradhan et al. (2012); the weights are Denis and Baldridge's (2009).
    """
    return mean_of_f({"muc": muc, "b_cubed": b_cubed, "ceaf_e": ceaf_e}, table)


def mean_of_f(parts: Mapping[str, Callable[[Table], Counts]], table: Table) -> Counts:
    """Counts of the mean of the F-measures of some metrics."""
    counts = {name: metric(table) for name, metric in parts.items()}

    def of(name: str, columns: Columns) -> Counts:
        prefix = name + "."
        return replace(counts[name], columns={c.removeprefix(prefix): v for c, v in columns.items() if c.startswith(prefix)})

    def finish(columns: Columns, undefined: float, beta: float) -> Score:
        scores = [of(name, columns).score(undefined, beta) for name in parts]
        upper = None
        if any(s.upper for s in scores):
            upper = Score(sum((s.upper or s).value for s in scores) / len(scores))
        return Score(sum(s.value for s in scores) / len(scores), upper=upper)

    return Counts({f"{name}.{c}": v for name, part in counts.items() for c, v in part.columns.items()}, finish)
