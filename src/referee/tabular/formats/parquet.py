"""Parquet: tables of items and entities or of pairs, documents with clusters, and the corpora of coref-data on the hub.

Needs the extra `referee[parquet]`. What a file is, its columns say:

``sentences``, ``coref_chains``
    the "indiscrim" form of the datasets `coref-data/..._indiscrim`, a document a row ::

        {"id": "a", "sentences": [{"id": 1, "speaker": None, "text": "Ann waves.", "tokens": [{"id": 1, "text": "Ann"}, ...]}],
         "coref_chains": [[[0, 0, 0], [1, 0, 0]], ...]}

    A chain is an entity, called by its place in the list, "0", "1", ... A mention is `[sentence, start, end]`: the sentence's
    place from 0, and the places of its tokens from 0 with an INCLUSIVE end. Tokens whose `id` has a fraction, as 4.1 in the
    corpora from CorefUD, are empty nodes.
``clusters``, or ``predicted_clusters``, ``span_clusters``, ``mention_clusters`` ... (lists)
    a document a row: what a JSON object with these keys means in a file of `jsonlines`, `maverick`, `preco` or another format
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

from referee.basics.exceptions import FormatError, shortened
from referee.basics.extras import arrow, need, parquet
from referee.corpus import Corpus
from referee.formats.shared import parquet_rows
from referee.formats.shared.format import Format, never
from referee.formats.shared.source import UNREADABLE, OnError, Source
from referee.tabular.arrow import ROWS, columns_of, records_of_batches
from referee.tabular.reading import Records, corpus_of


def read(source: Source, on_error: OnError) -> Corpus:
    """Read documents, or records as `csv` and `pairs` do."""
    return corpus_of(records(source, on_error))


def records(source: Source, on_error: OnError, *, probable: bool = False) -> Records:
    """Read the same; pairs are not decided."""
    need("Parquet", "pyarrow", "pyarrow.parquet")
    try:
        with source.open() as stream:
            file = parquet.ParquetFile(stream)
            if b"referee.counts" in (file.metadata.metadata or {}):
                raise FormatError(source.name, None, "has counts, not annotation; expected for it referee score or compare")
            columns = columns_of(file.schema_arrow, source.name)
            schema = file.schema_arrow.empty_table().select(columns).schema
            rows = parquet_rows.batches(file, source.name, ROWS, columns)
            return records_of_batches(schema, rows, source, on_error, probable=probable)
    except (arrow.ArrowException, *UNREADABLE, UnicodeDecodeError) as error:
        problem = shortened(str(error).partition("\n")[0], 100)
        raise FormatError(source.name, None, f"is no Parquet file that can be read: {problem}") from None


FORMAT = Format(
    "parquet", __doc__, ("spans", "words", "entity types", "items", "links", "empty nodes"), never, read, records=records
)
