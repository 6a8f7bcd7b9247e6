"""Tables of Arrow, from a file or from a library: their columns say what they mean.

``coref_chains`` and ``sentences``
    documents of coref-data, a row each
``clusters``, ``predicted_clusters`` or another nested column that only documents have
    documents of `jsonlines`, `maverick` and other formats with a JSON object a line, a row each
any others
    records: pairs, or items with their entities
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import FormatError, OptionError, shortened
from referee.basics.extras import arrow, pc
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus, CorpusBuilder
from referee.formats.json_documents import CLUSTERS, corpus_of_json
from referee.formats.shared import coref_data
from referee.formats.shared.shapes import EXACT, WHOLE
from referee.formats.shared.source import OnError, Source
from referee.tabular.reading import Records, records_of
from referee.tabular.roles import IDS, TableSchema, UnclearError, infer_schema
from referee.tabular.text import names_between, records_as_numbers
from referee.tabular.values import value_table

DOCUMENT = {"sentences", "coref_chains"}
ROWS = 256
"""Documents that are decoded at a time."""

INTEGER, TEXT, BINARY, NULL = "int64", "text", "binary", "null"
"""The kinds of ids: integers of any width or as floats, text, bytes such as UUIDs; and columns without a value."""


class Field(NamedTuple):
    """A column of a table: its name, its kind (empty if it cannot hold ids), and its type as messages show it."""

    name: str
    kind: str
    type: str


def fields_of(schema: arrow.Schema) -> list[Field]:
    """The columns of an Arrow schema."""
    return [Field(field.name, _kind(field.type), str(field.type)) for field in schema]


def _kind(kind: arrow.DataType) -> str:
    types = arrow.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    kind = getattr(kind, "storage_type", kind)  # of an extension such as UUIDs
    if types.is_integer(kind) or types.is_floating(kind):
        return INTEGER
    if types.is_null(kind):
        return NULL
    if types.is_string(kind) or types.is_large_string(kind) or str(kind) == "string_view":
        return TEXT
    is_binary = (
        types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind) or str(kind) == "binary_view"
    )
    return BINARY if is_binary else ""


def numbers(column: arrow.Array) -> Ints:
    """Return the integers of a column of Arrow without NULLs, as int64; `to_numpy` would import pandas."""
    chunks = [chunk for chunk in getattr(column, "chunks", [column]) if len(chunk)]
    width = np.dtype(str(column.type))
    parts = [np.frombuffer(c.buffers()[1], width, len(c), c.offset * width.itemsize) for c in chunks]
    joined = np.concatenate(parts) if len(parts) > 1 else parts[0] if parts else np.empty(0)
    integers: Ints = joined.astype(np.int64, copy=False)
    return integers


def texts(column: arrow.Array) -> Sequence[str]:
    """Return the values of a column without NULLs as texts, if possible as names."""
    if arrow.types.is_integer(column.type) or arrow.types.is_large_string(column.type):
        column = column.cast(arrow.large_string())
        column = column.combine_chunks() if hasattr(column, "chunks") else column
        _, offsets, raw = column.buffers()
        borders = np.frombuffer(offsets, np.int64, len(column) + 1, 8 * column.offset) if len(column) else np.zeros(1, np.int64)
        data = np.concatenate([np.frombuffer(raw or b"", np.uint8)[: borders[-1]], np.zeros(8, np.uint8)])
        names = names_between(data, borders[:-1], borders[1:]) if data[borders[0] : -8].all() else None
        if names is not None:
            return names
    return list(map(str, column.to_pylist()))


def is_documents(schema: arrow.Schema) -> bool:
    """Whether a row is a document."""
    return {*schema.names} >= DOCUMENT or _has_clusters(schema)


def schema_of(
    name: str, fields: Sequence[Field], options: ReadOptions, role: str, rows: int | None, *, probable: bool = False
) -> TableSchema:
    """What the columns of a table mean, which has so many rows, if that is known.

    Raises
    ------
    FormatError
        If nobody can tell, or a column with ids has a type that no id has.
    """
    names = [field.name for field in fields]
    if twice := next((column for column in names if names.count(column) > 1), None):
        raise FormatError(name, None, f"has two columns called {shortened(repr(twice))}; expected different names")

    try:
        schema = infer_schema(names, options, role, probable=probable)
    except UnclearError as unclear:
        raise FormatError(name, None, str(unclear)) from None
    for role_name, place in schema.places.items():
        if role_name in IDS and not fields[place].kind and rows != 0:
            problem = f"column {names[place]} is {fields[place].type}; expected {_remedy(fields[place], role_name)}"
            raise FormatError(name, None, problem)
    return schema


def _remedy(field: Field, role: str) -> str:
    """What is expected of a column that cannot hold ids."""
    change = "a row for each value, as DataFrame.explode makes them" if "list" in str(field.type) else "cast this one"
    return f"integers or text for the {role}: name another column with --columns {role}=NAME, or {change}"


def columns_of(schema: arrow.Schema, source: str) -> list[str]:
    """The columns that are read of a table with this schema.

    Raises
    ------
    FormatError
        If two have one name.
    """
    if twice := next((name for name in schema.names if schema.names.count(name) > 1), None):
        raise FormatError(source, None, f"has two columns called {shortened(repr(twice))}; expected different names")
    if {*schema.names} >= DOCUMENT:
        return [name for name in ("id", *sorted(DOCUMENT)) if name in schema.names]
    return list(schema.names) if _has_clusters(schema) else [field.name for field in schema if not _is_nested(field.type)]


def records_of_batches(
    schema: arrow.Schema, batches: Iterable[arrow.RecordBatch], source: Source, on_error: OnError, *, probable: bool = False
) -> Records:
    """The records, or the documents, of a table, given as batches of rows with the columns that are read."""
    if {*schema.names} >= DOCUMENT:
        builder = CorpusBuilder(source.name)
        for batch in batches:
            for row in batch.to_pylist():
                coref_data.add(row, builder, on_error)
        return builder.corpus()
    if _has_clusters(schema):
        return _of_documents(arrow.Table.from_batches(batches, schema), source)
    table = arrow.Table.from_batches(batches, schema)
    fields = fields_of(schema)
    table_schema = schema_of(source.name, fields, source.options, source.role, table.num_rows, probable=probable)
    return records_of_columns(table, table_schema, source, on_error)


def records_of_table(table: arrow.Table, source: Source, on_error: OnError, *, probable: bool = False) -> Records:
    """The records, or the documents, of a table."""
    read = table.select(columns_of(table.schema, source.name))
    return records_of_batches(read.schema, read.to_batches(ROWS), source, on_error, probable=probable)


def records_of_columns(table: arrow.Table, table_schema: TableSchema, source: Source, on_error: OnError) -> Records:
    """The records of the columns of a table that mean something. Messages count lines: the first row is line 2."""
    columns: dict[str, list[object]] = {}
    for role, place in table_schema.places.items():
        name = table.schema.names[place]
        column = plain(table.column(place).combine_chunks())
        columns[name] = (ids(column, name, source.name) if role in IDS else column).to_pylist()
    for place in table_schema.span:
        columns[table.schema.names[place]] = table.column(place).to_pylist()
    lines = range(2, table.num_rows + 2)
    return records_of(value_table(source.name, columns, source.options, source.role, on_error, lines=lines), source, on_error)


def plain(column: arrow.Array) -> arrow.Array:
    """The array without a dictionary, an extension type, or views: few functions of Arrow work with these."""
    column = getattr(column, "storage", column)
    if hasattr(column, "indices"):
        return plain(column.dictionary).take(column.indices)
    return column.cast(arrow.large_string()) if str(column.type) == "string_view" else column


def with_numbers(table: arrow.Table, schema: TableSchema, options: ReadOptions) -> arrow.Table:
    """The same with the ids of records that are whole numbers in texts written as such, if that is asked for."""
    for place in records_as_numbers(schema, options):
        name, column = table.schema.names[place], table.column(place)
        if _kind(column.type) == TEXT:
            texts = pc.utf8_trim_whitespace(column.cast(arrow.large_string()))
            numbers = pc.replace_substring_regex(texts, r"^(-?)0*([0-9]+?)(\.0+)?$", r"\1\2")
            table = table.set_column(place, name, pc.if_else(pc.equal(numbers, "-0"), "0", numbers))
    return table


def ids(column: arrow.Array, name: str, source: str) -> arrow.Array:
    """The values of a column that `plain` gave as ids: texts without blanks around, floats as whole numbers, NaN as NULL.

    As in Python, 2.0 is 2: pandas makes floats of integers as soon as one is missing.

    Raises
    ------
    FormatError
        If a float has a fraction, or is so large that it may have been another integer.
    """
    if arrow.types.is_string(column.type) or arrow.types.is_large_string(column.type):
        return pc.ascii_trim_whitespace(column)
    if not arrow.types.is_floating(column.type):
        return column
    column = column.cast(arrow.float64())
    column = pc.if_else(pc.is_nan(column), None, column)
    wrong = pc.or_(pc.not_equal(column, pc.floor(column)), pc.greater_equal(pc.abs(column), EXACT))
    if pc.sum(wrong).as_py():
        value = column.filter(wrong)[0].as_py()
        raise FormatError(source, None, f"has {value!r} in the column {name}; expected {WHOLE}")
    return column.cast(arrow.int64())


def _is_nested(type: arrow.DataType) -> bool:
    nested: bool = arrow.types.is_nested(type)
    return nested


def _has_clusters(schema: arrow.Schema) -> bool:
    return any(field.name in CLUSTERS and _is_nested(field.type) for field in schema)


def _of_documents(table: arrow.Table, source: Source) -> Corpus:
    rows = [{key: part for key, part in row.items() if part is not None} for row in table.to_pylist()]
    if not rows:
        return CorpusBuilder(source.name).corpus()
    try:
        return corpus_of_json(rows, source.name, source.role)
    except OptionError as error:
        raise FormatError(source.name, None, str(error).removeprefix(f"{source.name}: ")) from None
