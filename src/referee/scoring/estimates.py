"""Scores against a key that is a sample of entities: `estimate`, and the `Estimates` that it returns.

A key is often a few thousand entities that people checked, and the response has all records. Scores against this key alone say
little about precision: records of other entities, merged by mistake with sampled ones, count as spurious, or are left out. The
sampled entities and the response entities that they touch tell enough to estimate the scores of all records.

Each sampled entity has a part of the sums that a metric divides. Of a false pair between two entities, each of them has one
half; of a response entity, each key entity has the share of its records.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Numbers, tally
from referee.exceptions import OptionError, check_name, counted, one_line
from referee.formats.load.anything import read_both
from referee.metrics.registry import metrics_named
from referee.metrics.table import Table, table_of
from referee.metrics.titles import METRIC, title_of, title_of_f
from referee.options import Options
from referee.pair import pair_of
from referee.reports.listing import Cell, Column, Listing, Title
from referee.reports.result import Result
from referee.stats.sampling import Ratio, f_ratio, ratio
from referee.version import VERSION

Parts: TypeAlias = tuple[Numbers, Numbers, Numbers, Numbers]
"""Numerator and denominator of recall, then those of precision, of each key entity."""

WEIGHTS = ("uniform", "inverse-size")

RELIABLE = 30
"""Entities below which intervals are not to be relied on."""


def _links(table: Table) -> Parts:
    n, b = table.shared, table.response_size[table.response]
    true, size = _per_key(table, n * (n - 1) / 2), table.key_size
    return true, size * (size - 1) / 2, true, true + _per_key(table, n * (b - n) / 2)


def _b_cubed(table: Table) -> Parts:
    n, b = table.shared, table.response_size[table.response]
    squares = _per_key(table, n * n)
    return squares / table.key_size, table.key_size, _per_key(table, n * n / b), _per_key(table, n)


def _exact(table: Table) -> Parts:
    n, a, b = table.shared, table.key_size[table.key], table.response_size[table.response]
    same = _per_key(table, (n == a) & (n == b))
    return same, np.ones(len(table.key_size)), same, _per_key(table, n / b)


def _per_key(table: Table, values: Numbers) -> Floats:
    sums: Floats = tally(table.key, values, len(table.key_size)).astype(np.float64)
    return sums


PARTS: Mapping[str, Callable[[Table], Parts]] = {"links": _links, "b_cubed": _b_cubed, "exact": _exact}
"""The metrics that can be estimated: CEAF, for example, is no sum over entities."""


@dataclass(frozen=True, eq=False, repr=False)
class Estimates(Mapping[str, Mapping[str, Ratio]], Result):
    """Estimated scores: a mapping from metrics to "recall", "precision" and "value", the F-measure.

    Parameters
    ----------
    name : str
        The response.
    sides : mapping
        Metric -> side -> the estimate, with its standard error.
    entities : int
        The number of entities that were sampled.
    level : float
        Of the intervals.
    beta : float
        Of the F-measure.
    signature : str
        How the estimates were made.
    """

    name: str
    sides: Mapping[str, Mapping[str, Ratio]]
    entities: int
    level: float
    beta: float
    signature: str

    def __getitem__(self, metric: str) -> Mapping[str, Ratio]:
        return self.sides[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sides)

    def __len__(self) -> int:
        return len(self.sides)

    def __repr__(self) -> str:
        return f"<Estimates of {self.name}: {counted(self.entities, 'entity')}, {', '.join(self.sides)}>"

    def listing(self) -> Listing:
        """Return a row for each metric, with intervals."""
        titles: dict[str, str | Title] = {"recall": "recall", "precision": "precision", "value": title_of_f(self.beta)}
        columns = [Column(METRIC), *(Column(title, "score") for title in titles.values())]
        rows = [
            [title_of(m), *(Cell(of[side].value, of[side].interval(self.level)) for side in titles)]
            for m, of in self.sides.items()
        ]
        few = f"the intervals are not to be relied on: there are {self.entities} entities; expected at least {RELIABLE}"
        notes = [few] if self.entities < RELIABLE else []
        legend = [f"± half the {self.level * 100:.10g} % interval of the estimate"]
        return Listing(columns, rows, [*notes, self.signature], legend=legend, title=self.name, margins=True)

    def records(self) -> Listing:
        """Return a row for each metric and side, with its standard error."""
        columns = [Column(name, "number") for name in ("metric", "side", "estimate", "error", "low", "high", "signature")]
        rows: list[list[object]] = []
        for metric, of in self.sides.items():
            for side, found in of.items():
                low, high, _ = found.interval(self.level)
                rows.append([metric, side, found.value, found.error, low, high, self.signature])
        return Listing(columns, rows)


def estimate(
    key: object,
    response: object,
    *,
    metrics: str = "links,b_cubed,exact",
    weights: str | Mapping[str, float] = "uniform",
    level: float = 0.95,
    beta: float = 1.0,
    key_format: str | None = None,
    response_format: str | None = None,
) -> Estimates:
    """Estimate scores of all records from a key that is a sample of whole entities.

    Parameters
    ----------
    key : path, Corpus or plain value
        The sampled entities, each with all of its records.
    response : path, Corpus or plain value
        The entities of all records.
    metrics : str
        Some of `PARTS`, with commas between them.
    weights : str or mapping
        "uniform": each entity had the same chance to be sampled. "inverse-size": records were sampled, and then the entities
        of these. A mapping gives each entity id a weight, the inverse of its chance up to a factor.
    level : float
        Of the intervals, above 0 and below 1.
    beta : float
        Of the F-measure.
    key_format, response_format : str or None
        One of `FORMATS`; None to detect it.

    Returns
    -------
    Estimates

    Raises
    ------
    OptionError, UnknownNameError
        For a metric that cannot be estimated, or wrong weights.
    FormatError, MismatchError
        As `score` raises them.

    Examples
    --------
    >>> found = estimate([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d", "x", "y"], ["z"]])
    >>> round(found["exact"]["recall"].value, 2), round(found["links"]["precision"].value, 2)
    (0.5, 0.38)
    """
    chosen = metrics_named(metrics)
    for name in chosen:
        check_name("estimated metric", name, PARTS)
    if not 0 < level < 1 or not 0 < beta < math.inf:
        raise OptionError(f"level is between 0 and 1, and beta above 0; found {level!r} and {beta!r}")
    pair = pair_of(*read_both(key, response, key_format, response_format), Options())
    table = table_of(pair)
    weight = _weights(weights, table, pair.key.entity_ids)
    sides: dict[str, dict[str, Ratio]] = {}
    for name in chosen:
        found, size, right, given = PARTS[name](table)
        recall, precision = ratio(found, size, weight), ratio(right, given, weight)
        sides[name] = {"recall": recall, "precision": precision, "value": f_ratio(recall, precision, beta)}
    shown = weights if isinstance(weights, str) else "given"
    how = f"weights:{shown} | level:{level!r}" + ("" if beta == 1 else f" | beta:{beta:g}")
    signature = f"referee {VERSION} | {'+'.join(chosen)} | estimated | {how} | entities:{len(weight)}"
    return Estimates(one_line(pair.response.source), sides, len(weight), level, beta, signature)


def _weights(weights: str | Mapping[str, float], table: Table, ids: Sequence[str]) -> Floats:
    if isinstance(weights, str):
        check_name("weights", weights, WEIGHTS)
        return 1 / table.key_size if weights == "inverse-size" else np.ones(len(table.key_size))
    lacking = next((name for name in ids if not 0 < weights.get(name, 0) < math.inf), None)
    if lacking is not None:
        raise OptionError(f"found no weight for entity {lacking!r}; expected a number above 0 for each")
    return np.array([weights[name] for name in ids], dtype=np.float64)
