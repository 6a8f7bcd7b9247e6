"""Entities as annotation tools write them: the labels of mentions, and links between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from referee.algorithms.components import components
from referee.corpus import Corpus
from referee.formats.shared.losses import Losses
from referee.formats.shared.text_mentions import UNTYPED


def label_of(corpus: Corpus, entity: int) -> str:
    """The label of the mentions of an entity: its type, or `UNTYPED`."""
    return (corpus.entity_types[entity] if corpus.entity_types is not None else "") or UNTYPED


def links_of_document(corpus: Corpus, mentions: Mapping[int, Sequence[int]]) -> list[tuple[int, int]]:
    """The links of a document, by the numbers of the mentions of its entities: as listed; else of each to the one before."""
    if corpus.links is None:
        return [(later, earlier) for inside in mentions.values() for earlier, later in pairwise(inside)]
    here = np.isin(corpus.links.first, [mention for inside in mentions.values() for mention in inside])
    return list(zip(corpus.links.first[here].tolist(), corpus.links.second[here].tolist(), strict=True))


def leave_out_loose_links(losses: Losses) -> None:
    """Leave out the listed links if they do not connect the mentions of each entity; there is one to each mention then."""
    corpus = losses.corpus
    if corpus.links is None:
        return
    pairs = zip(corpus.links.first.tolist(), corpus.links.second.tolist(), strict=True)
    mentions = len(corpus.document)
    chains = [pair for entity in range(len(corpus.entity_ids)) for pair in pairwise(corpus.mentions_of(entity))]
    if components(mentions, list(pairs)) != components(mentions, chains):
        losses.left_out["link", " as listed"] += len(corpus.links.first)
        losses.corpus = replace(corpus, links=None)
