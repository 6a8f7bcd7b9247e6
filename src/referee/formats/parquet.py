"""Parquet: tables of items and entities or of pairs, and the corpora of coref-data on the Hugging Face hub.

Needs the extra `referee[parquet]`. What a file is, its columns say:

``sentences``, ``coref_chains``
    the "indiscrim" form of the datasets `coref-data/..._indiscrim`, a document a row ::

        {"id": "a", "sentences": [{"id": 1, "speaker": None, "text": "Ann waves.", "tokens": [{"id": 1, "text": "Ann"}, ...]}],
         "coref_chains": [[[0, 0, 0], [1, 0, 0]], ...]}

    A chain is an entity, called by its place in the list, "0", "1", ... A mention is `[sentence, start, end]`: the sentence's
    place from 0, and the places of its tokens from 0 with an INCLUSIVE end. Tokens whose `id` has a fraction, as 4.1 in the
    corpora from CorefUD, are empty nodes.
any others
    a table as in `pairs` or, else, as in `csv`, with a header: the columns have the same names, and the same is done with them.
    Messages count lines as if it were one: the first row is line 2.

References
----------
The README of ianporada/coref-data, and its `preprocessing/indiscrim_conversion`, where PreCo's exclusive ends
are made inclusive.

Notes
-----
Where programs disagree:

* Mentions of several parts were cut to one of them by the conversion, so scores of ARRAU and CorefUD differ from those of the
  corpora themselves.
* `text` is detokenised, not what was annotated. It is not read, nor are speakers, genres and the columns of CoNLL-U.

Parquet is not written: `jsonlines` and `csv` are, which other programs read into it.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import partial
from importlib import import_module
from typing import Any

from referee.corpus import Corpus, CorpusBuilder
from referee.corpus.layers import BEFORE
from referee.exceptions import FormatError, MissingExtraError, shortened
from referee.formats import csv, pairs
from referee.formats.shared.documents import Sentences, begin
from referee.formats.shared.json_values import integers, placed
from referee.formats.shared.source import Fault, Source
from referee.formats.shared.untyped import Untyped

HOLDS = ("spans", "words", "items", "links", "empty nodes")
DOCUMENT = {"sentences", "coref_chains"}
ROWS = 256
"""Documents that are decoded at a time."""


def sniff(head: str) -> bool:
    """What such files begin with."""
    return head.startswith("PAR1")


def read(source: Source, fault: Fault) -> Corpus:
    """Read documents of coref-data, or a table as `pairs` or `csv`."""
    try:
        failures = (import_module("pyarrow").ArrowException, OSError, UnicodeDecodeError)
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("Parquet", "parquet") from None
    try:
        with source.open() as stream:
            file = parquet.ParquetFile(stream)
            if {*file.schema_arrow.names} >= DOCUMENT:
                batches = file.iter_batches(ROWS, columns=_document_columns(file.schema_arrow))
                return _of_documents(batches, source.name, fault)
            return _of_rows(file.read(_flat_columns(file.schema_arrow)), source.name, source.role, fault)
    except failures as error:
        problem = shortened(str(error).partition("\n")[0], 100)
        raise FormatError(source.name, None, f"is no Parquet file that can be read: {problem}") from None


def corpus_of_table(table: Untyped, name: str, role: str, fault: Fault) -> Corpus:
    """The corpus of a table of Arrow, as if it stood in a file."""
    if {*table.schema.names} >= DOCUMENT:
        return _of_documents(table.select(_document_columns(table.schema)).to_batches(ROWS), name, fault)
    return _of_rows(table.select(_flat_columns(table.schema)), name, role, fault)


def _document_columns(schema: Untyped) -> list[str]:
    return [name for name in ("id", *sorted(DOCUMENT)) if name in schema.names]


def _flat_columns(schema: Untyped) -> list[str]:
    is_nested = import_module("pyarrow.types").is_nested
    return [field.name for field in schema if not is_nested(field.type)]


def _of_documents(batches: Iterable[Untyped], name: str, fault: Fault) -> Corpus:
    builder = CorpusBuilder(name)
    for batch in batches:
        for row in batch.to_pylist():
            add(row, builder, fault)
    return builder.corpus()


def _of_rows(table: Untyped, name: str, role: str, fault: Fault) -> Corpus:
    """The corpus of a table of pairs, or of items and entities: written and read as CSV."""
    pyarrow, buffer = import_module("pyarrow"), io.BytesIO()
    texts = [field.with_type(pyarrow.string()) if str(field.type) == "string_view" else field for field in table.schema]
    import_module("pyarrow.csv").write_csv(table.cast(pyarrow.schema(texts)), buffer)  # which knows no views
    lines = Source(name, buffer.getvalue(), role=role)
    if pairs.sniff(lines.head.decode(errors="replace")):
        return pairs.read(lines, fault)
    known = {column.strip().lower() for column in table.schema.names}
    if known.isdisjoint(csv.COLUMNS["item"]) or known.isdisjoint(csv.COLUMNS["entity"]):
        found = shortened(", ".join(table.schema.names))
        raise FormatError(name, None, f"has the columns {found}; expected item and entity, or coref_chains")
    return csv.read(lines, fault)


def add(row: dict[str, Any], builder: CorpusBuilder, fault: Fault) -> None:
    """Add the document of a row to the builder."""
    name = str(row["id"]) if type(row.get("id")) in (str, int) else ""
    report = partial(placed, fault, None, f"document {name!r}: " if name else "")
    sentences = _sentences(row["sentences"])
    if sentences is None:
        report("`sentences` is not what it should be; expected a list of sentences with `tokens`, each with its `text`")
        sentences = []
    text = Sentences.of([[token["text"] for token in sentence] for sentence in sentences])
    if not begin(builder, fault, name, text.tokens, text.starts):
        return
    _mark_empty_nodes(sentences, builder)
    chains = row["coref_chains"]
    if not (isinstance(chains, list) and all(isinstance(chain, list) for chain in chains)):
        report(f"`coref_chains` is {shortened(repr(chains))}; expected a list of lists of mentions")
        return
    for label, chain in enumerate(chains):
        for mention in chain:
            sentence, first, last = integers(mention, 3) or (-1, -1, -1)
            if (span := text.span(sentence, first, last + 1)) is not None:
                builder.mention(*span, str(label))
            else:
                expected = "[sentence, start, end], numbers of a sentence and of two of its tokens, from 0"
                report(f"chain {label}: found {shortened(repr(mention))}; expected {expected}")


def _sentences(value: object) -> list[list[dict[str, Any]]] | None:
    """The tokens of each sentence."""
    if not (isinstance(value, list) and all(isinstance(s, dict) and isinstance(s.get("tokens"), list) for s in value)):
        return None
    sentences = [sentence["tokens"] for sentence in value]
    good = all(isinstance(t, dict) and isinstance(t.get("text"), str) for tokens in sentences for t in tokens)
    return sentences if good else None


def _mark_empty_nodes(sentences: list[list[dict[str, Any]]], builder: CorpusBuilder) -> None:
    node = 0
    for number, sentence in enumerate(filter(None, sentences)):
        minor = BEFORE
        for token in sentence:
            id_ = token.get("id")
            empty = isinstance(id_, float) and 0 < id_ % 1 < 1
            minor = minor + 1 if empty else 0
            if empty:
                builder.empty_node(node, minor, number)
            node += 1
