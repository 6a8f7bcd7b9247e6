"""Records as rows of JSON: an object a line, or a list of objects, with a value for each column; or one object of columns.

::

    {"record_id": "r1", "cluster_id": 17}
    {"record_id": "r2", "cluster_id": 17}

    {"record_id": ["r1", "r2"], "cluster_id": [17, 17]}
    {"record_id": {"0": "r1", "1": "r2"}, "cluster_id": {"0": 17, "1": 17}}

The keys are names of columns, and mean what they mean in `csv` and `pairs`. null is missing.

References
----------
`DataFrame.to_json` of pandas, with `orient="records"`, with `lines=True`, and as it is.

Notes
-----
Not written: `csv` holds the same.
"""

from __future__ import annotations

import json
import re
from typing import Any

from referee.basics.sides import folded
from referee.corpus import Corpus
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import shown, values
from referee.formats.shared.source import OnError, Source
from referee.tabular.reading import Records, corpus_of, records_of
from referee.tabular.roles import NAMES, is_known
from referee.tabular.values import ColumnsOfRows, value_table

FIRST = re.compile(r"\s*(?:\[\s*)?(?=\{)")
KEYS = 2
"""Names that must be known, at least, if nothing else shows that objects are rows."""
LABELS = tuple({*NAMES[role]} for role in ("item", "entity"))


def sniff(head: str) -> bool:
    """The first object has keys that are names of columns, or plain values alone and the keys of the next one."""
    first, rest = _object(head)
    if _columns(first) is not None and all(not names.isdisjoint(map(folded, first)) for names in LABELS):
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


def _columns(value: object) -> list[dict[str, Any]] | None:
    """The rows of an object of columns, which have a value for each row; None if it is none."""
    parts = list(value.values()) if isinstance(value, dict) else []
    if not parts or not (all(isinstance(part, list) for part in parts) or all(isinstance(part, dict) for part in parts)):
        return None
    places = [range(len(part)) if isinstance(part, list) else list(part) for part in parts]
    if any(place != places[0] for place in places):
        return None
    rows = [{name: part[place] for name, part in value.items()} for place in places[0]]  # type: ignore[attr-defined]
    return None if any(isinstance(cell, list | dict) for row in rows for cell in row.values()) else rows


def read(source: Source, on_error: OnError) -> Corpus:
    """Read rows as `csv` and `pairs` do."""
    return corpus_of(records(source, on_error))


def records(source: Source, on_error: OnError, *, probable: bool = False) -> Records:
    """Read the same; pairs are not decided."""
    rows: list[dict[str, Any]] = []
    lines: list[int | None] = []
    for line, value in values(source, on_error):
        for row in value if isinstance(value, list) else _columns(value) or [value]:
            if isinstance(row, dict):
                rows.append(row)
                lines.append(line)
            elif value is not None:
                on_error(line, f"found {shown(row)}; expected an object with the columns of a row")
    table = value_table(source.name, ColumnsOfRows(rows), source.options, source.role, on_error, lines=lines, probable=probable)
    return records_of(table, source, on_error, "rows")


FORMAT = Format("rows", __doc__, ("items", "links"), sniff, read, records=records)
