"""Tables and columns with an index, whatever library holds them.

A table is what gives an Arrow stream of named columns (`__arrow_c_stream__`): data frames of pandas and Polars, tables of
Arrow, relations of DuckDB, and data sets of Hugging Face. It means what the same columns mean in a Parquet file.

A column with an index is a Series of pandas. Its index has the items, and its values are the labels of their entities. An index
that is 0, 1, 2, ... in any order is that of an array of labels; an index of two levels has documents and items.
"""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import FormatError, OptionError, one_line, shortened
from referee.basics.extras import arrow, need
from referee.basics.options.reading import ReadOptions
from referee.basics.sides import folded
from referee.formats.shared.shapes import Foreign, is_collection, shown
from referee.formats.shared.source import Source as TextSource
from referee.inputs.kinds import Input
from referee.inputs.labels import LabelTable
from referee.inputs.pairs import pairs_of
from referee.inputs.plain import corpus_of_labels, empty_corpus
from referee.inputs.sources import Frame, RowSource, SparkFrame
from referee.tabular.arrow import TEXT, is_documents, records_of_table, schema_of, with_numbers
from referee.tabular.doubts import are_row_numbers, joined_records
from referee.tabular.roles import NAMES, TableSchema, are_decisions

FIRST = 1000
"""Rows of which one has several records in a cell, if any has."""


def input_of_source(source: RowSource, options: ReadOptions, role: str, *, probable: bool = False) -> Input:
    """Return what a table of columns is: documents, labels, or pairs.

    Raises
    ------
    FormatError
        If nobody can tell.
    """
    if is_documents(source.schema) and not options.columns and not isinstance(source, SparkFrame):
        text = TextSource(source.name, b"", role=role, options=options)
        table = arrow.Table.from_batches(source.batches(source.schema.names), source.schema)
        return records_of_table(table, text, text.raise_error)
    if not source.schema.names and not source.rows:  # as pandas.DataFrame([]), which is what no rows are
        return empty_corpus(source.name)
    schema = schema_of(source.name, source.fields, options, role, source.rows, probable=probable)
    if options.ids == "number":
        if isinstance(source, SparkFrame):
            raise OptionError(f"--ids number is for tables in files and in memory; found {source.name}, a frame of Spark")
        rows = arrow.Table.from_batches(source.batches(source.schema.names), source.schema)
        source = Frame(with_numbers(rows, schema, options), source.name)
    if schema.kind == "pairs":
        return pairs_of(source, schema, options)
    labels = LabelTable(source, schema, options, role)
    if not isinstance(source, SparkFrame):
        if schema.span and "item" not in options.columns and _count_rows(labels):
            text = TextSource(source.name, b"", role=role, options=options)
            table = arrow.Table.from_batches(source.batches(source.schema.names), source.schema)
            return records_of_table(table, text, text.raise_error)
        if problem := _joined_records(labels):
            raise FormatError(source.name, None, problem)
    if schema.doubt and not isinstance(source, SparkFrame) and _are_decisions(labels):
        raise FormatError(source.name, None, schema.doubt)
    return labels


def _count_rows(labels: LabelTable) -> bool:
    """Whether the items of a table of mentions are the numbers of its rows; the first batch says it of most tables."""
    items: list[str] = []
    for batch in labels.source.batches([labels.field("item").name]):
        items += map(str, batch.column(0).to_pylist())
        if len(items) > 1 and not are_row_numbers(items[:2]):
            return False
    return are_row_numbers(items)


def _joined_records(labels: LabelTable) -> str:
    """What is wrong with cells that have several records each; empty if nothing is, as the first rows of most tables say."""
    if labels.field("item").kind != TEXT:
        return ""
    items: list[str] = []
    entities: set[object] = set()
    for batch in labels.source.batches([labels.field(role).name for role in ("item", "entity")]):
        try:
            if not joined_records([*items, *map(str, batch.column(0)[:FIRST].to_pylist())]):
                return ""
            items += map(str, batch.column(0).to_pylist())
            entities.update(batch.column(1).to_pylist())
        except UnicodeDecodeError:  # an error of its own, when the rows are counted
            return ""
        if len(entities) < len(items):
            return ""
    return joined_records(items)


