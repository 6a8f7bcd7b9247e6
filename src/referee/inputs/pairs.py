"""Pairs of records, read as columns, and the labels that links make of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, inverse
from referee.basics.exceptions import FormatError, counted, warn
from referee.basics.extras import arrow, pc
from referee.basics.options.reading import ReadOptions
from referee.inputs.sources import RowSource
from referee.tabular.arrow import BINARY, INTEGER, NULL, TEXT, Field, ids, numbers, plain
from referee.tabular.labels import BETWEEN, has_words, remedy_of_gaps, slash
from referee.tabular.missing import absent
from referee.tabular.pairs import EXPECTED, SIDES, PairTable, check_sides, probability_of
from referee.tabular.roles import TableSchema
from referee.tabular.values import IDS


def pairs_of(source: RowSource, schema: TableSchema, options: ReadOptions) -> PairTable:
    """Read pairs.

    Raises
    ------
    FormatError
        If an end is missing, or a probability is none; if the columns cannot be ends of pairs.
    """
    read = _PairReader(source, schema, options)
    parts = list(read.parts())
    if read.gaps and options.nulls == "drop":
        warn(f"{source.name} has {counted(read.gaps, 'row')} without a value ({read.gap}), left out: --nulls drop")
    elif read.gaps:
        problem = f"has {counted(read.gaps, 'row')} without a value ({read.gap}); expected {EXPECTED}"
        raise FormatError(
            source.name, None, f"{problem}: {remedy_of_gaps(options.nulls, 'two records', words=has_words(read.gap))}"
        )
    ends = [part.ends[side] for side in (0, 1) for part in parts]
    names, codes = _numbered(arrow.chunked_array(ends, read.type))
    documents = None
    if "document" in schema.places:
        document = [part.document for part in parts if part.document is not None]
        documents_of, document_codes = _numbered(arrow.chunked_array(document, _type_of(read.field("document"))))
        both, codes = np.unique(np.concatenate([document_codes, document_codes]) * len(names) + codes, return_inverse=True)
        names, documents = names.take(arrow.array(both % len(names))), documents_of.take(arrow.array(both // len(names)))
    first, second = codes.reshape(2, -1)
    probability = np.concatenate([part.probability for part in parts]) if parts else np.empty(0)
    pairs = PairTable(
        source.name,
        names,
        documents,
        first,
        second,
        probability,
        schema.decision,
        schema.two,
        "parquet",
        "left_source" in schema.places,
    )
    check_sides(pairs, schema)
    return pairs


class _BatchPairs(NamedTuple):
    """The pairs of a batch."""

    ends: list[arrow.Array]
    document: arrow.Array | None
    probability: Floats


class _PairReader:
    """Reads the batches of a table of pairs; counts rows in which something is missing."""

    def __init__(self, source: RowSource, schema: TableSchema, options: ReadOptions) -> None:
        self.source, self.schema, self.options = source, schema, options
        self.fields = source.fields
        self.gaps, self.gap = 0, ""
        one, other = (self.field(side) for side in SIDES)
        kinds = {field.kind for field in (one, other)} - {NULL}
        if len(kinds) > 1:
            problem = f"columns {one.name} and {other.name} are {one.type} and {other.type}"
            raise FormatError(source.name, None, f"{problem}; expected both integers, or both text: cast them")
        named = "left_source" in schema.places or schema.two
        self.type = arrow.large_string() if named else _type_of(one if one.kind != NULL else other)

    def field(self, role: str) -> Field:
        """The column of a role."""
        return self.fields[self.schema.places[role]]

    def parts(self) -> Iterator[_BatchPairs]:
        """The pairs of each batch that are complete."""
        roles = list(self.schema.places)
        named = {self.field(role).name for role in roles if role in IDS}
        before = 0
        for raw in self.source.batches(list(dict.fromkeys(self.field(role).name for role in self.schema.places))):
            columns = [
                ids(plain(column), name, self.source.name) if name in named else plain(column)
                for name, column in zip(raw.schema.names, raw.columns, strict=True)
            ]
            rows = arrow.RecordBatch.from_arrays(columns, raw.schema.names)
            gap = np.zeros(len(rows), dtype=bool)
            for role in roles:
                gap |= absent(rows.column(self.field(role).name), self.options.nulls)
            batch = rows
            if gap.any():
                self.gaps += int(gap.sum())
                cells = {role: rows.column(self.field(role).name)[int(gap.argmax())].as_py() for role in roles}
                self.gap = self.gap or ", ".join(f"{r} {v or 'empty'}" for r, v in cells.items())
                batch = rows.filter(pc.invert(arrow.array(gap)))
            probability = np.ones(len(batch))
            if self.schema.decision:
                field = self.field(self.schema.decision)
                probability = _probabilities(self.source, field, batch.column(field.name), before)
            document = None
            if "document" in self.schema.places:
                document = self._column(batch, "document", _type_of(self.field("document")))
            yield _BatchPairs([self._end(batch, side) for side in SIDES], document, probability)
            before += len(rows)

    def _end(self, batch: arrow.RecordBatch, side: str) -> arrow.Array:
        """The records of one side, called as in text."""
        end = self._column(batch, side, self.type)
        if "left_source" in self.schema.places:
            source = self._column(batch, f"{side}_source", arrow.large_string())
            if problem := next(filter(None, map(slash, source.unique().to_pylist())), ""):
                raise FormatError(self.source.name, None, problem)
            end = _joined(source, BETWEEN, end)
        return _joined(f"{side}{BETWEEN}", end) if self.schema.two else end

    def _column(self, batch: arrow.RecordBatch, role: str, type: arrow.DataType) -> arrow.Array:
        return batch.column(self.field(role).name).cast(type)


def _joined(*texts: arrow.Array | str) -> arrow.Array:
    large = arrow.large_string()
    parts = [arrow.scalar(text, large) if isinstance(text, str) else text for text in (*texts, "")]
    return pc.binary_join_element_wise(*parts)


def _type_of(field: Field) -> arrow.DataType:
    return {INTEGER: arrow.int64(), BINARY: arrow.large_binary()}.get(field.kind, arrow.large_string())


def _probabilities(source: RowSource, field: Field, column: arrow.Array, before: int) -> Floats:
    """Probabilities, or decisions: numbers from 0 to 1, or yes and no."""
    try:
        if field.kind == TEXT:
            decided = (probability_of(text or "") for text in column.to_pylist())
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
    wrong = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(wrong):
        value, row = column[int(wrong[0])].as_py(), before + int(wrong[0]) + 1
        problem = f"has {value!r} as {field.name} in row {row}; expected a number from 0 to 1, or yes or no"
        raise FormatError(source.name, None, problem)
    return values


def _numbered(column: arrow.Array) -> tuple[arrow.Array, Ints]:
    """The different values, ascending, and the number of each row's value."""
    encoded = column.combine_chunks().dictionary_encode()
    if isinstance(encoded, arrow.ChunkedArray):
        encoded = encoded.chunk(0) if encoded.num_chunks else arrow.array([], column.type).dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    return encoded.dictionary.take(order), inverse(numbers(order))[numbers(encoded.indices)]
