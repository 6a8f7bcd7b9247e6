"""`METRICS`: every metric by its id, in the order of reports.

To add a metric, write the function that counts, with `@metric`, and name it here. Choices, help, the documentation and the
property tests follow. A metric of your own needs no line here: ``score(key, response, metrics={"mine": function})``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from referee.corpus.corpus import Corpus
from referee.counts import Counts
from referee.exceptions import OptionError, UnknownNameError
from referee.metrics.anaphora import name_anaphora, nominal_anaphora, pronoun_anaphora, zero_anaphora
from referee.metrics.average import conll
from referee.metrics.b_cubed import b_cubed, b_cubed_entity, purity
from referee.metrics.blanc import blanc, rand
from referee.metrics.bridging import bridging_anaphora, bridging_entities, bridging_mentions
from referee.metrics.ceaf import ceaf_e, ceaf_m, ceaf_phi2, exact
from referee.metrics.chance import ari, fowlkes_mallows
from referee.metrics.core_mr import core_mr, exclusive_core_mr
from referee.metrics.deixis import deixis_b_cubed, deixis_ceaf_e, deixis_conll, deixis_lea, deixis_muc
from referee.metrics.distribution import d_error, overlap
from referee.metrics.entropy import completeness, homogeneity, v_measure, vi
from referee.metrics.gap import gap, gap_bias, gap_feminine, gap_masculine
from referee.metrics.lea import lea
from referee.metrics.links import links, mentions, syntactic_links
from referee.metrics.mention_overlap import mention_overlap
from referee.metrics.merge_distance import merge_distance
from referee.metrics.metric import Metric
from referee.metrics.muc import muc
from referee.metrics.non_referring import non_referring
from referee.metrics.split_antecedents import (
    b_cubed_split,
    blanc_split,
    ceaf_e_split,
    ceaf_m_split,
    conll_split,
    lea_split,
    muc_split,
    split_antecedents_b_cubed,
    split_antecedents_ceaf_e,
    split_antecedents_ceaf_m,
    split_antecedents_conll,
    split_antecedents_lea,
    split_antecedents_muc,
)
from referee.metrics.table import Table

METRICS: dict[str, Metric] = {
    record.id: record
    for record in (
        *(mentions, muc, b_cubed, ceaf_m, ceaf_e, blanc, lea, conll),
        *(core_mr, exclusive_core_mr, overlap, d_error),
        *(links, syntactic_links, rand, ari, fowlkes_mallows, b_cubed_entity, ceaf_phi2, exact, purity),
        *(homogeneity, completeness, v_measure, vi, merge_distance),
        *(mention_overlap, zero_anaphora, pronoun_anaphora, name_anaphora, nominal_anaphora, non_referring),
        *(bridging_anaphora, bridging_mentions, bridging_entities),
        *(deixis_muc, deixis_b_cubed, deixis_ceaf_e, deixis_lea, deixis_conll),
        *(muc_split, b_cubed_split, ceaf_m_split, ceaf_e_split, blanc_split, lea_split, conll_split),
        *(split_antecedents_muc, split_antecedents_b_cubed, split_antecedents_ceaf_m, split_antecedents_ceaf_e),
        *(split_antecedents_lea, split_antecedents_conll),
        *(gap, gap_masculine, gap_feminine, gap_bias),
    )
}

NAMES: dict[str, str] = {name: record.id for record in METRICS.values() for name in (record.id, *record.aliases)}
"""Every id and alias, with the id it stands for."""

ALL = "all"
"""In place of metrics: all that the key calls for."""

Chosen: TypeAlias = "str | Iterable[str] | Mapping[str, str | Metric | Callable[[Table], Counts]] | None"


def metric_named(name: object) -> Metric:
    """Return the metric of this id or alias, in any case, with - for _.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    known = NAMES.get(name.strip().lower().replace("-", "_").replace("³", "3")) if isinstance(name, str) else None
    if known is None:
        raise UnknownNameError("metric", name, NAMES, METRICS)
    return METRICS[known]


def metrics_named(names: str | Iterable[str]) -> dict[str, Metric]:
    """Return metrics by their ids, each once; names may stand in one text, with commas between them."""
    listed = names.split(",") if isinstance(names, str) else names
    return {found.id: found for found in map(metric_named, listed)}


def panel(key: Corpus, *, everything: bool = False) -> dict[str, Metric]:
    """Return the metrics for a key: those that papers report, and those of what only some annotation has.

    Parameters
    ----------
    key : Corpus
        What it is annotated with decides which metrics have something to count.
    everything : bool
        Whether the rest is wanted, too.
    """
    has = {*key.own_features, key.format}
    return {
        name: record
        for name, record in METRICS.items()
        if (record.panel == "default" or (everything and record.panel == "all")) and (not record.needs or record.needs in has)
    }


def chosen(metrics: Chosen, key: Corpus, variants: Mapping[str, Metric]) -> dict[str, Metric]:
    """Return the metrics to compute, by the names that reports give them.

    Parameters
    ----------
    metrics : str, iterable, mapping or None
        Names, with commas between them or as a list; "all"; a mapping from names to metrics, functions of a `Table`, or names
        of metrics; None for the panel that the key calls for.
    key : Corpus
        The key.
    variants : mapping
        Metrics of a profile, which take the place of those of the same id.
    """
    if isinstance(metrics, Mapping):
        return {name: _record(name, given, variants) for name, given in metrics.items()}
    if not (metrics is None or isinstance(metrics, Iterable)):
        raise OptionError(f"metrics is a list of names, or a mapping to functions; found {metrics!r}")
    names = panel_named(metrics)
    found = metrics_named(metrics) if metrics is not None and not names else panel(key, everything=names == ALL)
    return {name: variants.get(name, record) for name, record in found.items()}


def panel_named(metrics: Chosen) -> str:
    """Return "default" for no metrics, "all" for all of them, and nothing for metrics that are named."""
    return "default" if metrics is None else ALL if metrics in (ALL, [ALL], (ALL,)) else ""


def _record(name: str, given: object, variants: Mapping[str, Metric]) -> Metric:
    if isinstance(given, str):
        record = metric_named(given)
        return variants.get(record.id, record)
    if isinstance(given, Metric):
        return given
    if not callable(given):
        raise OptionError(f"metric {name!r} is a function of a Table, or a name; found {given!r}")
    return Metric(name, name, given, scope="document")
