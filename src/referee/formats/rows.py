"""Records as rows of JSON: an object a line, or a list of objects, with a value for each column.

::

    {"record_id": "r1", "cluster_id": 17}
    {"record_id": "r2", "cluster_id": 17}

The keys are names of columns, and mean what they mean in `csv` and `pairs`. null is missing.

References
----------
`DataFrame.to_json(orient="records")` of pandas, and with `lines=True`.

Notes
-----
Not written: `csv` holds the same.
"""

from __future__ import annotations

import json
import re
from typing import Any

from referee.corpus import Corpus
from referee.formats.shared.json_values import shown, values
from referee.formats.shared.source import Fault, Source
from referee.formats.tabular.reading import Records, corpus_of, records_of
from referee.formats.tabular.roles import is_known
from referee.formats.tabular.values import value_table

HOLDS = ("items", "links")
FIRST = re.compile(r"\s*(?:\[\s*)?(\{[^{}\[\]]*\})\s*,?\s*(\{[^{}\[\]]*\})?")
"""The first objects, if they have neither lists nor objects."""
KEYS = 2
"""Names that must be known, at least, if nothing else shows that objects are rows."""


def sniff(head: str) -> bool:
    """The first object has plain values alone, and keys that are names of columns, or those of the next object."""
    found = FIRST.match(head)
    try:
        first, second = (json.loads(text) if text else None for text in (found.groups() if found else (None, None)))
    except ValueError:
        return False
    known = isinstance(first, dict) and sum(map(is_known, first)) >= KEYS
    return known or (
        isinstance(first, dict) and len(first) >= KEYS and isinstance(second, dict) and list(first) == list(second)
    )


def read(source: Source, fault: Fault) -> Corpus:
    """Read rows as `csv` and `pairs` do."""
    return corpus_of(records(source, fault))


def records(source: Source, fault: Fault, *, probable: bool = False) -> Records:
    """Read the same; pairs are not decided."""
    rows: list[dict[str, Any]] = []
    lines: list[int | None] = []
    for line, value in values(source, fault):
        for row in value if isinstance(value, list) else [value]:
            if isinstance(row, dict):
                rows.append(row)
                lines.append(line)
            elif value is not None:
                fault(line, f"found {shown(row)}; expected an object with the columns of a row")
    table = value_table(source.name, rows, source.asked, source.role, fault, lines=lines, probable=probable)
    return records_of(table, source, fault, "rows")
