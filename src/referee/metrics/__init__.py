"""The metrics: a family a file. Each can be called on data.

>>> from referee import metrics
>>> metrics.muc([{"a", "b", "c"}, {"d"}], [{"b", "c"}, {"d", "e"}]).recall
0.5
"""

from typing import TYPE_CHECKING

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
from referee.metrics.metric import Metric, metric
from referee.metrics.muc import muc
from referee.metrics.non_referring import non_referring
from referee.metrics.pairs import pairs, pairs_accuracy, pairs_mcc
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
from referee.metrics.table import Table, both_ways

__all__ = [
    "Metric", "Table", "ari", "b_cubed", "b_cubed_entity", "b_cubed_split", "blanc", "blanc_split", "both_ways",
    "bridging_anaphora", "bridging_entities", "bridging_mentions", "ceaf_e", "ceaf_e_split", "ceaf_m", "ceaf_m_split",
    "ceaf_phi2", "completeness", "conll", "conll_split", "core_mr", "d_error", "deixis_b_cubed", "deixis_ceaf_e",
    "deixis_conll", "deixis_lea", "deixis_muc", "exact", "exclusive_core_mr", "fowlkes_mallows", "gap", "gap_bias",
    "gap_feminine", "gap_masculine", "homogeneity", "lea", "lea_split", "links", "mention_overlap", "mentions",
    "merge_distance", "metric", "muc", "muc_split", "name_anaphora", "nominal_anaphora", "non_referring", "overlap",
    "pairs", "pairs_accuracy", "pairs_mcc", "pronoun_anaphora", "purity", "rand", "split_antecedents_b_cubed",
    "split_antecedents_ceaf_e", "split_antecedents_ceaf_m", "split_antecedents_conll", "split_antecedents_lea",
    "split_antecedents_muc", "syntactic_links", "v_measure", "vi", "zero_anaphora",
]  # fmt: skip


if not TYPE_CHECKING:  # for a type checker a name that does not exist is a mistake

    def __getattr__(name: str) -> object:
        """Refuse a name that there is not, with the metric that it is an alias of."""
        from referee.basics.names import NoAttributeError

        ids = (m.id for m in map(globals().get, __all__) if isinstance(m, Metric) and name.lower() in m.aliases)
        metric = next(ids, "")
        raise NoAttributeError("module 'referee.metrics'", name, __all__, metric and f"it is referee.metrics.{metric}")
