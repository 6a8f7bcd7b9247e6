"""Tables as plain Python values: lists of rows, rows by record, and columns by name.

A row is a dict, a named tuple, or an object of a dataclass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import chain
from typing import Any

from referee.basics.exceptions import OptionError
from referee.basics.options.reading import ReadOptions
from referee.formats.shared.shapes import Foreign, is_array, members, shown
from referee.inputs.plain import ATOM, ATOMS, shapes_of
from referee.tabular.roles import DECIDING, NAMES, PROBABILITIES, folded, has_ends, is_known
from referee.tabular.values import ColumnsOfRows

Columns = Mapping[str, Sequence[Any]]

MOST = 10_000
"""Columns of a table, at most: a dict with more keys has those of records or mentions."""


def columns_of_table(value: object, options: ReadOptions) -> Columns | None:
    """Return the columns of a table; None if the value is none.

    A list of rows with a value for each column; `{record: row}`, whose rows have the entity; `{column: values}`,
    `{column: {row: value}}` and arrays with named fields, as data frames give them.

    Raises
    ------
    OptionError
        If it looks like a table, but nothing says what its columns mean, or they have different lengths.
    """
    if isinstance(value, list | tuple) and value:
        if _are_rows(value):
            return ColumnsOfRows(value)
        rows = list(map(_row_of_object, value)) if _row_of_object(value[0]) else []
        return ColumnsOfRows(rows) if rows and all(rows) else None
    if names := getattr(getattr(value, "dtype", None), "names", None):
        return {name: value[name].tolist() for name in names}  # type: ignore[index]
    if not isinstance(value, Mapping) or not value or set(map(type, value.values())) <= ATOMS:  # a label for each item
        return None
    if _are_columns(value, options) and (columns := _columns(value)) is not None:
        return columns
    if _looks_like_columns(value):
        problem = f"found a column for each of {', '.join(map(shown, list(value)[:3]))}"
        raise OptionError(
            f"{problem}; if this is a table, give the frame itself, and say columns={{'item': ..., 'entity': ...}}"
        )
    return _by_record(value, options)


def _columns(value: Mapping[Any, Any]) -> Columns | None:
    """The columns of a mapping whose names are those of columns; None if its values are none."""
    parts = list(value.values())
    if all(isinstance(part, Mapping) for part in parts) and len({tuple(part) for part in parts}) == 1:
        return {column: [part[row] for row in parts[0]] for column, part in value.items()}
    if not all(isinstance(part, list | tuple) or is_array(part) for part in parts):
        return None
    columns = {name: members(part) for name, part in value.items()}
    if not (any(columns.values()) or _are_items(value)) or not all(shapes_of(column) <= {ATOM} for column in columns.values()):
        return None
    if len({*map(len, parts)}) == 1:
        return columns
    if any(map(is_array, parts)):  # those of documents
        return None
    lengths = ", ".join(f"{len(part)} in {shown(name)}" for name, part in list(columns.items())[:3])
    raise OptionError(f"found columns of different lengths, {lengths}; expected a value for each row")


def _row_of_object(value: Foreign) -> dict[str, Any]:
    """A row that is a named tuple or an object of a dataclass, some of whose fields are known; nothing if it is none."""
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
    else:
        names = list(getattr(value, "_fields", ())) if isinstance(value, tuple) else []
    return {name: getattr(value, name) for name in names} if any(map(is_known, names)) else {}


def _are_rows(values: Sequence[Any]) -> bool:
    """Whether all are dicts with the names of columns."""
    if not isinstance(values[0], Mapping) or not all(issubclass(kind, Mapping) for kind in set(map(type, values))):
        return False
    return all(values) and all(issubclass(kind, str) for kind in set(map(type, chain.from_iterable(values))))


def _are_columns(value: Mapping[Any, Any], options: ReadOptions) -> bool:
    """Whether the names are those of the columns of a table: of items and entities, or of both ends of pairs.

    Arrays and dicts of these may be those of two documents, if nothing decides about pairs.
    """
    if len(value) > MOST or not all(isinstance(name, str) for name in value):
        return False
    texts = list(value)
    folded_names = {folded(name) for name in texts}
    labels = _are_items(texts)
    listed = all(isinstance(part, list | tuple) for part in value.values())
    pairs = has_ends(texts) and (listed or not folded_names.isdisjoint({*PROBABILITIES, *DECIDING}))
    return labels or pairs or {*filter(None, options.columns.values())} >= {*texts[:1]}


def _are_items(names: Iterable[str]) -> bool:
    """Whether names are those of items and entities."""
    folded_names = {*map(folded, names)}
    return all(not folded_names.isdisjoint(NAMES[role]) for role in ("item", "entity"))


def _by_record(value: Mapping[Any, Any], options: ReadOptions) -> Columns | None:
    """The columns of `{record: row}`; None if the value is none."""
    rows = list(value.values())
    if not _are_rows(rows):
        return None
    first = tuple(rows[0])
    alike = all(map(first.__eq__, map(tuple, rows)))
    complete = {name: [row[name] for row in rows] for name in rows[0] if all(name in row for row in rows)}
    columns = {name: cells for name, cells in complete.items() if shapes_of(cells) == {ATOM}}
    if len(columns) < len(rows[0]) and not (alike and any(folded(c) in NAMES["entity"] for c in columns)):
        return None
    named = {*filter(None, options.columns.values())}
    if alike and (any(folded(c) in NAMES["entity"] for c in columns) or not named.isdisjoint(columns)):
        item = next((name for name in ("item", "record", "referee record") if name not in columns), "item")
        if any(folded(c) in NAMES["item"] for c in columns):
            return columns
        return {item: list(value), **columns}
    if alike and len(rows) > 1 and (len(columns) == 1 or len(rows) > 2 or any(map(_are_mixed, rows))):
        problem = f"found {', '.join(map(shown, list(columns)[:3]))} for each of {len(rows)} names"
        remedy = (
            "say columns={'entity': ...}, or give {record: entity}; if documents have the same mentions, give their entities"
        )
        raise OptionError(f"{problem}; if this is {{record: row}}, {remedy} as sets")
    return None


def _are_mixed(row: Mapping[Any, Any]) -> bool:
    """Whether some cells of a row are text and others not, or one is a fraction."""
    fraction = any(isinstance(cell, float) and not cell.is_integer() for cell in row.values())
    return fraction or len({isinstance(cell, str) for cell in row.values()}) > 1


def _looks_like_columns(value: Mapping[Any, Any]) -> bool:
    """Whether a value has the same keys 0, 1, 2, ... for several names, and values of different types: a frame as a dict."""
    parts = [part for part in value.values() if isinstance(part, Mapping)]
    if len(parts) < 2 or len({tuple(part) for part in parts}) > 1 or list(parts[0]) != list(range(len(parts[0]))):
        return False
    return any(map(is_known, map(str, value))) or len({type(cell) for part in parts for cell in part.values()}) > 1
