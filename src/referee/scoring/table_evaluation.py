"""Label tables scored as columns: `evaluate_tables`, and the mentions of small tables for those who ask for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from referee.basics.exceptions import OptionError, one_line
from referee.basics.options.engines import EngineSettings
from referee.basics.options.options import Options
from referee.basics.system_names import name_of
from referee.inputs.labels import LabelTable
from referee.inputs.sources import ParquetFiles
from referee.metrics.metric import Metric
from referee.metrics.pairs import FINISH, check_decided
from referee.metrics.registry import METRICS, PAIRS, MetricsArg, panel_named, select_metrics
from referee.scoring.evaluation import Evaluation
from referee.scoring.signature import label_option_fields, short_signature, signature, threshold_field
from referee.scoring.table_pair import UNNAMED, TablePair
from referee.stats.counts import Columns, Counts
from referee.tables.counting import TwoTables, count, tables_of
from referee.tables.engine import CountingRules, Side
from referee.tables.gathered import Gathered
from referee.tables.paired import PairedTable, decided
from referee.tabular.arrow import TEXT


@dataclass(frozen=True, eq=False, repr=False)
class TableEvaluation(Evaluation):
    """The scores of a label table. It has no corpora: `pair`, errors and pages are made of the tables if they are small.

    Parameters
    ----------
    tables : Tables
        What was compared.
    decided : mapping or None
        The counts of pairs as decided, if the response lists pairs.
    facts : mapping
        The engine and what it did, for the JSON report; they change no digit.
    """

    tables: TwoTables = field(kw_only=True)
    decided: Columns | None = field(kw_only=True)
    facts: Mapping[str, object] = field(kw_only=True)

    @property
    def run(self) -> Mapping[str, object]:
        """The engine and what it did."""
        return self.facts

    def _counts_by(self, metrics: Mapping[str, Metric]) -> Mapping[str, Counts]:
        """Count by more metrics: the tables are read again."""
        return _counted(self.tables, self.decided, _countable(metrics, self.decided), {})[1]


def evaluate_tables(
    key: LabelTable,
    response: LabelTable,
    settings: EngineSettings,
    options: Options,
    metrics: MetricsArg,
    *,
    paired: PairedTable | None = None,
    nulls: str = "error",
    name: str | None = None,
    threshold: float | None = None,
) -> TableEvaluation:
    """Score a response table against a key table; `paired` has the pairs of a response that lists pairs.

    Raises
    ------
    OptionError
        If a metric says nothing of tables.
    FormatError, MismatchError, EngineError
        As `referee.tables.counting.count` raises them.
    """
    extra = "drop" if options.items == "key" else "score"
    rules = CountingRules(nulls, extra, options.extra_documents, options.singletons == "keep")
    tables = tables_of(key, response, settings, rules)
    panels = ("records",) if paired is None else ("records", "pairs")
    records = _countable(select_metrics(metrics, (), {}, panels=panels), paired, named=not panel_named(metrics, ()))
    run: dict[str, object] = {}
    counted = decided(paired, items=options.items) if paired is not None else None
    documents, counts = _counted(tables, counted, records, run)
    panel = panel_named(metrics, (), panels=panels)
    listed = panel or "+".join(m + "*" * (METRICS.get(m) is not record) for m, record in records.items())
    of_ids = {} if key.options.ids == "text" else {"ids": key.options.ids}
    signature_fields = _fields(tables, options, len(documents)) | of_ids | threshold_field(threshold)
    signed = signature(signature_fields, listed), short_signature(signature_fields, listed)
    compared, called = TablePair(tables, options, paired), one_line(name or name_of(response.name))
    parts: dict[str, Any] = {"tables": tables, "decided": counted, "facts": run}
    return TableEvaluation(called, documents, records, counts, options, *signed, compared, **parts)


def _countable(metrics: Mapping[str, Metric], decided: object, *, named: bool = True) -> dict[str, Metric]:
    """The metrics that look at a table of entities alone, or at decided pairs; OptionError for others that are named."""
    if named and decided is None:
        check_decided(metrics)
    others = [name for name, m in metrics.items() if m.scope == "annotation" and not (decided is not None and m.id in PAIRS)]
    if others and named:
        raise OptionError(f"{others[0]} looks at more than items and entities, which is all that label tables have")
    return {name: record for name, record in metrics.items() if name not in others}


def _counted(
    tables: TwoTables, decided: Columns | None, metrics: Mapping[str, Metric], run: dict[str, object]
) -> tuple[Sequence[str], Mapping[str, Counts]]:
    """The names of the documents, and the counts of each metric."""
    gathered = Gathered()
    of_pairs = {name for name, metric in metrics.items() if metric.id in PAIRS}
    for block in count(tables, {name: metric for name, metric in metrics.items() if name not in of_pairs}, run):
        gathered.add(block if tables.has_documents else block._replace(documents=[UNNAMED] * len(block.documents)))
    documents, counts = gathered.result()
    return documents, {
        name: Counts(decided or {}, FINISH[metric.id]) if name in of_pairs else counts[name] for name, metric in metrics.items()
    }


def _fields(tables: TwoTables, options: Options, documents: int) -> dict[str, str]:
    """What the signature says, field by field."""
    sides = tables.key, tables.response
    named_fields = {
        "formats": "parquet" * any(isinstance(side.source, ParquetFiles) for side in sides),
        "kind": "labels",
        "ids": tables.key.columns.item_kind + "-cast" * any(map(_is_cast, sides)),
        "nulls": tables.rules.nulls,
        **label_option_fields(options),
        "documents": str(documents),
    }
    return {name: value for name, value in named_fields.items() if value}


def _is_cast(side: Side) -> bool:
    """Whether items are compared as text, and are something else."""
    kinds = {field.name: field.kind for field in side.source.fields}
    return side.columns.kinds["item"] == TEXT != kinds[side.columns.names["item"]]
