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
from referee.basics.sides import folded
from referee.formats.shared.shapes import Foreign, is_array, members, shown
from referee.inputs.plain import ATOM, ATOMS, shapes_of
from referee.tabular.roles import DECIDING, NAMES, PROBABILITIES, has_ends, is_known
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
        rows = value if _are_rows(value) else list(map(_row_of_object, value)) if _row_of_object(value[0]) else []
        return ColumnsOfRows(rows) if rows and all(rows) else None
    if names := getattr(getattr(value, "dtype", None), "names", None):
        return {name: value[name].tolist() for name in names}  # type: ignore[index]
    if not isinstance(value, Mapping) or not value or set(map(type, value.values())) <= ATOMS:  # a label for each item
        return None
    if _are_columns(value, options) and (columns := _columns(value)) is not None:
        return columns
    return _by_record(value, options)


def _row_of_object(value: Foreign) -> dict[str, Any]:
    """A row that is a named tuple or an object of a dataclass, some of whose fields are known; nothing if it is none."""
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
    else:
        names = list(getattr(value, "_fields", ())) if isinstance(value, tuple) else []
    return {name: getattr(value, name) for name in names} if any(map(is_known, names)) else {}


def _are_rows(values: Sequence[Any]) -> bool:
    """Whether all are dicts with the names of columns."""
    if not all(issubclass(kind, Mapping) for kind in set(map(type, values))) or not all(values):
        return False
    return all(issubclass(kind, str) for kind in set(map(type, chain.from_iterable(values))))


def _are_columns(value: Mapping[Any, Any], options: ReadOptions) -> bool:
    """Whether the names are those of the columns of a table: of items and entities, or of both ends of pairs.

    Arrays and dicts of these may be those of two documents, if nothing decides about pairs.
    """
    if len(value) > MOST or not all(isinstance(name, str) for name in value):
        return False
    listed = all(isinstance(part, list | tuple) for part in value.values())
    pairs = has_ends([*value]) and (listed or not {*map(folded, value)}.isdisjoint({*PROBABILITIES, *DECIDING}))
    return _are_items(value) or pairs or next(iter(value)) in filter(None, options.columns.values())


def _columns(value: Mapping[Any, Any]) -> Columns | None:
    """The columns of a mapping whose names are those of columns; None if its values are none."""
    parts = list(value.values())
    if all(isinstance(part, Mapping) for part in parts) and len({*map(tuple, parts)}) == 1:
        return {column: [part[row] for row in parts[0]] for column, part in value.items()}
    if not all(isinstance(part, list | tuple) or is_array(part) for part in parts):
        return None
    columns = {name: members(part) for name, part in value.items()}
    if not (any(columns.values()) or _are_items(value)) or not all(shapes_of(column) <= {ATOM} for column in columns.values()):
        return None
    if len({*map(len, parts)}) > 1:
        lengths = ", ".join(f"{len(part)} in {shown(name)}" for name, part in list(columns.items())[:3])
        raise OptionError(f"found columns of different lengths, {lengths}; expected a value for each row")
    return columns


def _are_items(names: Iterable[str]) -> bool:
    """Whether names are those of items and entities."""
    return all(not {*map(folded, names)}.isdisjoint(NAMES[role]) for role in ("item", "entity"))


def _by_record(value: Mapping[Any, Any], options: ReadOptions) -> Columns | None:
    """The columns of `{record: row}`; None if the value is none.

    Rows of the same keys, one of which has the entity. Without it, these may be documents with the same mentions, or a data
    frame as a dict.
    """
    rows = list(value.values())
    if not all(isinstance(row, Mapping) and row for row in rows) or len({*map(tuple, rows)}) > 1:
        return None
    cells = {name: [row[name] for row in rows] for name in rows[0]}
    columns = {name: column for name, column in cells.items() if shapes_of(column) == {ATOM}}
    texts = [name for name in columns if isinstance(name, str)]
    has_entity = any(folded(name) in NAMES["entity"] for name in texts)
    if has_entity or not {*filter(None, options.columns.values())}.isdisjoint(texts):
        item = next((name for name in ("item", "record", "referee record") if name not in columns), "item")
        has_item = any(folded(name) in NAMES["item"] for name in texts)
        return columns if has_item else {item: list(value), **columns}
    if len(rows) > 1 and len(columns) == len(cells) and (len(texts) == len(cells) or list(cells) == list(range(len(cells)))):
        problem = f"found {', '.join(map(shown, list(cells)[:3]))} for each of {len(rows)} names"
        remedy = (
            "give the frame itself or say columns={'entity': ...}; if documents have the same mentions, give their entities"
        )
        raise OptionError(f"{problem}; if this is a table, or {{record: row}}, {remedy} as sets")
    return None
