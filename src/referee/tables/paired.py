"""A key of columns, and pairs of columns: the records of both, and the key entity of each."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from referee.algorithms.arrays import Bools, Ints, tally
from referee.basics.exceptions import shortened
from referee.basics.extras import arrow, pc
from referee.corpus.layers import is_left
from referee.formats.shared.shapes import is_array
from referee.inputs.labels import LabelTable, labels_of_pairs
from referee.inputs.sources import SparkFrame
from referee.matching.items import warn_of_alone
from referee.matching.key_samples import MANY
from referee.metrics.common_records import nothing_in_common
from referee.metrics.pairs import ListedPairs, PairedRecords, counts_of_decisions
from referee.stats.counts import Columns
from referee.tables.columns import columns_of
from referee.tables.rows import Rows
from referee.tabular.arrow import numbers
from referee.tabular.pairs import THRESHOLD, PairTable


class PairedTable(NamedTuple):
    """Pairs, with all records of a key.

    Parameters
    ----------
    pairs : PairTable
        The pairs; the records that only the key has come last.
    entity : integers, shape (records,)
        The key entity of each record, -1 where it has none.
    limit : float
        The probability from which on a pair is a match.
    """

    pairs: PairTable
    entity: Ints
    limit: float = THRESHOLD

    @property
    def key_size(self) -> Ints:
        """How many records each key entity has."""
        return tally(self.entity[self.entity >= 0])

    @property
    def left(self) -> Bools | None:
        """Whether each record is of the first of two tables; None of one table."""
        if not self.pairs.two:
            return None
        return np.array(is_left(cast("arrow.Array", self.pairs.names).to_pylist()), dtype=bool)


def with_key(key: LabelTable, pairs: PairTable) -> PairedTable | None:
    """Return pairs with the records of a key, those that no pair names with a warning.

    Returns
    -------
    PairedTable or None
        None if records have to be looked at one by one: where there are documents, or sources on one side; an item is there
        twice, the two have none in common, or the key is not at hand.
    """
    named_alike = pairs.documents is None and "document" not in key.schema.places
    named_alike = named_alike and pairs.sources == ("source" in key.schema.places)
    if not named_alike or not is_array(pairs.names) or isinstance(key.source, SparkFrame):
        return None
    without_pairs = pairs._replace(first=pairs.first[:0], second=pairs.second[:0], probability=pairs.probability[:0])
    columns, _ = columns_of(key, labels_of_pairs(without_pairs, 1.0))
    rows = Rows(key.source, columns, key.options.nulls).table().sort_by("item")
    item = rows.column("item").combine_chunks()
    if len(item.unique()) < len(item):
        return None
    names = cast("arrow.Array", pairs.names).cast(item.type)
    place = numbers(pc.fill_null(pc.index_in(item, value_set=names), -1))
    lone = place < 0
    if lone.all():
        if min(len(item), len(names)) >= MANY:
            nothing_in_common(key.name, pairs.name, item.slice(0, 3).to_pylist(), names.slice(0, 3).to_pylist(), len(item))
        return None
    place[lone] = len(names) + np.arange(int(lone.sum()))
    if lone.any():
        new = item.filter(arrow.array(lone))
        warn_of_alone(len(new), len(item), key.name, pairs.name, shortened(str(new[0].as_py())))
        names = arrow.concat_arrays([names, new])
    entity = np.full(len(names), -1, dtype=np.int64)
    entity[place] = numbers(rows.column("entity").combine_chunks().dictionary_encode().indices)
    return PairedTable(pairs._replace(names=names), entity)


def decided(paired: PairedTable, *, items: str = "union") -> Columns:
    """Return the counts of pairs as decided; `items` "key" leaves out records that the key does not have."""
    pairs, entity, limit = paired
    decisions, _ = pairs.decided(limit)
    records = PairedRecords(np.zeros(len(entity), dtype=np.int64), 1, paired.left)
    first, second, linked = decisions[:3]
    if items == "key":
        there = entity >= 0
        place = np.cumsum(there) - 1
        listed = there[first] & there[second]
        first, second, linked = place[first[listed]], place[second[listed]], linked[listed]
        records = PairedRecords(records.document[there], 1, None if records.left is None else records.left[there])
        entity = entity[there]
    return counts_of_decisions(entity, ListedPairs(first, second, linked, matches_only=True), records)
