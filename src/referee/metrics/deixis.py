"""Discourse deixis ("… That surprised everyone"): mentions of what was said, and the stretches of text they refer to.

It is annotated as coreference is, in a layer of its own, and scored by the same measures. Singletons are kept, split
antecedents count as in `referee.metrics.split_antecedents`, mentions are matched exactly. Other entities play no part.

Source: Khosla et al. (2021), "The CODI-CRAC 2021 shared task on anaphora, bridging, and discourse deixis in dialogue".
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from referee.algorithms.sorting import starts_of_runs
from referee.corpus.corpus import Corpus
from referee.counts import Counts
from referee.matching.matchers import match
from referee.metrics.split_antecedents import b_cubed_split, ceaf_e_split, conll_split, lea_split, muc_split
from referee.metrics.table import Table


def deixis_muc(table: Table) -> Counts:
    """MUC of discourse deixis.

    Source: Khosla et al. (2021); `muc_split` for the measure.
    """
    return muc_split(table.once(_deixis))


def deixis_b_cubed(table: Table) -> Counts:
    """B³ of discourse deixis.

    Source: Khosla et al. (2021); `b_cubed_split` for the measure.
    """
    return b_cubed_split(table.once(_deixis))


def deixis_ceaf_e(table: Table) -> Counts:
    """CEAF by entities of discourse deixis.

    Source: Khosla et al. (2021); `ceaf_e_split` for the measure.
    """
    return ceaf_e_split(table.once(_deixis))


def deixis_lea(table: Table) -> Counts:
    """LEA of discourse deixis.

    Source: Moosavi and Strube (2016); `lea_split` for the measure.
    """
    return lea_split(table.once(_deixis))


def deixis_conll(table: Table) -> Counts:
    """The mean of the F-measures of MUC, B³ and CEAF-e of discourse deixis, one number; undefined if one of them is.

    Source: Khosla et al. (2021), who rank by it.
    """
    return conll_split(table.once(_deixis))


def _deixis(table: Table) -> Table:
    """The table of the layer; without entities where there is none."""
    layers = table.layers
    if layers is None or (layers.key.deixis is None and layers.response.deixis is None):
        nothing = np.empty(0, dtype=np.int64)
        return Table.of(nothing, nothing, nothing, nothing, nothing, nothing, table.documents)
    matching = match(_layer(layers.key), _layer(layers.response), zeros="linear", characters=layers.characters)
    key, response = matching.key, matching.response
    return Table.of(
        key.entity[matching.key_mention],
        response.entity[matching.response_mention],
        key.entity_size,
        response.entity_size,
        key.entity_document,
        response.entity_document,
        table.documents,
        matching=matching,
    )


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
