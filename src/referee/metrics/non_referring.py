"""Expressions that refer to nothing ("it rains"): were they told from those that do?"""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.corpus import Corpus
from referee.counts import Counts, rates
from referee.matching.exact import identities
from referee.matching.positions import on_common_positions
from referee.metrics.table import Table


def non_referring(table: Table) -> Counts:
    """Non-referring expressions found: the same span is one on both sides.

    Counts are mentions. Spans must be equal to the last part, whatever the matcher. 0 / 0 where nobody marks any.

    Source: the Universal Anaphora scorer, Yu et al. (2022).
    """
    layers = table.layers
    if layers is None or (layers.key.referring is None and layers.response.referring is None):
        none = np.zeros(table.documents, dtype=np.int64)
        return rates((none, none), (none, none))
    place = identities(*on_common_positions(*layers))
    key, response = (_places(side, p) for side, p in zip((layers.key, layers.response), place, strict=True))

    def by_document(found: dict[int, int]) -> Ints:
        return np.bincount(np.array(list(found.values()), dtype=np.int64), minlength=table.documents)

    common = by_document({p: document for p, document in key.items() if p in response})
    return rates((common, by_document(key)), (common, by_document(response)))


def _places(corpus: Corpus, place: Ints) -> dict[int, int]:
    """The places of non-referring expressions, each once, with their documents."""
    if corpus.referring is None:
        return {}
    idle = ~corpus.referring[corpus.entity]
    return dict(zip(place[idle].tolist(), corpus.document[idle].tolist(), strict=True))
