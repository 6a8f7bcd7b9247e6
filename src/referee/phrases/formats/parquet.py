"""Candidates in Parquet; needs the extra referee[parquet]. Of many candidates much smaller and ten times faster than JSON.

Columns ``sent`` (int32), ``cat`` (a dictionary of names), ``start``, ``end`` (int32), ``p`` (float64), sorted by sentence,
start, end, category; optional ``covered`` (bool); no cell is empty. The metadata key ``referee.phrases`` holds the header of
`candidates` as JSON, with the `ids` and the `n` of all sentences. If these have words or tags, the key
``referee.phrases.words`` of the column ``sent`` holds the lists `words` and `tags` as JSON, compressed by bzip2, in base 64:
what stands with a column is in the file once, what stands with the table twice.
"""

from __future__ import annotations

import bz2
import json
from base64 import b64decode, b64encode
from importlib import import_module
from typing import Any

import numpy as np

from referee.exceptions import FormatError, MissingExtraError, OptionError
from referee.files import written_whole
from referee.formats.shared.json_values import parse
from referee.formats.shared.source import Fault, Source
from referee.messages import counted, shortened
from referee.phrases.candidates import Candidates, Chunks
from referee.phrases.formats.candidates import header_for, header_of
from referee.phrases.formats.reading import Reading
from referee.phrases.formats.sentences import Collected

KEY = b"referee.phrases"
WORDS = b"referee.phrases.words"
COLUMNS = {
    "sent": ("integer",),
    "cat": ("string", "large_string"),
    "start": ("integer",),
    "end": ("integer",),
    "p": ("floating",),
    "covered": ("boolean",),
}
"""The columns and what may be in them, as `pyarrow.types` calls it."""

EXPECTED = "candidates as referee writes them"


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
    columns = _columns(table, source.name)
    metadata = table.schema.metadata or {}
    if KEY not in metadata:
        raise FormatError(source.name, None, f"found no header in the metadata; expected {EXPECTED}")
    header = parse(metadata[KEY].decode(errors="replace"), fault)
    header = header if isinstance(header, dict) else {}
    names, default = header_of(header, None, fault)
    ids = header.get("ids")
    lists = {"id": ids, "n": header.get("n"), **_texts((table.schema.field("sent").metadata or {}).get(WORDS), source.name)}
    for key, values in lists.items():
        if not (isinstance(ids, list) and isinstance(values, list) and len(values) == len(ids)):
            raise FormatError(source.name, None, f"found no `{key}` of every sentence in the metadata; expected {EXPECTED}")
    collected = Collected(source, fault, names)
    for values in zip(*lists.values(), strict=True):
        collected.sentence(None, dict(zip(lists, values, strict=True)))
    cat = columns["cat"].combine_chunks().dictionary_encode()
    used = cat.dictionary.to_pylist()
    if unknown := set(used) - set(names):
        found = f"the category {shortened(min(unknown))!r} in the column cat"
        raise FormatError(source.name, None, f"found {found}; expected one that the header declares")
    number = np.array([names.index(name) for name in used], dtype=np.int64)
    category = number[cat.indices.to_numpy(zero_copy_only=False)]
    s, start, end, p = (columns[name].to_numpy() for name in ("sent", "start", "end", "p"))
    covered = columns["covered"].to_numpy() if "covered" in columns else None
    rows = (s, start, end, category, p)
    try:
        return Candidates.build(collected.sentences, names, *rows, default, covered=covered, source=source.name)
    except OptionError as error:
        raise FormatError(source.name, None, str(error).removeprefix(f"{source.name}: ")) from None


def _columns(table: Any, name: str) -> dict[str, Any]:
    """The columns, all of them full and of the right types."""
    types = _arrow()[0].types
    columns = {}
    for column, kinds in COLUMNS.items():
        number = table.column_names.count(column)
        if not number and column == "covered":
            continue
        if number != 1:
            raise FormatError(name, None, f"found {number or 'no'} column{'s' * (number > 1)} {column}; expected {EXPECTED}")
        values = table.column(column)
        found = values.type
        if types.is_dictionary(found) and column == "cat":
            values = values.cast(found.value_type)
        if not any(getattr(types, f"is_{kind}")(values.type) for kind in kinds):
            raise FormatError(name, None, f"found the column {column} of type {found}; expected {' or '.join(kinds)}")
        if values.null_count:
            raise FormatError(
                name, None, f"found {counted(values.null_count, 'empty cell')} in the column {column}; expected none"
            )
        columns[column] = values
    return columns


def _texts(packed: bytes | None, name: str) -> dict[str, Any]:
    """The lists of words and of tags that are there."""
    try:
        found = json.loads(bz2.decompress(b64decode(packed, validate=True))) if packed is not None else {}
    except (ValueError, RecursionError, EOFError, OSError):
        found = None
    if not isinstance(found, dict) or not found.keys() <= {"words", "tags"}:
        raise FormatError(name, None, f"found words in the metadata that cannot be unpacked; expected {EXPECTED}")
    return found


def write(phrases: Chunks | Candidates, path: str) -> None:
    """Also of chunks, as candidates of probability 1."""
    arrow, parquet = _arrow()
    if path == "-" or path.endswith(".gz"):
        raise OptionError(f"cannot write Parquet to {path}; expected a file, without .gz: Parquet is compressed by itself")
    c = phrases.candidates if isinstance(phrases, Chunks) else phrases
    s = c.sentences
    columns: dict[str, Any] = {
        "sent": c.sentence,
        "cat": arrow.DictionaryArray.from_arrays(c.category, arrow.array(c.categories, arrow.string())),
        "start": c.start,
        "end": c.end,
        "p": c.p,
    }
    if c.covered is not None:
        columns["covered"] = c.covered
    header = {**header_for(c), "ids": list(s.ids), "n": s.length.tolist()}
    table = arrow.table(columns)
    if texts := {key: list(map(list, lists)) for key, lists in (("words", s.words), ("tags", s.tags)) if lists is not None}:
        packed = b64encode(bz2.compress(json.dumps(texts).encode()))
        table = table.set_column(0, table.schema.field("sent").with_metadata({WORDS: packed}), table.column("sent"))
    table = table.replace_schema_metadata({KEY: json.dumps(header).encode()})
    with written_whole(path) as partial:
        parquet.write_table(table, partial, compression="zstd")


def _arrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
