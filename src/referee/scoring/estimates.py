"""Scores against a key that is a sample, of entities or of pairs: `estimate`, and the `Estimates` that it returns.

A key is often a few thousand entities that people checked, and the response has all records. Scores against this key alone say
little about precision: records of other entities, merged by mistake with sampled ones, count as spurious, or are left out. The
sampled entities and the response entities that they touch tell enough to estimate the scores of all records.

Each sampled entity has a part of the sums that a metric divides. Of a false pair between two entities, each of them has one
half; of a response entity, each key entity has the share of its records.

A key of labelled pairs is a sample of pairs, see `referee.scoring.labelled_pairs`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from referee.algorithms.arrays import Floats, Numbers, tally
from referee.basics.exceptions import (
    FormatError,
    MismatchError,
    OptionError,
    brief,
    check_name,
    counted,
    one_line,
    shortened,
    some,
    warn,
)
from referee.basics.names import KeyCompletion, check_call
from referee.basics.options import choices
from referee.basics.options.engines import EngineSettings
from referee.basics.options.options import Options, check_threshold
from referee.basics.options.reading import ReadOptions
from referee.basics.options.types import TableOptions
from referee.basics.system_names import name_of
from referee.basics.version import VERSION
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from referee.inputs.kinds import Input, check_pairs
from referee.inputs.labels import LabelTable
from referee.inputs.load import SideOptions, check_once, corpus_of, load_both, load_response
from referee.matching.documents import BY_DOCUMENT
from referee.matching.pair import pair_of
from referee.metrics.registry import metrics_named
from referee.metrics.table import Table, table_of
from referee.metrics.titles import METRIC, title_of, title_of_f
from referee.reports.listing import Cell, Column, Listing, Title
from referee.reports.numbers import number
from referee.reports.result import Result
from referee.scoring.labelled_pairs import LabelledPairs, decisions, estimated, is_labelled, labelled_pairs
from referee.scoring.records import as_columns
from referee.scoring.score import parse_options
from referee.scoring.signature import threshold_field
from referee.stats.sampling import EstimatedRatio, f_ratio, ratio
from referee.stats.settings import Resampling
from referee.tables.counting import RepeatedItemsError, tables_of
from referee.tables.engine import CountingRules
from referee.tables.sampled import add_weight, sampled, weights_of
from referee.tabular.pairs import PairTable
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
class Estimates(Result, KeyCompletion, Mapping[str, Mapping[str, EstimatedRatio]]):
    """Estimated scores: a mapping from metrics to "recall", "precision" and "value", the F-measure.

    Parameters
    ----------
    name : str
        The response.
    sides : mapping
        Metric -> side -> the estimate, with its standard error.
    entities : int
        The number of entities that were sampled; 0 of labelled pairs.
    level : float
        Of the intervals.
    beta : float
        Of the F-measure.
    signature : str
        How the estimates were made.
    lacking : sequence of str
        The sampled records that the response does not have.
    pairs : int
        The number of labelled pairs; 0 of entities.
    notes : sequence of str
        What the sample could not be used for, and which intervals are not to be relied on.
    other : Estimates or None
        Those of a second response, from the same sample.
    """

    name: str
    sides: Mapping[str, Mapping[str, EstimatedRatio]]
    entities: int
    level: float
    beta: float
    signature: str
    lacking: Sequence[str] = ()
    pairs: int = 0
    notes: Sequence[str] = ()
    other: Estimates | None = None

    def __getitem__(self, metric: str) -> Mapping[str, EstimatedRatio]:
        return self.sides[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sides)

    def __len__(self) -> int:
        return len(self.sides)

    def __repr__(self) -> str:
        first, sides = next(iter(self.sides.items()))
        headline = f"{first} {number(sides['value'].value)}" if "value" in sides else first
        sample = counted(self.pairs, "labelled pair") if self.pairs else counted(self.entities, "entity")
        return f"<Estimates of {brief(self.name)}: {headline} from {sample}>"

    @property
    def differences(self) -> dict[str, dict[str, EstimatedRatio]]:
        """Metric -> side -> the other response less this one, from the same sample; empty without another."""
        if self.other is None:
            return {}
        others = self.other.sides
        return {m: {side: others[m][side] - ratio for side, ratio in sides.items()} for m, sides in self.sides.items()}  # type: ignore[operator]  # of one kind

    def _rows(self) -> list[tuple[str, str, Mapping[str, EstimatedRatio]]]:
        """Metric, name of a response or of a difference, and its ratios."""
        names = [self.name] if self.other is None else [self.name, self.other.name, f"{self.other.name} − {self.name}"]
        tables = [self.sides] if self.other is None else [self.sides, self.other.sides, self.differences]
        return [(m, name, table[m]) for m in self.sides for name, table in zip(names, tables, strict=True)]

    def listing(self) -> Listing:
        """Return a row for each metric, with intervals; of two responses also one for the other, and for the difference."""
        titles: dict[str, str | Title] = {"recall": "recall", "precision": "precision", "value": title_of_f(self.beta)}
        several = self.other is not None
        columns = [Column(METRIC), *[Column("response")] * several, *(Column(title, "score") for title in titles.values())]
        rows = [
            [title_of(m), *[name] * several, *(Cell(ratios[side].value, ratios[side].interval(self.level)) for side in titles)]
            for m, name, ratios in self._rows()
        ]
        legend = [f"± half the {self.level * 100:.10g} % interval of the estimate"]
        if several:
            legend.append(
                "−: the second response less the first, from the same sample; they differ if 0 is not in the interval"
            )
        if self.pairs:
            legend.append(
                "recall is within the pairs that the sample was drawn from: matches that are in none of them are not seen"
            )
            lead = f"scores of pairs, estimated from {counted(self.pairs, 'labelled pair')}"
        else:
            lead = f"scores of all records, estimated from {counted(self.entities, 'sampled entity')}"
        notes = list(self.notes)
        if self.other is not None:
            notes = [note for note in notes if note in self.other.notes]
            apart = [(each.name, note) for each in (self, self.other) for note in each.notes if note not in notes]
            notes += [f"{name}: {note}" for name, note in apart]
        below = [*notes, self.signature]
        title = self.name if self.other is None else f"{self.name} and {self.other.name}"
        return Listing(columns, rows, below, legend=legend, caption=lead, title=title, margins=True)

    def records(self) -> Listing:
        """Return a row for each metric and side, with its standard error."""
        names = ["metric", *["response"] * (self.other is not None), "side", "estimate", "error", "low", "high", "signature"]
        columns = [Column(name, "number") for name in names]
        rows: list[list[object]] = []
        for metric, name, ratios in self._rows():
            for side, ratio_ in ratios.items():
                low, high, _ = ratio_.interval(self.level)
                values = [side, ratio_.value, ratio_.error, low, high, self.signature]
                rows.append([metric, *[name] * (self.other is not None), *values])
        return Listing(columns, rows)


@check_call(TableOptions)
def estimate(
    key: object,
    response: object,
    other: object = None,
    *,
    metrics: str | None = None,
    weights: str | Mapping[str, float] | None = None,
    threshold: float | None = None,
    level: float = 0.95,
    beta: float = 1.0,
    resamples: int = 10_000,
    seed: int = 0,
    key_format: str | None = None,
    response_format: str | None = None,
    name: str | None = None,
    **options: Unpack[TableOptions],
) -> Estimates:
    """Estimate scores of all records from a key that is a sample: of whole entities, or of labelled pairs.

    Parameters
    ----------
    key : path, Corpus or plain value
        The sampled entities, each with all of its records. Or labelled pairs: both ends of each, and a label that says whether
        they match. Their columns `stratum` and `stratum_size` (the number of all pairs of the stratum), or `weight`, say how
        they were sampled; without such columns each pair had the same chance.
    response : path, Corpus or plain value
        The entities of all records, or pairs with decisions or probabilities.
    other : the same, or None
        A second response, which is compared with the first on the same sample.
    metrics : str or None
        Some of `PARTS`, with commas between them; None for all. Of labelled pairs only "pairs".
    weights : str, mapping or None
        Of entities, "uniform" or None: each had the same chance to be sampled. "inverse-size": records were sampled, and then
        the entities of these. A mapping gives each entity id a weight, the inverse of its chance up to a factor. Any other text
        is the column of the key, a table, that has the weight of the entity of each row. Of labelled pairs, None for what the
        columns say, "uniform" for a plain sample in spite of them, or the name of a column of weights.
    threshold : float or None
        For responses of pairs with probabilities: the probability from which on a pair is a link.
    level : float
        Of the intervals, above 0 and below 1.
    beta : float
        Of the F-measure.
    resamples, seed : int
        Of labelled pairs: how many resamples the intervals are made of, and what these depend on.
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
    >>> estimates = estimate([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d", "x", "y"], ["z"]])
    >>> round(estimates["exact"]["recall"].value, 2), round(estimates["links"]["precision"].value, 2)
    (0.5, 0.38)

    Of 30 pairs that were compared 10 had a high score. Two of these were labelled, and two of the others.

    >>> labels = {
    ...     "left": ["a", "c", "e", "g"], "right": ["b", "d", "f", "h"], "label": [1, 0, 1, 0],
    ...     "stratum": ["high", "high", "low", "low"], "stratum_size": [10, 10, 20, 20],
    ... }
    >>> pairs = estimate(labels, [["a", "b"], ["c", "d"], ["e"], ["f"], ["g"], ["h"]])["pairs"]
    >>> round(pairs["precision"].value, 2), round(pairs["recall"].value, 2)  # 5 of 5 + 5, and 5 of 5 + 10
    (0.5, 0.33)
    """
    if not 0 < level < 1 or not 0 < beta < math.inf:
        raise OptionError(f"level is between 0 and 1, and beta above 0; found {level!r} and {beta!r}")
    Resampling(resamples=resamples, seed=seed)  # checks them
    if threshold is not None:
        check_threshold(threshold, probable=False)
    _, reading = parse_options(key_format=key_format, response_format=response_format, **options)
    probable = threshold is not None
    check_once(key, response, other)
    if isinstance(key, (str, os.PathLike)) and (
        key == "-" or (os.path.exists(key) and not os.path.isfile(key) | os.path.isdir(key))
    ):
        key = Source(key, role="key", options=reading[0])  # a pipe: of labelled pairs more columns are read
    loaded, first = load_both(key, response, reading, probable=probable)
    responses = [first] if other is None else [first, load_response(loaded, other, reading[1], probable=probable)]
    if threshold is not None and not any(isinstance(each, PairTable) for each in responses):
        check_pairs(first)
    how = _How(reading, threshold, level, beta, resamples, seed, name)
    if is_labelled(loaded):
        if metrics not in (None, "pairs"):
            raise OptionError(f"labelled pairs estimate the metric pairs; found {shortened(metrics)}: expected no metrics")
        each = _of_pairs(labelled_pairs(key, loaded, reading[0], weights), responses, how)  # type: ignore[arg-type]
    else:
        records = [*metrics_named(PARTS if metrics is None else metrics)]
        for metric in records:
            check_name("estimated metric", metric, PARTS)
        each = _of_entities(key, loaded, responses, records, "uniform" if weights is None else weights, how)
    if other is None:
        return each[0]
    if each[0].name == each[1].name:
        each = [replace(estimates, name=f"{number} {estimates.name}") for number, estimates in enumerate(each, start=1)]
    return replace(each[0], other=each[1])


class _How(NamedTuple):
    """How estimates are made: fields as of `estimate`."""

    reading: SideOptions
    threshold: float | None
    level: float
    beta: float
    resamples: int
    seed: int
    name: str | None

    def called(self, source: str, place: int) -> str:
        """What reports call the response of a source."""
        return one_line(self.name if self.name and place == 0 else name_of(source))

    def signature(self, metrics: Iterable[str], weights: str, *, resampled: bool, sample: str) -> str:
        """The signature of estimates, which says how they were made, and of how many entities or pairs."""
        fields = {"weights": weights, "level": repr(self.level), **threshold_field(self.threshold)}
        if self.beta != 1:
            fields["beta"] = f"{self.beta:g}"
        if resampled:
            fields |= {"resamples": str(self.resamples), "seed": str(self.seed)}
        made = " | ".join(f"{field}:{value}" for field, value in (fields | self.reading[0].signature_fields).items())
        return f"referee {VERSION} | {'+'.join(metrics)} | estimated | {made} | {sample}"


def _of_pairs(sample: LabelledPairs, responses: Sequence[Input], how: _How) -> list[Estimates]:
    """The estimates of each response from labelled pairs."""
    number = len(sample.is_match)
    strata = f"strata:{len(sample.strata)} | " if len(sample.strata) > 1 else ""
    signed = how.signature(["pairs"], sample.weighting, resampled=True, sample=f"{strata}pairs:{number}")
    estimates: list[Estimates] = []
    for response in responses:
        decided = decisions(sample, response, how.threshold)
        ratios, notes = estimated(sample, decided.linked, beta=how.beta, resamples=how.resamples, seed=how.seed)
        name = how.called(decided.name, len(estimates))
        notes = [*filter(None, [sample.note, decided.note]), *notes]
        estimates.append(Estimates(name, {"pairs": ratios}, 0, how.level, how.beta, signed, pairs=number, notes=notes))
    return estimates


def _of_entities(
    source: object,
    key: Input,
    responses: Sequence[Input],
    metrics: Sequence[str],
    weights: str | Mapping[str, float],
    how: _How,
) -> list[Estimates]:
    """The estimates of each response from sampled entities."""
    estimates: list[Estimates] = []
    ids: Sequence[str] = ()
    for response in responses:
        sample = _sample(key, response, how)
        _warn_of_response(sample)
        if estimates and list(sample.ids) != list(ids):
            raise MismatchError(
                f"{sample.name} is compared with other entities of the key than the first response; expected the same"
            )
        ids = sample.ids
        if not estimates and isinstance(weights, str) and weights not in WEIGHTS:
            weights_of_ids: str | Mapping[str, float] = _column(source, key, weights, how.reading[0])
        elif not estimates:
            weights_of_ids = weights
        weight = _weights(weights_of_ids, sample)
        sides: dict[str, dict[str, EstimatedRatio]] = {}
        for metric in metrics:
            recalled, key_size, precise, response_size = PARTS[metric](sample.table)
            recall, precision = ratio(recalled, key_size, weight), ratio(precise, response_size, weight)
            sides[metric] = {"recall": recall, "precision": precision, "value": f_ratio(recall, precision, how.beta)}
        called, n = how.called(sample.name, len(estimates)), len(weight)
        weighting = one_line(shortened(weights)) if isinstance(weights, str) else "given"
        signed = how.signature(metrics, weighting, resampled=False, sample=f"entities:{n}")
        notes = []
        if n < RELIABLE:
            notes.append(f"the intervals are not to be relied on: there are {n} entities; expected at least {RELIABLE}")
        if sample.lacking:
            records = f"{counted(len(sample.lacking), 'sampled record')} {'is' if len(sample.lacking) == 1 else 'are'}"
            notes.append(f"{records} not in {called} ({some(sample.lacking)}): counted as missed")
        estimates.append(Estimates(called, sides, n, how.level, how.beta, signed, sample.lacking, notes=notes))
    return estimates


class _KeySample(NamedTuple):
    """How the key entities overlap with the response, their ids, the records that it lacks, and what it is called."""

    table: Table
    ids: Sequence[str]
    lacking: Sequence[str]
    name: str


def _sample(key: Input, response: Input, how: _How) -> _KeySample:
    columns = None if isinstance(response, PairTable) else as_columns(key, response, how.reading)
    if columns is not None:
        engine = how.reading[0].engine or EngineSettings()
        tables = tables_of(columns.key, columns.response, engine, CountingRules(how.reading[0].nulls))
        if not tables.has_documents:
            try:
                return _KeySample(*sampled(tables), tables.names[1])
            except RepeatedItemsError:
                pass  # as for scores, the first entity of an item is taken, and a warning says so
    of_key = replace(corpus_of(key), pair_frame=None)  # of a sample, other records are not alone
    sides = of_key, response.corpus(how.threshold) if isinstance(response, PairTable) else corpus_of(response)
    # Errors in a spurious span would not lower precision: it is in no key entity.
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
