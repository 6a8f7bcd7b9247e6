"""`TablePair`: key and response of two tables. Their mentions are made only when something asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from referee.algorithms.arrays import starts_of_runs
from referee.basics.extras import arrow, pc
from referee.basics.options.options import Options
from referee.corpus import Corpus
from referee.corpus.layers import DecidedPairs
from referee.inputs.labels import MOST, check_rows
from referee.matching.pair import Pair, pair_of
from referee.metrics.scores import Scores
from referee.tables.counting import TwoTables
from referee.tables.paired import PairedTable
from referee.tables.rows import Rows
from referee.tabular.arrow import numbers, texts
from referee.tabular.labels import numbered

UNNAMED = "#1"
"""The document of a table without documents."""


@dataclass(frozen=True, eq=False, repr=False)
class TablePair:
    """Key and response of two tables, and the pairs of a response of pairs; mentions are made when something asks for them."""

    tables: TwoTables
    options: Options
    paired: PairedTable | None = None

    @property
    def key_name(self) -> str:
        """Where the key came from."""
        return self.tables.key.source.name

    @property
    def has_mentions(self) -> bool:
        """Whether the tables are known to be small enough for mentions to be made of them."""
        sizes = self.tables.key.source.rows, self.tables.response.source.rows
        return all(rows is not None and rows <= MOST for rows in sizes)

    @cached_property
    def pair(self) -> Pair:
        """Key and response with their mentions."""
        return _pair(self.tables, self.options, self.paired)


def compared_of(scores: Scores) -> Pair | TablePair | None:
    """What was scored; None for stored scores, which have counts alone."""
    compared: Pair | TablePair | None = getattr(scores, "compared", None)
    return compared


def pair_of_scores(scores: Scores) -> Pair | None:
    """The same with mentions, which are made of tables now."""
    compared = compared_of(scores)
    return compared.pair if isinstance(compared, TablePair) else compared


def _pair(tables: TwoTables, options: Options, paired: PairedTable | None) -> Pair:
    """Key and response with their mentions."""
    for side in (tables.key, tables.response):
        check_rows(side.source.rows)
    key, response = (Rows(*side, tables.rules.nulls).table() for side in (tables.key, tables.response))
    documents: list[object] = [UNNAMED]
    if tables.has_documents:
        of_sides = [set(rows.column("document").unique().to_pylist()) for rows in (key, response)]
        documents = sorted(of_sides[0] if tables.rules.extra_documents == "ignore" else of_sides[0] | of_sides[1])
    of_key, of_response = _corpus(key, documents, tables.names[0]), _corpus(response, documents, tables.names[1])
    if paired is not None:
        of_response = _with_pairs(of_response, paired)
    return pair_of(of_key, of_response, replace(options, extra_documents="score"))


def _with_pairs(response: Corpus, paired: PairedTable) -> Corpus:
    """The response with the pairs as they were decided, which were warned of when they were counted."""
    number = {item: n for n, item in enumerate(response.items or ())}
    mention = np.array([number[name] for name in texts(cast("arrow.Array", paired.pairs.names))], dtype=np.int64)
    each, frame = paired.pairs.decided(paired.limit, quiet=True)
    listed = DecidedPairs(mention[each.first], mention[each.second], each.linked, each.probability)
    return replace(response, decided_pairs=listed, pair_frame=frame)


def _corpus(rows: arrow.Table, documents: Sequence[object], name: str) -> Corpus:
    """The mentions of the rows of these documents; an item that is there twice is a single mention."""
    document = np.zeros(len(rows), dtype=np.int64)
    if "document" in rows.schema.names:
        document = numbers(pc.fill_null(pc.index_in(rows.column("document"), value_set=arrow.array(documents)), -1))
        rows, document = rows.filter(arrow.array(document >= 0)), document[document >= 0]
    named = rows.column("entity").combine_chunks()
    entity, first = numbered(document, numbers(named.dictionary_encode().indices))
    place, doc_ids = np.zeros(len(rows), dtype=np.int32), tuple(map(str, documents))
    ids, items = texts(named.take(arrow.array(first))), texts(rows.column("item"))
    corpus = Corpus(doc_ids, document, place, place, entity, ids, items=items, source=name, kind="labels").in_reading_order()
    new = starts_of_runs(corpus.document, corpus.start)
    return corpus if new.all() else corpus.select(new)
