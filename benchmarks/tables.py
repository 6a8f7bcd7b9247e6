"""Label tables of any size, as Parquet.

`labels-N` is *one clustering* of N records: clusters of a size s with probability ~ s^-2.2 (at most 2000). The response links
records: each link between neighbours of a cluster is missed with probability 5 %, each record has a false link with probability
2 %, to a cluster at most 1000 clusters away, and entities are what the links connect. Rows are in random order. Other responses
are those of `corpora.py`. `grouped-N` has N *documents* of 100 mentions each, in clusters of mean 3, of which 10 % are moved to
another cluster of the document.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import corpora
import numpy as np

PER_DOCUMENT = 100
CHUNK = 1 << 22


def sizes_of_clusters(records: int, rng: np.random.Generator) -> Any:
    """Sizes whose sum is `records`."""
    of = np.arange(1, 2001)
    p = of**-2.2
    drawn = rng.choice(of, size=int(records / 1.5) + 100, p=p / p.sum())
    after = np.cumsum(drawn)
    drawn = drawn[: int(np.searchsorted(after, records)) + 1]
    drawn[-1] -= int(drawn.sum()) - records
    return drawn


def linked(records: int, seed: int = 0) -> tuple[Any, Any]:
    """The clusters of the key, and those that the links of a response make."""
    rng = np.random.default_rng([records, seed])
    sizes = sizes_of_clusters(records, np.random.default_rng(records))
    first = np.cumsum(sizes) - sizes
    key = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    new = rng.random(records, dtype=np.float32) < 0.05
    new[first] = True
    piece = np.cumsum(new, dtype=np.int32) - np.int32(1)
    source = np.flatnonzero(rng.random(records, dtype=np.float32) < 0.02)
    target = np.clip(key[source] + rng.integers(-1000, 1001, len(source)), 0, len(sizes) - 1)
    ends = piece[source], piece[first[target]]
    nodes, places = np.unique(np.concatenate(ends), return_inverse=True)
    a, b = places[: len(source)], places[len(source) :]
    smallest = np.arange(len(nodes))
    while True:  # the smallest piece of each component
        before = smallest.copy()
        low = np.minimum(smallest[a], smallest[b])
        np.minimum.at(smallest, a, low)
        np.minimum.at(smallest, b, low)
        smallest = smallest[smallest]
        if (smallest == before).all():
            break
    piece_of = np.arange(int(piece[-1]) + 1, dtype=np.int32)
    piece_of[nodes] = nodes[smallest]
    return key, piece_of[piece]


def write(path: Path, columns: dict[str, Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.int64()) for name in columns])
    with pq.ParquetWriter(path.with_suffix(".part"), schema, write_page_checksum=True) as writer:
        for start in range(0, len(next(iter(columns.values()))), CHUNK):
            chunk = {name: column[start : start + CHUNK].astype(np.int64) for name, column in columns.items()}
            writer.write_table(pa.table(chunk, schema), row_group_size=1 << 20)
    path.with_suffix(".part").rename(path)


def one_clustering(records: int) -> list[dict[str, Any]]:
    """The columns of key and response."""
    rng = np.random.default_rng(records)
    order = ((labels, rng.permutation(records).astype(np.int32)) for labels in linked(records))
    return [{"item": rows, "entity": labels[rows]} for labels, rows in order]


def documents(number: int) -> list[dict[str, Any]]:
    """The columns of key and response."""
    rng = np.random.default_rng(number)
    mentions, entities = number * PER_DOCUMENT, PER_DOCUMENT // 3
    document = np.repeat(np.arange(number, dtype=np.int32), PER_DOCUMENT)
    item = np.arange(mentions, dtype=np.int32)
    key = document * np.int32(entities) + rng.integers(0, entities, mentions, dtype=np.int32)
    moved = rng.random(mentions, dtype=np.float32) < 0.1
    other = document * np.int32(entities) + rng.integers(0, entities, mentions, dtype=np.int32)
    return [{"document": document, "item": item, "entity": labels} for labels in (key, np.where(moved, other, key))]


def make(work: Path, name: str, data: object) -> None:
    """Write a file of a set, `SET-N.key.parquet` or `SET-N.RESPONSE.parquet`; `medium` with its key; `medium2` is like it."""
    stem, level, _ = name.split(".")
    kind, _, size = stem.partition("-")
    if level in ("key", "medium"):
        sides = {"labels": one_clustering, "grouped": documents}[kind](int(size))
        for side, columns in zip(("key", "medium"), sides, strict=True):
            write(work / f"{stem}.{side}.parquet", columns)
        return
    rng = np.random.default_rng(len(name))
    item = rng.permutation(int(size)).astype(np.int32)
    key, entity = linked(int(size), int(level[-1]) if level[-1].isdigit() else 0)
    if level in corpora.RESPONSES:
        entity, kept = corpora.RESPONSES[level](key, int(key[-1]) + 1, rng)
        item = item[kept[item]]
    del key
    write(work / name, {"item": item, "entity": entity[item]})