def _are_decisions(labels: LabelTable) -> bool:
    """Whether all labels say yes or no; the first batch says it of most tables."""
    batches = labels.source.batches([labels.field("entity").name])
    return all(are_decisions(batch.column(0).unique().to_pylist()) for batch in batches if len(batch))


def is_series(value: object) -> TypeGuard[Foreign]:
    """Whether it is a column with an index."""
    # The class is asked: a Series looks for attributes that it does not have among the items of its index, and hashes all.
    dimensions = getattr(value, "ndim", 0)  # of a frame of Spark Connect every name is a column
    return isinstance(dimensions, int) and dimensions == 1 and hasattr(type(getattr(value, "index", None)), "is_unique")


def input_of_series(series: Foreign, source: str, options: ReadOptions, role: str) -> Input:
    """Return the labels of a column: its index has the items, as a column of a table has them.

    Raises
    ------
    OptionError
        If an item has no label; if labels may be decisions about pairs.
    """
    if options.columns:
        raise OptionError(f"--columns is for tables; found {source}, a column whose index has the items")
    if not len(series):
        return empty_corpus(source)
    index = series.index
    if is_collection(series.iloc[0]) and not isinstance(series.iloc[0], tuple):
        expected = "value.tolist(), or value.to_dict() where the index has the names of documents"
        raise OptionError(
            f"{source}: found {shown(series.iloc[0])} for {shown(index[0])}; expected the label of an item, or {expected}"
        )
    if options.nulls == "error" and (missing := series.isna().to_numpy().nonzero()[0].tolist()):
        item = index[missing[0]]
        raise OptionError(f"{source}: {shown(item)} has no entity; expected a label for each item: singletons have their own")
    if index.nlevels > 2:
        raise OptionError(f"{source}: found an index of {index.nlevels} levels; expected items, or documents and items")
    if index.nlevels == 2:
        level = "" if index.names[0] is None else folded(str(index.names[0]))
        if level in NAMES["source"]:  # a record is its source and its id
            return input_of_source(Frame(arrow.table(series.reset_index(name="entity")), source), options, role)
        _refuse_decisions(series, source)
    elif (order := _order_of_places(index)) is not None:
        return corpus_of_labels(np.asarray(series)[order], source, options.nulls)
    levels = [index.get_level_values(level) for level in range(index.nlevels)]
    need("a column whose index has the items", "pyarrow")
    roles = ("document", "item", "entity")[2 - index.nlevels :]
    try:
        columns = [arrow.Array.from_pandas(column.values) for column in (*levels, series)]  # not options as is_series says
        frame = Frame(arrow.table(dict(zip(roles, columns, strict=True))), source)
    except (arrow.ArrowException, ValueError, TypeError, OverflowError) as error:  # values of mixed types
        problem = shortened(one_line(str(error)), 100)
        raise OptionError(f"{source}: found a column that Arrow cannot hold ({problem}); expected values of one type") from None
    schema_of(source, frame.fields, ReadOptions(), role, frame.rows)
    schema = TableSchema("labels", {role: place for place, role in enumerate(roles)})
    return LabelTable(Frame(with_numbers(frame.table, schema, options), source), schema, options, role)


def _order_of_places(index: Foreign) -> Ints | None:
    """The rows of an index that has 0, 1, 2, ... in any order, in this order; None of another."""
    if index.dtype.kind not in "iuf":
        return None
    places, wanted = np.asarray(index), np.arange(len(index))
    if (places == wanted).all():
        return wanted
    return np.argsort(places) if (np.sort(places) == wanted).all() else None


def _refuse_decisions(series: Foreign, source: str) -> None:
    """Raise OptionError for a column whose index has documents and items, or both records of pairs."""
    labels = series.tolist()
    if {*map(type, labels)} <= {bool, int, float} and {*labels} <= {0, 1}:  # two of these are True and False
        problem = (
            f"found 0 or 1 for each of {shown(series.index[0])}, ...: labels of documents and items, or decisions about pairs"
        )
        frame = "value.rename_axis(['document', 'item']).reset_index(name='entity')"
        raise OptionError(f"{source}: {problem}? Expected a table: {frame}, or ['id1', 'id2'] and 'label' for pairs")
