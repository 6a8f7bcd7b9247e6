"""Mention overlap: how much of the mentions was found, word by word, whatever entity they were put in."""

from __future__ import annotations

import numpy as np

from referee.algorithms.arrays import Ints
from referee.algorithms.assignment import assign
from referee.corpus.corpus import Corpus
from referee.counts import Counts, rates
from referee.matching.overlap import overlapping
from referee.matching.spans import sizes
from referee.metrics.table import Table


def mention_overlap(table: Table) -> Counts:
    """Mention overlap ratio (MOR): positions in common, over a one-to-one matching with as many of them as possible.

    Counts are positions: words, and empty nodes; characters where texts are aligned by these. The matching is its own: it does
    not depend on how mentions are matched for the other measures, and knows no threshold.

    Source: Žabokrtský et al. (2022), "Findings of the Shared Task on Multilingual Coreference Resolution", section 4.2.
    """
    if table.matching is None or table.matching.key.items is not None:
        none = np.zeros(table.documents, dtype=np.int64)
        return rates((none, none), (none, none))
    key, response = table.matching.on_common_positions
    k, r, shared = overlapping(key, response)
    chosen, slack = assign(k, r, shared.astype(np.float64), len(key.document), len(response.document))
    common = _by_document(key, shared[chosen], k[chosen], table.documents)
    return rates(
        (common, _by_document(key, sizes(key), slice(None), table.documents)),
        (common, _by_document(response, sizes(response), slice(None), table.documents)),
        None if slack is None else np.bincount(key.document, slack, table.documents),
    )


def _by_document(corpus: Corpus, values: Ints, mentions: Ints | slice, documents: int) -> Ints:
    return np.bincount(corpus.document[mentions], values, documents).astype(np.int64)
