"""Labelled pairs of records as a sample of pairs: what each of them stands for, and what a response decides about it.

The pairs were drawn from others, the frame, such as all pairs that a system compared. A label says whether a pair is a match. A
sampled pair of stratum h stands for w = N/n pairs, where the stratum has N pairs and n of them were sampled. Sums over all
pairs of the frame are estimated by sums over the sample, each pair w times [1]_. So

* precision is Σ w TP / Σ w (TP + FP),
* recall is Σ w TP / Σ w (TP + FN), within the frame: matches that are in no pair of it are not seen.

References
----------
.. [1] Horvitz and Thompson (1952), A Generalization of Sampling Without Replacement from a Finite Universe.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np

from referee.algorithms.arrays import Bools, Floats, Ints, starts_of_runs
from referee.basics.exceptions import FormatError, MismatchError, OptionError, counted, listed, one_line, shortened, some, warn
from referee.basics.options.reading import ReadOptions
from referee.basics.sides import folded
from referee.inputs.beside import columns_beside
from referee.inputs.kinds import Input
from referee.inputs.labels import LabelTable
from referee.inputs.load import corpus_of
from referee.metrics.common_records import nothing_in_common
from referee.stats.counts import divide
from referee.stats.sampling import ResampledRatio, stratified_sums
from referee.tables.sampled import entities_of_items
from referee.tabular.pairs import PairTable

STRATUM, SIZE, WEIGHT = "stratum", "stratum_size", "weight"
"""The columns that say how pairs were sampled."""

FEW = 10
"""Pairs of a stratum below which intervals are too narrow, as those of `referee.stats.settings.RELIABLE` units are."""


class LabelledPairs(NamedTuple):
    """A sample of labelled pairs.

    Parameters
    ----------
    name : str
        What messages call it.
    records : sequence of str
        The records that it names.
    first, second : int64, shape (pairs,)
        The numbers of the records of each pair.
    is_match : bool, shape (pairs,)
        The labels.
    weight : float64, shape (pairs,)
        The number of pairs that each stands for, up to a factor.
    strata : mapping
        The name of each stratum, and its pairs. Without strata there is one, without a name.
    whole : frozenset of str
        The strata of which all pairs were labelled.
    weighting : str
        What the signature says of the weights.
    note : str
        What is said of a sample without weights, if nobody called it plain; empty of another.
    """

    name: str
    records: Sequence[str]
    first: Ints
    second: Ints
    is_match: Bools
    weight: Floats
    strata: Mapping[str, Ints]
    whole: frozenset[str]
    weighting: str
    note: str


def is_labelled(key: Input) -> bool:
    """Whether a key has pairs with a label, and not only pairs that match."""
    return isinstance(key, PairTable) and bool(key.decision)


def labelled_pairs(value: object, pairs: PairTable, options: ReadOptions, weights: object) -> LabelledPairs:
    """Return what a key of labelled pairs samples.

    Parameters
    ----------
    value : object
        The key as it was given: its columns are read again.
    pairs : PairTable
        The same as pairs.
    options : ReadOptions
        How it is read.
    weights : object
        None for what the columns say, "uniform" for a plain sample, or the name of a column of weights.

    Raises
    ------
    OptionError, FormatError
        If weights or strata cannot be read, or a pair has two labels.
    """
    if not (weights is None or isinstance(weights, str)) or weights == "inverse-size":
        expected = "uniform, or a column of the key with the weight of each pair; without a word, what its columns say"
        raise OptionError(f"weights of labelled pairs are {expected}; found {shortened(repr(weights))}")
    pairs = pairs.texts()
    number = len(pairs.first)
    columns = {} if weights == "uniform" else _columns(value, pairs, options, weights)
    weight, strata, whole, weighting = _weights(pairs.name, columns, number)
    is_match = pairs.probability >= pairs.limit(None)
    _check_labels(pairs, is_match)
    names = cast("Sequence[str]", pairs.names)
    first, second = pairs.first.astype(np.int64), pairs.second.astype(np.int64)
    plain = weights is None and weighting == "uniform"
    note = "a plain sample of pairs: the key has no columns stratum and stratum_size, or weight" if plain else ""
    return LabelledPairs(pairs.name, names, first, second, is_match, weight, strata, whole, weighting, note)


def _columns(value: object, pairs: PairTable, options: ReadOptions, weights: str | None) -> dict[str, Sequence[object]]:
    """The columns that say how pairs were sampled, by what they say."""
    columns = columns_beside(value, options, pairs.name, pairs.format)
    if not columns or len(next(iter(columns.values()))) < len(pairs.first):
        once = "its rows cannot be read again, to see how pairs were sampled"
        raise OptionError(
            f"{pairs.name}: {once}; expected a file or a table in memory, or --weights uniform for a plain sample"
        )
    names = {folded(name): name for name in columns}
    named = {role: names[folded(role)] for role in (STRATUM, SIZE, WEIGHT) if folded(role) in names}
    if weights is not None:
        if folded(weights) == folded(SIZE):
            raise OptionError(
                f"{weights} has the sizes of strata, which are no weights; expected no --weights: it is read with {STRATUM}"
            )
        if weights not in columns:
            expected = f"expected {shortened(weights)!r} with the weight of each pair"
            raise FormatError(pairs.name, 1, f"has the columns {shortened(', '.join(columns), 100)}; {expected}")
        named = {role: name for role, name in named.items() if role == STRATUM} | {WEIGHT: weights}
    if SIZE in named and (WEIGHT in named or STRATUM not in named):
        columns_there = " and ".join(named[role] for role in (SIZE, WEIGHT) if role in named)
        expected = f"{STRATUM} and {SIZE}, or {WEIGHT} (--weights NAME takes one column, --weights uniform none)"
        raise FormatError(pairs.name, 1, f"has the columns {columns_there}; expected {expected}")
    if STRATUM in named and len(named) == 1:
        problem = f"has a column {named[STRATUM]}, and nothing says how many pairs a stratum has in all"
        raise FormatError(
            pairs.name, 1, f"{problem}: expected a column {SIZE}, or {WEIGHT} (--weights uniform: a plain sample)"
        )
    values = {role: columns[name] for role, name in named.items()}
    if any(len(column) != len(pairs.first) for column in values.values()):
        problem = f"has {counted(len(pairs.first), 'labelled pair')} in {counted(len(next(iter(values.values()))), 'row')}"
        raise FormatError(
            pairs.name, None, f"{problem}; expected a label in each row, to know its weight: remove the rows without one"
        )
    return values


def _weights(
    name: str, columns: Mapping[str, Sequence[object]], number: int
) -> tuple[Floats, dict[str, Ints], frozenset[str], str]:
    """The weight of each pair, the strata, those that are labelled as a whole, and what the signature says."""
    strata = {"": np.arange(number)}
    if STRATUM in columns:
        rows: dict[str, list[int]] = {}
        for row, stratum in enumerate(columns[STRATUM]):
            rows.setdefault("" if stratum is None else str(stratum), []).append(row)
        strata = {stratum: np.array(rows[stratum], dtype=np.int64) for stratum in sorted(rows)}
    if WEIGHT in columns:
        weight = np.array([_number(name, WEIGHT, value) for value in columns[WEIGHT]])
        return weight, strata, frozenset(), WEIGHT
    if SIZE not in columns:
        return np.ones(number), strata, frozenset(), "uniform"
    size = np.array([_number(name, SIZE, value) for value in columns[SIZE]])
    weight = np.empty(number)
    for stratum, units in strata.items():
        sizes = np.unique(size[units]).tolist()
        called = f"stratum {one_line(shortened(stratum)) or 'without a name'}"
        if len(sizes) > 1:
            raise FormatError(
                name, None, f"has the sizes {sizes[0]:g} and {sizes[1]:g} of {called}; expected one of each stratum"
            )
        if sizes[0] < len(units):
            problem = f"has {counted(len(units), 'pair')} of {called}, and {SIZE} {sizes[0]:g}"
            raise FormatError(name, None, f"{problem}; expected the number of all pairs of the stratum, labelled or not")
        weight[units] = sizes[0] / len(units)
    whole = frozenset(stratum for stratum, units in strata.items() if size[units[0]] == len(units))
    return weight, strata, whole, "strata"


def _number(name: str, column: str, value: object) -> float:
    """A number above 0, of a column."""
    try:
        number = float(value)  # type: ignore[arg-type]  # or else it raises
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number < math.inf:
        raise FormatError(name, None, f"has {shortened(repr(value))} as {column} of a pair; expected a number above 0")
    return number


def _check_labels(pairs: PairTable, is_match: Bools) -> None:
    """Raise FormatError for a pair that is labelled in two ways, or has a record twice; warn if one is there twice."""
    codes = _codes(pairs.first, pairs.second, len(pairs.names))
    names = cast("Sequence[str]", pairs.names)
    if (same := pairs.first == pairs.second).any():
        record = shortened(names[int(pairs.first[same][0])])
        raise FormatError(pairs.name, None, f"has a pair of {record} with itself; expected labels of pairs of two records")
    order = np.lexsort((is_match, codes))
    again = ~starts_of_runs(codes[order])
    both = again & np.append(False, is_match[order][1:] != is_match[order][:-1])
    if both.any():
        row = int(order[both][0])
        pair = f"{shortened(names[int(pairs.first[row])])} and {shortened(names[int(pairs.second[row])])}"
        raise FormatError(pairs.name, None, f"labels {pair} as a match and as none; expected one label of a pair")
    if again.any():
        rows = counted(int(again.sum()), "row")
        warn(f"{pairs.name} has {rows} with a pair of an earlier row: each counts as a pair of the sample")


def _codes(first: Ints, second: Ints, records: int) -> Ints:
    """A number for the two records of each pair, in whatever order they stand."""
    low, high = (f(first, second).astype(np.int64) for f in (np.minimum, np.maximum))
    return low * records + high


class LabelDecisions(NamedTuple):
    """What a response decides about labelled pairs.

    Parameters
    ----------
    name : str
        What messages call the response.
    linked : bool, shape (pairs,)
        Whether it says that they match.
    note : str
        What it does not have; empty if nothing.
    """

    name: str
    linked: Bools
    note: str


def decisions(sample: LabelledPairs, response: Input, threshold: float | None) -> LabelDecisions:
    """Return what a response decides: whether it has both records in one entity, or lists them as a pair that matches."""
    place = {name: number for number, name in enumerate(sample.records)}
    if isinstance(response, PairTable):
        return _of_pairs(sample, place, response, threshold)
    if isinstance(response, LabelTable):
        name, of_items = response.name, entities_of_items(response, sample.records)
    else:
        corpus = corpus_of(response)
        if corpus.items is None or len(corpus.doc_ids) > 1:
            content = "spans" if corpus.items is None else counted(len(corpus.doc_ids), "document")
            raise MismatchError(f"{corpus.source} has {content}; expected records of one document for labelled pairs")
        name, of_items = corpus.source, {}
        for item, entity in zip(corpus.items, corpus.entity.tolist(), strict=True):
            if item in place:
                of_items.setdefault(item, entity)
        if len(corpus.items) and not of_items:
            _nothing_in_common(sample, name, corpus.items)
    numbers = {entity: n for n, entity in enumerate(dict.fromkeys(of_items.values()))}
    entity = np.array([numbers[of_items[r]] if r in of_items else -1 for r in sample.records], dtype=np.int64)
    first, second = entity[sample.first], entity[sample.second]
    lacking = [sample.records[n] for n in np.flatnonzero(entity < 0).tolist()]
    note = ""
    if lacking:
        pairs = counted(int(((first < 0) | (second < 0)).sum()), "labelled pair")
        records = f"{counted(len(lacking), 'record')} of labelled pairs {'is' if len(lacking) == 1 else 'are'} not in {name}"
        note = f"{records} ({some(lacking)}): {pairs} with them count as no match of it"
    return LabelDecisions(name, (first == second) & (first >= 0), note)


def _of_pairs(sample: LabelledPairs, place: Mapping[str, int], response: PairTable, threshold: float | None) -> LabelDecisions:
    pairs = response.texts()
    names = cast("Sequence[str]", pairs.names)
    number = np.array([place.get(name, -1) for name in names], dtype=np.int64)
    if len(names) and (number < 0).all():
        _nothing_in_common(sample, pairs.name, names)
    first, second = number[pairs.first], number[pairs.second]
    sampled = (first >= 0) & (second >= 0)
    listed_pairs = _codes(first[sampled], second[sampled], len(sample.records))
    wanted = _codes(sample.first, sample.second, len(sample.records))
    linked = np.isin(wanted, listed_pairs[(pairs.probability >= pairs.limit(threshold))[sampled]])
    absent = np.flatnonzero(~np.isin(wanted, listed_pairs))
    note = ""
    if len(absent):
        examples = some([f"{sample.records[int(sample.first[n])]}-{sample.records[int(sample.second[n])]}" for n in absent[:4]])
        is_are = "is" if len(absent) == 1 else "are"
        note = f"{counted(len(absent), 'labelled pair')} {is_are} not in {pairs.name} ({examples}): no match of it"
    return LabelDecisions(pairs.name, linked, note)


def _nothing_in_common(sample: LabelledPairs, response: str, records: Sequence[str]) -> None:
    of_key, of_response = ([names[n] for n in range(min(4, len(names)))] for names in (sample.records, records))
    nothing_in_common(sample.name, response, of_key, of_response, len(sample.records))


def estimated(
    sample: LabelledPairs, linked: Bools, *, beta: float, resamples: int, seed: int
) -> tuple[dict[str, ResampledRatio], list[str]]:
    """Return recall, precision and F, and notes on where their intervals cannot be relied on."""
    outcomes = np.stack([sample.is_match & linked, ~sample.is_match & linked, sample.is_match & ~linked])
    columns = outcomes * sample.weight
    drawn = [units for stratum, units in sample.strata.items() if stratum not in sample.whole]
    resampled = stratified_sums(columns, drawn, resamples, seed)
    tp, fp, fn = (np.append(total, values) for total, values in zip(columns.sum(axis=1), resampled, strict=True))
    b = beta * beta
    sides = {
        "recall": divide(tp, tp + fn),
        "precision": divide(tp, tp + fp),
        "value": divide((1 + b) * tp, (1 + b) * tp + b * fn + fp),
    }
    right, spurious, missed = outcomes.sum(axis=1).tolist()
    rest = len(linked) - right - spurious - missed
    ratios = {side: ResampledRatio(float(values[0]), values[1:]) for side, values in sides.items()}
    notes = [f"of {counted(len(linked), 'labelled pair')}: {right} TP, {spurious} FP, {missed} FN, {rest} TN"]
    certain = [side for side in ("recall", "precision") if drawn and ratios[side].error == 0]
    if certain:
        notes.append(f"all labelled pairs say the same of {listed(certain)}: an interval without width is not to be relied on")
    return ratios, [*notes, *_cautions(sample)]


def _cautions(sample: LabelledPairs) -> list[str]:
    """Notes on samples that say less than their intervals."""
    notes = []
    if sample.is_match.all():
        notes.append("all labelled pairs match: if they were chosen for that, precision says nothing")
    few = [s for s, units in sample.strata.items() if s not in sample.whole and len(units) < FEW]
    if few and len(sample.strata) == 1:
        notes.append(f"the intervals are not to be relied on: there are {len(sample.is_match)} pairs; expected at least {FEW}")
    elif few:
        strata = "1 stratum has" if len(few) == 1 else f"{len(few)} strata have"
        notes.append(f"the intervals are too narrow: {strata} fewer than {FEW} labelled pairs ({some(few)})")
    return notes
