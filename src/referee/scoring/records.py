"""Records scored: labels and pairs, as columns where both sides are columns, else mention by mention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.basics.exceptions import OptionError
from referee.basics.options.engines import EngineSettings
from referee.basics.options.options import Options
from referee.corpus import Corpus
from referee.inputs.kinds import Input, check_pairs
from referee.inputs.labels import MOST, LabelTable, labels_of_corpus, labels_of_pairs
from referee.inputs.load import SideOptions, corpus_of
from referee.inputs.paths import Stored
from referee.metrics.metric import Metric
from referee.metrics.registry import MetricsArg
from referee.scoring.evaluation import Evaluation, evaluate_corpora
from referee.scoring.signature import threshold_field
from referee.scoring.table_evaluation import evaluate_tables
from referee.tables.counting import RepeatedItemsError
from referee.tables.paired import PairedTable, with_key
from referee.tabular.pairs import PairTable


def evaluate_records(
    key: Input,
    response: Input,
    options: Options,
    sides: SideOptions,
    metrics: MetricsArg,
    variants: Mapping[str, Metric],
    *,
    name: str | None = None,
    threshold: float | None = None,
) -> Evaluation:
    """Score two inputs, of which one is a table; an item in two entities is what `repeated_mentions` says.

    Raises
    ------
    OptionError
        If one has counts; if there is a threshold, and the response has no pairs.
    """
    for side in (key, response):
        if isinstance(side, Stored):
            raise OptionError(f"{side.path} has counts; expected annotation: referee.read_counts and referee score read counts")
    if threshold is not None:
        response = check_pairs(response)
    policy = options.repeated_mentions in ("first", "error")
    is_countable = (
        policy and options.cross_document is None and options.items in ("union", "key")
    )  # without a look at each mention
    if sides[0].engine is not None and not is_countable:
        wanted = "--repeated-mentions first or error, no --cross-document, --items union or key"
        raise OptionError(f"found options of engines, such as --memory; expected {wanted} with them")
    columns = as_columns(key, response, sides, threshold) if is_countable else None
    if columns is not None:
        settings, nulls = sides[0].engine or EngineSettings(), sides[0].nulls
        how: dict[str, Any] = {"nulls": nulls, "name": name, "threshold": threshold}
        try:
            return evaluate_tables(columns.key, columns.response, settings, options, metrics, paired=columns.paired, **how)
        except RepeatedItemsError:
            if any(
                side.source.rows is None or side.source.rows > MOST for side in columns[:2]
            ):  # no mentions are made of these
                raise
    corpora = corpus_of(key), response.corpus(threshold) if isinstance(response, PairTable) else corpus_of(response)
    signature_fields = {**sides[0].signature_fields, **threshold_field(threshold)}
    return evaluate_corpora(*corpora, options, metrics, variants, name=name, reading_fields=signature_fields)


class TwoLabelTables(NamedTuple):
    """Both sides as tables of labels; and the pairs of a response that lists pairs, with the records of the key."""

    key: LabelTable
    response: LabelTable
    paired: PairedTable | None = None


def as_columns(key: Input, response: Input, sides: SideOptions, threshold: float | None = None) -> TwoLabelTables | None:
    """Both sides as tables of labels, if they are columns, or an engine is asked for; None if mentions are to be made."""
    asked = sides[0].engine is not None
    if isinstance(key, PairTable) or not (asked or isinstance(key, LabelTable)):
        return None  # pairs of a key are looked at one by one, whatever engine there is
    if isinstance(key, Stored) or isinstance(response, Stored):
        return None
    of_key = key if isinstance(key, LabelTable) else labels_of_corpus(key, "key")
    if isinstance(response, PairTable):
        paired = with_key(of_key, response)
        if paired is None:
            return None
        paired = paired._replace(limit=response.limit(threshold))
        return TwoLabelTables(of_key, labels_of_pairs(paired.pairs, paired.limit), paired)
    if not asked and isinstance(response, Corpus):
        return None
    return TwoLabelTables(of_key, response if isinstance(response, LabelTable) else labels_of_corpus(response, "response"))
