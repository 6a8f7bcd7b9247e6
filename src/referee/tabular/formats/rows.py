"""Records as rows of JSON: an object a line, or a list of objects, with a value for each column; or one object of them all.

::

    {"record_id": "r1", "cluster_id": 17}
    {"record_id": "r2", "cluster_id": 17}

    {"record_id": ["r1", "r2"], "cluster_id": [17, 17]}
    {"record_id": {"0": "r1", "1": "r2"}, "cluster_id": {"0": 17, "1": 17}}
    {"columns": ["record_id", "cluster_id"], "index": [0, 1], "data": [["r1", 17], ["r2", 17]]}
    {"schema": {...}, "data": [{"record_id": "r1", "cluster_id": 17}, {"record_id": "r2", "cluster_id": 17}]}
    {"0": {"record_id": "r1", "cluster_id": 17}, "1": {"record_id": "r2", "cluster_id": 17}}

The keys are names of columns, and mean what they mean in `csv` and `pairs`. null is missing. An index that does not count the
rows is a column `index`.

References
----------
`DataFrame.to_json` of pandas, with each `orient` but "values", and with `lines=True`.

Notes
-----
Not written: `csv` holds the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from referee.basics.sides import folded
from referee.corpus import Corpus
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import shown, values
from referee.formats.shared.source import OnError, Source
from referee.tabular.reading import Records, corpus_of, records_of
from referee.tabular.roles import NAMES, has_ends, is_known
from referee.tabular.values import ColumnsOfRows, value_table

FIRST = re.compile(r"\s*(?:\[\s*)?(?=\{)")
KEYS = 2
"""Names that must be known, at least, if nothing else shows that objects are rows."""
LISTS = re.compile(r'\s*\[\s*\[\s*"(?:[^"\\]|\\.)*"\s*,\s*-?[0-9.]+\s*\]')
"""Lists of a name and a number: labels, of which nothing says so."""
EXAMPLE = '{"item": "a", "entity": 1}'
LABELS = tuple({*NAMES[role]} for role in ("item", "entity"))


def sniff(head: str) -> bool:
    """The first object has keys that are names of columns, or plain values alone and the keys of the next one."""
    first, rest = _object(head)
    rows = _rows(first)
    if rows and (_has_labels(rows[0]) or has_ends([*rows[0]])):
        return True
    if LISTS.match(head):
        return True
    plain = {key for key, value in first.items() if not isinstance(value, list | dict)}
    if sum(map(is_known, plain)) >= KEYS:
        return True
    return (
        len(first) >= KEYS and plain == {*first} - {"text"} and list(_object(rest.lstrip().removeprefix(","))[0]) == list(first)
    )


def _object(text: str) -> tuple[dict[str, Any], str]:
    """The object at the beginning, or in a list, and what comes after it; an empty one if there is none."""
    start = FIRST.match(text)
    try:
        first, end = json.JSONDecoder().raw_decode(text, start.end() if start else 0)
    except (ValueError, RecursionError):
        return {}, ""
    return (first, text[end:]) if isinstance(first, dict) else ({}, "")


def _has_labels(names: Iterable[str]) -> bool:
    """Whether names are those of items and of entities; the index may have the items."""
    columns = {*map(folded, names)}
    return not LABELS[1].isdisjoint(columns) and not columns.isdisjoint({*LABELS[0], "index"})


def _rows(value: object) -> list[dict[str, Any]] | None:
    """The rows of an object that has them all, in one of the forms of pandas; None if it is none."""
    rows = _rows_of(value) if isinstance(value, dict) else None
    return None if rows is None or any(isinstance(cell, list | dict) for row in rows for cell in row.values()) else rows


def _rows_of(value: dict[str, Any]) -> list[dict[str, Any]] | None:
    names, data, index = (value.get(name) for name in ("columns", "data", "index"))
    if isinstance(names, list) and isinstance(data, list) and all(isinstance(row, list) for row in data):
        if any(len(row) != len(names) for row in data) or not all(isinstance(name, str) for name in names):
            return None
        rows = [dict(zip(names, row, strict=True)) for row in data]
        return _with_index(rows, index) if isinstance(index, list) and len(index) == len(rows) else rows
    if "schema" in value and isinstance(data, list) and all(isinstance(row, dict) for row in data):
        return data
    parts = list(value.values())
    if parts and all(isinstance(part, dict) and part.keys() == parts[0].keys() for part in parts) and not _has_labels(value):
        by_index = _with_index(parts, list(value))
        if _has_labels(by_index[0]) or has_ends([*parts[0]]):
            return by_index
    return _columns(parts, value)


def _with_index(rows: list[dict[str, Any]], index: list[Any]) -> list[dict[str, Any]]:
    """Rows with their index, unless it counts them, or they have a column of its name."""
    if [*map(str, index)] == [*map(str, range(len(rows)))] or any("index" in row for row in rows):
        return rows
    return [{"index": place, **row} for place, row in zip(index, rows, strict=True)]


def _columns(parts: list[Any], names: Iterable[str]) -> list[dict[str, Any]] | None:
    """The rows of columns, each of which has a value for each row; None if they are none."""
    if not parts or not (all(isinstance(part, list) for part in parts) or all(isinstance(part, dict) for part in parts)):
        return None
    places = [range(len(part)) if isinstance(part, list) else list(part) for part in parts]
    if any(place != places[0] for place in places):
        return None
    return [dict(zip(names, (part[place] for part in parts), strict=True)) for place in places[0]]


def read(source: Source, on_error: OnError) -> Corpus:
    """Read rows as `csv` and `pairs` do."""
    return corpus_of(records(source, on_error))


def records(source: Source, on_error: OnError, *, probable: bool = False) -> Records:
    """Read the same; pairs are not decided."""
    rows, lines = rows_of(source, on_error)
    table = value_table(source.name, rows, source.options, source.role, on_error, lines=lines, probable=probable)
    return records_of(table, source, on_error, "rows")


def rows_of(source: Source, on_error: OnError) -> tuple[ColumnsOfRows, list[int | None]]:
    """The columns of all rows, and the line of each row."""
    rows: list[dict[str, Any]] = []
    lines: list[int | None] = []
    for line, value in values(source, on_error):
        for row in value if isinstance(value, list) else _rows(value) or [value]:
            if isinstance(row, dict):
                rows.append(row)
                lines.append(line)
            elif value is not None:
                on_error(line, f"found {shown(row)}; expected an object with the columns of a row, such as {EXAMPLE}")
    return ColumnsOfRows(rows), lines


FORMAT = Format("rows", __doc__, ("items", "links"), sniff, read, records=records)
