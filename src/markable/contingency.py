"""From matched mentions to the table of their entities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from markable.corpus import Corpus
from markable.errors import OptionError
from markable.layers import Links
from markable.matching import Matching
from markable.rows import Ints
from markable.table import Layers, LinkCounts, Table


def table_of(matching: Matching, lea_importance: Mapping[str, float] | None = None, layers: Layers | None = None) -> Table:
    """The table of a matching. OptionError if entities are weighted by type and a side has no types."""
    key, response = matching.key, matching.response
    return Table.of(
        key.entity[matching.key_mention],
        response.entity[matching.response_mention],
        key.entity_size,
        response.entity_size,
        key.entity_document,
        response.entity_document,
        len(key.names),
        key_importance=_importance(key, lea_importance),
        response_importance=_importance(response, lea_importance),
        links=_link_counts(matching),
        matching=matching,
        layers=layers,
    )


def _importance(corpus: Corpus, weights: Mapping[str, float] | None) -> Any:
    if weights is None:
        return None
    if corpus.types is None and len(corpus.entity_document):
        raise OptionError(f"{corpus.source} has no entity types, which importance by type needs")
    types = list(corpus.types or ())
    missing = sorted(set(types) - set(weights))
    if missing:
        raise OptionError(f"no importance for entity type {missing[0]!r} of {corpus.source}; given: {', '.join(weights)}")
    return np.array([weights[t] for t in types], dtype=np.float64)


def _link_counts(matching: Matching) -> LinkCounts | None:
    key, response, key_mention, response_mention, _ = matching
    if key.links is None or response.links is None:
        return None
    documents = len(key.names)

    def side(corpus: Corpus, links: Links, other: Corpus, mention: Ints, other_mention: Ints) -> tuple[Ints, Ints]:
        entity = np.full(len(corpus.entity), -1, dtype=np.int64)  # of each mention's counterpart
        entity[mention] = other.entity[other_mention]
        found = (entity[links.first] >= 0) & (entity[links.first] == entity[links.second])
        return np.bincount(links.document, minlength=documents), np.bincount(links.document[found], minlength=documents)

    return LinkCounts(
        *side(key, key.links, response, key_mention, response_mention),
        *side(response, response.links, key, response_mention, key_mention),
    )
