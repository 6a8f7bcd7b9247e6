"""Scores against a key that is a sample of entities: `estimate`, and the `Estimates` that it returns.

A key is often a few thousand entities that people checked, and the response has all records. Scores against this key alone say
little about precision: records of other entities, merged by mistake with sampled ones, count as spurious, or are left out. The
sampled entities and the response entities that they touch tell enough to estimate the scores of all records.

Each sampled entity has a part of the sums that a metric divides. Of a false pair between two entities, each of them has one
half; of a response entity, each key entity has the share of its records.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Numbers, tally
from referee.basics.exceptions import FormatError, OptionError, brief, check_name, counted, one_line, shortened, some, warn
from referee.basics.names import KeyCompletion, check_call
from referee.basics.options import choices
from referee.basics.options.engines import EngineSettings
from referee.basics.options.options import Options
from referee.basics.options.reading import ReadOptions
from referee.basics.options.types import TableOptions
from referee.basics.system_names import name_of
from referee.basics.version import VERSION
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from referee.inputs.kinds import Input
from referee.inputs.labels import LabelTable
from referee.inputs.load import SideOptions, corpus_of, load_both
from referee.matching.documents import BY_DOCUMENT
from referee.matching.pair import pair_of
from referee.metrics.registry import metrics_named
from referee.metrics.table import Table, table_of
from referee.metrics.titles import METRIC, title_of, title_of_f
from referee.reports.listing import Cell, Column, Listing, Title
from referee.reports.numbers import number
from referee.reports.result import Result
from referee.scoring.records import as_columns
from referee.scoring.score import parse_options
from referee.stats.sampling import Ratio, f_ratio, ratio
from referee.tables.counting import RepeatedItemsError, tables_of
from referee.tables.engine import CountingRules
from referee.tables.sampled import add_weight, sampled, weights_of
from referee.tabular.text import text_table

if TYPE_CHECKING:
    from typing_extensions import Unpack

Parts: TypeAlias = tuple[Numbers, Numbers, Numbers, Numbers]
"""Numerator and denominator of recall, then those of precision, of each key entity."""

WEIGHTS = choices.SAMPLED

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
class Estimates(KeyCompletion, Mapping[str, Mapping[str, Ratio]], Result):
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
    lacking : sequence of str
        The sampled records that the response does not have, which are missed.
    """

    name: str
    sides: Mapping[str, Mapping[str, Ratio]]
    entities: int
    level: float
    beta: float
    signature: str
    lacking: Sequence[str] = ()

    def __getitem__(self, metric: str) -> Mapping[str, Ratio]:
        return self.sides[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sides)

    def __len__(self) -> int:
        return len(self.sides)

    def __repr__(self) -> str:
        first, sides = next(iter(self.sides.items()))
        headline = f"{first} {number(sides['value'].value)}" if "value" in sides else first
        return f"<Estimates of {brief(self.name)}: {headline} from {counted(self.entities, 'entity')}>"

    def listing(self) -> Listing:
        """Return a row for each metric, with intervals."""
        titles: dict[str, str | Title] = {"recall": "recall", "precision": "precision", "value": title_of_f(self.beta)}
        columns = [Column(METRIC), *(Column(title, "score") for title in titles.values())]
        rows = [
            [title_of(m), *(Cell(ratios[side].value, ratios[side].interval(self.level)) for side in titles)]
            for m, ratios in self.sides.items()
        ]
        few = f"the intervals are not to be relied on: there are {self.entities} entities; expected at least {RELIABLE}"
        notes = [few] if self.entities < RELIABLE else []
        if self.lacking:
            records = f"{counted(len(self.lacking), 'sampled record')} {'is' if len(self.lacking) == 1 else 'are'}"
            notes.append(f"{records} not in {self.name} ({some(self.lacking)}): counted as missed")
        legend = [f"± half the {self.level * 100:.10g} % interval of the estimate"]
        lead = f"scores of all records, estimated from {counted(self.entities, 'sampled entity')}"
        below = [*notes, self.signature]
        return Listing(columns, rows, below, legend=legend, caption=lead, title=self.name, margins=True)

    def records(self) -> Listing:
        """Return a row for each metric and side, with its standard error."""
        columns = [Column(name, "number") for name in ("metric", "side", "estimate", "error", "low", "high", "signature")]
        rows: list[list[object]] = []
        for metric, ratios in self.sides.items():
            for side, ratio_ in ratios.items():
                low, high, _ = ratio_.interval(self.level)
                rows.append([metric, side, ratio_.value, ratio_.error, low, high, self.signature])
        return Listing(columns, rows)


