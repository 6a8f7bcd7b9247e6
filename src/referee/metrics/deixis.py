"""Discourse deixis ("… That surprised everyone"): mentions that refer to a stretch of the text.

It is annotated as coreference is, in a layer of its own, and scored by the same metrics. Singletons are kept, split
antecedents count as in `referee.metrics.split_antecedents`, and mentions are matched exactly. Other entities play no part.

References
----------
Khosla et al. (2021), "The CODI-CRAC 2021 shared task on anaphora, bridging, and discourse deixis in dialogue".
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from referee.algorithms.arrays import starts_of_runs
from referee.basics.options.options import Options
from referee.corpus import Corpus
from referee.matching.pair import Pair
from referee.metrics.metric import metric
from referee.metrics.split_antecedents import b_cubed_split, ceaf_e_split, conll_split, lea_split, muc_split
from referee.stats.counts import Counts

_deixis_metric = partial(metric, scope="annotation", needs="discourse deixis")


@_deixis_metric("Discourse deixis, MUC", counts="links", aliases=("discourse_deixis_muc",))
def deixis_muc(pair: Pair) -> Counts:
    """MUC (`muc_split`) of discourse deixis.

    References
    ----------
    Khosla et al. (2021); `muc_split` for the metric.
    """
    return muc_split.count(pair.memo_call(_deixis))


@_deixis_metric("Discourse deixis, B³", counts="mentions", aliases=("discourse_deixis_b_cubed",))
def deixis_b_cubed(pair: Pair) -> Counts:
    """B³ (`b_cubed_split`) of discourse deixis.

    References
    ----------
    Khosla et al. (2021); `b_cubed_split` for the metric.
    """
    return b_cubed_split.count(pair.memo_call(_deixis))


@_deixis_metric("Discourse deixis, CEAFe", counts="entities", aliases=("discourse_deixis_ceaf_e",))
def deixis_ceaf_e(pair: Pair) -> Counts:
    """CEAF by entities (`ceaf_e_split`) of discourse deixis.

    References
    ----------
    Khosla et al. (2021); `ceaf_e_split` for the metric.
    """
    return ceaf_e_split.count(pair.memo_call(_deixis))


@_deixis_metric("Discourse deixis, LEA", counts="mentions", aliases=("discourse_deixis_lea",))
def deixis_lea(pair: Pair) -> Counts:
    """LEA (`lea_split`) of discourse deixis.

    References
    ----------
    Moosavi and Strube (2016); `lea_split` for the metric.
    """
    return lea_split.count(pair.memo_call(_deixis))


@_deixis_metric("Discourse deixis, CoNLL", counts="those of the three", aliases=("discourse_deixis_conll",))
def deixis_conll(pair: Pair) -> Counts:
    """CoNLL (`conll_split`) of discourse deixis, one number.

    Notes
    -----
    The mean F of `deixis_muc`, `deixis_b_cubed` and `deixis_ceaf_e`. It is undefined if one of the three is.

    References
    ----------
    Khosla et al. (2021), who rank by it.
    """
    return conll_split.count(pair.memo_call(_deixis))


def _deixis(pair: Pair) -> Pair:
    """The deixis layer as a pair of its own; without mentions where neither side has one."""
    layers = pair.unfiltered.each(_layer)
    return Pair(layers, layers, layers, pair.characters, pair.words, Options(zeros="linear"))


def _layer(corpus: Corpus) -> Corpus:
    """The layer, referring mentions only and each once, over the same tokens; without mentions where there is none."""
    if corpus.deixis is None:
        return corpus.select(np.zeros(len(corpus.document), dtype=bool))
    layer = replace(corpus.deixis, empty_nodes=corpus.empty_nodes)
    shape = () if layer.fragments is None else (layer.fragments,)
    kept = starts_of_runs(layer.document, layer.start, layer.end, *shape)
    if layer.referring is not None:
        kept &= layer.referring[layer.entity]
    return layer if kept.all() else layer.select(kept)
