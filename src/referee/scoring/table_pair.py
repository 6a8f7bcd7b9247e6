"""`TablePair`: key and response of two tables. Their mentions are made only when something asks for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from referee.basics.options.options import Options
from referee.corpus import Corpus, CorpusBuilder
from referee.inputs.labels import check_rows
from referee.matching.pair import Pair, pair_of
from referee.metrics.scores import Scores
from referee.tables.counting import TwoTables
from referee.tables.engine import Side
from referee.tables.rows import Rows

UNNAMED = "#1"
"""The document of a table without documents."""


@dataclass(frozen=True, eq=False, repr=False)
class TablePair:
    """Key and response of two tables. Their mentions are made only when something asks for them."""

    tables: TwoTables
    options: Options

    @property
    def key_name(self) -> str:
        """Where the key came from."""
        return self.tables.key.source.name

    @cached_property
    def pair(self) -> Pair:
        """Key and response with their mentions."""
        return _pair(self.tables, self.options)


def compared_of(scores: Scores) -> Pair | TablePair | None:
    """What was scored; None for stored scores, which have counts alone."""
    compared: Pair | TablePair | None = getattr(scores, "compared", None)
    return compared


def pair_of_scores(scores: Scores) -> Pair | None:
    """The same with mentions, which are made of tables now."""
    compared = compared_of(scores)
    return compared.pair if isinstance(compared, TablePair) else compared


def _pair(tables: TwoTables, options: Options) -> Pair:
    """Key and response with their mentions."""
    check_rows(tables.rows)
    labels = [_labels(side, tables.rules.nulls) for side in (tables.key, tables.response)]
    if tables.rules.extra_items == "drop":
        labels[1] = {d: {i: e for i, e in entities.items() if i in labels[0].get(d, {})} for d, entities in labels[1].items()}
    documents = sorted({*labels[0], *labels[1]})
    if tables.rules.extra_documents == "ignore":
        documents = [document for document in documents if document in labels[0]]
    key, response = (_corpus(side, documents, name) for side, name in zip(labels, tables.names, strict=True))
    return pair_of(key, response, replace(options, extra_documents="score", items="union"))


DocumentLabels = dict[int | str, dict[object, object]]
"""Document -> item -> entity."""


def _labels(side: Side, nulls: str) -> DocumentLabels:
    labels: DocumentLabels = {}
    for batch in Rows(*side, nulls).batches():
        columns = [batch.column(role).to_pylist() for role in batch.schema.names]
        for *document, item, entity in zip(*columns, strict=True):
            labels.setdefault(document[0] if document else UNNAMED, {})[item] = entity
    return labels


def _corpus(labels: DocumentLabels, documents: list[int | str], name: str) -> Corpus:
    builder = CorpusBuilder(name)
    for document in documents:
        builder.document(str(document))
        for item, entity in sorted(labels.get(document, {}).items()):
            builder.item(str(item), str(entity))
    return replace(builder.corpus(), kind="labels")
