"""Records scored: labels and pairs, as columns where both sides are columns, else mention by mention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from referee.basics.exceptions import OptionError
from referee.formats.shared.shapes import is_array
from referee.inputs.kinds import Input, check_pairs
from referee.inputs.labels import MOST, LabelTable, labels_of_corpus, labels_of_pairs
from referee.inputs.load import corpus_of
from referee.inputs.paths import Stored
from referee.inputs.settings import EngineSettings
from referee.metrics.metric import Metric
from referee.metrics.registry import Chosen
from referee.scoring.evaluation import Evaluation, evaluate_corpora
from referee.scoring.signature import threshold_field
from referee.scoring.table_evaluation import evaluate_tables
from referee.tables.counting import RepeatedItemsError
from referee.tabular.pairs import PairTable

if TYPE_CHECKING:
    from referee.scoring.how import How


def evaluate_records(
    key: Input,
    response: Input,
    how: How,
    metrics: Chosen,
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
    if how.settings is not None and not how.of_columns:
        wanted = "--repeated-mentions first or error, no --cross-document, --items union or key"
        raise OptionError(f"found options of engines, such as --memory; expected {wanted} with them")
    columns = as_columns(key, response, how, threshold) if how.of_columns else None
    if columns is not None:
        settings, nulls = how.settings or EngineSettings(), how.request.nulls or "error"
        try:
            return evaluate_tables(*columns, settings, how.options, metrics, nulls=nulls, name=name, threshold=threshold)
        except RepeatedItemsError:
            if any(side.source.rows is None or side.source.rows > MOST for side in columns):  # no mentions are made of these
                raise
    corpora = corpus_of(key), response.corpus(threshold) if isinstance(response, PairTable) else corpus_of(response)
    said = {**how.request.said, **threshold_field(threshold)}
    return evaluate_corpora(*corpora, how.options, metrics, variants, name=name, said=said)


def as_columns(key: Input, response: Input, how: How, threshold: float | None = None) -> tuple[LabelTable, LabelTable] | None:
    """Both sides as tables of labels, if they are columns, or an engine is asked for; None if mentions are to be made."""
    sides: list[LabelTable] = []
    for role, side in (("key", key), ("response", response)):
        if isinstance(side, PairTable) and role == "response" and is_array(side.names):
            sides.append(labels_of_pairs(side, threshold))
        elif isinstance(side, LabelTable):
            sides.append(side)
        elif how.settings is not None and not isinstance(side, Stored):
            corpus = side.corpus(threshold if role == "response" else None) if isinstance(side, PairTable) else side
            sides.append(labels_of_corpus(corpus, how.request.asked(role), role))
        else:
            return None
    return sides[0], sides[1]
