"""Entities as annotation tools write them: the labels of mentions, and links between them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from referee.algorithms.components import components
from referee.basics.exceptions import shortened
from referee.corpus import Corpus
from referee.formats.shared.documents import unwritable
from referee.formats.shared.losses import Losses
from referee.formats.shared.text_mentions import UNTYPED


def label_of(corpus: Corpus, name: str, entity: int, *, format: str) -> str:
    """The label of the mentions of an entity in a document: its type, or `UNTYPED`.

    Raises
    ------
    FormatError
        If the type is `UNTYPED`, or has blanks or a semicolon in it, which brat cannot hold.
    """
    entity_type = corpus.entity_types[entity] if corpus.entity_types is not None else ""
    if entity_type == UNTYPED or (format == "brat" and re.search(r"[\s;]", entity_type)):
        raise unwritable(corpus, name, f"the entity type {shortened(entity_type)!r}", format=format)
    return entity_type or UNTYPED


def links_of_document(
    corpus: Corpus, name: str, mentions: Mapping[int, Sequence[int]], *, format: str
) -> list[tuple[int, int]]:
    """The links of a document, by the numbers of mentions: as listed; else from each mention to the one before it.

    Parameters
    ----------
    corpus : Corpus
        What is written.
    name, mentions
        A document, and the numbers of the mentions of its entities.
    format : str
        For the message of the error.

    Raises
    ------
    FormatError
        If there are links, and they do not connect the mentions of each entity.
    """
    chains = [(later, earlier) for inside in mentions.values() for earlier, later in pairwise(inside)]
    if corpus.links is None:
        return chains
    inside = sorted(mention for entity in mentions.values() for mention in entity)
    here = np.isin(corpus.links.first, inside)
    links = list(zip(corpus.links.first[here].tolist(), corpus.links.second[here].tolist(), strict=True))
    number = {mention: n for n, mention in enumerate(inside)}
    linked, needed = ([(number[a], number[b]) for a, b in pairs] for pairs in (links, chains))
    if components(len(number), linked) != components(len(number), needed):
        raise unwritable(corpus, name, "its links do not connect the mentions of each entity", format=format)
    return links


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
