"""Pairs of records, read as columns, and the labels that links make of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from referee.algorithms.arrays import Floats, Ints, inverse
from referee.basics.exceptions import FormatError, counted, warn
from referee.basics.extras import arrow, pc
from referee.basics.options.reading import ReadOptions
from referee.inputs.sources import RowSource
from referee.tabular.arrow import BINARY, INTEGER, NULL, TEXT, Field, ids, numbers, plain
from referee.tabular.labels import BETWEEN, has_words, remedy_of_gaps, slash
from referee.tabular.missing import absent
from referee.tabular.pairs import EXPECTED, SIDES, PairTable, check_sides, expected_number, probability_of
from referee.tabular.roles import IDS, TableSchema


def pairs_of(source: RowSource, schema: TableSchema, options: ReadOptions) -> PairTable:
    """Read pairs.

    Raises
    ------
    FormatError
        If an end is missing, or a probability is none; if the columns cannot be ends of pairs.
    """
    fields = {role: source.fields[place] for role, place in schema.places.items()}
    type_of_ends = _type_of_ends(source, schema, fields)
    ends: dict[str, list[arrow.Array]] = {side: [] for side in SIDES}
    documents: list[arrow.Array] = []
    probabilities = [np.empty(0)]
    before = gaps = 0
    gap = ""
    for raw in source.batches(list(dict.fromkeys(field.name for field in fields.values()))):
        columns = {role: plain(raw.column(field.name)) for role, field in fields.items()}
        columns |= {role: ids(columns[role], field.name, source.name) for role, field in fields.items() if role in IDS}
        if schema.alone:
            first, second = (columns[side] for side in SIDES)
            is_alone = arrow.array(absent(second, options.nulls))
            columns["right"] = pc.if_else(is_alone, first, second.cast(first.type))
        rows = arrow.RecordBatch.from_arrays(list(columns.values()), list(columns))
        lacking = np.zeros(len(rows), dtype=bool)
        for column in rows.columns:
            lacking |= absent(column, options.nulls)
        if lacking.any():
            gaps += int(lacking.sum())
            cells = rows.slice(int(lacking.argmax()), 1).to_pylist()[0]
            gap = gap or ", ".join(f"{role} {value or 'empty'}" for role, value in cells.items())
            rows = rows.filter(pc.invert(arrow.array(lacking)))
        for side in SIDES:
            ends[side].append(_called(rows, side, type_of_ends, source.name, schema))
        if "document" in fields:
            documents.append(rows.column("document").cast(_type_of(fields["document"])))
        if schema.decision:
            decided = rows.column(schema.decision)
            probabilities.append(_probabilities(source, fields[schema.decision], decided, before, schema.decision))
        else:
            probabilities.append(np.ones(len(rows)))
        before += raw.num_rows
    if gaps and options.nulls == "drop":
        warn(f"{source.name} has {counted(gaps, 'row')} without a value ({gap}), left out: --nulls drop")
    elif gaps:
        problem = f"has {counted(gaps, 'row')} without a value ({gap}); expected {EXPECTED}"
        remedy = remedy_of_gaps(options.nulls, "two records", words=has_words(gap))
        raise FormatError(source.name, None, f"{problem}: {remedy}")
    names, codes = _numbered(arrow.chunked_array([*ends["left"], *ends["right"]], type_of_ends))
    of_records = None
    if "document" in fields:
        document_names, number = _numbered(arrow.chunked_array(documents, _type_of(fields["document"])))
        both, codes = np.unique(np.concatenate([number, number]) * len(names) + codes, return_inverse=True)
        of_records = document_names.take(arrow.array(both // len(names)))
        names = names.take(arrow.array(both % len(names)))
    first, second = codes.reshape(2, -1)
    pairs = PairTable(
        source.name, names, of_records, first, second, np.concatenate(probabilities), schema.decision, schema.two, "parquet",
        "left_source" in fields, schema.origin([field.name for field in source.fields], options),
    )  # fmt: skip
    check_sides(pairs, schema)
    return pairs


def _type_of_ends(source: RowSource, schema: TableSchema, fields: Mapping[str, Field]) -> arrow.DataType:
    """The type of the names of records; FormatError if the two ends have different ones."""
    left, right = (fields[side] for side in SIDES)
    if len({left.kind, right.kind} - {NULL}) > 1:
        problem = f"columns {left.name} and {right.name} are {left.type} and {right.type}"
        raise FormatError(source.name, None, f"{problem}; expected both integers, or both text: cast them")
    return arrow.large_string() if "left_source" in fields or schema.two else _type_of(left if left.kind != NULL else right)


def _called(rows: arrow.RecordBatch, side: str, type: arrow.DataType, name: str, schema: TableSchema) -> arrow.Array:
    """The records of one side, called as in text."""
    end = rows.column(side).cast(type)
    if "left_source" in schema.places:
        source = rows.column(f"{side}_source").cast(arrow.large_string())
        if problem := next(filter(None, map(slash, source.unique().to_pylist())), ""):
            raise FormatError(name, None, problem)
        end = _joined(source, BETWEEN, end)
    return _joined(f"{side}{BETWEEN}", end) if schema.two else end


def _joined(*texts: arrow.Array | str) -> arrow.Array:
    large = arrow.large_string()
    parts = [arrow.scalar(text, large) if isinstance(text, str) else text for text in (*texts, "")]
    return pc.binary_join_element_wise(*parts)


def _type_of(field: Field) -> arrow.DataType:
    return {INTEGER: arrow.int64(), BINARY: arrow.large_binary()}.get(field.kind, arrow.large_string())


def _probabilities(source: RowSource, field: Field, column: arrow.Array, before: int, role: str) -> Floats:
    """Probabilities, or decisions: numbers from 0 to 1, or yes and no."""
    try:
        if field.kind == TEXT:
            decided = (probability_of(text or "", role) for text in column.to_pylist())
            values = np.array([np.nan if value is None else value for value in decided], dtype=np.float64)
        else:
            whole = column.cast(arrow.uint8()) if arrow.types.is_boolean(column.type) else column
            floats = pc.fill_null(whole.cast(arrow.float64()), np.nan)
            values = (
                np.frombuffer(floats.buffers()[1], np.float64, len(floats), floats.offset * 8) if len(floats) else np.empty(0)
            )
    except (ValueError, arrow.ArrowException):
        problem = f"column {field.name} is {field.type}; expected numbers from 0 to 1, or yes and no"
        raise FormatError(source.name, None, problem) from None
    wrong = np.flatnonzero(~(np.isfinite(values) if role == "score" else (values >= 0) & (values <= 1)))
    if len(wrong):
        value, row = column[int(wrong[0])].as_py(), before + int(wrong[0]) + 1
        problem = f"has {value!r} as {field.name} in row {row}; expected {expected_number(str(value), role)}"
        raise FormatError(source.name, None, problem)
    return values


def _numbered(column: arrow.Array) -> tuple[arrow.Array, Ints]:
    """The different values, ascending, and the number of each row's value."""
    encoded = column.combine_chunks().dictionary_encode()
    if isinstance(encoded, arrow.ChunkedArray):
        encoded = encoded.chunk(0) if encoded.num_chunks else arrow.array([], column.type).dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    return encoded.dictionary.take(order), inverse(numbers(order))[numbers(encoded.indices)]
