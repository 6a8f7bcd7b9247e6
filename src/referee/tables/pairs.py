"""Pairs of records, read as columns, and the label tables that links make of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Floats, Ints, inverse, tally
from referee.algorithms.components import joined
from referee.exceptions import FormatError, MismatchError, shortened
from referee.formats.pairs import PROBABILITIES, WORDS, PairColumns, is_probable, pair_columns, threshold_of
from referee.formats.shared.untyped import Untyped
from referee.tables.columns import BINARY, INTEGER, TEXT, Field, columns_of, numbers
from referee.tables.rows import Rows
from referee.tables.sources import Frame, Source

BETWEEN = "/"
"""What stands between a data set and a record, as in pairs that are text."""


class Pairs(NamedTuple):
    """Pairs of records in numbers.

    Parameters
    ----------
    names : Arrow array
        The names of the records, ascending; with documents, those of each document.
    documents : Arrow array or None
        The document of each record.
    first, second : int64, shape (pairs,)
        The numbers of the records of each pair.
    probability : float64, shape (pairs,)
        1 where a table has none.
    """

    names: Untyped
    documents: Untyped
    first: Ints
    second: Ints
    probability: Floats


def is_pairs(fields: Sequence[Field]) -> bool:
    """Whether the columns are the two ends of pairs."""
    return pair_columns([field.name for field in fields], "response") is not None


def labelled(source: Source, threshold: float | None) -> Frame:
    """Return the label table of a response: the entities are what links connect.

    Parameters
    ----------
    source : Source
        Pairs.
    threshold : float or None
        The probability from which on a pair is a link; None to decide by probabilities or labels, as the format `pairs` does.
    """
    pairs = read_pairs(source, probable=threshold is not None)
    links = pairs.probability >= threshold_of(source.name, pairs.probability, threshold)
    label = joined(np.arange(len(pairs.names)), pairs.first[links], pairs.second[links])
    arrow = import_module("pyarrow")
    columns = {} if pairs.documents is None else {"document": pairs.documents}
    return Frame(arrow.table({**columns, "item": pairs.names, "entity": pairs.names.take(arrow.array(label))}), source.name)


def read_pairs(source: Source, *, probable: bool = False) -> Pairs:
    """Read pairs of a response.

    Raises
    ------
    FormatError
        If the columns are no pairs, or have no probabilities where they are needed; if an end is missing, or a probability is
        none.
    """
    arrow, header = import_module("pyarrow"), [field.name for field in source.fields]
    columns = pair_columns(header, "response")
    shown = shortened(", ".join(header), 100)
    if columns is None:
        raise FormatError(source.name, None, f"has the columns {shown}; expected both ends of a pair, such as id1, id2")
    if probable and not is_probable(columns, header):
        problem = f"has the columns {shown}; expected one with probabilities: {', '.join(PROBABILITIES)}"
        raise FormatError(source.name, None, problem)
    parts = list(_parts(source, columns))
    ends = [part.ends[side] for side in (0, 1) for part in parts]
    names, codes = _numbered(arrow.chunked_array(ends, _type(source, columns)))
    documents = None
    if columns.document is not None:
        document = [part.document for part in parts]
        known, of = _numbered(arrow.chunked_array(document, _type_of(source.fields[columns.document])))
        both, codes = np.unique(np.concatenate([of, of]) * len(names) + codes, return_inverse=True)
        names, documents = names.take(arrow.array(both % len(names))), known.take(arrow.array(both // len(names)))
    first, second = codes.reshape(2, -1)
    probability = np.concatenate([part.probability for part in parts]) if parts else np.empty(0)
    return Pairs(names, documents, first, second, probability)


def entities_of(key: Source, names: Untyped) -> tuple[Ints, Ints]:
    """Return the key entity of each record (-1: none), and the sizes of the entities, which are in the order of their items.

    Parameters
    ----------
    key : Source
        A label table of one document.
    names : Arrow array
        The records.

    Raises
    ------
    FormatError, MismatchError
        If rows of the key are incomplete, an item is there twice, or items and records are of different kinds.
    """
    pc, columns = import_module("pyarrow.compute"), columns_of(key.name, key.fields, {})
    rows = Rows(key, columns, None, "error").table().sort_by("item")
    item = rows.column("item")
    if "document" in columns.names and len(rows.column("document").unique()) > 1:
        raise MismatchError(f"{key.name} has several documents; expected items of a single one")
    if item.type != names.type:
        problem = f"the items are {item.type} in {key.name}, and the ends of pairs are {names.type}"
        raise MismatchError(f"{problem}; expected one kind: cast one of them")
    if len(item.unique()) < len(item):
        raise MismatchError(f"{key.name} has an item in two rows; expected each item once")
    encoded = rows.column("entity").combine_chunks()
    entity = numbers(encoded.dictionary_encode().indices) if len(encoded) else np.empty(0, dtype=np.int64)
    place = numbers(pc.fill_null(pc.index_in(item, value_set=names), -1))
    of_record = np.full(len(names), -1, dtype=np.int64)
    of_record[place[place >= 0]] = entity[place >= 0]
    return of_record, tally(entity)


class _Part(NamedTuple):
    """The pairs of a batch."""

    ends: list[Untyped]
    document: Untyped
    probability: Floats


def _parts(source: Source, columns: PairColumns) -> Iterator[_Part]:
    """The pairs of each batch, checked."""
    fields, rows = source.fields, 0
    places = [*columns.ends, *(columns.datasets or ()), columns.decision, columns.document]
    read = list(dict.fromkeys(fields[place].name for place in places if place is not None))
    for batch in source.batches(read):

        def cast(place: int, kind: Untyped) -> Untyped:
            column = _plain(batch.column(fields[place].name))  # noqa: B023  # called at once
            if column.null_count:
                first = int(np.flatnonzero(column.is_null())[0])
                problem = f"has no {fields[place].name} in row {rows + first + 1}"  # noqa: B023
                raise FormatError(source.name, None, f"{problem}; expected two records in every row")
            return column.cast(kind)

        ends = []
        for side, place in enumerate(columns.ends):
            end = cast(place, _type(source, columns))
            end = _joined(columns.tables[side], end) if columns.tables[side] else end
            if columns.datasets is not None:
                end = _joined(cast(columns.datasets[side], import_module("pyarrow").large_string()), BETWEEN, end)
            ends.append(end)
        document = None if columns.document is None else cast(columns.document, _type_of(fields[columns.document]))
        probability = np.ones(len(batch))
        if columns.decision is not None:
            field = fields[columns.decision]
            probability = _probabilities(source, field, _plain(batch.column(field.name)), rows)
        yield _Part(ends, document, probability)
        rows += len(batch)


def _plain(column: Untyped) -> Untyped:
    column = getattr(column, "storage", column)
    return column.dictionary_decode() if hasattr(column, "dictionary_decode") else column


def _joined(*texts: Untyped) -> Untyped:
    arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    large = arrow.large_string()
    parts = [arrow.scalar(text, large) if isinstance(text, str) else text for text in (*texts, "")]
    return pc.binary_join_element_wise(*parts)


def _type(source: Source, columns: PairColumns) -> Untyped:
    """The type of the names of records."""
    one, other = (source.fields[place] for place in columns.ends)
    if one.kind != other.kind or not one.kind:
        problem = f"columns {one.name} and {other.name} are {one.type} and {other.type}"
        raise FormatError(source.name, None, f"{problem}; expected both integers, or both text: cast them")
    named = columns.datasets is not None or any(columns.tables)
    return import_module("pyarrow").large_string() if named else _type_of(one)


def _type_of(field: Field) -> Untyped:
    arrow = import_module("pyarrow")
    return {INTEGER: arrow.int64(), BINARY: arrow.large_binary()}.get(field.kind, arrow.large_string())


def _probabilities(source: Source, field: Field, column: Untyped, before: int) -> Floats:
    """Probabilities, or labels: numbers from 0 to 1, or truth values."""
    arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    try:
        if field.kind == TEXT:
            words = ((text or "nan").strip().lower() for text in column.to_pylist())
            values = np.array([WORDS[word] if word in WORDS else float(word) for word in words])
        else:
            whole = column.cast(arrow.uint8()) if arrow.types.is_boolean(column.type) else column
            floats = pc.fill_null(whole.cast(arrow.float64()), np.nan)
            values = np.frombuffer(floats.buffers()[1], np.float64, len(floats), floats.offset * 8)
    except (ValueError, arrow.ArrowException):
        problem = f"column {field.name} is {field.type}; expected numbers from 0 to 1, or true and false"
        raise FormatError(source.name, None, problem) from None
    wrong = np.flatnonzero(~((values >= 0) & (values <= 1)))
    if len(wrong):
        value, row = column[int(wrong[0])].as_py(), before + int(wrong[0]) + 1
        raise FormatError(source.name, None, f"has {value!r} as {field.name} in row {row}; expected a number from 0 to 1")
    return values


def _numbered(column: Untyped) -> tuple[Untyped, Ints]:
    """The different values, ascending, and the number of each row's value."""
    arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    encoded = column.combine_chunks().dictionary_encode()
    if isinstance(encoded, arrow.ChunkedArray):
        encoded = encoded.chunk(0) if encoded.num_chunks else arrow.array([], column.type).dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    return encoded.dictionary.take(order), inverse(numbers(order))[numbers(encoded.indices)]
