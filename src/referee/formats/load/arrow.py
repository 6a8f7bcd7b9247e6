"""Tables of Arrow, from a file or from a library: their columns say what they mean.

``coref_chains`` and ``sentences``
    documents of coref-data, a row each
``clusters``, ``predicted_clusters`` or another nested column that only documents have
    documents of `jsonlines`, `maverick` and other formats with a JSON object a line, a row each
any others
    pairs of linked records or, else, items with their entities
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from importlib import import_module

from referee.corpus import Corpus, CorpusBuilder
from referee.exceptions import FormatError, OptionError, shortened
from referee.formats import csv, pairs
from referee.formats.load.json_documents import CLUSTERS, corpus_of_json
from referee.formats.load.shapes import shown
from referee.formats.shared import coref_data
from referee.formats.shared.source import Fault, Source
from referee.formats.shared.untyped import Untyped

DOCUMENT = {"sentences", "coref_chains"}
ROWS = 256
"""Documents that are decoded at a time."""


def columns_of(schema: Untyped, source: str) -> list[str]:
    """The columns that are read of a table with this schema.

    Raises
    ------
    FormatError
        If two have one name.
    """
    if twice := next((name for name in schema.names if schema.names.count(name) > 1), None):
        raise FormatError(source, None, f"has two columns called {shown(twice)}; expected different names")
    if {*schema.names} >= DOCUMENT:
        return [name for name in ("id", *sorted(DOCUMENT)) if name in schema.names]
    return list(schema.names) if _has_clusters(schema) else [field.name for field in schema if not _is_nested(field)]


def corpus_of_batches(schema: Untyped, batches: Iterable[Untyped], name: str, role: str, fault: Fault) -> Corpus:
    """The corpus of a table, given as batches of rows with the columns that are read."""
    if {*schema.names} >= DOCUMENT:
        builder = CorpusBuilder(name)
        for batch in batches:
            for row in batch.to_pylist():
                coref_data.add(row, builder, fault)
        return builder.corpus()
    table = import_module("pyarrow").Table.from_batches(batches, schema)
    return _of_documents(table, name, role) if _has_clusters(schema) else _of_rows(table, name, role, fault)


def corpus_of_table(table: Untyped, name: str, role: str, fault: Fault) -> Corpus:
    """The corpus of a table."""
    read = table.select(columns_of(table.schema, name))
    return corpus_of_batches(read.schema, read.to_batches(ROWS), name, role, fault)


def _is_nested(field: Untyped) -> bool:
    nested: bool = import_module("pyarrow.types").is_nested(field.type)
    return nested


def _has_clusters(schema: Untyped) -> bool:
    return any(field.name in CLUSTERS and _is_nested(field) for field in schema)


def _of_documents(table: Untyped, name: str, role: str) -> Corpus:
    rows = [{key: part for key, part in row.items() if part is not None} for row in table.to_pylist()]
    if not rows:
        return CorpusBuilder(name).corpus()
    try:
        return corpus_of_json(rows, name, role)
    except OptionError as error:
        raise FormatError(name, None, str(error).removeprefix(f"{name}: ")) from None


def text_of(table: Untyped, name: str, role: str) -> Source:
    """A table as CSV."""
    pyarrow, buffer = import_module("pyarrow"), io.BytesIO()
    texts = [field.with_type(pyarrow.string()) if str(field.type) == "string_view" else field for field in table.schema]
    import_module("pyarrow.csv").write_csv(table.cast(pyarrow.schema(texts)), buffer)  # which knows no views
    return Source(name, buffer.getvalue(), role=role)


def _of_rows(table: Untyped, name: str, role: str, fault: Fault) -> Corpus:
    """The corpus of a table of pairs, or of items and entities: written and read as CSV."""
    lines = text_of(table, name, role)
    if pairs.sniff(lines.head.decode(errors="replace")):
        return pairs.read(lines, fault)
    for meaning, names in csv.COLUMNS.items():
        columns = [field for field in table.schema if field.name.strip().lower() in names]
        if not columns and meaning != "document":
            found = shortened(", ".join(table.schema.names))
            raise FormatError(name, None, f"has the columns {found}; expected item and entity, clusters, or coref_chains")
        _check_ids(name, meaning, columns)
    return csv.read(lines, fault)


def _check_ids(name: str, meaning: str, columns: list[Untyped]) -> None:
    """Raise FormatError if more than one column may have the ids of one meaning, or if they are floats."""
    if len(columns) > 1:
        found = " and ".join(field.name for field in columns)
        raise FormatError(name, None, f"has {found} for the {meaning}; expected one: rename or leave out the other")
    for field in columns:
        if import_module("pyarrow.types").is_floating(field.type):
            remedy = f"integers or text for the {meaning}: pandas makes integers with gaps floats; cast the column to Int64"
            raise FormatError(name, None, f"column {field.name} is {field.type}; expected {remedy}")
