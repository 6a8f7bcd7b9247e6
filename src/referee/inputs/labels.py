"""`LabelTable`: a table of items and entities whose rows stay columns, wherever they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, cast

from referee.basics.exceptions import OptionError
from referee.basics.extras import arrow, pc
from referee.basics.memo import Memo
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.corpus.origin import Origin
from referee.formats.shared.source import Source as TextSource
from referee.inputs.sources import Frame, ParquetFiles, RowSource
from referee.tabular.arrow import Field, records_of_columns
from referee.tabular.labels import BETWEEN
from referee.tabular.missing import warn_of_noise_in
from referee.tabular.pairs import PairTable
from referee.tabular.reading import corpus_of
from referee.tabular.roles import TableSchema

MOST = 10_000_000
"""Rows of a table of which mentions are made at most."""


@dataclass(frozen=True, eq=False, repr=False)
class LabelTable(Memo):
    """A table of items and entities.

    Parameters
    ----------
    source : Source
        The rows.
    schema : TableSchema
        What the columns mean.
    options : ReadOptions
        What the user said.
    role : str
        "key" or "response".
    """

    source: RowSource
    schema: TableSchema
    options: ReadOptions
    role: str = "key"

    kind: ClassVar[str] = "labels"

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.source.name

    @property
    def origin(self) -> Origin | None:
        """Which column has the entities, and which were not read."""
        return self.schema.origin([field.name for field in self.source.fields], self.options)

    def field(self, role: str) -> Field:
        """The column of a role."""
        return self.source.fields[self.schema.places[role]]

    def corpus(self) -> Corpus:
        """Return the same with a mention for each row, made once.

        Raises
        ------
        OptionError
            If there are too many rows.
        """
        return self.memo_call(_corpus)


def _corpus(labels: LabelTable) -> Corpus:
    check_rows(labels.source.rows)
    roles = dict(labels.schema.places)
    names = [labels.field(role).name for role in roles]
    empty = labels.source.schema.empty_table().select(names).schema
    table = arrow.Table.from_batches(labels.source.batches(names), empty)
    text = TextSource(labels.name, b"", role=labels.role, options=labels.options)
    schema = labels.schema._replace(places={role: n for n, role in enumerate(roles)})
    form = "parquet" if isinstance(labels.source, ParquetFiles) else ""
    corpus = replace(corpus_of(records_of_columns(table, schema, text, text.raise_error)), format=form)
    warn_of_noise_in(corpus)
    return corpus


def check_rows(rows: int | None) -> None:
    """Raise OptionError for so many rows that no mentions are made of them."""
    if rows is not None and rows > MOST:
        expected = f"expected at most {MOST} where each mention is looked at, as for errors and pages"
        raise OptionError(f"found {rows} rows; {expected}: give the tables of some documents or entities")


def labels_of_corpus(corpus: Corpus, role: str) -> LabelTable:
    """Return the same as columns, for an engine that is asked for.

    Raises
    ------
    OptionError
        If mentions are no items.
    """
    if corpus.items is None and len(corpus.document):
        raise OptionError(f"{corpus.source} has mentions in texts; options of engines, such as --memory, are for label tables")
    columns = {"item": list(corpus.items or ()), "entity": corpus.entity}
    if len(corpus.doc_ids) > 1 or corpus.doc_ids != ("#1",):
        columns["document"] = [corpus.doc_ids[d] for d in corpus.document.tolist()]
    table = arrow.table(columns)
    places = {name: n for n, name in enumerate(columns)}
    return LabelTable(Frame(table, corpus.source), TableSchema("labels", places), ReadOptions(), role)


def labels_of_pairs(pairs: PairTable, threshold: float | None) -> LabelTable:
    """Return the labels that links make: the entity of a record is its first one."""
    root, _ = pairs.entities(pairs.limit(threshold))
    names = cast("arrow.Array", pairs.names)
    columns: dict[str, arrow.Array] = {"item": names, "entity": names.take(arrow.array(root))}
    if pairs.sources:  # as a table of labels has them
        parts = pc.split_pattern(names, BETWEEN, max_splits=1).flatten()
        columns |= {"source": parts[::2], "item": parts[1::2]}
    if pairs.documents is not None:
        columns["document"] = cast("arrow.Array", pairs.documents)
    places = {name: n for n, name in enumerate(columns)}
    return LabelTable(
        Frame(arrow.table(columns), pairs.name), TableSchema("labels", places), ReadOptions(nulls="keep"), "response"
    )
