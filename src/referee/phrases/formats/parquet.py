"""Candidates in Parquet; needs the extra referee[parquet]. For many candidates, much smaller and ten times faster than JSON.

The columns are ``sent`` (int32), ``cat`` (a dictionary of names), ``start``, ``end`` (int32) and ``p`` (float64), sorted
by sentence, start, end and category; ``covered`` (bool) is optional. No cell is empty. The metadata key
``referee.phrases`` holds the header of the format `candidates` as JSON, with the `ids` and the `n` of all sentences. If
the sentences have words or tags, the metadata key ``referee.phrases.words`` of the column ``sent`` holds the lists
`words` and `tags` as JSON, compressed by bzip2, in base 64. (Parquet stores metadata of a column once, those of the table
twice.)
"""

from __future__ import annotations

import bz2
import json
from base64 import b64decode, b64encode
from collections.abc import Iterator

import numpy as np

from referee.algorithms.arrays import Ints
from referee.basics.exceptions import FormatError, OptionError, counted, shortened
from referee.basics.extras import arrow, need, parquet
from referee.basics.files import written_whole
from referee.formats.shared.format import Format
from referee.formats.shared.json_values import parse
from referee.formats.shared.source import UNREADABLE, OnError, Source
from referee.phrases.annotation import Chunks, PhraseCandidates, SpanColumns
from referee.phrases.formats.candidates import header_of, parse_header
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.json_sentences import JsonObject, SentenceCollector

HEADER_KEY = b"referee.phrases"
WORDS_KEY = b"referee.phrases.words"
COLUMN_TYPES = {
    "sent": ("integer",),
    "cat": ("string", "large_string"),
    "start": ("integer",),
    "end": ("integer",),
    "p": ("floating",),
    "covered": ("boolean",),
}
"""The columns and their types, as `pyarrow.types` names them."""

EXPECTED = "candidates as referee writes them"


def sniff(head: str) -> bool:
    """Whether the text starts with the mark of Parquet files."""
    return head.startswith("PAR1")


def read(source: Source, on_error: OnError, options: PhraseOptions) -> PhraseCandidates:
    """Read candidates.

    Raises
    ------
    FormatError
        If the file is no Parquet file, or has other columns or metadata.
    """
    need("Parquet", "pyarrow", "pyarrow.parquet")
    try:
        with source.open() as stream:
            table = parquet.read_table(stream)
    except (arrow.ArrowException, *UNREADABLE) as error:
        problem = shortened(str(error).partition("\n")[0], 100)
        raise FormatError(source.name, None, f"is no Parquet file that can be read: {problem}") from None
    needed = [name for name in COLUMN_TYPES if name in table.column_names or name != "covered"]
    columns = {name: _column(table, name, source.name) for name in needed}
    metadata = table.schema.metadata or {}
    if HEADER_KEY not in metadata:
        raise FormatError(source.name, None, f"found no header in the metadata; expected {EXPECTED}")
    parsed = parse(metadata[HEADER_KEY].decode(errors="replace"), on_error)
    header = parsed if isinstance(parsed, dict) else {}
    categories, default = parse_header(header, None, on_error)
    collector = SentenceCollector(source, on_error, categories)
    for sentence in _sentences(table, header, source.name):
        collector.begin(None, sentence)
    category = _category_numbers(columns["cat"], categories, source.name)
    spans = SpanColumns(columns["sent"].to_numpy(), columns["start"].to_numpy(), columns["end"].to_numpy(), category)
    try:
        return PhraseCandidates.build(
            collector.sentences,
            categories,
            **spans._asdict(),
            probability=columns["p"].to_numpy(),
            default=default,
            covered=columns["covered"].to_numpy() if "covered" in columns else None,
            source=source.name,
        )
    except OptionError as error:
        raise FormatError(source.name, None, str(error).removeprefix(f"{source.name}: ")) from None


