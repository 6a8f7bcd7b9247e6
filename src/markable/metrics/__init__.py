"""The measures: `METRICS`, from the id of a measure to the function that counts it.

A metric is a function of the `Table` that returns `Counts`, one row a document; precision is the recall of the transposed
table unless its source says otherwise. To add one, write the function and a line here: choices, help, the docs and the
property tests follow. A metric of your own needs no line: ``score(key, response, metrics={"mine": function})``.
"""

from markable.metrics.average import conll
from markable.metrics.b_cubed import b_cubed, b_cubed_entity, purity
from markable.metrics.blanc import blanc, rand
from markable.metrics.ceaf import ceaf_e, ceaf_m, ceaf_phi1, ceaf_phi2, exact
from markable.metrics.chance import ari, fowlkes_mallows
from markable.metrics.core_mr import core_mr, exclusive_core_mr
from markable.metrics.distribution import d_error, overlap
from markable.metrics.entropy import completeness, homogeneity, mutual_information, v_measure, vi
from markable.metrics.lea import lea
from markable.metrics.links import links, mentions, syntactic_links
from markable.metrics.merge_distance import merge_distance
from markable.metrics.muc import muc

METRICS = {
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

DISTANCES = ("d_error", "vi", "merge_distance")
"""Measures that are not larger when better: 0 is best."""
