"""Label tables scored as columns: `score_tables`, and the mentions of small tables for those who ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace

from referee.corpus import Corpus, CorpusBuilder
from referee.counts import Counts
from referee.exceptions import OptionError, one_line
from referee.metrics.metric import Metric
from referee.metrics.registry import METRICS, Chosen, chosen, panel_named
from referee.options import Options
from referee.pair import Pair, pair_of
from referee.scoring.evaluation import Evaluation
from referee.scoring.signature import fields_of_options, short_signature, signature, threshold_said
from referee.scoring.table_values import parquet_paths
from referee.tables.columns import TEXT, is_labels
from referee.tables.counting import Tables, count, tables_of
from referee.tables.engine import Rules, Side
from referee.tables.gathered import Gathered
from referee.tables.pairs import is_pairs, labelled
from referee.tables.rows import Rows
from referee.tables.settings import Settings
from referee.tables.sources import Files, Frame, Source, source_of

MOST = 5_000_000
"""Rows of both tables of which mentions are made at most."""

MEANINGLESS = ("profile", "match", "min_overlap", "zeros", "repeated_mentions", "cross_document", "tokens", "lea_importance")
"""Options that say nothing of label tables, which have neither spans nor words."""

UNNAMED = "#1"
"""The document of a table without documents."""


class TablePair(Pair):
    """Key and response of two tables, of which mentions are made only when something asks for them."""

    def __init__(self, tables: Tables, options: Options) -> None:
        self.__dict__.update(tables=tables, options=options)

    def __getattr__(self, name: str) -> object:
        """Make the mentions, when one of the fields of `Pair` is used for the first time."""
        if name not in {field.name for field in fields_of(Pair)}:
            raise AttributeError(name)
        self.__dict__.update(vars(_pair(self.__dict__["tables"], self.__dict__["options"])))
        return self.__dict__[name]

    @property
    def key_name(self) -> str:
        """Where the key came from."""
        tables: Tables = self.__dict__["tables"]
        return tables.key.source.name


class TableEvaluation(Evaluation):
    """The scores of a label table. It has no corpora: `pair`, errors and pages are made of the tables if they are small."""

    @property
    def tables(self) -> Tables:
        """What was compared."""
        tables: Tables = self.pair.__dict__["tables"]
        return tables

    @property
    def run(self) -> Mapping[str, object]:
        """The engine and its facts, for the JSON report; they change no digit."""
        run: Mapping[str, object] = self.__dict__["_run"]
        return run

    def _counts_by(self, metrics: Mapping[str, Metric]) -> Mapping[str, Counts]:
        """Count by more metrics: the tables are read again."""
        return _gathered(self.tables, _countable(metrics), {}).result()[1]

    def blocks(self) -> Iterator[tuple[Sequence[str], Mapping[str, Counts]]]:
        """The documents with their counts, some at a time."""
        gathered: Gathered = self.__dict__["_gathered"]
        yield from gathered.blocks()


def score_tables(
    key: object,
    response: object,
    settings: Settings,
    options: Options,
    metrics: Chosen,
    *,
    name: str | None = None,
    threshold: float | None = None,
) -> TableEvaluation | tuple[object, object]:
    """Score a response table against a key table; the two if they are no label tables, and no setting says that they are.

    Streams have been read then, and are tables.

    The response may be pairs, whose links from a threshold on make the entities.

    Raises
    ------
    OptionError
        If an option or a metric says nothing of tables.
    FormatError, MismatchError, EngineError
        As `referee.tables.counting.count` raises them.
    """
    sides, given = list[Source](), {"key": key, "response": response}
    for role, side in dict(given).items():
        source = source_of(parquet_paths(side) or side, f"<{role}>", settings)
        given[role] = source.table if isinstance(source, Frame) else side
        if source is not None and role == "response" and _are_pairs(source, settings, threshold):
            source, settings = labelled(source, threshold), settings.of_key
        if source is None or not (settings != Settings() or is_labels(source.fields, settings.roles(role))):
            return given["key"], given["response"]
        sides.append(source)
    _check_options(options)
    extra = "drop" if options.items == "key" else "score"
    rules = Rules(settings.nulls, extra, options.extra_documents, options.singletons == "keep")
    tables = tables_of(sides[0], sides[1], settings, rules)
    records = _countable(chosen(metrics, CorpusBuilder().corpus(), {}), named=not panel_named(metrics))
    run: dict[str, object] = {}
    gathered = _gathered(tables, records, run)
    documents, counts = gathered.result()
    listed = panel_named(metrics) or "+".join(m + "*" * (METRICS.get(m) is not record) for m, record in records.items())
    said = _fields(tables, options, len(documents)) | threshold_said(threshold)
    evaluation = TableEvaluation(
        one_line(name or sides[1].name), documents, records, counts, options, signature(said, listed),
        short_signature(said, listed), TablePair(tables, options), panel_named(metrics),
    )  # fmt: skip
    evaluation.__dict__.update(_run=run, _gathered=gathered)
    return evaluation


def shared_key(key: object, settings: Settings) -> object:
    """Return a key against which several responses are scored, so that it is prepared once; itself if it is no table."""
    source = source_of(parquet_paths(key) or key, "<key>", settings)
    if source is None or not (settings != Settings() or is_labels(source.fields, {})):
        return key
    source.shared = True
    return source


def _are_pairs(response: Source, settings: Settings, threshold: float | None) -> bool:
    """Whether a response is a table of pairs."""
    if threshold is not None and settings.response_columns:
        raise OptionError("--response-columns is for label tables; found --threshold, which is for pairs: their names say all")
    return threshold is not None or (not settings.response_columns and is_pairs(response.fields))


def _check_options(options: Options) -> None:
    if options.items == "both":
        raise OptionError("--items both is for mentions in texts; expected --items key, or tables of the same items")
    usual = Options()
    for name in MEANINGLESS:
        if getattr(options, name) != getattr(usual, name):
            shown = f"--{name.replace('_', '-')} {getattr(options, name)}"
            raise OptionError(f"{shown} is for mentions in texts; found label tables: expected no such option")


def _countable(metrics: Mapping[str, Metric], *, named: bool = True) -> dict[str, Metric]:
    """The metrics that look at a table of entities alone; OptionError for others that are named."""
    others = [name for name, record in metrics.items() if record.scope == "annotation"]
    if others and named:
        raise OptionError(f"{others[0]} looks at more than items and entities, which is all that label tables have")
    return {name: record for name, record in metrics.items() if name not in others}


def _gathered(tables: Tables, metrics: Mapping[str, Metric], run: dict[str, object]) -> Gathered:
    gathered = Gathered(tables.settings.spill)
    for block in count(tables, metrics, run):
        gathered.add(block if tables.has_documents else block._replace(documents=[UNNAMED] * len(block.documents)))
    return gathered


def _fields(tables: Tables, options: Options, documents: int) -> dict[str, str]:
    """What the signature says, field by field."""
    cast = any(map(_is_cast, (tables.key, tables.response)))
    found = {
        "formats": "parquet" if isinstance(tables.key.source, Files) or isinstance(tables.response.source, Files) else "",
        "ids": f"{tables.key.columns.item_kind}{'-cast' if cast else ''}",
        "nulls": tables.rules.nulls,
        **fields_of_options(options),
        "documents": str(documents),
    }
    return {name: value for name, value in found.items() if value}


def _is_cast(side: Side) -> bool:
    """Whether items are compared as text, and are something else."""
    kinds = {field.name: field.kind for field in side.source.fields}
    return side.columns.kinds["item"] == TEXT != kinds[side.columns.names["item"]]


def _pair(tables: Tables, options: Options) -> Pair:
    """Key and response with their mentions."""
    rows = tables.rows or 0
    if rows > MOST:
        raise OptionError(
            f"found {rows} rows; expected at most {MOST} where each mention is looked at, as for errors and pages: give the "
            "tables of some documents or entities"
        )
    labels = [_labels(side, tables.rules.nulls) for side in (tables.key, tables.response)]
    if tables.rules.extra_items == "drop":
        labels[1] = {d: {i: e for i, e in of.items() if i in labels[0].get(d, {})} for d, of in labels[1].items()}
    documents = sorted({*labels[0], *labels[1]})
    if tables.rules.extra_documents == "ignore":
        documents = [document for document in documents if document in labels[0]]
    key, response = (_corpus(of, documents, name) for of, name in zip(labels, tables.names, strict=True))
    return pair_of(key, response, replace(options, extra_documents="score", items="union"))


Labels = dict[int | str, dict[object, object]]
"""Document -> item -> entity."""


def _labels(side: Side, nulls: str) -> Labels:
    labels: Labels = {}
    for batch in Rows(*side, nulls).batches():
        columns = [batch.column(role).to_pylist() for role in batch.schema.names]
        for *document, item, entity in zip(*columns, strict=True):
            labels.setdefault(document[0] if document else UNNAMED, {})[item] = entity
    return labels


def _corpus(labels: Labels, documents: list[int | str], name: str) -> Corpus:
    builder = CorpusBuilder(name)
    for document in documents:
        builder.document(str(document))
        for item, entity in sorted(labels.get(document, {}).items()):
            builder.item(str(item), str(entity))
    return builder.corpus()
