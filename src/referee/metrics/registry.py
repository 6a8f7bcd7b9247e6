"""The measures: `METRICS`, from the id of a measure to the function that counts it.

A metric is a function of the `Table` that returns `Counts`, one row a document; precision is the recall of the transposed
table unless its source says otherwise. To add one, write the function and a line here: choices, help, the docs and the
property tests follow. A metric of your own needs no line: ``score(key, response, metrics={"mine": function})``.
"""

from referee.corpus.corpus import Corpus
from referee.metrics.anaphora import name_anaphora, nominal_anaphora, pronoun_anaphora, zero_anaphora
from referee.metrics.average import conll
from referee.metrics.b_cubed import b_cubed, b_cubed_entity, purity
from referee.metrics.blanc import blanc, rand
from referee.metrics.bridging import bridging_anaphora, bridging_entities, bridging_mentions
from referee.metrics.ceaf import ceaf_e, ceaf_m, ceaf_phi1, ceaf_phi2, exact
from referee.metrics.chance import ari, fowlkes_mallows
from referee.metrics.core_mr import core_mr, exclusive_core_mr
from referee.metrics.deixis import deixis_b_cubed, deixis_ceaf_e, deixis_conll, deixis_lea, deixis_muc
from referee.metrics.distribution import d_error, overlap
from referee.metrics.entropy import completeness, homogeneity, mutual_information, v_measure, vi
from referee.metrics.gap import gap, gap_bias, gap_feminine, gap_masculine
from referee.metrics.lea import lea
from referee.metrics.links import links, mentions, syntactic_links
from referee.metrics.mention_overlap import mention_overlap
from referee.metrics.merge_distance import merge_distance
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

PARTITION = {
    "mentions": mentions,
    "muc": muc,
    "b_cubed": b_cubed,
    "ceaf_m": ceaf_m,
    "ceaf_e": ceaf_e,
    "blanc": blanc,
    "lea": lea,
    "conll": conll,
    "core_mr": core_mr,
    "exclusive_core_mr": exclusive_core_mr,
    "overlap": overlap,
    "d_error": d_error,
    "links": links,
    "syntactic_links": syntactic_links,
    "rand": rand,
    "ari": ari,
    "fowlkes_mallows": fowlkes_mallows,
    "b_cubed_entity": b_cubed_entity,
    "ceaf_phi1": ceaf_phi1,
    "ceaf_phi2": ceaf_phi2,
    "exact": exact,
    "purity": purity,
    "homogeneity": homogeneity,
    "completeness": completeness,
    "v_measure": v_measure,
    "mutual_information": mutual_information,
    "vi": vi,
    "merge_distance": merge_distance,
}
"""Measures of entities as sets of mentions: a bare table is all that they look at."""

ANNOTATION = {
    "heads": (mention_overlap,),
    "empty nodes": (zero_anaphora,),
    "mention types": (pronoun_anaphora, name_anaphora, nominal_anaphora),
    "non-referring": (non_referring,),
    "bridging": (bridging_anaphora, bridging_mentions, bridging_entities),
    "discourse deixis": (deixis_muc, deixis_b_cubed, deixis_ceaf_e, deixis_lea, deixis_conll),
    "split antecedents": (
        muc_split, b_cubed_split, ceaf_m_split, ceaf_e_split, blanc_split, lea_split, conll_split,
        split_antecedents_muc, split_antecedents_b_cubed, split_antecedents_ceaf_m, split_antecedents_ceaf_e,
        split_antecedents_lea, split_antecedents_conll,
    ),
    "gap": (gap, gap_masculine, gap_feminine, gap_bias),
}  # fmt: skip
"""Measures of what only some annotation has: they look at `Table.matching` or `Table.layers`. By what a key must have for them
to be computed unasked: one of `referee.corpus.corpus.FEATURES`, or a format."""

METRICS = {**PARTITION, **{metric.__name__: metric for metrics in ANNOTATION.values() for metric in metrics}}


def called_for(key: Corpus) -> list[str]:
    """The measures for a key: those of partitions, and those of what it has."""
    has = {*key.own_features, key.format}
    return [*PARTITION, *(metric.__name__ for need, metrics in ANNOTATION.items() if need in has for metric in metrics)]


DISTANCES = ("d_error", "vi", "merge_distance")
"""Measures that are not larger when better: 0 is best."""
