"""A table of pairs of records, linked or not: decisions of entity resolution before clustering.

::

    unique_id_l,unique_id_r,match_probability
    r1,r2,0.93
    r2,r7,0.12

Commas or tabs, as the header has them; a header is required. The two ends of a pair are found by the names of their columns
(case does not matter), in any order and among others: the names that `csv` knows for an item, but not `name`, as `id_l` and
`id_r`, `id1` and `id2`, `id_1` and `id_2`, `left_id` and `right_id`, `ltable_id` and `rtable_id`. A column `document` groups
the rows, which need not be sorted. Quotes as in RFC 4180.

A pair is a link if it is decided so: by a probability of at least 0.5 (`match_probability`, `probability`, `match_score`, `p`)
or by a label (`clerical_match_score`, `label`, `match`, `is_match`, `gold`), which is such a number, or true or false. If a
file has columns of both kinds a key takes the label, a response the probability. Without any, every pair is a link.

The entities are the connected components, called by the first of their records, and the links are kept as listed. A record
that stands only in pairs that are no links, or in a pair with itself, is a singleton. One that stands in no pair is not there;
so metrics that count singletons need a `csv` of both sides.

`ltable_id` and `rtable_id` are ids of two tables, so `1,1` is a pair of two records: they are called `ltable/1` and
`rtable/1`. With columns `source_dataset_l` and `source_dataset_r`, records are called `dataset/id`.

References
----------
Splink's predictions and its labels (`clerical_match_score`); py_entitymatching and DeepMatcher (`ltable_id`,
`rtable_id`, `label`, `match_score`); gold standards with `id1,id2`, such as that of Cora.

Notes
-----
Where programs disagree:

* The threshold is everyone's own choice. `--threshold` sets another one than 0.5 for the probabilities of a response, and
  `referee thresholds` scores the entities of several.
* Some read two columns without a header as pairs. Here they are items and entities, see `csv`.

Pairs are not written: `links` holds the same.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, inverse, numbers, order_by
from referee.algorithms.components import joined
from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.layers import Links
from referee.corpus.strings import Names, ranks, sorted_names
from referee.exceptions import counted, one_line, shortened, warn
from referee.formats.csv import COLUMNS, PlainTable, numbered, plain_table, rows_of
from referee.formats.shared.source import Fault, Source

HOLDS = ("items", "links")
ITEMS = tuple(name for name in COLUMNS["item"] if name != "name")  # name_1 and name_2 may be two names of one record
SIDES = (("{}_l", "{}_r"), ("{}1", "{}2"), ("{}_1", "{}_2"), ("left_{}", "right_{}"), ("ltable_{}", "rtable_{}"))
PROBABILITIES = ("match_probability", "probability", "match_score", "p")
LABELS = ("clerical_match_score", "label", "match", "is_match", "gold")
WORDS = {"true": 1.0, "false": 0.0}
THRESHOLD = 0.5


class PairColumns(NamedTuple):
    """Numbers of columns, None where there is none; and what stands before the names of records of either side."""

    ends: tuple[int, int]
    datasets: tuple[int, int] | None
    tables: tuple[str, str]
    decision: int | None
    document: int | None


class Pair(NamedTuple):
    """Two records, and how probable it is that they are one; 1 where a file has no such column."""

    first: str
    second: str
    probability: float


def sniff(head: str) -> bool:
    """A header with the two ends of a pair."""
    header = head.lstrip().partition("\n")[0]
    try:
        return pair_columns(next(csv.reader([header], delimiter=_delimiter_of(header)), []), "key") is not None
    except csv.Error:
        return False


def read(source: Source, fault: Fault) -> Corpus:
    """Read a table of pairs; entities are the connected components."""
    return _read(source, fault, None)


def read_decided(source: Source, threshold: float) -> Corpus:
    """Read pairs with probabilities, which are links from this threshold on."""
    return _read(source, source.fault, threshold)


def _read(source: Source, fault: Fault, threshold: float | None) -> Corpus:
    probable = threshold is not None
    pairs = numbered_pairs(source, probable=probable)
    if pairs is not None:
        return _of_columns(source.name, pairs, threshold_of(source.name, pairs.probability, threshold))
    documents = pairs_of(source, fault, probable=probable)
    probability = np.array([pair.probability for pairs in documents.values() for pair in pairs])
    return _corpus(source.name, documents, threshold_of(source.name, probability, threshold))


def threshold_of(name: str, probability: Floats, threshold: float | None) -> float:
    """Return the threshold; if none is given, one half, and a warning where pairs have other probabilities than 0 and 1."""
    if threshold is None and ((probability > 0) & (probability < 1)).any():
        warn(f"{name}: a probability of at least {THRESHOLD} is a link; `referee score --threshold` takes another number")
    return THRESHOLD if threshold is None else threshold


def _of_columns(name: str, pairs: NumberedPairs, threshold: float) -> Corpus:
    """The corpus of pairs in one document: records and entities are numbered in reading order, that of the names."""
    linked = np.flatnonzero((pairs.first != pairs.second) & (pairs.probability >= threshold))
    a, b = pairs.first[linked], pairs.second[linked]
    record = np.arange(len(pairs.names), dtype=pairs.first.dtype)
    root = joined(record, a, b)
    entity = (np.cumsum(root == record, dtype=record.dtype) - 1)[root]
    ends = np.stack([pairs.first, pairs.second], axis=1).ravel()  # both ends of a pair, then those of the next
    place = np.empty(len(record), dtype=np.int64)
    place[ends[::-1]] = numbers(len(ends))[::-1]  # the last of several is kept
    first = np.full(int(entity.max()) + 1, len(ends))
    np.minimum.at(first, entity, place)
    return Corpus(
        ("#1",),
        np.zeros_like(record),
        record,
        record + 1,
        entity,
        pairs.names.take(ends[first]),
        entity_document=np.zeros(len(first), dtype=np.int32),
        file_order=inverse(order_by(first)).astype(np.int32),
        items=pairs.names,
        links=Links(np.zeros(len(a), dtype=np.int32), a, b),
        source=name,
    )


class NumberedPairs(NamedTuple):
    """Pairs of records.

    names : the different names of records, in sorted order
    first, second, probability : of each pair the numbers of its records; the probability is 1 where a file has none
    """

    names: Names
    first: Ints
    second: Ints
    probability: Floats


def numbered_pairs(source: Source, *, probable: bool = False) -> NumberedPairs | None:
    """Return the pairs of a table, read as columns.

    Parameters
    ----------
    source : Source
    probable : bool
        Whether a column with probabilities is needed.

    Returns
    -------
    NumberedPairs or None
        None if the table may have an error, has documents, or records that are not called as they are.
    """
    table = plain_table(source, _delimiter(source))
    columns = None if table is None else pair_columns(table.first, source.role)
    if table is None or columns is None or (probable and not is_probable(columns, table.first)):
        return None
    if columns.document is not None or columns.datasets is not None or any(columns.tables):
        return None
    first, second = (table.names(end) for end in columns.ends)
    if first is None or second is None:
        return None
    probability = np.ones(len(first)) if columns.decision is None else _probabilities(table, columns.decision)
    if probability is None:
        return None
    names, (a, b) = sorted_names(first, second)
    return NumberedPairs(names, a, b, probability)


def _probabilities(table: PlainTable, column: int) -> Floats | None:
    """The probability of each pair; None if a field is none."""
    cells = table.names(column)
    if cells is None:
        return None
    number, first = numbered(ranks(cells)[0])
    probabilities = [_probability(cell) for cell in cells.take(first)]
    given = [probability for probability in probabilities if probability is not None]
    return None if len(given) < len(probabilities) else np.array(given)[number]


def _corpus(name: str, documents: Mapping[str, Sequence[Pair]], threshold: float) -> Corpus:
    builder = CorpusBuilder(name)
    for document, pairs in documents.items():
        builder.document(document)
        _add(pairs, builder, threshold)
    return builder.corpus()


def pairs_of(source: Source, fault: Fault, *, probable: bool = False) -> dict[str, list[Pair]]:
    """Return the pairs of each document.

    Parameters
    ----------
    source, fault
        As for `read`.
    probable
        Whether a column with probabilities is needed.
    """
    rows = rows_of(source, fault, _delimiter(source))
    first, header = next(rows, (0, None))
    if header is None:
        return {}
    columns = pair_columns(header, source.role)
    names = one_line(shortened(", ".join(header)))
    if columns is None:
        fault(first, f"found the columns {names}; expected a header with both ends of a pair, such as id1, id2")
        return {}
    if probable and not is_probable(columns, header):
        fault(first, f"found the columns {names}; expected one with probabilities: {', '.join(PROBABILITIES)}")
        return {}
    documents: dict[str, list[Pair]] = {} if columns.document is not None else {"": []}
    for line, row in rows:
        if len(row) != len(header):
            fault(line, f"found {counted(len(row), 'field')}; expected {len(header)}, as in the header")
        elif isinstance(pair := _pair(row, columns), str):
            fault(line, pair)
        else:
            documents.setdefault("" if columns.document is None else row[columns.document], []).append(pair)
    return documents


def is_probable(columns: PairColumns, header: Sequence[str]) -> bool:
    """Whether pairs are decided by probabilities, not by labels."""
    return columns.decision is not None and header[columns.decision].strip().lower() in PROBABILITIES


def _delimiter(source: Source) -> str:
    return _delimiter_of(source.head.decode(errors="replace").lstrip().partition("\n")[0])


def _delimiter_of(header: str) -> str:
    return "\t" if "\t" in header else ","


def pair_columns(header: Sequence[str], role: str) -> PairColumns | None:
    """Return where everything is in a header; None if the ends of a pair are not in it."""
    place = {name.strip().lower(): n for n, name in reversed(list(enumerate(header)))}

    def first(names: Sequence[str]) -> int | None:
        return next((place[name] for name in names if name in place), None)

    def both(names: tuple[str, str]) -> tuple[int, int] | None:
        return (place[names[0]], place[names[1]]) if place.keys() >= {*names} else None

    for left, right in SIDES:
        for item in ITEMS:
            if ends := both((left.format(item), right.format(item))):
                tables = ("ltable/", "rtable/") if left == "ltable_{}" else ("", "")
                datasets = both(("source_dataset_l", "source_dataset_r"))
                decision = first((*LABELS, *PROBABILITIES) if role == "key" else (*PROBABILITIES, *LABELS))
                return PairColumns(ends, datasets, tables, decision, first(COLUMNS["document"]))
    return None


def _pair(row: Sequence[str], columns: PairColumns) -> Pair | str:
    """The pair of a row, or what is wrong with it."""
    if not all(row[end] for end in columns.ends):
        return "found a pair with an end missing; expected two records in every row"
    first, second = (table + row[end] for table, end in zip(columns.tables, columns.ends, strict=True))
    if columns.datasets is not None:
        first, second = (f"{row[d]}/{name}" for d, name in zip(columns.datasets, (first, second), strict=True))
    if columns.decision is None:
        return Pair(first, second, 1.0)
    probability = _probability(row[columns.decision])
    if probability is None:
        value = shortened(row[columns.decision].strip().lower())
        return f"found {value!r}; expected a number from 0 to 1, or true or false, to say if the pair is a link"
    return Pair(first, second, probability)


def _probability(cell: str) -> float | None:
    value = cell.strip().lower()
    try:
        probability = WORDS[value] if value in WORDS else float(value)
    except ValueError:
        return None
    return probability if 0 <= probability <= 1 else None


def _add(pairs: Sequence[Pair], builder: CorpusBuilder, threshold: float) -> None:
    firsts, seconds, _ = zip(*pairs, strict=True) if pairs else ((), (), ())
    names = list(dict.fromkeys(chain.from_iterable(zip(firsts, seconds, strict=True))))
    number = {name: n for n, name in enumerate(names)}
    linked = [pair for pair in pairs if pair.probability >= threshold and pair.first != pair.second]
    ends = [np.array([number[pair[end]] for pair in linked], dtype=np.int64) for end in (0, 1)]
    roots = joined(np.arange(len(names)), *ends)
    mention = builder.add_items(names, [names[root] for root in roots.tolist()])
    builder.links = (builder.links or []) + list(zip(*((mention + end).tolist() for end in ends), strict=True))
