"""Candidates in Parquet; needs the extra markable[parquet]. Much smaller and ten times faster than JSON.

Columns ``sent`` (int32), ``cat`` (a dictionary of names), ``start``, ``end`` (int32), ``p`` (float64), sorted by sentence,
start, end, category; optional ``covered`` (bool). The metadata key ``markable.phrases`` holds the header of `candidates` as
JSON, with the `ids` and the `n` of all sentences.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import numpy as np

from markable.errors import FormatError, MissingExtraError, shortened
from markable.formats.jsonlines import parse
from markable.formats.source import Fault, Source
from markable.phrases.candidates import LONGEST, Candidates, Chunks, Sentences
from markable.phrases.formats import Reading
from markable.phrases.formats.candidates import header_for, header_of
from markable.whole_files import written_whole

KEY = b"markable.phrases"
COLUMNS = ("sent", "cat", "start", "end", "p")


def sniff(head: str) -> bool:
    """What such files begin with."""
    return head.startswith("PAR1")


def read(source: Source, fault: Fault, reading: Reading) -> Candidates:
    arrow, parquet = _arrow()
    try:
        with source.open() as stream:
            table = parquet.read_table(stream)
    except (arrow.ArrowException, OSError) as error:
        problem = shortened(str(error).partition("\n")[0], 100)
        raise FormatError(source.name, None, f"is no Parquet file that can be read: {problem}") from None
    missing = [name for name in COLUMNS if name not in table.column_names]
    text = (table.schema.metadata or {}).get(KEY)
    if missing or text is None:
        found = f"no column {', '.join(missing)}" if missing else "no header in the metadata"
        raise FormatError(source.name, None, f"found {found}; expected candidates as markable writes them")
    header = parse(text.decode(errors="replace"), fault)
    header = header if isinstance(header, dict) else {}
    names, default = header_of(header, 1, fault)
    ids, n = header.get("ids"), header.get("n")
    good = (
        isinstance(ids, list) and isinstance(n, list) and len(ids) == len(n) == len(set(map(str, ids)))
        and all(type(length) is int and 0 <= length < LONGEST for length in n)
    )  # fmt: skip
    if not good:
        raise FormatError(source.name, None, "found no `ids` and `n` in the header; expected one of each for every sentence")
    sentences = Sentences(tuple(map(str, ids or ())), np.array(n, dtype=np.int32))
    try:
        cat = table.column("cat").combine_chunks().cast(arrow.string()).dictionary_encode()
        used = cat.dictionary.to_pylist()
        number = np.array([names.index(name) for name in used], dtype=np.int64)
        category = number[cat.indices.to_numpy(zero_copy_only=False)] if len(number) else np.empty(0, dtype=np.int64)
        columns = [table.column(name).to_numpy() for name in ("sent", "start", "end", "p")]
        covered = table.column("covered").to_numpy() if "covered" in table.column_names else None
        s, start, end, p = columns
        return Candidates.build(sentences, names, s, start, end, category, p, default, covered=covered, source=source.name)
    except (arrow.ArrowException, ValueError, TypeError, IndexError) as error:  # of other types, with empty cells
        problem = str(error).removeprefix(f"{source.name}: ")
        raise FormatError(source.name, None, shortened(problem.partition("\n")[0], 200)) from None


def write(phrases: Chunks | Candidates, path: str) -> None:
    """Also of chunks, as candidates of probability 1."""
    arrow, parquet = _arrow()
    c = phrases.candidates if isinstance(phrases, Chunks) else phrases
    columns: dict[str, Any] = {
        "sent": c.sentence,
        "cat": arrow.DictionaryArray.from_arrays(c.category, arrow.array(c.categories, arrow.string())),
        "start": c.start,
        "end": c.end,
        "p": c.p,
    }
    if c.covered is not None:
        columns["covered"] = c.covered
    header = {**header_for(c), "ids": list(c.sentences.ids), "n": c.sentences.length.tolist()}
    table = arrow.table(columns).replace_schema_metadata({KEY: json.dumps(header).encode()})
    with written_whole(path) as partial:
        parquet.write_table(table, partial, compression="zstd")


def _arrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