def _column(table: arrow.Table, column: str, name: str) -> arrow.Array:
    """A column, without empty cells and of the right type."""
    number = table.column_names.count(column)
    if number != 1:
        raise FormatError(name, None, f"found {number or 'no'} column{'s' * (number > 1)} {column}; expected {EXPECTED}")
    values, types, expected = table.column(column), arrow.types, COLUMN_TYPES[column]
    kind = values.type
    if types.is_dictionary(kind) and column == "cat":
        values = values.cast(kind.value_type)
    if not any(getattr(types, f"is_{each}")(values.type) for each in expected):
        raise FormatError(name, None, f"found the column {column} of type {kind}; expected {' or '.join(expected)}")
    if values.null_count:
        empty = counted(values.null_count, "empty cell")
        raise FormatError(name, None, f"found {empty} in the column {column}; expected none")
    return values


def _sentences(table: arrow.Table, header: JsonObject, name: str) -> Iterator[JsonObject]:
    """The sentences, which are in the metadata: ids and lengths in the header, words and tags packed with the column."""
    packed = (table.schema.field("sent").metadata or {}).get(WORDS_KEY)
    try:
        texts = json.loads(bz2.decompress(b64decode(packed, validate=True))) if packed is not None else {}
    except (ValueError, RecursionError, EOFError, OSError):
        texts = None
    if not isinstance(texts, dict) or not texts.keys() <= {"words", "tags"}:
        raise FormatError(name, None, f"found words in the metadata that cannot be unpacked; expected {EXPECTED}")
    ids = header.get("ids")
    lists = {"id": ids, "n": header.get("n"), **texts}
    for key, values in lists.items():
        if not (isinstance(ids, list) and isinstance(values, list) and len(values) == len(ids)):
            raise FormatError(name, None, f"found no `{key}` of every sentence in the metadata; expected {EXPECTED}")
    return (dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True))


def _category_numbers(column: arrow.Array, categories: list[str], name: str) -> Ints:
    encoded = column.combine_chunks().dictionary_encode()
    used = encoded.dictionary.to_pylist()
    if unknown := set(used) - set(categories):
        category = f"the category {shortened(min(unknown))!r} in the column cat"
        raise FormatError(name, None, f"found {category}; expected one that the header declares")
    numbers = np.array([categories.index(category) for category in used], dtype=np.int64)
    return np.asarray(numbers[encoded.indices.to_numpy(zero_copy_only=False)])


def write(phrases: Chunks | PhraseCandidates, path: str) -> None:
    """Write candidates; chunks as candidates of probability 1.

    Raises
    ------
    OptionError
        If the path is standard output or ends in .gz.
    """
    need("Parquet", "pyarrow", "pyarrow.parquet")
    if path == "-" or path.endswith(".gz"):
        raise OptionError(f"cannot write Parquet to {path}; expected a file, without .gz: Parquet is compressed by itself")
    candidates = PhraseCandidates.from_chunks(phrases) if isinstance(phrases, Chunks) else phrases
    sentences = candidates.sentences
    categories = arrow.DictionaryArray.from_arrays(candidates.category, arrow.array(candidates.categories, arrow.string()))
    columns = (candidates.sentence, categories, candidates.start, candidates.end, candidates.probability, candidates.covered)
    table = arrow.table({name: column for name, column in zip(COLUMN_TYPES, columns, strict=True) if column is not None})
    both = {"words": sentences.words, "tags": sentences.tags}
    if texts := {key: list(map(list, lists)) for key, lists in both.items() if lists is not None}:
        packed = b64encode(bz2.compress(json.dumps(texts).encode()))
        field = table.schema.field("sent").with_metadata({WORDS_KEY: packed})
        table = table.set_column(0, field, table.column("sent"))
    header = {**header_of(candidates), "ids": list(sentences.ids), "n": sentences.length.tolist()}
    table = table.replace_schema_metadata({HEADER_KEY: json.dumps(header).encode()})
    with written_whole(path) as partial, open(partial, "wb") as file:  # Arrow opens no name that is not UTF-8
        parquet.write_table(table, file, compression="zstd")


FORMAT = Format("parquet", __doc__, (), sniff, read, write, endings=(".parquet",))