@check_call(TableOptions)
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
    name: str | None = None,
    **options: Unpack[TableOptions],
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
        of these. A mapping gives each entity id a weight, the inverse of its chance up to a factor. Any other text is the
        column of the key, a table, that has the weight of the entity of each row.
    level : float
        Of the intervals, above 0 and below 1.
    beta : float
        Of the F-measure.
    key_format, response_format : str or None
        One of `FORMATS`; None to detect it.
    name : str or None
        What reports call the response; None for the name of its file.
    **options
        How tables are read and counted: fields of `ReadOptions` and `EngineSettings`. Of a response
        that is Parquet or a data frame, only the entities that the key touches are kept in memory.

    Returns
    -------
    Estimates

    Raises
    ------
    OptionError, UnknownNameError
        For a metric that cannot be estimated, or wrong weights; or for texts.
    FormatError, MismatchError
        As `score` raises them.

    Warns
    -----
    RefereeWarning
        If documents were sampled, as the key has all items of several.

    Examples
    --------
    >>> found = estimate([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d", "x", "y"], ["z"]])
    >>> round(found["exact"]["recall"].value, 2), round(found["links"]["precision"].value, 2)
    (0.5, 0.38)
    """
    records = metrics_named(metrics)
    for metric in records:
        check_name("estimated metric", metric, PARTS)
    if not 0 < level < 1 or not 0 < beta < math.inf:
        raise OptionError(f"level is between 0 and 1, and beta above 0; found {level!r} and {beta!r}")
    _, reading = parse_options(key_format=key_format, response_format=response_format, **options)
    inputs = load_both(key, response, reading)
    sample = _sample(*inputs, reading)
    _warn_of_response(sample)
    weighting = weights
    if isinstance(weights, str) and weights not in WEIGHTS:
        weighting = _column(key, inputs[0], weights, reading[0])
    weight = _weights(weighting, sample)
    sides: dict[str, dict[str, Ratio]] = {}
    for metric in records:
        recalled, key_size, precise, response_size = PARTS[metric](sample.table)
        recall, precision = ratio(recalled, key_size, weight), ratio(precise, response_size, weight)
        sides[metric] = {"recall": recall, "precision": precision, "value": f_ratio(recall, precision, beta)}
    shown = one_line(shortened(weights)) if isinstance(weights, str) else "given"
    made = f"weights:{shown} | level:{level!r}" + ("" if beta == 1 else f" | beta:{beta:g}")
    made += "".join(f" | {name}:{value}" for name, value in reading[0].signature_fields.items())
    signature = f"referee {VERSION} | {'+'.join(records)} | estimated | {made} | entities:{len(weight)}"
    called = one_line(name or name_of(sample.name))
    return Estimates(called, sides, len(weight), level, beta, signature, sample.lacking)


class _KeySample(NamedTuple):
    """How the key entities overlap with the response, their ids, the records that it lacks, and what it is called."""

    table: Table
    ids: Sequence[str]
    lacking: Sequence[str]
    name: str


def _sample(key: Input, response: Input, reading: SideOptions) -> _KeySample:
    columns = as_columns(key, response, reading)
    if columns is not None:
        tables = tables_of(
            columns.key, columns.response, reading[0].engine or EngineSettings(), CountingRules(reading[0].nulls)
        )
        if not tables.has_documents:
            try:
                return _KeySample(*sampled(tables), tables.names[1])
            except RepeatedItemsError:
                pass  # as for scores, the first entity of an item is taken, and a warning says so
    sides = corpus_of(key), corpus_of(response)
    # A spurious span is in no key entity, so no entity could have its part of precision.
    if spans := [side.source for side in sides if side.items is None and len(side.document)]:
        remedy = f"a sample of texts is scored by {BY_DOCUMENT}"
        raise OptionError(f"estimates are of items, a sample of records; found spans in {spans[0]}: {remedy}")
    pair = pair_of(*sides, Options(extra_documents="ignore"))
    table, documents = table_of(pair), len(pair.key.doc_ids)
    if documents > 1 and table.shared.sum() == table.response_size.sum():
        warn(
            f"{pair.key.source} has all items of its {documents} documents: if these were sampled, their entities are not "
            f"independent; {BY_DOCUMENT} resamples documents"
        )
    alone = np.ones(len(pair.key.entity), dtype=bool)
    alone[pair.matching.key_mention] = False
    items = pair.key.items or ()  # none of an empty key
    lacking = [items[n] for n in np.flatnonzero(alone).tolist()] if items else []
    return _KeySample(table, pair.key.entity_ids, lacking, pair.response.source)


def _warn_of_response(sample: _KeySample) -> None:
    """Warn of a key that seems to be drawn by entities of the response: it has all records of those that it touches.

    Where these mix entities of the key, but none with an entity beyond it, although the response has other records, the records
    were hardly drawn without regard to the response. Estimates of such a sample are too high.
    """
    table = sample.table
    shared = tally(table.response, table.shared, len(table.response_size))
    touched = shared > 0
    mixed = (tally(table.response, minlength=len(shared)) > 1).any()
    if mixed and not touched.all() and (shared == table.response_size)[touched].all():
        warn(
            f"{sample.name}: no entity that mixes sampled records has another record: was the sample drawn by the response's "
            "entities? expected whole true entities, drawn without regard to it; else estimates are too high"
        )


def _column(source: object, key: Input, column: str, options: ReadOptions) -> dict[str, float]:
    """The weight of each entity, from a column of the key."""
    if isinstance(key, LabelTable):
        return weights_of(key, column)
    table = None
    if isinstance(source, (str, os.PathLike)) and isinstance(key, Corpus) and key.kind == "labels":
        source = Source(source, options=options)
        table = text_table(source, source.raise_error)
    if table is None:
        raise OptionError(f"weights are {' or '.join(WEIGHTS)}, or a column of a table; found {shortened(repr(column))}")
    names = [name.strip() for name in table.names]
    if column not in names:
        columns = shortened(", ".join(names), 100)
        raise FormatError(
            table.name, 1, f"has the columns {columns}; expected {shortened(column)!r} with the weight of each entity"
        )
    weights: dict[str, float] = {}
    for _, row in table.rows():
        add_weight(weights, row[table.schema.places["entity"]], row[names.index(column)], table.name)
    return weights


def _weights(weights: str | Mapping[str, float], sample: _KeySample) -> Floats:
    sizes = sample.table.key_size
    if isinstance(weights, str):
        return 1 / sizes if weights == "inverse-size" else np.ones(len(sizes))
    lacking = next((name for name in sample.ids if not 0 < weights.get(name, 0) < math.inf), None)
    if lacking is not None:
        raise OptionError(f"found no weight for entity {lacking!r}; expected a number above 0 for each")
    return np.array([weights[name] for name in sample.ids], dtype=np.float64)
