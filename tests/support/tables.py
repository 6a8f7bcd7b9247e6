"""Label tables for tests: rows, what they are as plain values, and every way to give them."""

import random
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
import pytest

ENGINES = [
    pytest.param("memory", id="memory"),
    pytest.param("duckdb", id="duckdb", marks=pytest.mark.skipif(not find_spec("duckdb"), reason="duckdb is not installed")),
]


class Row(NamedTuple):
    document: int
    item: int
    entity: int


def rows_of(labels):
    return [Row(d, i, e) for d, of in labels.items() for i, e in of.items()]


def plain(labels, documents):
    """The same as plain values; items are texts that sort like the numbers."""
    named = {f"{d:03}": {f"{i + 1000:06}": e for i, e in of.items()} for d, of in labels.items()}
    if not documents:
        return next(iter(named.values()), {})
    return {d: [{i for i in of if of[i] == e} for e in dict.fromkeys(of.values())] for d, of in named.items()}


def arrow_table(rows, documents, *, text=False):
    """A table of Arrow; as text, names sort like the numbers."""
    name = (lambda n: f"{n + 1000:06}é") if text else (lambda n: n)
    columns = {"document": [name(r.document) for r in rows]} if documents else {}
    columns |= {"record_id": [name(r.item) for r in rows], "cluster_id": [name(r.entity) for r in rows]}
    pyarrow = import_module("pyarrow")
    return pyarrow.table({k: pyarrow.array(v, pyarrow.string() if text else pyarrow.int64()) for k, v in columns.items()})


def written(table, folder, files, row_group):
    """The table as a folder of Parquet files."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = -(-table.num_rows // files) if table.num_rows else 1
    for part in range(files):
        path = folder / f"part-{part:03}.parquet"
        import_module("pyarrow.parquet").write_table(
            table.slice(part * rows, rows), path, row_group_size=row_group, write_page_checksum=True
        )
    return str(folder)


def shuffled(rows, seed):
    mixed = list(rows)
    random.Random(seed).shuffle(mixed)
    return mixed


def bits(counts):
    """Each column of counts as hexadecimal floats, or whole numbers."""
    return {
        (metric, name): [v.hex() if isinstance(v, float) else str(v) for v in column.tolist()]
        for metric, c in counts.items()
        for name, column in c.columns.items()
    }


def without_an_entity(cells):
    """What an engine gives that loses an entity on the way."""
    keys, responses = (np.ones(len(size), dtype=bool) for size in (cells.rest.key_size, cells.rest.response_size))
    keys[0] = False
    return cells._replace(rest=cells.rest.with_entities(keys, responses))
