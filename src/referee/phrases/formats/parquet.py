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

import numpy as np

from referee.basics.exceptions import FormatError, OptionError, counted, shortened
from referee.basics.extras import arrow, need, parquet
from referee.basics.files import written_whole
from referee.formats.shared.format import Format
from referee.formats.shared.source import UNREADABLE, Source
from referee.phrases.annotation import Chunks, PhraseCandidates
from referee.phrases.formats.candidates import make_header, parse_header
from referee.phrases.formats.registry import PhraseOptions
from referee.phrases.formats.shared.json_sentences import SentenceCollector

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


def sniff(head: str) -> bool:
    """Whether the text starts with the mark of Parquet files."""
    return head.startswith("PAR1")


def read(source: Source, options: PhraseOptions) -> PhraseCandidates:
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
    if missing := next((name for name in COLUMN_TYPES if name not in [*table.column_names, "covered"]), None):
        raise FormatError(source.name, None, f"found no column {missing}; expected candidates as referee writes them")
    try:
        columns = {name: _column(table, name) for name in COLUMN_TYPES if name in table.column_names}
        header = json.loads(table.schema.metadata[HEADER_KEY])
        categories, default = parse_header(header, None, source)
        packed = (table.schema.field("sent").metadata or {}).get(WORDS_KEY)
        texts = {} if packed is None else json.loads(bz2.decompress(b64decode(packed, validate=True)))
        collector = SentenceCollector(source, categories)
        for row in zip(header["ids"], header["n"], *(texts[key] for key in texts), strict=True):
            collector.begin(None, dict(zip(("id", "n", *texts), row, strict=True)))
        category = columns.pop("cat").combine_chunks().dictionary_encode()
        numbers = np.array([categories.index(name) for name in category.dictionary.to_pylist()], dtype=np.int64)
        sentence, start, end, p, *covered = (column.to_numpy() for column in columns.values())
        return PhraseCandidates.build(
            collector.sentences,
            categories,
            sentence=sentence,
            start=start,
            end=end,
            category=numbers[category.indices.to_numpy(zero_copy_only=False)],
            probability=p,
            default=default,
            covered=covered[0] if covered else None,
            source=source.name,
        )
    except FormatError:
        raise
    except OptionError as error:
        raise FormatError(source.name, None, str(error).removeprefix(f"{source.name}: ")) from None
    except (AttributeError, EOFError, LookupError, OSError, RecursionError, TypeError, ValueError) as error:
        problem = f"has no right candidates ({shortened(str(error), 60)}); expected what referee.phrases.write writes"
        raise FormatError(source.name, None, problem) from None


def _column(table: arrow.Table, name: str) -> arrow.Array:
    """A column, without empty cells and of the right type; ValueError for another."""
    values = table.column(name)
    if arrow.types.is_dictionary(values.type) and name == "cat":
        values = values.cast(values.type.value_type)
    if values.null_count or not any(getattr(arrow.types, f"is_{each}")(values.type) for each in COLUMN_TYPES[name]):
        raise ValueError(f"{name} of type {values.type} with {counted(values.null_count, 'empty cell')}")
    return values


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
    header = {**make_header(candidates), "ids": list(sentences.ids), "n": sentences.length.tolist()}
    table = table.replace_schema_metadata({HEADER_KEY: json.dumps(header).encode()})
    with written_whole(path) as partial, open(partial, "wb") as file:  # Arrow opens no name that is not UTF-8
        parquet.write_table(table, file, compression="zstd")


FORMAT = Format("parquet", __doc__, (), sniff, read, write, endings=(".parquet",))
