"""Tables as plain Python values: lists of rows, rows by record, and columns by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.exceptions import OptionError
from referee.formats.inputs.plain import ATOM, shape_of
from referee.formats.shared.asked import Asked
from referee.formats.shared.shapes import is_array, members, shown
from referee.formats.tabular.roles import NAMES, folded, has_ends, is_known

Rows = Sequence[Mapping[Any, Any]]


def rows_of(value: object, asked: Asked) -> Rows | None:
    """Return the rows of a table; None if the value is none.

    A list of dicts with a value for each column; `{record: row}`, whose rows have the entity; `{column: values}` and
    `{column: {row: value}}`, as data frames give them.

    Raises
    ------
    OptionError
        If it looks like a table, but nothing says what its columns mean.
    """
    if isinstance(value, list | tuple) and value and all(_is_row(row) for row in value):
        return list(value)
    if not isinstance(value, Mapping) or not value:
        return None
    parts = list(value.values())
    if _are_columns(list(value), asked):
        if all(isinstance(part, Mapping) for part in parts) and len({tuple(part) for part in parts}) == 1:
            return [{column: part[row] for column, part in value.items()} for row in parts[0]]
        if all(isinstance(part, list | tuple) or is_array(part) for part in parts):
            columns = [members(part) for part in parts]
            if len({len(column) for column in columns}) == 1 and all(shape_of(v) == ATOM for c in columns for v in c):
                return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]
    if _looks_like_columns(value):
        found = f"found a column for each of {', '.join(map(shown, list(value)[:3]))}"
        raise OptionError(f"{found}; if this is a table, give the frame itself, and say columns={{'item': ..., 'entity': ...}}")
    return _by_record(value, asked)


def _is_row(value: object) -> bool:
    return isinstance(value, Mapping) and bool(value) and all(isinstance(name, str) for name in value)


def _are_columns(names: Sequence[object], asked: Asked) -> bool:
    """Whether the names are those of the columns of a table: of items and entities, or of both ends of pairs."""
    texts = [name for name in names if isinstance(name, str)]
    if len(texts) < len(names):
        return False
    known = {folded(name) for name in texts}
    labels = all(not known.isdisjoint(NAMES[role]) for role in ("item", "entity"))
    return labels or has_ends(texts) or {*filter(None, asked.columns.values())} >= {*texts[:1]}


def _by_record(value: Mapping[Any, Any], asked: Asked) -> Rows | None:
    """The rows of `{record: row}`; None if the value is none."""
    rows = list(value.values())
    if not all(_is_row(row) and all(shape_of(cell) == ATOM for cell in row.values()) for row in rows):
        return None
    columns = list(rows[0])
    alike = all(list(row) == columns for row in rows)
    named = {*filter(None, asked.columns.values())}
    if alike and (any(folded(c) in NAMES["entity"] for c in columns) or not named.isdisjoint(columns)):
        item = next((name for name in ("item", "record", "referee record") if name not in columns), "item")
        if any(folded(c) in NAMES["item"] for c in columns):
            return rows
        return [{item: record, **row} for record, row in value.items()]
    mixed = any(len({isinstance(cell, str) for cell in row.values()}) > 1 or _has_fraction(row) for row in rows)
    if alike and len(rows) > 1 and (len(columns) == 1 or mixed):
        found = f"found {shown(rows[0])} for each of {len(rows)} names"
        raise OptionError(
            f"{found}; if this is {{record: row}}, give a data frame, {{record: entity}} or columns={{'entity': ...}}"
        )
    return None


def _has_fraction(row: Mapping[Any, Any]) -> bool:
    return any(isinstance(cell, float) and not cell.is_integer() for cell in row.values())


def _looks_like_columns(value: Mapping[Any, Any]) -> bool:
    """Whether a value has the same keys 0, 1, 2, ... for several names, and values of different types: a frame as a dict."""
    parts = [part for part in value.values() if isinstance(part, Mapping)]
    if len(parts) < 2 or len({tuple(part) for part in parts}) > 1 or list(parts[0]) != list(range(len(parts[0]))):
        return False
    return any(map(is_known, map(str, value))) or len({type(cell) for part in parts for cell in part.values()}) > 1
